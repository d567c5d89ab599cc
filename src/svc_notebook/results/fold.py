"""Frames folded into what is known so far: one pure function, used by every consumer.

The state is keyed by ``id``. A delta appends, a whole replaces what it carries, a tool call always replaces. Frames may
come twice (a replay): ``sort`` grows from frame to frame, so a delta whose ``sort`` is not above the last one folded
into its message is already in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ..protocol.chat import ABORTED, CUTOFF, STATE, USAGE, FrameState, Message
from ..protocol.errors import error_message
from ..protocol.spelling import spelled
from .whole_text import grown, whole

__all__ = [
    "EMPTY", "WARNING", "Entry", "Snapshot", "Status", "abandoned", "final_entry", "finish", "fold", "fold_thread",
]  # fmt: skip

S = TypeVar("S", bound=msgspec.Struct)
Status = Literal["streaming", "complete", "aborted", "failed"]
_CHAT_ID = spelled(FrameState, "chat_id")
_OF_THREAD = {spelled(FrameState, name) for name in ("suggestions", "outcome", "outcome_detail")}
SUSPENDED = "__suspended__"
WARNING = "__warning__"
"""``id`` of the frames that the reader of a stream makes to report something it could not read."""


class Entry(msgspec.Struct, frozen=True):
    """One message as far as it is known. ``sort`` is that of its first frame, ``last`` that of its latest."""

    id: str
    role: str | None = None
    content: str = ""
    thinking: str = ""
    tool: str | None = None
    tool_input: str = ""
    tool_result: str | None = None
    graph_path: tuple[str, ...] = ()
    in_process: bool = False
    sort: float | None = None
    last: float | None = None
    steps: int = 0  # how many different values of ``sort`` have been folded in
    delta: tuple[str, str] | None = None
    half: tuple[str, str] = ("", "")  # of a character that is split over two deltas, in content and in thinking
    state: dict[str, Any] | None = None
    choices: tuple[Any, ...] = ()

    @property
    def is_final(self) -> bool:
        return self.graph_path[:1] == ("final",) and len(self.graph_path) <= 2 and self.role in {"assistant", None}


class Snapshot(msgspec.Struct, frozen=True):
    """A turn as far as it is known; ``entries`` is never changed, only replaced."""

    entries: dict[str, Entry] = {}
    status: Status = "streaming"
    chat_id: str | None = None
    error: str | None = None
    usage: dict[str, Any] | None = None
    state: dict[str, Any] = {}
    warnings: tuple[str, ...] = ()

    def ordered(self) -> list[Entry]:
        """The messages by ``sort``; those without one stay after the message they came after."""
        known, place = 0.0, []
        for entry in self.entries.values():
            known = entry.sort if entry.sort is not None else known
            place.append((known, entry))
        return [entry for _, entry in sorted(place, key=lambda pair: pair[0])]


EMPTY = Snapshot()


def fold(frame: Message, snapshot: Snapshot) -> Snapshot:
    """``snapshot`` with ``frame`` in it."""
    if frame.id in _SENTINELS:
        return _SENTINELS[frame.id](frame, snapshot)
    if isinstance(frame.error, (str, dict, list)) and frame.error:
        return _replace(snapshot, status="failed", error=error_message({"error": frame.error}, "failed"))
    if frame.id is UNSET:
        return _replace(snapshot, status="aborted") if frame.type == "abort" else snapshot
    # A sentinel that this version does not know: passed over, as the specification asks.
    if frame.id.startswith("__") and frame.id.endswith("__"):
        return snapshot
    return _upsert(frame, snapshot)


def fold_thread(frame: Message, turns: tuple[Snapshot, ...]) -> tuple[Snapshot, ...]:
    """The turns of a thread with ``frame`` in them: a user's message that is new opens the next turn."""
    if not turns:
        return (fold(frame, EMPTY),)
    last = turns[-1]
    if isinstance(frame.id, str) and frame.id not in last.entries:
        for place, turn in enumerate(turns[:-1]):
            if frame.id in turn.entries:  # a replay of what an earlier turn holds
                return (*turns[:place], fold(frame, turn), *turns[place + 1 :])
        # The first turn of a replay may have begun with a frame before its question.
        if frame.role == "user" and any(entry.role == "user" for entry in last.entries.values()):
            fresh = Snapshot(chat_id=last.chat_id, state=_thread_state(last.state))
            return (*turns[:-1], finish(last), fold(frame, fresh))
    return (*turns[:-1], fold(frame, last))


def finish(snapshot: Snapshot, why: str | None = None) -> Snapshot:
    """The stream has ended: without a terminal frame, a whole answer is complete and anything else is not."""
    if snapshot.status != "streaming":
        return snapshot
    final = final_entry(snapshot) or _last_words(snapshot)
    if why is None and final is not None and not final.in_process and final.content:
        return _replace(snapshot, status="complete")
    return _replace(snapshot, status="failed", error=why or "The stream ended before the answer was complete")


def _last_words(snapshot: Snapshot) -> Entry | None:
    """What an assistant said last and whole, where a service marks no final answer and leaves nothing open."""
    entries = snapshot.ordered()
    open_ends = any(entry.in_process or (entry.tool and entry.tool_result is None) for entry in entries)
    last = entries[-1] if entries else None
    return last if last is not None and last.role == "assistant" and not last.tool and not open_ends else None


def abandoned(snapshot: Snapshot) -> Snapshot:
    """The turn was stopped from here, and its stream did not say so any more."""
    return _replace(snapshot, status="aborted") if snapshot.status == "streaming" else snapshot


def final_entry(snapshot: Snapshot) -> Entry | None:
    """The answer: the last final message, or where a service sends none the last one that says something."""
    entries = snapshot.ordered()
    finals = [entry for entry in entries if entry.is_final]
    if finals:
        return finals[-1]
    if snapshot.status == "streaming":
        return None
    said = [e for e in entries if e.role == "assistant" and e.tool is None and e.content]
    whole = [entry for entry in said if not entry.in_process]
    return (whole or said)[-1] if said else None


def _cutoff(frame: Message, snapshot: Snapshot) -> Snapshot:
    state = frame.state or {}
    return _replace(snapshot, chat_id=state.get(_CHAT_ID) or snapshot.chat_id, state=snapshot.state | state)


def _state(frame: Message, snapshot: Snapshot) -> Snapshot:
    status = "complete" if snapshot.status == "streaming" else snapshot.status
    said = frame.state or {}
    chat_id = snapshot.chat_id or said.get(_CHAT_ID)  # where a service says it only here
    return _replace(snapshot, status=status, state=snapshot.state | said, chat_id=chat_id)


def _aborted(frame: Message, snapshot: Snapshot) -> Snapshot:
    return _replace(snapshot, status="aborted")


def _suspended(frame: Message, snapshot: Snapshot) -> Snapshot:
    return _replace(snapshot, status="failed", error=error_message(frame.error or None, "The turn was suspended"))


def _usage(frame: Message, snapshot: Snapshot) -> Snapshot:
    return _replace(snapshot, usage=frame.usage or None)


def _warned(frame: Message, snapshot: Snapshot) -> Snapshot:
    return _replace(snapshot, warnings=(*snapshot.warnings, frame.content or ""))


_SENTINELS: dict[Any, Callable[[Message, Snapshot], Snapshot]] = {
    CUTOFF: _cutoff, STATE: _state, ABORTED: _aborted, SUSPENDED: _suspended, USAGE: _usage, WARNING: _warned,
}  # fmt: skip


def _upsert(frame: Message, snapshot: Snapshot) -> Snapshot:
    assert isinstance(frame.id, str)
    old = snapshot.entries.get(frame.id)
    new = _merged(frame, old if old is not None else Entry(frame.id))
    if new is old:
        return snapshot
    return _replace(snapshot, entries={**snapshot.entries, frame.id: new}, **_outcome(frame))


def _outcome(frame: Message) -> dict[str, Any]:
    """How the turn of a replayed question ended, if the question says so."""
    state = frame.state if frame.role == "user" and isinstance(frame.state, dict) else {}
    if state.get("status") not in {"complete", "aborted", "failed"}:
        return {}
    error = state.get("error")
    return {"status": state["status"]} | ({"error": error_message({"error": error}, "")} if error else {})


def _merged(frame: Message, old: Entry) -> Entry:
    delta = (frame.content or "", frame.thinking or "") if frame.is_delta is True else None
    if _is_replay(frame, old, delta):
        return old
    sort = old.last if frame.sort is UNSET else frame.sort
    changes: dict[str, Any] = {
        "sort": sort if old.sort is None else old.sort,
        "last": sort,
        "steps": old.steps + (sort is not None and sort != old.last),
        "delta": delta,
    }
    if delta is not None:
        changes["content"], content_half = grown(old.content, old.half[0], delta[0])
        changes["thinking"], thinking_half = grown(old.thinking, old.half[1], delta[1])
        changes["half"] = (content_half, thinking_half)
    else:
        _put(changes, content=_whole(frame.content), thinking=_whole(frame.thinking), half=("", ""))
    _put(changes, role=frame.role, in_process=frame.is_in_process)
    if isinstance(frame.graph_path, list):
        changes["graph_path"] = tuple(frame.graph_path)
    if frame.tool_call is not UNSET:
        result = frame.tool_call.result
        changes |= {"tool": frame.tool_call.name, "tool_input": frame.tool_call.input}
        changes["tool_result"] = None if result is UNSET else result
    if isinstance(frame.choices, list):
        changes["choices"] = tuple(frame.choices)
    if isinstance(frame.state, dict):
        changes["state"] = {**(old.state or {}), **frame.state}
    return _replace(old, **changes)


def _is_replay(frame: Message, old: Entry, delta: tuple[str, str] | None) -> bool:
    """Whether the message already holds this frame.

    Services that give all frames of a message one ``sort`` exist: there, only the same delta twice in a row is taken
    for a replay.
    """
    if old.last is None or frame.sort is UNSET:
        return False
    if frame.sort < old.last:
        return True
    return delta is not None and frame.sort == old.last and (old.steps > 1 or old.delta in {delta, None})


def _whole(text: str | UnsetType) -> str | UnsetType:
    return whole(text) if isinstance(text, str) else text


def _put(changes: dict[str, Any], **fields: Any) -> None:
    changes.update({name: value for name, value in fields.items() if value is not UNSET})


def _thread_state(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name not in _OF_THREAD}


def _replace(struct: S, **changes: Any) -> S:
    return replace(struct, **changes)
