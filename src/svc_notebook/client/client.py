"""The way in: one client with blocking methods, one with awaiting ones; both thin over the same operations."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, Unpack

from ..protocol.data import ExplainResponse, MetaResponse
from ..protocol.sessions import GroupDefinition, UserAttributeDefinition
from ..results.result import Result
from .base import ServiceClient
from .chat import AsyncChat, Chat
from .sessions import AsyncSession, AsyncTenant, Session, Tenant
from .users import Attributes, UserFields

if TYPE_CHECKING:
    import pandas as pd

    from ..protocol.chat import Thread

__all__ = ["AsyncClient", "Client"]


class Client(ServiceClient):
    __doc__ = f"""A service, with blocking calls. {ServiceClient.__doc__}"""

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


class AsyncClient(ServiceClient):
    __doc__ = f"""A service, with awaiting calls, from any event loop. {ServiceClient.__doc__}"""

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
