"""The operations of a service, awaited on the engine: what both clients, sessions, tenants and chats are made of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeVar

from ..protocol.chat import SuggestionsResponse, Thread
from ..protocol.data import MetaResponse
from ..protocol.freshness import Freshness
from ..protocol.sessions import GenerateSessionResponse, SessionTokenResponse
from ..results.feedback import Feedback
from ..results.result import Result
from ..results.rows import Rows
from .as_user import AsUser
from .engine.portal import Portal
from .errors import NotAService, NotFound, RequestTimeout
from .explanations import Access, Explanation
from .records import Group, UserAttributeRecord
from .retries import Retries
from .users import User
from .wire.pages import read_page
from .wire.replies import ContinueWait, Loaded, check, decode, read_data
from .wire.requests import Address, Request
from .wire.transport import Http, Reply, StreamingReply

__all__ = ["Calls", "SqlLoader"]

T = TypeVar("T")
MAX_WAITS = 600
MAX_PAGES = 1_000


class Calls:
    """One service, one way in.

    Parameters
    ----------
    address
        Where it is and what opens it.
    http
        The seam to httpx.
    retries
        What is tried again.
    portal
        The engine these coroutines run on; blocking callers use it.
    silence
        Seconds a chat stream may say nothing.
    """

    def __init__(
        self, address: Address, http: Http, retries: Retries, portal: Portal, silence: float | None = 300.0
    ) -> None:
        self.address = address
        self.http = http
        self.retries = retries
        self.portal = portal
        self.silence = silence

    async def send(self, request: Request, progress: Callable[[int], object] | None = None) -> Reply:
        """A request whose answer is whole; errors raised, retries done."""

        async def once() -> Reply:
            reply = await self.http.send(request, progress)
            if reply.status >= 400:
                check(reply.status, reply.headers, reply.body)
            return reply

        return await self.retries.run(once, repeatable=request.repeatable)

    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[StreamingReply]:
        """A request whose answer streams; only its beginning is tried again."""

        async def once() -> Any:
            opened = self.http.stream(request, silence=self.silence)
            reply = await opened.__aenter__()
            if reply.status >= 400:
                try:
                    check(reply.status, reply.headers, await reply.read())
                finally:
                    await opened.__aexit__(None, None, None)
            return opened, reply

        opened, reply = await self.retries.run(once, repeatable=request.repeatable)
        try:
            yield reply
        finally:
            await opened.__aexit__(None, None, None)

    # the service itself

    async def reload(self) -> Freshness:
        return decode(await self.send(self.address.reload()), Freshness)

    async def freshness(self) -> Freshness:
        return decode(await self.send(self.address.freshness()), Freshness)

    # sessions and tenants

    async def generate_session(self, request: Request) -> str:
        return decode(await self.send(request), GenerateSessionResponse).session_id

    async def session_token(self, session_id: str) -> str:
        return decode(await self.send(self.address.session_token(session_id)), SessionTokenResponse).token

    async def revoke_session(self, session_id: str) -> None:
        await self.send(self.address.revoke_session(session_id))

    async def groups(self, tenant: str) -> list[Group]:
        return await self._listed(tenant, "groups", Group)

    async def user_attributes(self, tenant: str) -> list[UserAttributeRecord]:
        return await self._listed(tenant, "user-attributes", UserAttributeRecord)

    async def delete_from_tenant(self, tenant: str, kind: str, record_id: int | str) -> None:
        await self.send(self.address.tenant_delete(tenant, kind, record_id))

    async def _listed(self, tenant: str, kind: str, record: type[T]) -> list[T]:
        return await self._pages(lambda after: self.address.tenant_list(tenant, kind, after=after), record)

    async def _pages(
        self, page_after: Callable[[str | None], Request], record: type[T], limit: int | None = None
    ) -> list[T]:
        found: list[T] = []
        after: str | None = None
        for _ in range(MAX_PAGES):
            records, after = read_page(await self.send(page_after(after)), record, after)
            found += records
            if limit is not None and len(found) >= limit:
                return found[:limit]
            if after is None:
                return found
        raise NotAService(f"The list goes on after {MAX_PAGES:,} pages: check the URL")

    # chat

    async def abort(self, user: User, chat_id: str) -> None:
        """Abort the turn of a thread; where the specified address is unknown, at the other one."""
        first, *others = self.address.aborts(user, chat_id)
        try:
            await self.send(first)
        except NotFound as error:
            if error.body is not None or not others:
                raise
            await self.send(others[0])

    async def suggestions(self, user: User) -> list[str]:
        """Questions to begin with; none for a user whom the service does not know yet."""
        try:
            return decode(await self.send(self.address.suggestions(user)), SuggestionsResponse).suggestions
        except NotFound:
            return []

    async def threads(self, user: User, limit: int | None = None) -> list[Thread]:
        """The user's threads, page by page until there are ``limit``."""
        if limit is not None and limit < 1:
            raise ValueError(f"limit is {limit!r}: give 1 or more, or None for all threads")
        return await self._pages(lambda after: self.address.threads(user, after, limit), Thread, limit)

    async def rename_thread(self, user: User, chat_id: str, title: str) -> None:
        await self.send(self.address.rename_thread(user, chat_id, title))

    async def delete_thread(self, user: User, chat_id: str) -> None:
        await self.send(self.address.delete_thread(user, chat_id))

    async def give_feedback(self, user: User, chat_id: str, turn: int, feedback: Feedback | None) -> None:
        await self.send(self.address.feedback(user, chat_id, turn, feedback))

    # data

    async def sql(
        self, user: User, query: str, uuid: str = "", progress: Callable[[int], object] | None = None
    ) -> Loaded:
        request = self.address.sql(user, query, uuid)
        for _ in range(MAX_WAITS):
            try:
                return read_data(await self.send(request, progress))
            except ContinueWait:
                await self.retries.sleep(self.retries.backoff)
        raise RequestTimeout(f"The query still runs after {MAX_WAITS} requests")

    def row_stream(self, user: User, query: str) -> AbstractAsyncContextManager[StreamingReply]:
        """Every row of a query, to be read as an Arrow stream."""
        return self.stream(self.address.sql(user, query, stream=True))

    async def explain(self, user: User, query: str) -> Explanation:
        return decode(await self.send(self.address.explain(user, query)), Explanation)

    async def access(self, user: User, relations: Sequence[str]) -> Access:
        return decode(await self.send(self.address.access(user, relations)), Access)

    async def meta(self, user: User, search: str | None = None) -> MetaResponse:
        return decode(await self.send(self.address.meta(user, search)), MetaResponse)

    async def close(self) -> None:
        await self.http.close()


def query_result(calls: Calls, user: User, query: str, loaded: Loaded) -> Result:
    """What the data API sent, as a result of that user's."""
    return Result(
        sql=query,
        schema=loaded.schema,
        data=loaded.rows,
        row_filters=loaded.row_filters,
        notes=loaded.notes,
        whoami=loaded.user or user.label,
        row_limit=loaded.row_limit,
        as_of=loaded.as_of,
        kept=loaded.kept,
        loader=SqlLoader(calls, user),
    )


class SqlLoader(AsUser):
    """Loads a result in full through the data API, as the user it belongs to."""

    def load(self, sql: str, uuid: str = "", progress: Callable[[int], object] | None = None) -> Rows:
        return self._calls.portal.run(self._rows(sql, uuid, progress))

    async def aload(self, sql: str, uuid: str = "") -> Rows:
        return await self._calls.portal.arun(self._rows(sql, uuid))

    async def _rows(self, sql: str, uuid: str, progress: Callable[[int], object] | None = None) -> Rows:
        return (await self._calls.sql(self._user, sql, uuid, progress)).rows
