"""The forms of a thread: what each earlier turn that was answered was read as."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .... import patterns as re
from ....records import dataclass
from ....semantic.catalog import Catalog
from ...base import PastTurn, Turn
from ..forms import Condition, Form, NoForm, from_sql
from ..words.text import stem
from .conditions import about, conditions_of, ends_of, with_conditions
from .flat import flat
from .lexicon import load_discourse

__all__ = ["Earlier", "earlier", "left_open", "passed_over", "still_left_out", "turned_away", "unsorted"]

_FARTHEST = 24  # turns back that are looked at
_LONGEST = 20_000
_ASKED = re.compile(
    r"^\W*(?:how (?:many|much|often|long|old)|what|which|who|where|when|is|are|was|were|do|does|did)\s+"
    r"(?!.*\b(?:that|those|these|they|them|it|one|ones)\b)\w+\s+\w+\s+\w",
    re.IGNORECASE,
)  # a question with a subject of its own, whether or not that was known
_COMPARED = re.compile(r"\b(?:compare[ds]?|comparing|comparison|versus|vs|side by side)\b", re.IGNORECASE)
_SHORT = 2  # letters of a word that says what a question is about, at least one more


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn that was answered: its form, the chart that was wished for, and what its result pointed at.

    ``focus``: the values of a first group or column where the result is one row or a short list that was asked for.
    ``compares``: whether it sets something beside each other, by its own words or those of what it goes on from.
    """

    form: Form
    turn: PastTurn
    chart: str = ""
    focus: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    compares: bool = False

    @property
    def message(self) -> str:
        return self.turn.message

    @property
    def sure(self) -> float:
        """How likely the turn was read as it was meant."""
        kept = self.turn.memory.get("sure")
        return float(kept) if isinstance(kept, (int, float)) else 1.0

    @property
    def begun(self) -> float:
        """How likely the question was that its edits began with."""
        kept = self.turn.memory.get("begun")
        return float(kept) if isinstance(kept, (int, float)) else self.sure


def earlier(turn: Turn, catalog: Catalog) -> list[Earlier]:
    """The answered turns of a thread that this asker can still be answered from, the latest first.

    A turn that was refused, failed, asked back or stopped is passed over; an undone one is gone. ``start over`` ends
    the thread's memory, and so does a turn that an earlier version kept without its form, or that has none.
    """
    stack: list[Earlier] = []
    for past in turn.history[-_FARTHEST:]:
        memory = past.memory
        if memory.get("undo"):
            stack = stack[:-1]
        elif memory.get("reset") or "plan" in memory and "reading" not in memory:
            stack = []
        elif isinstance(memory.get("reading"), str) and past.status == "complete":
            form = _form(memory["reading"], catalog)
            if form is None:  # what was shown last cannot be built upon: nothing older is meant by "that"
                stack = []
            else:
                goes_on = "begun" in memory and bool(stack) and stack[-1].compares
                compares = goes_on or _COMPARED.search(past.question) is not None
                stack.append(Earlier(form, past, str(memory.get("chart") or ""), _focus(memory), compares))
    return stack[::-1]


def passed_over(turn: Turn, *, undecided: bool = False) -> tuple[str, ...]:
    """The questions since the last answer that were not answered: what is said next does not build upon them.

    ``undecided``: it does upon the readings of the last one that was asked back with; what followed was passed over.
    """
    found: list[str] = []
    start = (left_open(turn) or 0) + 1 if undecided else 0
    for past in reversed(turn.history[start:]):
        if "reading" in past.memory or past.memory.get("told") or past.memory.get("reset"):
            break
        if past.memory.get("pending") or past.memory.get("choices"):
            found.append(past.question)
    return tuple(found[::-1])


def still_left_out(turn: Turn, of: Earlier | None) -> tuple[str, ...]:
    """What the answer that is edited had left out, and its edit leaves out as well: words, and whole questions.

    What is said again now is read or told anew.
    """
    kept = of.turn.memory.get("left") if of is not None else None
    said = set(_words(turn.question))
    return tuple(str(one) for one in kept or () if not said.intersection(_words(str(one))))


def _words(text: str) -> list[str]:
    empty = load_discourse().empty
    return [stem(w) for w in re.findall(r"\w+", text.lower()) if len(w) > _SHORT and w not in empty]


def turned_away(turn: Turn) -> bool:
    """Whether a question with a subject of its own was refused, or asked back with, since the last answer: "that" may
    be its subject.
    """
    for past in reversed(turn.history):
        if "reading" in past.memory:
            return False
        if past.memory.get("topic") or past.memory.get("choices"):
            return True
    return False


def left_open(turn: Turn) -> int | None:
    """The place of the turn that was told with readings of which one can still be taken: nothing was answered since,
    and nothing asked that has a subject of its own.
    """
    for place in range(len(turn.history) - 1, -1, -1):
        memory = turn.history[place].memory
        if memory.get("choices"):
            return place
        if "reading" in memory or not (memory.get("pending") or memory.get("told")):
            return None
        if memory.get("topic") or _ASKED.match(turn.history[place].question):
            return None
    return None


def _form(sql: str, catalog: Catalog) -> Form | None:
    if len(sql) > _LONGEST:
        return None
    try:
        form = from_sql(sql, catalog)
    except NoForm:
        return None
    return unsorted(_narrowed(flat(form))) if isinstance(form, Form) else None


def _narrowed(form: Form) -> Form:
    """The form without periods that others lie within: an edit puts another in the place of one."""
    known = conditions_of(form)
    left = [one for one in known if not any(one != other and _holds(one, other) for other in known)]
    return with_conditions(form, left) if len(left) < len(known) else form


def _holds(one: Condition, other: Condition) -> bool:
    wide, narrow = ends_of(one), ends_of(other)
    if wide is None or narrow is None or about(one) != about(other):
        return False
    low, high = (end.isoformat()[:10] for end in narrow)
    return wide[0].isoformat()[:10] <= low and high <= wide[1].isoformat()[:10]


def unsorted(form: Form) -> Form:
    """The form without the order in which groups come where nobody asks for one."""
    groups = [clause.expression for clause in form.groups]
    usual = [order.by in groups and not order.descending for order in form.order]
    if all(usual) and form.limit is None:
        return form.with_(order=())
    return form.with_(order=form.order[:1]) if form.measures and all(usual[1:]) else form  # the rest settles ties


def _focus(memory: Mapping[str, Any]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    kept = memory.get("focus")
    if not isinstance(kept, (list, tuple)):
        return ()
    return tuple((str(name), tuple(values)) for name, values in kept)
