"""Threads: opening a turn in one transaction, keeping what it produced, listing, renaming and deleting."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Row
from starlette.requests import Request
from starlette.responses import Response

from ..analyst.base import PastTurn
from ..protocol.admin import Page, PageInfo
from ..protocol.chat import Message, RenameThreadRequest, SessionSettings, Thread
from ..protocol.errors import BadRequest, NotFound
from .auth import Caller
from .clock import as_datetime
from .frames import TurnFrames, message_id
from .identity import Asker, check_settings, existing_asker, resolve_asker
from .paging import decode_cursor, encode_cursor, read_page
from .responses import empty_response, json_response
from .rules import check_text
from .secrets import new_thread_id
from .store import threads as store
from .store.turn_tree import path_to
from .turns import RunningTurn

if TYPE_CHECKING:
    from .config import AgentConfig
    from .runtime import Service

__all__ = [
    "NO_THREAD", "OpenedTurn", "Room", "delete_thread", "known_thread", "list_threads", "named_user", "open_turn",
    "outcome_of", "own_thread", "owner_of", "query_user", "rename_thread", "room_of", "rows_of",
]  # fmt: skip

NO_THREAD = "No thread with this chatId: use the one that the message __cutoff__ carried, or omit it for a new thread."
_TITLE = 80
_json = msgspec.json.Encoder()


class Room(NamedTuple):
    """Where a thread stands: with an agent, at a deployment of the caller's account."""

    agent: str
    deployment: int


@dataclass(frozen=True, slots=True)
class OpenedTurn:
    """A turn that was opened: who asks, in which thread, and what was said before."""

    asker: Asker
    frames: TurnFrames
    history: tuple[PastTurn, ...]


def open_turn(
    connection: Connection,
    caller: Caller,
    settings: SessionSettings | None,
    *,
    chat_id: str | None,
    room: Room,
    branch: str,
    question: str,
    after: int | None,
    runner: str,
    lease_until: float,
    alive: Callable[[str, float], bool],
    now: float,
    default_ttl: float,
    monotonic: Callable[[], float],
    check: Callable[[Asker], None] = lambda asker: None,
) -> OpenedTurn:
    """User, rights, thread and turn in one transaction; ``check`` may still refuse what this asker asks.

    Raises
    ------
    NotFound
        No such thread, or it belongs to somebody else: the same words.
    BadRequest
        The thread is over another branch, or has no turn ``after``.
    Conflict
        The thread's last turn is still streaming.
    """
    asker = resolve_asker(connection, caller, settings, now=now, default_ttl=default_ttl)
    check(asker)
    if chat_id is None:
        chat_id = new_thread_id()
        store.add_thread(
            connection, id=chat_id, tenant_id=caller.tenant_id, user_id=asker.user_id, branch=branch, **room._asdict(),
            title=" ".join(question.split())[:_TITLE], created_at=now, updated_at=now,
        )  # fmt: skip
    thread = own_thread(connection, caller, asker, chat_id, room=room, lock=True)
    if thread.branch != branch:  # what was read on one branch must not be told by a thread of another
        of = f"branch {thread.branch!r}" if thread.branch else "the default branch"
        raise BadRequest(f"This thread is over {of}: ask over the same one, or omit chatId for a new thread.")
    turns = store.thread_turns(connection, chat_id)
    after = _followed(turns, after)
    number, sort = store.begin_turn(
        connection, thread, question, runner=runner, lease_until=lease_until, alive=alive, now=now, after=after
    )
    frames = TurnFrames(chat_id, number, sort, monotonic, after=after)
    store.save_messages(connection, chat_id, number, rows_of([frames.user(question)]))
    return OpenedTurn(asker, frames, tuple(map(_past, path_to(turns, after))))


def _followed(turns: list[Row[*tuple[Any, ...]]], after: int | None) -> int:
    """Number of the turn that a new one follows: the one that was named, else the newest."""
    if after is None:
        return turns[-1].number if turns else 0
    if after and after not in {turn.number for turn in turns}:
        known = f"1 to {turns[-1].number}" if turns else "this is a new one"
        raise BadRequest(
            f"after: this thread has no turn {after} ({known}); 0 begins anew, omitted follows the newest."
        )
    return after


def room_of(service: Service, caller: Caller, agent: AgentConfig) -> Room:
    """Where the caller's threads with an agent stand."""
    return Room(agent.id, service.site(caller, agent).deployment)


def own_thread(
    connection: Connection, caller: Caller, asker: Asker, chat_id: str, *, room: Room, lock: bool = False
) -> Row[*tuple[Any, ...]]:
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


def known_thread(
    connection: Connection, caller: Caller, chat_id: str, *, room: Room, lock: bool = False
) -> Row[*tuple[Any, ...]]:
    """The thread with that id, whoever's, as far as the caller's key or token reaches; else ``NotFound``."""
    thread = store.find_thread(connection, chat_id, caller.tenant_id, lock=lock)
    if thread is None or (thread.agent, thread.deployment) != room or (thread.branch and not caller.may_branch):
        raise NotFound(NO_THREAD)
    return thread


def _past(row: Row[*tuple[Any, ...]]) -> PastTurn:
    return PastTurn(
        question=row.question, answer=row.answer, status=row.status,
        results=tuple(json.loads(row.results)) if row.results else (),
        memory=json.loads(row.memory) if row.memory else {}, message=message_id(row.thread_id, row.number, "user"),
    )  # fmt: skip


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
    names = {key: request.query_params[key] for key in ("externalId", "internalId") if key in request.query_params}
    settings = msgspec.convert(names, SessionSettings)
    if caller.token is None:
        check_settings(caller, settings)
    return settings


async def owner_of(service: Service, request: Request) -> tuple[Caller, Room, Asker]:
    """Who asks in the name of whom, and where that user's threads stand."""
    caller = await service.authenticate(request)
    agent = service.agent(caller, request)
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
    return empty_response()


def _own(connection: Connection, caller: Caller, request: Request, room: Room, asker: Asker) -> Row[*tuple[Any, ...]]:
    return own_thread(connection, caller, asker, request.path_params["chat"], room=room)
