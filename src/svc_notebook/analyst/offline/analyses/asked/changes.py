"""Changes: between two periods, since one, of a part against all others, of two values against each other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from ..... import patterns as re
from ...assembly.times_of_all import time_of_all
from ...plans.phrases import condition_words, describe, where_words
from ...plans.plan import Condition, Measure, Plan
from ...reading.reasons import reason_columns
from ...schema.metadata import Metadata
from ...schema.money import taken_in
from ...walk.times import default_time, own_year
from ...words.shares_said import SHARE
from ...words.text import singular, tokenize
from ..change import change
from ..periods import called, one_period, two_periods
from ..sides import Side, Sides
from ..since import moved_in, sides_since
from ..subject import is_open, main_number, names_nothing, on_its_time, subject_of
from ..supposed import supposed
from .analysis import Analysis, Reader, about
from .words import LEAD, MOVED, counts_rows, is_mean, without

__all__ = ["apart", "changed"]

_WHY = re.compile(r"^\s*(why|what (explains|drove|caused|is behind)|reasons? (why|for))\b", re.IGNORECASE)
_COMPARED = re.compile(r"^\W*(?:please |can you |how (?:do|does|did) )?compare\b", re.IGNORECASE)
_BESIDE = re.compile(r"\b(vs|versus|compared|against)\b", re.IGNORECASE)
_TERMS = re.compile(r",?\s*(and\s+)?in (money|percent|per ?cent|absolute (terms|numbers))\b", re.IGNORECASE)
_DONE = re.compile(
    r"^(we|you|they|i)\b|\b(make|made|earn(ed)?|sell|sold|take in|took in|have|had|get|got|see|saw|receive(d)?)\b",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(chang|differ|grow|grew|growth|increas|decreas|ris(e|en|ing)\b|rose|fall|fell|drop|declin|develop|improv"
    r"|compared (with|to)|better|worse|higher|lower|than|vs|versus|against|(go|goes|gone|going|went) (up|down)\b)",
    re.IGNORECASE,
)
_APART = re.compile(
    r"^\W*(?:what(?:['’]s| is| was)?|show( me)?|how (?:big|large) is|is there)?\s*"
    r"(?:the |an? )?(?:big |large )?(?:difference|gap) (?:in|of) "
    r"(?P<what>.+?) between (?P<sides>.+ and .+?)\W*$",
    re.IGNORECASE,
)
_STEPWISE = re.compile(r"\b(day|week|month|quarter)[ -](?:on|over|by|after)[ -]\1\b", re.IGNORECASE)
_SHARE = re.compile(rf"\b{SHARE} of\b", re.IGNORECASE)
_BETTER = re.compile(r"\b(?:better|worse)\b", re.IGNORECASE)
_SO_MANY = re.compile(
    r"\b(?:(?:is|are|was|were) there|(?:did|do|does) (?:we|you|they) (?:have|see|get))\s+(?:so|that|such)\s+"
    r"(?P<much>many|few|much|little|a lot of)\b",
    re.IGNORECASE,
)
_JUDGED = re.compile(r"\b(so|bad|good|high|low|long|short|big|small|poor|busy|special|for|in|at)\b", re.IGNORECASE)


def changed(
    question: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, read: Reader, before: Plan | None,
    called: Callable[[str], str],
) -> Analysis | None:  # fmt: skip
    why = _WHY.match(question) is not None
    if _STEPWISE.search(question):
        return None  # from one to the next within a range, and not from its first to its last
    if not why and not _STRONG.search(question) and not is_open(question) and not _COMPARED.match(question):
        return None
    tokens = tokenize(question)
    found = two_periods(tokens, now, year, fiscal)
    if found is None:
        many = _SO_MANY.search(question) if why and not any(reason_columns(metadata)) else None
        told = _SO_MANY.sub("", question)
        moved = many is not None or moved_in(question)
        since = _since(told, metadata, now, year, fiscal, read, before, called) if moved else None
        return since or (_standing_out(question, metadata, now, year, fiscal, read, called) if why else None)
    one, two, (first, last) = found
    text = " ".join(token.text for place, token in enumerate(tokens) if not first <= place < last)
    alone = before is None and names_nothing(without(MOVED, without(_COMPARED, text)))
    if _COMPARED.match(question) and not (alone or _STRONG.search(question)):
        return None
    judged = _judged(metadata, read) if alone and _BETTER.search(question) else None
    plan = judged or (main_number(metadata) if alone else _subject(text, question, metadata, before))
    plan = _timed(plan or _plan_of(text, metadata, read), metadata)
    kept = own_year(metadata, plan.scope) if plan is not None and one.whole_years and two.whole_years else None
    time = kept or (_dating(plan, metadata) if plan is not None else None)
    if plan is None or time is None or any(c.operator == "period" for c in plan.conditions):
        return None
    if _BESIDE.search(question) and any(d.grain is None for d in plan.dimensions):
        return None  # each group beside itself, and no sum of them
    if _SHARE.search(question) and not plan.calculations and all(counts_rows(m, metadata) for m in plan.measures):
        return None  # a share of what is in each period, and not how many there are
    sides = Sides(one.of(time, kept is not None), two.of(time, kept is not None)).named_by(called)
    words = f"{'Why' if why else 'How'} {describe(plan, metadata)} changed from {one.name} to {two.name}"
    way = supposed(question) if why and sides.timed else 0
    return about(plan, metadata, words, partial(change, plan, sides, metadata, why=why, way=way), sides)


def _dating(plan: Plan, metadata: Metadata) -> str | None:
    """The time that the rows of a plan go by."""
    time = default_time(metadata, plan.scope)
    return time_of_all(time, plan.conditions, metadata) if time is not None else None


def _judged(metadata: Metadata, read: Reader) -> Plan | None:
    """What is better or worse where nobody says what: how late rows are, where nothing was taken in."""
    late = metadata.delays
    if taken_in(metadata) is not None or len({path.split(".", 1)[0] for path in late}) != 1:
        return None
    return read(f"average {' '.join(metadata.parts(late[0]))}")


def _timed(plan: Plan | None, metadata: Metadata) -> Plan | None:
    return on_its_time(plan, metadata) if plan is not None else None


def _subject(text: str, question: str, metadata: Metadata, before: Plan | None) -> Plan | None:
    """What is meant where a question is open, or points at the number of the turn before."""
    bare = without(MOVED, without(LEAD, text))
    pointed = before is not None and re.search(r"\b(it|this|that|they)\b", bare, re.IGNORECASE) is not None
    return subject_of(bare, metadata, before) if is_open(question) or pointed else None


def _since(
    question: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, read: Reader, before: Plan | None,
    called: Callable[[str], str],
) -> Analysis | None:  # fmt: skip
    """``why did revenue drop in May``, ``has the wait got worse since March``: a period and what was before it."""
    tokens = tokenize(question)
    found = one_period(tokens, now, year, fiscal)
    if found is None:
        return None
    period, (first, last) = found
    while first and tokens[first - 1].lower in ("in", "during", "since", "the"):
        first -= 1
    since = tokens[first].lower == "since"
    text = " ".join(token.text for place, token in enumerate(tokens) if not first <= place < last)
    plan = _timed(_subject(text, question, metadata, before) or _plan_of(text, metadata, read), metadata)
    time = _dating(plan, metadata) if plan is not None else None
    if plan is None or time is None or plan.dimensions or any(c.operator == "period" for c in plan.conditions):
        return None
    if since and not is_mean(plan, metadata):  # all before it and all since are of no equal length
        return None
    sides = sides_since(period, since, time, metadata)
    if sides is None:
        return None
    sides = sides.named_by(called)
    why = _WHY.match(question) is not None
    way = supposed(question) if why else 0
    words = f"{'Why' if why else 'How'} {describe(plan, metadata)} changed"
    how = f"{words} from {sides.before.name} to {sides.after.name}" if not since else f"{words} {sides.after.name}"
    return about(plan, metadata, how, partial(change, plan, sides, metadata, why=why, way=way), sides)


def apart(question: str, metadata: Metadata, read: Reader, called: Callable[[str], str]) -> Analysis | None:
    """``difference in satisfaction between France and Spain``: two values of one member, and what sets them apart."""
    said = _APART.match(question)
    if said is None:
        return None
    plan = read(f"compare {said['what']} of {said['sides']}")
    if plan is not None and _is_one(said["what"]) and all(counts_rows(m, metadata) for m in plan.measures):
        # "in delay": how long, and not how many.
        plan = read(f"compare average {said['what']} of {said['sides']}") or plan
    both = [c for c in plan.conditions if c.operator == "in" and len(c.values) == 2] if plan is not None else []
    # More than these two would have to be compared as groups.
    if plan is None or len(both) != 1 or len(plan.measures) != 1 or plan.shape != "aggregate":
        return None
    if {d.member for d in plan.dimensions} - {both[0].member} or plan.alternatives or plan.exists:
        return None
    rest = tuple(c for c in plan.conditions if c is not both[0])
    bare = plan.with_(dimensions=(), conditions=rest, order=(), calculations=(), compare=False)
    sides = _of_two(both[0]).named_by(called)
    words = f"The difference in {describe(bare, metadata)} between {sides.after.name} and {sides.before.name}"
    return about(bare, metadata, words, partial(change, bare, sides, metadata, why=False), sides)


def _is_one(what: str) -> bool:
    return " " not in what and singular(what.lower()) == what.lower()


def _of_two(either: Condition) -> Sides:
    """Two values of one member; whoever is named first is told first: the second is what a difference begins with."""
    one, two = (Side(str(value), Condition(either.member, "in", (value,), either.part)) for value in either.values)
    return Sides(two, one)


def _is_spread(plan: Plan, metadata: Metadata) -> bool:
    """Whether the rows of each value of a number are counted, where nothing but that number is spoken of."""
    if any(d.bin for d in plan.dimensions):
        return True
    alone = [d.member for d in plan.dimensions] if all(counts_rows(m, metadata) for m in plan.measures) else []
    numbers = [
        path for path in alone if metadata.is_number(path) and metadata.member(path).meta.get("aggregate") == "avg"
    ]
    return len(alone) == len(numbers) == 1


def _told_as(plan: Plan, metadata: Metadata) -> str:
    """Whether a number of rows is told by their sum, which is what adds up or was taken in, or by their mean."""
    path = taken_in(metadata)
    summed = metadata.plain(Measure(path, "measure")).member if path is not None else None
    spread = [d.member for d in plan.dimensions]
    return "total" if summed in spread or all(map(metadata.adds_up, spread)) else "average"


def _plan_of(text: str, metadata: Metadata, read: Reader) -> Plan | None:
    """The number a question about a change is about, the words of changing taken out."""
    bare = without(MOVED, without(LEAD, without(_TERMS, text)))
    for words in (
        bare,
        without(_DONE, bare),
        without(
            re.compile(r"\b(in|of|the|to|and|from|between|or|as|with|bad|good|so|go|up|down)$", re.IGNORECASE), bare
        ),
    ):
        plan = read(words) if words else None
        if plan is not None and _is_spread(plan, metadata):  # a number of rows, not how many rows have it
            plan = read(f"{_told_as(plan, metadata)} {words}")
        if plan is not None and plan.shape == "rows" and plan.limit is None:  # how many of them there are
            plan = read(f"number of {words}")
        if plan is not None and len(plan.measures) == 1 and plan.shape == "aggregate" and plan.limit is None:
            return plan
    # "how much money did we make": no number is called so, and the model's main one is meant.
    if without(_DONE, bare).strip(" .,!").lower() in ("money", "much money"):
        return main_number(metadata) if taken_in(metadata) is not None else None
    return None


def _standing_out(
    question: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, read: Reader,
    called: Callable[[str], str],
) -> Analysis | None:  # fmt: skip
    """``why is July so bad for delays``, ``why are delays at JFK higher``: a period or value against all others."""
    tokens = tokenize(without(_JUDGED, question))
    found = one_period(tokens, now, year, fiscal)
    text = " ".join(t.text for i, t in enumerate(tokens) if found is None or not found[1][0] <= i < found[1][1])
    plan = _plan_of(text, metadata, read) or (read(without(LEAD, question)) if found is None else None)
    # The sum of a month and of eleven others cannot be set side by side, their averages can.
    if plan is not None and not is_mean(plan, metadata):
        plan = read(f"average {without(LEAD, text)}")
    plan = _timed(plan, metadata)
    if plan is None or len(plan.measures) != 1 or plan.shape != "aggregate" or plan.dimensions or plan.alternatives:
        return None
    conditions = list(plan.conditions)
    if found is not None and (time := _dating(plan, metadata)) is not None:
        conditions.append(found[0].of(time).condition)
    # Of two conditions it is not known which one stands out.
    if len(conditions) != 1 or plan.exists or not is_mean(plan, metadata):
        return None
    condition = conditions[0]
    opposite = {"period": "not period", "in": "not in"}.get(condition.operator)
    if opposite is None or condition.part is not None:
        return None
    bare = plan.with_(conditions=())
    if condition.operator == "in" and len(condition.values) == 2:  # "why are Soma's rated better than Taza's"
        sides = _of_two(condition).named_by(called)
        words = f"The difference in {describe(bare, metadata)} between {sides.after.name} and {sides.before.name}"
        return about(bare, metadata, words, partial(change, bare, sides, metadata, why=True), sides)
    others = Side("all others", Condition(condition.member, opposite, condition.values))
    sides = Sides(others, Side(_name(condition, metadata), condition)).named_by(called)
    where = where_words([condition], metadata, plan.scope, link=" where ")
    words = f"Why {describe(bare, metadata)} stands out{where}"
    return Analysis(plan.with_(conditions=(condition,)), words, partial(change, bare, sides, metadata, why=True))


def _name(condition: Condition, metadata: Metadata) -> str:
    if condition.operator == "in":
        return " or ".join(str(value) for value in condition.values)
    low, high = (datetime.fromisoformat(str(v)) if v else None for v in condition.values)
    return called(low, high) if low is not None and high is not None else condition_words(condition, metadata)
