"""How a turn begins: user, rights, thread and turn in one transaction, and what can be told of it before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from ...analyst.base import PastTurn
from ...protocol.chat import SessionSettings
from ...protocol.errors import BadRequest, ServiceError
from ..callers.auth import Caller
from ..callers.identity import Asker, foreseen, resolve_asker
from ..store import threads as store
from ..store.records import Record
from ..store.turn_tree import path_to
from .frames import TurnFrames
from .remembering import past_turn
from .threads import Room, check_branch, known_thread, named_user, own_thread, rows_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["OpenedTurn", "foresee", "open_turn"]

_TITLE = 80
_REMEMBERED = 32
"""How many turns of a thread the next one is told of."""


class OpenedTurn(Struct, frozen=True):
    """A turn that was opened: who asks, in which thread, and what was said before."""

    asker: Asker
    frames: TurnFrames
    history: tuple[PastTurn, ...]


def open_turn(
    connection: Connection,
    caller: Caller,
    settings: SessionSettings | None,
    *,
    chat_id: str,
    new: bool,
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

    With ``new`` the thread begins here, else ``chat_id`` is one that there is.

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
    latest: list[Record] = []
    free = 1
    if new:
        store.add_thread(
            connection, id=chat_id, tenant_id=caller.tenant_id, user_id=asker.user_id, branch=branch, **room._asdict(),
            title=" ".join(question.split())[:_TITLE], created_at=now, updated_at=now,
        )  # fmt: skip
    else:
        # Locked until the end: two questions in one thread at once would both take the next number.
        thread = own_thread(connection, caller, asker, chat_id, room=room, lock=True)
        check_branch(thread, branch)
        latest, free = store.latest_turns(connection, chat_id, _REMEMBERED), int(thread.next_sort)
        store.touch(connection, chat_id, now)
    after = _followed(latest[0].number if latest else 0, after)
    past = path_to(connection, chat_id, after, _REMEMBERED, latest)
    number, sort = store.begin_turn(
        connection, chat_id, question, last=latest[0] if latest else None, free=free, runner=runner,
        lease_until=lease_until, alive=alive, now=now, after=after,
    )  # fmt: skip
    frames = TurnFrames(chat_id, number, sort, monotonic, after=after)
    store.save_messages(connection, chat_id, number, rows_of([frames.user(question)]))
    return OpenedTurn(asker, frames, tuple(map(past_turn, past)))


def _followed(newest: int, after: int | None) -> int:
    """Number of the turn that a new one follows: the one that was named, else the newest."""
    if after is None:
        return newest
    if after > newest:
        known = f"1 to {newest}" if newest else "this is a new one"
        raise BadRequest(
            f"after: this thread has no turn {after} ({known}); 0 begins anew, omitted follows the newest."
        )
    return after


def foresee(
    connection: Connection,
    caller: Caller,
    settings: SessionSettings | None,
    *,
    chat_id: str,
    new: bool,
    room: Room,
    branch: str,
    after: int | None,
    now: float,
    check: Callable[[Asker], None] = lambda asker: None,
) -> str | None:
    """Who would ask if :func:`open_turn` ran now, in words; None where it could refuse."""
    try:
        asker = foreseen(connection, caller, settings, *named_user(settings), now=now)
        if asker is None:
            return None
        check(asker)
        if not new:
            thread = known_thread(connection, caller, chat_id, room=room)
            check_branch(thread, branch)
            last = store.latest_turns(connection, chat_id, 1)
            _followed(last[0].number if last else 0, after)
            if thread.user_id != asker.user_id or (last and last[0].status in store.RUNNING):
                return None
    except ServiceError:
        return None
    return asker.label
