"""An answer: what a turn has brought so far, seen through lenses.

:func:`~svc_notebook.results.fold.fold` makes the snapshot, :class:`Answer` reads it. An answer is a value: the stream
that grows it hands out a new one for every frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..protocol.chat import FrameState, Verdict
from ..protocol.spelling import spelled
from ..protocol.tools import is_sql_tool
from .feedback import Feedback, Judge, feedback_from, feedback_of
from .fold import EMPTY, Entry, Snapshot, Status, final_entry, finish, fold, fold_thread
from .reading import Choice, Reading, choice_from, reading_from
from .result import Loader, Result
from .tool_calls import ToolCall, read_result, read_tool_call

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

__all__ = ["EMPTY", "Answer", "AnswerContext", "Entry", "Snapshot", "Status", "finish", "fold", "fold_thread"]


@dataclass(slots=True)
class AnswerContext:
    """What an answer knows beside its frames: the question, who asked, how to load a result in full.

    Tool calls and results that were read once are kept here, since every frame makes a new answer.
    """

    question: str = ""
    whoami: str = ""
    loader: Loader | None = None
    user_fields: dict[str, Any] = field(default_factory=dict)
    calls: dict[str, tuple[Entry, str, ToolCall, Result | None]] = field(default_factory=dict, repr=False)
    stop: Callable[[], bool] | None = field(default=None, repr=False)
    judge: Judge | None = field(default=None, repr=False)
    judged: tuple[Feedback | None] | None = field(default=None, repr=False)  # here, since the answer was read

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy knows what was answered; the turn stays where it runs."""
        return AnswerContext, (self.question, self.whoami, self.loader, self.user_fields, self.calls)


class Answer:
    """A turn as far as it has come: text, rows, SQL and chart.

    An answer is a value. While a turn streams, every frame makes a new one.

    Parameters
    ----------
    snapshot
        The folded frames.
    context
        What is known beside them: the question, who asked, how a result is loaded in full.

    Examples
    --------
    >>> answer = client.chat().ask("average arrival delay by origin")
    >>> answer.status, answer.df.shape
    ('complete', (3, 2))
    >>> answer.suggestions[0]
    'and by weekday'
    """

    def __init__(self, snapshot: Snapshot = EMPTY, context: AnswerContext | None = None) -> None:
        self.snapshot = snapshot
        self._context = context or AnswerContext()

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= 200 else f"{self.text[:200]}…"
        error = f" error={self.error!r}" if self.error else ""
        return f"<Answer {self.status}: {text!r}{error}, {len(self.results)} results>"

    @property
    def question(self) -> str:
        """What was asked."""
        return (self._asked.content if self._asked is not None else "") or self._context.question

    @property
    def turn(self) -> int | None:
        """Its number in the thread; None where the service does not number turns."""
        number = self._told.get("turn")
        return number if isinstance(number, int) else None

    @property
    def after(self) -> int | None:
        """Number of the turn it follows, 0 for none: an edited question follows what the first one followed."""
        if self.turn is None:
            return None
        after = self._told.get("after")
        return after if isinstance(after, int) else self.turn - 1

    @property
    def feedback(self) -> Feedback | None:
        """What the asker thought of it: ``verdict`` and ``why``; see :meth:`judge`."""
        judged = self._context.judged
        return judged[0] if judged is not None else feedback_from(self._told.get("feedback"))

    def judge(self, verdict: Verdict | None, why: str = "") -> None:
        """Say whether the answer is ``"right"`` or ``"wrong"``, and why; None takes it back.

        It is kept with the thread, where who is responsible for the data model finds it.

        Examples
        --------
        >>> answer.judge("wrong", "I meant departures")
        >>> answer.feedback.verdict
        'wrong'
        """
        judge, chat_id, turn, feedback = self._judging(verdict, why)
        judge.tell(chat_id, turn, feedback)
        self._context.judged = (feedback,)

    async def ajudge(self, verdict: Verdict | None, why: str = "") -> None:
        """:meth:`judge`, awaited.

        Examples
        --------
        >>> await answer.ajudge("right")  # doctest: +SKIP
        """
        judge, chat_id, turn, feedback = self._judging(verdict, why)
        await judge.atell(chat_id, turn, feedback)
        self._context.judged = (feedback,)

    @cached_property
    def text(self) -> str:
        """The answer in Markdown, as far as it has come."""
        final = final_entry(self.snapshot)
        return final.content if final is not None else ""

    @property
    def thinking(self) -> str:
        """The agent's reasoning, where it shows it."""
        return "\n\n".join(entry.thinking for entry in self.messages if entry.thinking)

    @property
    def working(self) -> str:
        """What the agent said on the way, beside the answer itself."""
        final = final_entry(self.snapshot)
        said = [e for e in self.messages if e.role == "assistant" and e.content and e.tool is None and not e.is_final]
        return "\n\n".join(entry.content for entry in said if entry is not final)

    @property
    def status(self) -> Status:
        """``"streaming"``, ``"complete"``, ``"aborted"`` or ``"failed"``."""
        return self.snapshot.status

    @property
    def outcome(self) -> str:
        """How the turn ended: ``"complete"`` with an answer; ``"asked_back"``, ``"refused"``, ``"cut"`` by length,
        ``"filtered"`` by a provider, ``"capped"`` by a limit, ``"provider_failed"`` (somebody else answered), with what
        there was; ``"stopped"``; ``"failed"``; ``""`` while it runs. :attr:`outcome_detail` says why.
        """
        if self.status == "complete":
            return self._ended("outcome") or "complete"
        return {"aborted": "stopped", "failed": "failed"}.get(self.status, "")

    @property
    def outcome_detail(self) -> str:
        """Why it ended so, where the service says it."""
        return self._ended(spelled(FrameState, "outcome_detail")) if self.status == "complete" else ""

    def abort(self) -> bool:
        """Stop the turn this is the answer of, from any thread; returns at once, and whether the turn still ran.

        What has come by then is kept: the turn's last answer has the status ``"aborted"``.

        Examples
        --------
        >>> answer.abort()  # it is complete
        False
        """
        return self._context.stop() if self._context.stop is not None else False

    @property
    def error(self) -> str | None:
        """Why it failed; None if it did not."""
        return self.snapshot.error

    @property
    def chat_id(self) -> str | None:
        """The thread it belongs to."""
        return self.snapshot.chat_id

    @property
    def whoami(self) -> str:
        """Who asked, in words: rows are those this user may see."""
        said = self.snapshot.state.get("user")
        return said if isinstance(said, str) else self._context.whoami

    @property
    def user_fields(self) -> dict[str, Any]:
        """Who asked, as the keyword arguments of ``client.chat``: another question can be asked as the same user."""
        return dict(self._context.user_fields)

    @property
    def suggestions(self) -> list[str]:
        """Questions to go on with."""
        given = self.snapshot.state.get("suggestions")
        return [text for text in given if isinstance(text, str)] if isinstance(given, list) else []

    @property
    def usage(self) -> dict[str, Any]:
        """What a language model took: ``models``, ``llmCalls``, ``inputTokens``, ``outputTokens``, ``totalTokens``, in
        US dollars ``cost`` where prices are known, ``estimatedTokens`` where its provider counts none, and what of the
        data it was ``sent``. :meth:`Chat.usage` sums a thread up.
        """
        if self.snapshot.usage is not None and self.snapshot.usage.get("llmCalls"):
            return self.snapshot.usage
        kept = self._told.get("usage")
        return dict(kept) if isinstance(kept, dict) else self.snapshot.usage or {}

    @property
    def messages(self) -> list[Entry]:
        """All messages of the turn in their order."""
        return self.snapshot.ordered()

    @cached_property
    def tool_calls(self) -> list[ToolCall]:
        """What the analyst did, in order: each with ``name``, ``input``, ``result``, ``state`` and ``error``."""
        return [call for call, _ in self._calls]

    @cached_property
    def results(self) -> list[Result]:
        """The query results, in the order of their calls."""
        return [result for _, result in self._calls if result is not None]

    @property
    def result(self) -> Result | None:
        """The last result."""
        return self.results[-1] if self.results else None

    @property
    def reading(self) -> Reading | None:
        """What the question was read as, clause by clause, where the service says it; see :class:`Reading`."""
        read = [call.input.get("reading") for call in self.tool_calls if is_sql_tool(call.name)]
        return reading_from(read[-1]) if read and read[-1] is not None else None

    @property
    def choices(self) -> list[Choice]:
        """The readings that are offered where the question can be read in several ways; empty for an answer.

        ``chat.ask(choice.question, reading=choice.reading)`` takes one; so do words (``chat.ask("the first")``).
        """
        final = final_entry(self.snapshot)
        found = [choice_from(given) for given in (final.choices if final is not None else ())]
        return [choice for choice in found if choice is not None]

    @property
    def df(self) -> pd.DataFrame | None:
        """The last result as a typed DataFrame; None if no query was run. See :meth:`Result.to_frame`."""
        return self.result.to_frame() if self.result is not None else None

    @property
    def sql(self) -> str | None:
        """The SQL of the last result."""
        return self.result.sql if self.result is not None else None

    @property
    def chart(self) -> Any:
        """The chart of the last result that has one, as an ``altair.Chart``; None if there is none."""
        drawn = [result for result in self.results if result.vega_spec is not None]
        return drawn[-1].chart() if drawn else None

    @property
    def warnings(self) -> list[str]:
        """What could not be read of the stream."""
        return [*self.snapshot.warnings, *(text for call in self.tool_calls for text in call.warnings)]

    def to_html(self) -> str:
        """The answer as a page of its own.

        Examples
        --------
        >>> answer.to_html()[:15]
        '<!doctype html>'
        """
        from .rendering import to_html

        return to_html(self)

    def to_markdown(self) -> str:
        """The answer as Markdown, with its SQL and its rows.

        Examples
        --------
        >>> print(answer.to_markdown().splitlines()[0])
        ## flights by origin
        """
        from .rendering import to_markdown

        return to_markdown(self)

    def to_notebook(self, path: str | Path | None = None) -> dict[str, Any]:
        """The answer as cells of a notebook that can be run again.

        Parameters
        ----------
        path
            Where to write it; without a path it is only returned.

        Examples
        --------
        >>> len(answer.to_notebook(folder / "delays.ipynb")["cells"]) > 0
        True
        """
        from .export import to_notebook

        return to_notebook(self, path)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        from .rendering import answer_bundle

        return answer_bundle(self)

    def _ipython_display_(self) -> None:
        from .rendering import display_answer

        display_answer(self)

    def _ended(self, name: str) -> str:
        """What is said of the turn's end: by the stream's last word, or in a replay by its question."""
        said = self.snapshot.state.get(name) or self._told.get(name)
        return said if isinstance(said, str) else ""

    @property
    def _asked(self) -> Entry | None:
        return next((entry for entry in self.snapshot.entries.values() if entry.role == "user"), None)

    @property
    def _told(self) -> dict[str, Any]:
        """What the question's message says of its turn."""
        return (self._asked.state if self._asked is not None else None) or {}

    def _judging(self, verdict: Verdict | None, why: str) -> tuple[Judge, str, int, Feedback | None]:
        feedback = feedback_of(verdict, why)
        if self._context.judge is None or self.chat_id is None or self.turn is None:
            raise ValueError("only an answer that came from a thread can be judged, and this one has none: ask again")
        return self._context.judge, self.chat_id, self.turn, feedback

    @cached_property
    def _calls(self) -> list[tuple[ToolCall, Result | None]]:
        return [self._read(entry) for entry in self.messages if entry.tool is not None]

    def _read(self, entry: Entry) -> tuple[ToolCall, Result | None]:
        context, ended = self._context, self.status
        kept = context.calls.get(entry.id)
        # By identity: entries are replaced, never changed, and comparing two large results costs what reading them
        # does.
        if kept is not None and kept[0] is entry and (kept[1] == ended or entry.tool_result is not None):
            return kept[2], kept[3]
        call = read_tool_call(entry, ended=ended)
        result = read_result(call, whoami=self.whoami, loader=context.loader)
        context.calls[entry.id] = (entry, ended, call, result)
        return call, result
