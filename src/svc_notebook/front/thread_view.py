"""A thread as one page is told of it: frames of the chat stream in, messages for the browser out.

The messages are those that a widget gets from the kernel (see ``static/chat/store.js``), made by the same code; a page
behind an embed URL gets them as lines of JSON.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from ..protocol.chat import Message
from ..results.answer import Answer, AnswerContext
from ..results.fold import EMPTY, Snapshot, final_entry, finish, fold_thread
from ..results.result import Loader
from .live_turn import LiveTurn
from .past_turns import PastTurns
from .payloads import turn_payload

__all__ = ["ThreadView"]

Out = dict[str, Any]


class ThreadView:
    """What a page has been told of a thread; it is told only what is new.

    Parameters
    ----------
    asked : bool
        The frames are those of a new turn; else they are a replay of the whole thread.
    before : int, optional
        Tell only of the turns before this number: the page shows the rest.
    thinking : bool
        Whether the analyst's thinking is told.
    loader : Loader, optional
        Fetches the rest of a result's rows for its chart.
    clock : callable
        Seconds that only grow.
    """

    def __init__(
        self,
        *,
        asked: bool,
        before: int | None = None,
        thinking: bool = True,
        loader: Loader | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._asked = asked
        self._before = before
        self._thinking = thinking
        self._loader = loader
        self._clock = clock
        self._turns: tuple[Snapshot, ...] = ()
        self._contexts: list[AnswerContext] = []
        self._live: LiveTurn | None = None
        self._told = asked

    def feed(self, frame: Message) -> None:
        """Take a frame; nothing is made of it yet."""
        self._turns = fold_thread(frame, self._turns)

    def news(self) -> Iterator[Out]:
        """Messages that bring the page from what it was told to what is known now."""
        turns = self._turns
        if not turns or self._before is not None:
            return
        if not self._told:
            yield from self._state(turns)
        last = turns[-1]
        if (n := self._number(turns)) is None or last.status != "streaming":
            return
        answer = self._answer(len(turns) - 1, last)
        if self._live is None or self._live.n != n:
            self._live = self._begun(n, answer)
            yield {"t": "begin", "n": n, "question": answer.question, "after": answer.after, **self._whose(last)}
        yield from self._live.news(answer)

    @property
    def due(self) -> float | None:
        """When :meth:`news` may have something to tell although no frame has come."""
        return self._live.due if self._live is not None else None

    def end(self) -> Iterator[Out]:
        """The stream has ended: the messages that tell the outcome."""
        turns = (*self._turns[:-1], finish(self._turns[-1])) if self._turns else (finish(EMPTY),)
        if self._before is not None:
            shown, left = self._past(turns).page(self._before)
            yield {"t": "older", "turns": shown, "left": left}
            return
        if not self._told:
            yield from self._state(turns)
            return
        if (n := self._number(turns)) is None:
            yield {"t": "problem", "message": turns[-1].error or "The question could not be asked."}
            return
        answer = self._answer(len(turns) - 1, turns[-1])
        if self._live is None or self._live.n != n:
            self._live = self._begun(n, answer)
            yield {"t": "begin", "n": n, "question": answer.question, "after": answer.after, **self._whose(turns[-1])}
        yield from self._live.news(answer, last=True)
        turn = self._live.finished(turn_payload(n, answer, thinking=self._thinking))
        yield {"t": "turn", "turn": turn, "chat_id": answer.chat_id or ""}

    def _state(self, turns: tuple[Snapshot, ...]) -> Iterator[Out]:
        """All that a page needs that knows nothing of the thread."""
        self._told = True
        running = turns[-1].status == "streaming" and self._number(turns) is not None
        past = self._past(turns[:-1] if running else turns)
        shown, left = past.page()
        if running:
            answer = self._answer(len(turns) - 1, turns[-1])
            self._live = self._begun(self._number(turns) or len(turns), answer)
            list(self._live.news(answer, last=False))  # it stands in the state
        last = shown[-1]["suggestions"] if shown else []
        live = self._live.state() if self._live is not None else None
        yield {"t": "state", "turns": shown, "left": left, "live": live, "suggestions": last, **self._whose(turns[-1])}

    def _past(self, turns: tuple[Snapshot, ...]) -> PastTurns:
        asked = [(place, turn) for place, turn in enumerate(turns) if _asked(turn)]
        return PastTurns([self._answer(place, finish(turn)) for place, turn in asked], thinking=self._thinking)

    def _begun(self, n: int, answer: Answer) -> LiveTurn:
        return LiveTurn(n, answer.question, after=answer.after, thinking=self._thinking, clock=self._clock)

    def _number(self, turns: tuple[Snapshot, ...]) -> int | None:
        """The number of the last turn in its thread; None while nothing was asked in it."""
        if not _asked(turns[-1]):
            return None
        state = next(entry.state for entry in turns[-1].entries.values() if entry.role == "user") or {}
        number = state.get("turn")
        # Services that do not number their turns are counted along.
        return number if isinstance(number, int) else len(turns)

    def _answer(self, place: int, turn: Snapshot) -> Answer:
        while len(self._contexts) <= place:
            self._contexts.append(AnswerContext(loader=self._loader))
        return Answer(turn, self._contexts[place])

    def _whose(self, turn: Snapshot) -> Out:
        user = turn.state.get("user")
        return {"chat_id": turn.chat_id or "", "whoami": user if isinstance(user, str) else ""}


def _asked(turn: Snapshot) -> bool:
    return any(entry.role == "user" for entry in turn.entries.values()) or final_entry(turn) is not None
