"""Every request of the client, built in one place as plain data; nothing here does I/O."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import UNSET, UnsetType

from ...protocol.access import AccessRequest
from ...protocol.admin import MAX_PAGE
from ...protocol.chat import AbortRequest, ChatRequest, FeedbackRequest, RenameThreadRequest, SessionSettings
from ...protocol.data import ARROW_STREAM, MetaRequest, SqlRequest
from ...protocol.ndjson import CONTENT_TYPE as NDJSON
from ...protocol.reading import Reading
from ...protocol.sessions import (
    GenerateSessionRequest,
    GroupDefinition,
    RevokeSessionRequest,
    SessionTokenRequest,
    UserAttributeDefinition,
)
from ...protocol.spelling import spelled
from ...results.feedback import Feedback
from ..errors import ConfigurationError
from ..users import Attributes, User, attributes

__all__ = ["Address", "Request", "bearer", "usable_secret"]

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request as data.

    ``repeatable``: doing it twice does no harm, so it may be tried again. ``large``: its answer holds rows, any number.
    """

    method: str
    url: str
    headers: dict[str, str] = field(repr=False)
    content: bytes | None = None
    params: dict[str, str] = field(default_factory=dict)
    repeatable: bool = True
    large: bool = False


@dataclass(frozen=True, slots=True)
class Address:
    """Where the service is and what opens it. The chat URL is taken as it is, never built.

    Parameters
    ----------
    base_url
        Root of the session, admin and data endpoints.
    chat_api_url
        The agent's chat URL, from its settings.
    abort_url
        Only if it is not ``{chat_api_url}/abort``.
    api_key, token
        An account key, or a user token from the session exchange; exactly one.
    of_user
        No key: whoever sends the requests adds a user token to each.
    """

    base_url: str
    chat_api_url: str | None = None
    abort_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    of_user: bool = False

    def __post_init__(self) -> None:
        for name in ("base_url", "chat_api_url", "abort_url"):
            url = getattr(self, name)
            if url is not None and urlsplit(url).scheme not in {"http", "https"}:
                raise ConfigurationError(f"{name} must begin with http:// or https://, not {url!r}")
        for name in ("api_key", "token"):
            if (secret := getattr(self, name)) is not None:
                usable_secret(name, secret)
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))
        for name in ("chat_api_url", "abort_url"):
            self._check_way_of_the_key(name, getattr(self, name))

    @property
    def is_user(self) -> bool:
        """Whether a user token says who asks."""
        return self.of_user or self.token is not None

    def _check_way_of_the_key(self, name: str, url: str | None) -> None:
        """A key that goes to another host than ``base_url`` does not go there unnoticed, and never less protected."""
        if url is None:
            return
        home, other = urlsplit(self.base_url), urlsplit(url)
        if (home.scheme, other.scheme) == ("https", "http"):
            raise ConfigurationError(f"{name} must begin with https:// as base_url does: the key would go in the clear")
        if home.hostname != other.hostname:
            what = "user token" if self.is_user else "key"
            warnings.warn(
                f"The {what} for {home.hostname} goes to {other.hostname} as well, as {name} says", stacklevel=5
            )

    # the service itself

    def reload(self) -> Request:
        return self._post(f"{self.base_url}/api/v1/reload", {})

    def freshness(self) -> Request:
        return self._get(f"{self.base_url}/api/v1/freshness", {})

    # sessions and tenants

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
    ) -> Request:
        body = GenerateSessionRequest(
            deployment_id=deployment_id,
            external_id=_given(external_id),
            internal_id=_given(internal_id),
            email=_given(email),
            embed_tenant_name=_given(embed_tenant_name),
            creator_mode=_given(creator_mode),
            user_attributes=UNSET if user_attributes is None else attributes(user_attributes),
            groups=UNSET if groups is None else list(groups),
            user_attribute_definitions=_definitions(user_attribute_definitions, UserAttributeDefinition),
            group_definitions=_definitions(group_definitions, GroupDefinition),
            security_context=UNSET if security_context is None else dict(security_context),
        )
        return self._post(f"{self.base_url}/api/v1/embed/generate-session", body)

    def session_token(self, session_id: str) -> Request:
        return self._post(
            f"{self.base_url}/api/v1/embed/session/token", SessionTokenRequest(session_id), repeatable=False
        )

    def revoke_session(self, session_id: str) -> Request:
        return self._post(f"{self.base_url}/api/v1/embed/session/revoke", RevokeSessionRequest(session_id))

    def tenant_list(self, tenant: str, kind: str, first: int | None = None, after: str | None = None) -> Request:
        """A page of ``kind``: ``groups`` or ``user-attributes``."""
        given = {"first": None if first is None else str(first), "after": after}
        return self._get(self._tenant(tenant, kind), {k: v for k, v in given.items() if v is not None})

    def tenant_delete(self, tenant: str, kind: str, record_id: int | str) -> Request:
        named = str(record_id)
        if isinstance(record_id, bool) or not named.strip() or named in {".", ".."}:
            raise ConfigurationError(f"{record_id!r} is no id: give the id of a record of {kind}.")
        return Request("DELETE", f"{self._tenant(tenant, kind)}/{quote(named, safe='')}", self._headers())

    # chat

    def chat(
        self,
        user: User,
        *,
        question: str | None = None,
        reading: Reading | None = None,
        chat_id: str | None = None,
        after: int | None = None,
        branch: str | None = None,
        is_default_branch: bool | None = None,
    ) -> Request:
        body = ChatRequest(
            session_settings=user.settings,
            input=_given(question),
            reading=_given(reading),
            chat_id=_given(chat_id),
            after=_given(after),
            active_branch_name=_given(branch),
            is_default_branch=_given(is_default_branch),
        )
        return self._post(self.chat_url(), body, accept=NDJSON, repeatable=question is None)

    def aborts(self, user: User, chat_id: str) -> list[Request]:
        """The specified abort request; then the other address that deployed services answer at."""
        body = AbortRequest(chat_id=chat_id, session_settings=user.names if user.named else UNSET)
        url = self.chat_url()
        urls = [self.abort_url] if self.abort_url else [f"{url}/abort"]
        if not self.abort_url and url.endswith("/stream-chat-state"):
            urls.append(f"{url.removesuffix('/stream-chat-state')}/abort")
        return [self._post(each, body) for each in urls]

    def suggestions(self, user: User) -> Request:
        return self._get(f"{self._chat_root()}/suggestions", user.query())

    def threads(self, user: User, after: str | None = None, first: int | None = None) -> Request:
        page = {"after": after} if after else {}
        if first is not None:
            page["first"] = str(min(first, MAX_PAGE))
        return self._get(f"{self._chat_root()}/threads", user.query() | page)

    def rename_thread(self, user: User, chat_id: str, title: str) -> Request:
        content = msgspec.json.encode(RenameThreadRequest(title))
        return Request("PATCH", self._thread(chat_id), self._headers(body=True), content, user.query())

    def delete_thread(self, user: User, chat_id: str) -> Request:
        return Request("DELETE", self._thread(chat_id), self._headers(), None, user.query())

    def feedback(self, user: User, chat_id: str, turn: int, feedback: Feedback | None) -> Request:
        body = FeedbackRequest(feedback.verdict, feedback.why) if feedback is not None else FeedbackRequest(None)
        url = f"{self._thread(chat_id)}/turns/{turn}/feedback"
        return Request("PUT", url, self._headers(body=True), msgspec.json.encode(body), user.query())

    # data

    def sql(self, user: User, query: str, uuid: str = "", *, stream: bool = False) -> Request:
        accept = ARROW_STREAM if stream else f"{ARROW_STREAM}, {NDJSON};q=0.5"
        body = msgspec.structs.replace(self._query(user, query), uuid=uuid or UNSET, stream=stream or UNSET)
        return replace(self._post(f"{self.base_url}/svc-api/v1/sql", body, accept=accept), large=True)

    def explain(self, user: User, query: str) -> Request:
        return self._post(f"{self.base_url}/svc-api/v1/sql/explain", self._query(user, query))

    def access(self, user: User, relations: Sequence[str]) -> Request:
        settings = user.settings if user.settings != SessionSettings() else UNSET
        body = AccessRequest(session_settings=settings, relations=list(relations))
        return self._post(f"{self.base_url}/svc-api/v1/access", body)

    def meta(self, user: User, search: str | None = None) -> Request:
        url = f"{self.base_url}/svc-api/v1/meta"
        if user.only_named:
            words = {} if search is None else {spelled(MetaRequest, "search_query"): search}
            return self._get(url, user.query() | words)
        return self._post(url, MetaRequest(search_query=search, session_settings=user.settings))

    # parts

    def chat_url(self) -> str:
        if self.chat_api_url is None:
            raise ConfigurationError(
                "This client has no chat: give it chat_api_url=, the Chat API URL from the agent's settings"
            )
        return self.chat_api_url

    def _query(self, user: User, query: str) -> SqlRequest:
        settings = user.settings if user.settings != SessionSettings() else UNSET
        return SqlRequest(query=query, timezone=user.settings.timezone, session_settings=settings)

    def _chat_root(self) -> str:
        return self.chat_url().rstrip("/").removesuffix("/stream-chat-state")

    def _thread(self, chat_id: str) -> str:
        return f"{self._chat_root()}/threads/{quote(chat_id, safe='')}"

    def _tenant(self, tenant: str, kind: str) -> str:
        return f"{self.base_url}/api/v1/embed-tenants/{quote(tenant, safe='')}/{kind}"

    def _get(self, url: str, params: dict[str, str]) -> Request:
        return Request("GET", url, self._headers(), None, params)

    def _post(self, url: str, body: Any, *, accept: str = "application/json", repeatable: bool = True) -> Request:
        headers = self._headers(body=True, accept=accept)
        return Request("POST", url, headers, msgspec.json.encode(body), repeatable=repeatable)

    def _headers(self, *, body: bool = False, accept: str = "application/json") -> dict[str, str]:
        headers = {"Accept": accept}
        if body:
            headers["Content-Type"] = "application/json"
        if self.token is not None:
            headers |= bearer(self.token)
        elif self.api_key is not None:
            headers["Authorization"] = f"Api-Key {self.api_key}"
        return headers


def bearer(token: str) -> dict[str, str]:
    """The header that a user token travels in."""
    return {"Authorization": f"Bearer {token}"}


def usable_secret(name: str, secret: str) -> str:
    """A key or token that a header can hold.

    Raises
    ------
    ConfigurationError
        When it cannot; the secret itself is not repeated.
    """
    if not (secret.isascii() and secret.isprintable() and secret.strip() == secret):
        raise ConfigurationError(f"{name} holds characters that no key has (white space, a line break?)")
    return secret


def _given(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value


def _definitions(given: Sequence[Any] | None, kind: type[S]) -> list[S] | UnsetType:
    if given is None:
        return UNSET
    return [item if isinstance(item, kind) else _definition(item, kind) for item in given]


def _definition(item: Any, kind: type[S]) -> S:
    if isinstance(item, str):
        return kind(item)  # a group by its name alone
    snake = dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))
    return kind(**{snake.get(key, key): value for key, value in item.items() if value is not None})
