"""The way in: one client with blocking methods, one with awaiting ones; both thin over the same operations."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, Unpack

from ..protocol.data import ExplainResponse, MetaResponse
from ..protocol.sessions import GroupDefinition, UserAttributeDefinition
from ..results.result import Result
from .calls import Calls, SqlLoader
from .chat import AsyncChat, Chat
from .errors import ConfigurationError
from .keys import find_key
from .portal import Portal, engine
from .replies import Loaded
from .requests import Address
from .retries import Retries
from .sessions import AsyncSession, AsyncTenant, Session, Tenant
from .transport import Http
from .users import Attributes, User, UserFields

if TYPE_CHECKING:
    import pandas as pd

    from ..protocol.chat import Thread

__all__ = ["AsyncClient", "Client"]

MAX_SECRET_SHOWN = 4


class _ClientBase:
    """A service and the key to it.

    Parameters
    ----------
    base_url
        Root of the service, or the environment's ``SVC_BASE_URL``.
    api_key
        Account key; else ``SVC_API_KEY``, else from the keyring if one is installed.
    chat_api_url
        The agent's chat URL from its settings, or ``SVC_CHAT_API_URL``; needed for chat alone, taken as it is.
    token
        A user token from :meth:`Session.token` instead of a key: the client then is that user.
    abort_url
        Only where it is not ``{chat_api_url}/abort``.
    timeout
        Seconds for an ordinary request.
    stream_timeout
        Seconds a chat stream may say nothing; None for as long as it likes.
    retries
        What is tried again.
    transport, http_client
        An httpx transport, or a whole ``AsyncClient`` of httpx or httpx2 (which stays yours to close).
    default_user
        Who asks where a method is not told: keyword arguments as for :meth:`chat`.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        chat_api_url: str | None = None,
        token: str | None = None,
        abort_url: str | None = None,
        timeout: float = 60.0,
        stream_timeout: float | None = 300.0,
        retries: Retries | None = None,
        transport: Any = None,
        http_client: Any = None,
        default_user: UserFields | None = None,
        portal: Portal | None = None,
    ) -> None:
        base_url = base_url or os.environ.get("SVC_BASE_URL")
        if base_url is None:
            raise ConfigurationError("Which service? Give base_url=, or set SVC_BASE_URL; svc.demo() needs neither")
        if token is not None and api_key is not None:
            raise ConfigurationError("Give an api_key (the account's) or a token (a user's), not both")
        if token is None and api_key is None:
            api_key = find_key(base_url)
        address = Address(
            base_url,
            chat_api_url or os.environ.get("SVC_CHAT_API_URL"),
            abort_url=abort_url,
            api_key=api_key,
            token=token,
        )
        http = Http(transport=transport, client=http_client, timeout=timeout)
        self._calls = Calls(address, http, retries or Retries(), portal or engine(), stream_timeout)
        self._default_user: UserFields = default_user or {}

    def __repr__(self) -> str:
        address = self._calls.address
        way = "user token" if address.token else f"key {_masked(address.api_key)}"
        return f"<{type(self).__name__} {address.base_url}, {way}>"

    @property
    def base_url(self) -> str:
        return self._calls.address.base_url

    @property
    def chat_api_url(self) -> str | None:
        return self._calls.address.chat_api_url

    @property
    def portal(self) -> Portal:
        """The engine this client's work runs on."""
        return self._calls.portal

    def _user(self, fields: Mapping[str, Any], *, needed: bool = False) -> User:
        named = {name: value for name, value in fields.items() if value is not None}
        if not named.keys() & {"external_id", "internal_id"}:
            named = {**self._default_user, **named}
        user = User.of(**named)
        if needed and not user.named and self._calls.address.token is None:
            raise ConfigurationError('Who asks? Give external_id="…" or internal_id="…@…"; rows depend on it')
        return user

    def _data_user(self, fields: Mapping[str, Any]) -> User:
        """For the data API an account key alone asks for itself."""
        given = {name: value for name, value in fields.items() if value is not None}
        return User.of(**given)

    def _result(self, query: str, loaded: Loaded, user: User) -> Result:
        return Result(
            sql=query,
            schema=loaded.schema,
            data=loaded.rows,
            row_filters=loaded.row_filters,
            notes=loaded.notes,
            whoami=loaded.user or user.label,
            loader=SqlLoader(self._calls, user),
        )


class Client(_ClientBase):
    __doc__ = f"""A service, with blocking calls. {_ClientBase.__doc__}"""

    def generate_session(
        self,
        *,
        deployment_id: int,
        external_id: str | None = None,
        internal_id: str | None = None,
        email: str | None = None,
        embed_tenant_name: str | None = None,
        creator_mode: bool | None = None,
        user_attributes: Attributes | None = None,
        groups: Sequence[str] | None = None,
        user_attribute_definitions: Sequence[UserAttributeDefinition | Mapping[str, Any]] | None = None,
        group_definitions: Sequence[GroupDefinition | Mapping[str, Any] | str] | None = None,
        security_context: Mapping[str, Any] | None = None,
    ) -> Session:
        """Mint a session for an external or internal user; provision the user, and in creator mode the definitions."""
        session_id = self.portal.run(self._calls.generate_session(**_fields(locals())))
        return Session(self._calls, session_id, deployment_id)

    def tenant(self, name: str) -> Tenant:
        """An embed tenant, to list and delete what was bootstrapped into it."""
        return Tenant(self._calls, name)

    def chat(
        self,
        *,
        chat_id: str | None = None,
        branch: str | None = None,
        is_default_branch: bool | None = None,
        **user: Unpack[UserFields],
    ) -> Chat:
        """A conversation as that user: a new one, or with ``chat_id`` an earlier one."""
        asker = self._user(user, needed=True)
        return Chat(self._calls, asker, chat_id, branch=branch, is_default_branch=is_default_branch)

    def threads(self, **user: Unpack[UserFields]) -> list[Thread]:
        """The user's threads, the latest first."""
        return self.portal.run(self._calls.threads(self._user(user, needed=True)))

    def query(self, query: str, **user: Unpack[UserFields]) -> Result:
        """Run SQL over the data model under the user's policies; without a user, as the key's own."""
        asker = self._data_user(user)
        return self._result(query, self.portal.run(self._calls.sql(asker, query)), asker)

    def sql(self, query: str, **user: Unpack[UserFields]) -> pd.DataFrame:
        """:meth:`query` as a typed DataFrame."""
        return self.query(query, **user).to_frame()

    def explain(self, query: str, **user: Unpack[UserFields]) -> ExplainResponse:
        """How the query is compiled for this user: SQL, the row filters applied, and why."""
        return self.portal.run(self._calls.explain(self._data_user(user), query))

    def meta(self, search: str | None = None, **user: Unpack[UserFields]) -> MetaResponse:
        """What this user may ask about: all views and cubes with their members, or those nearest to ``search``."""
        return self.portal.run(self._calls.meta(self._data_user(user), search))

    def close(self) -> None:
        """Close connections; running chats end."""
        self.portal.run(self._calls.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_ClientBase):
    __doc__ = f"""A service, with awaiting calls, from any event loop. {_ClientBase.__doc__}"""

    async def generate_session(
        self,
        *,
        deployment_id: int,
        external_id: str | None = None,
        internal_id: str | None = None,
        email: str | None = None,
        embed_tenant_name: str | None = None,
        creator_mode: bool | None = None,
        user_attributes: Attributes | None = None,
        groups: Sequence[str] | None = None,
        user_attribute_definitions: Sequence[UserAttributeDefinition | Mapping[str, Any]] | None = None,
        group_definitions: Sequence[GroupDefinition | Mapping[str, Any] | str] | None = None,
        security_context: Mapping[str, Any] | None = None,
    ) -> AsyncSession:
        """As :meth:`Client.generate_session`."""
        session_id = await self.portal.arun(self._calls.generate_session(**_fields(locals())))
        return AsyncSession(self._calls, session_id, deployment_id)

    def tenant(self, name: str) -> AsyncTenant:
        """As :meth:`Client.tenant`."""
        return AsyncTenant(self._calls, name)

    def chat(
        self,
        *,
        chat_id: str | None = None,
        branch: str | None = None,
        is_default_branch: bool | None = None,
        **user: Unpack[UserFields],
    ) -> AsyncChat:
        """As :meth:`Client.chat`."""
        asker = self._user(user, needed=True)
        return AsyncChat(self._calls, asker, chat_id, branch=branch, is_default_branch=is_default_branch)

    async def threads(self, **user: Unpack[UserFields]) -> list[Thread]:
        """As :meth:`Client.threads`."""
        return await self.portal.arun(self._calls.threads(self._user(user, needed=True)))

    async def query(self, query: str, **user: Unpack[UserFields]) -> Result:
        """As :meth:`Client.query`."""
        asker = self._data_user(user)
        return self._result(query, await self.portal.arun(self._calls.sql(asker, query)), asker)

    async def sql(self, query: str, **user: Unpack[UserFields]) -> pd.DataFrame:
        """As :meth:`Client.sql`."""
        result = await self.query(query, **user)
        return await asyncio.to_thread(result.to_frame)

    async def explain(self, query: str, **user: Unpack[UserFields]) -> ExplainResponse:
        """As :meth:`Client.explain`."""
        return await self.portal.arun(self._calls.explain(self._data_user(user), query))

    async def meta(self, search: str | None = None, **user: Unpack[UserFields]) -> MetaResponse:
        """As :meth:`Client.meta`."""
        return await self.portal.arun(self._calls.meta(self._data_user(user), search))

    async def close(self) -> None:
        """As :meth:`Client.close`."""
        await self.portal.arun(self._calls.close())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _fields(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name != "self"}


def _masked(key: str | None) -> str:
    if not key:
        return "none"
    return f"{key[:2]}…" if len(key) >= 4 * MAX_SECRET_SHOWN else "…"
