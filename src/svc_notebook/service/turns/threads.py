"""Threads: opening a turn in one transaction, keeping what it produced, listing, renaming and deleting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...protocol.admin import Page, PageInfo
from ...protocol.chat import AbortSessionSettings, Message, RenameThreadRequest, SessionSettings, Thread
from ...protocol.errors import BadRequest, NotFound
from ..callers.auth import Caller
from ..callers.identity import Asker, check_settings, existing_asker
from ..clock import as_datetime
from ..store import threads as store
from ..store.records import Record
from ..web.paging import decode_cursor, encode_cursor, read_page
from ..web.responses import empty_response, json_response
from ..web.rules import check_text
from .turns import RunningTurn

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..config import AgentConfig
    from ..runtime import Service

__all__ = [
    "NO_THREAD", "Room", "check_branch", "delete_thread", "known_thread", "list_threads", "named_user", "outcome_of",
    "own_thread", "owner_of", "query_user", "rename_thread", "room_of", "rows_of",
]  # fmt: skip

NO_THREAD = "No thread with this chatId: use the one that the message __cutoff__ carried, or omit it for a new thread."
_json = msgspec.json.Encoder()


class Room(NamedTuple):
    """Where a thread stands: with an agent, at a deployment of the caller's account."""

    agent: str
    deployment: int


def check_branch(thread: Record, branch: str) -> None:
    """Refuse another branch than the thread's: what was read on one must not be told by a thread of another."""
    if thread.branch != branch:
        of = f"branch {thread.branch!r}" if thread.branch else "the default branch"
        raise BadRequest(f"This thread is over {of}: ask over the same one, or omit chatId for a new thread.")


def room_of(service: Service, caller: Caller, agent: AgentConfig) -> Room:
    """Where the caller's threads with an agent stand."""
    return Room(agent.id, service.site(caller, agent).deployment)


def own_thread(
    connection: Connection, caller: Caller, asker: Asker, chat_id: str, *, room: Room, lock: bool = False
) -> Record:
    """The asker's thread with that id.

    Raises
    ------
    NotFound
        No such thread, somebody else's, or one over a branch that the caller may not ask for: the same words.
    """
    thread = known_thread(connection, caller, chat_id, room=room, lock=lock)
    if thread.user_id != asker.user_id:
        raise NotFound(NO_THREAD)
    return thread


def known_thread(connection: Connection, caller: Caller, chat_id: str, *, room: Room, lock: bool = False) -> Record:
    """The thread with that id, whoever's, as far as the caller's key or token reaches; else ``NotFound``."""
    thread = store.find_thread(connection, chat_id, caller.tenant_id, lock=lock)
    if thread is None or (thread.agent, thread.deployment) != room or (thread.branch and not caller.may_branch):
        raise NotFound(NO_THREAD)
    return thread


def named_user(settings: SessionSettings | None) -> tuple[str | None, str | None]:
    """``externalId`` and ``internalId`` as far as they were sent."""
    external = settings.external_id if settings else None
    internal = settings.internal_id if settings else None
    return external if isinstance(external, str) else None, internal if isinstance(internal, str) else None


def rows_of(messages: list[Message]) -> list[tuple[str, int, str]]:
    """Messages as the store keeps them: id, sort, JSON."""
    return [(str(m.id), int(m.sort), _json.encode(m).decode()) for m in messages if isinstance(m.sort, int | float)]


def outcome_of(turn: RunningTurn, now: float) -> dict[str, Any]:
    """The columns of a finished turn."""
    frames = turn.frames
    return {
        "status": turn.status, "error": turn.error, "answer": frames.answer, "finished_at": now,
        "memory": _json.encode(frames.memory).decode(), "results": _json.encode(frames.results).decode(),
        "suggestions": _json.encode(frames.suggestions).decode(), "usage": _json.encode(frames.usage).decode(),
    }  # fmt: skip


# --- the owner's list ---------------------------------------------------------------------------------------------


def query_user(caller: Caller, request: Request) -> SessionSettings:
    """The user that ``externalId`` or ``internalId`` in the query string names."""
    asked = request.query_params
    names = {key: asked[key] for key in AbortSessionSettings.__struct_encode_fields__ if key in asked}
    settings = msgspec.convert(names, SessionSettings)
    if caller.token is None:
        check_settings(caller, settings)
    return settings


async def owner_of(service: Service, request: Request) -> tuple[Caller, Room, Asker]:
    """Who asks in the name of whom, and where that user's threads stand."""
    caller = await service.authenticate(request)
    agent = service.agent(caller, request)
    await service.turns.opened(request.path_params.get("chat", ""))
    external, internal = named_user(query_user(caller, request))
    asker = await service.read(existing_asker, caller, external, internal, now=service.now())
    if asker is None:
        raise NotFound("No such user.")
    return caller, room_of(service, caller, agent), asker


async def list_threads(service: Service, request: Request) -> Response:
    """``GET …/chat/threads``: the user's threads, latest first."""
    caller, room, asker = await owner_of(service, request)
    first, after = read_page(request.query_params)
    position = decode_cursor("threads", after, float, str) if after is not None else None
    rows, more = await service.read(
        store.list_threads, asker.user_id, *room, first, position, branches=caller.may_branch
    )
    streaming = await service.turns.streaming([row.id for row in rows])
    cursors = [encode_cursor("threads", row.updated_at, row.id) for row in rows]
    info = PageInfo(
        has_next_page=more,
        has_previous_page=position is not None,
        start_cursor=cursors[0] if cursors else None,
        end_cursor=cursors[-1] if cursors else None,
    )
    items = [
        Thread(
            row.id, row.title, as_datetime(row.created_at), as_datetime(row.updated_at), row.branch,
            row.id in streaming,
        )
        for row in rows
    ]  # fmt: skip
    return json_response(Page(items, info))


async def rename_thread(service: Service, request: Request) -> Response:
    """``PATCH …/chat/threads/{chatId}`` with ``{"title"}``."""
    caller, room, asker = await owner_of(service, request)
    body = await service.body(request, RenameThreadRequest)
    check_text("title", body.title)
    title = " ".join(body.title.split())
    if not title or len(title) > 200:
        raise BadRequest("title must have 1 to 200 characters.")

    def rename(connection: Connection) -> None:
        store.rename_thread(connection, _own(connection, caller, request, room, asker).id, title)

    await service.write(rename)
    return empty_response()


async def delete_thread(service: Service, request: Request) -> Response:
    """``DELETE …/chat/threads/{chatId}``; a turn that is still running is stopped first."""
    caller, room, asker = await owner_of(service, request)
    thread = await service.read(_own, caller, request, room, asker)
    turn = service.turns.get(thread.id)
    if turn is not None:
        await turn.abort("deleted")
    await service.write(store.delete_thread, thread.id)
    service.bell.ring(thread.id)  # another service may run a turn of it
    return empty_response()


def _own(connection: Connection, caller: Caller, request: Request, room: Room, asker: Asker) -> Record:
    return own_thread(connection, caller, asker, request.path_params["chat"], room=room)
