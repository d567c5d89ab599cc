"""What the blocking and the awaiting client share: the address, the key, and who asks where nobody is named."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..results.result import Result
from .calls import Calls, query_result
from .engine.portal import Portal, engine
from .errors import ConfigurationError
from .hub_token import token_of_the_hub
from .keys import ENVIRONMENT, find_key
from .retries import Retries
from .users import User, UserFields
from .wire.replies import Loaded
from .wire.requests import Address
from .wire.tokens import TokenGetter, TokenSource
from .wire.transport import Http

__all__ = ["ServiceClient"]

SHOWN_FROM = 16
"""Characters a key must have for its first two to be shown."""


class ServiceClient:
    """A service on the network and the key to it.

    Parameters
    ----------
    base_url
        Root of the service, or the environment's ``SVC_BASE_URL``.
    api_key
        Account key; else ``SVC_API_KEY``, else the token of whoever works on a JupyterHub that has a service for it
        (``SVC_TOKEN_URL``), else the key from the keyring if one is installed.
    chat_api_url
        The agent's chat URL from its settings, or ``SVC_CHAT_API_URL``; needed for chat alone, taken as it is.
    token
        A user token from :meth:`Session.token` instead of a key: the client then is that user. Or a function that
        gets one, which may be asynchronous: it is called when a token is needed, and again when the service no longer
        takes the last one.
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
    portal
        The engine thread (tests).

    Raises
    ------
    ConfigurationError
        When there is no address or no key, or both a key and a token.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        chat_api_url: str | None = None,
        token: str | TokenGetter | None = None,
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
        if token is None and api_key is None and not os.environ.get(ENVIRONMENT, "").strip():
            token = token_of_the_hub()
        if token is None and api_key is None:
            api_key = find_key(base_url)
        tokens = TokenSource(token) if callable(token) else None
        address = Address(
            base_url,
            chat_api_url or os.environ.get("SVC_CHAT_API_URL"),
            abort_url=abort_url,
            api_key=api_key,
            token=None if callable(token) else token,
            of_user=tokens is not None,
        )
        http = Http(transport=transport, client=http_client, timeout=timeout, tokens=tokens)
        self._calls = Calls(address, http, retries or Retries(), portal or engine(), stream_timeout)
        self._default_user: UserFields = default_user or {}

    def __repr__(self) -> str:
        address = self._calls.address
        way = "user token" if address.is_user else f"key {_masked(address.api_key)}"
        return f"<{type(self).__name__} {address.base_url}, {way}>"

    @property
    def is_user(self) -> bool:
        """Whether a user token says who asks, so that nobody needs to be named."""
        return self._calls.address.is_user

    @property
    def base_url(self) -> str:
        """Root of the service."""
        return self._calls.address.base_url

    @property
    def chat_api_url(self) -> str | None:
        """The agent's chat URL; None if this client has no chat."""
        return self._calls.address.chat_api_url

    @property
    def portal(self) -> Portal:
        """The engine this client's work runs on."""
        return self._calls.portal

    def _user(self, fields: Mapping[str, Any], *, needed: bool = False) -> User:
        named = {name: value for name, value in fields.items() if value is not None}
        if not named.keys() & {"external_id", "internal_id"}:
            if "external_id" not in self._default_user:
                self._check_somebody(named)
            named = {**self._default_user, **named}
        user = User.of(**named)
        if needed and not user.named and not self._calls.address.is_user:
            raise ConfigurationError('Who asks? Give external_id="…" or internal_id="…@…"; rows depend on it')
        return user

    def _data_user(self, fields: Mapping[str, Any]) -> User:
        """For the data API an account key alone asks for itself."""
        given = {name: value for name, value in fields.items() if value is not None}
        if not given.keys() & {"external_id", "internal_id"}:
            self._check_somebody(given)
        return User.of(**given)

    def _check_somebody(self, named: Mapping[str, Any]) -> None:
        """What somebody is (attributes, groups) wants somebody; a user token is one."""
        said = sorted(named.keys() & {"user_attributes", "groups", "security_context"})
        if said and not self._calls.address.is_user:
            raise ConfigurationError(f'{" and ".join(said)}: of whom? Add external_id="…"')

    def _result(self, query: str, loaded: Loaded, user: User) -> Result:
        return query_result(self._calls, user, query, loaded)


def _masked(key: str | None) -> str:
    if not key:
        return "none"
    return f"{key[:2]}…" if len(key) >= SHOWN_FROM else "…"
