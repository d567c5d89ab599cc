"""Which questions ask for an analysis rather than a query, and what of them it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from ..plans.phrases import condition_words, describe, rules_words, where_words
from ..plans.plan import Condition, Dimension, Measure, Plan
from ..schema.metadata import Metadata
from ..schema.money import taken_in
from ..telling.planned import flagged
from ..walk.times import default_time
from ..words.text import tokenize
from .along import odd_periods, trend
from .boxes import boxes
from .change import change
from .curves import Curve
from .journeys_asked import journey_of
from .overview import overview
from .pieces import Found
from .places import coordinates_of, places
from .relation import relation
from .shares import concentration
from .sides import Side, Sides, called, one_period, two_periods
from .since import moved_in, sides_since
from .spread import far_out, spread
from .subject import is_open, main_number, subject_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Analysis", "Recipe", "analysis_of"]

Recipe = Callable[[], "Generator[list[str], list[pa.Table], Found | None]"]
Reader = Callable[[str], Plan | None]

_WHY = re.compile(r"^\s*(why|what (explains|drove|caused|is behind)|reasons? (why|for))\b", re.IGNORECASE)
_MOVED = re.compile(
    r"\b(chang(e[sd]?|ing)|differ(s|ed|ence|ent)?|grow(n|s|ing)?|grew|growth|increas(e[sd]?|ing)|decreas(e[sd]?|ing)"
    r"|ris(e|en|ing)|rose|fall(s|en|ing)?|fell|drop(s|ped)?|declin(e[sd]?|ing)|develop(s|ed)?|improv(e[sd]?|ing)"
    r"|compar(e[sd]?|ing|ison)|get|got|gone|gotten|(go|goes|going|went) (up|down|wrong)"
    r"|better|worse|higher|lower|more|fewer|less|much|percent(age)?|than|vs|versus|against|since)\b|%",
    re.IGNORECASE,
)
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
_LEAD = re.compile(
    r"^\s*(why|what (explains|drove|caused|is behind)|reasons? (why|for)|by how much( percent)?|how( much)?"
    r"|what('?s| is| was)?)?\s*"
    r"(the )?(did|do|does|has|have|is|was|were|are|there)?\s*(there|the)?\b",
    re.IGNORECASE,
)
_CURVES: dict[Curve, re.Pattern[str]] = {
    "cumulative": re.compile(
        r"\b((empirical )?cumulative distribution( function| plot| curve)?|e?cdf)( of| for)?\b", re.IGNORECASE
    ),
    "density": re.compile(
        r"\b((probability|kernel) density( function| plot| curve)?|density (plot|curve|chart)|density(?= of))"
        r"( of| for)?\b",
        re.IGNORECASE,
    ),
}
_SPREAD = re.compile(
    r"\b(distribut(ion|ed)|histogram|spread( out)?|quartiles?|(?<=[\w,] )var(y|ies|ied)|looks? like(?! an?\b))\b",
    re.IGNORECASE,
)
_SPREAD_BY = re.compile(r"\b(spread( out)?|quartiles?|(?<=[\w,] )var(y|ies|ied))\b", re.IGNORECASE)
_BOXES = re.compile(
    r"\b(an? |as an? |as )?box(es)?[- ]?(and[- ]whiskers?[- ]?)?(plots?|charts?)( of| for)?\b", re.IGNORECASE
)
_NO_BOX = (
    "A box plot shows how the values of one number lie, by one group at most. Name a number that each row has and a "
    "group, as in “box plot of price by country”."
)
_NO_PLACE = (
    "Nothing here says where on a map that is: a map wants two numbers for a row, its latitude and its longitude. "
    "I can show it as a table or as bars."
)
_ON_MAP = re.compile(
    r"\b(on|in|as) (a |the )?map\b|\b(a |the )?map (of|showing|with|for)\b|\bmap\b(?=\W*$)", re.IGNORECASE
)
_MAP_WORDS = re.compile(r"\b(show|draw|plot|put|display|me|all|the|our|where|are|is|located|lie)\b", re.IGNORECASE)
_STEPS = re.compile(r"\b(steps?|bins?|buckets?|intervals?) of \d|\b\d+ bins\b", re.IGNORECASE)
_FAR = re.compile(
    r"\b(outliers?|anomal(y|ies|ous)|unusual(ly)?|strange(ly)?|odd(ly)?|extreme values?|abnormal(ly)?|far out)\b",
    re.IGNORECASE,
)
_RELATED = re.compile(
    r"\b(correlat(e[sd]?|ion|ed)|relation(ship)?|related|link(ed)?|connect(ed|ion)|affects?|influences?|impacts?"
    r"|depends? on|associat(ed|ion)|(affected|influenced|driven|explained) by"
    r"|(var(y|ies)|chang(e|es)|ris(e|es)|grows?|increases?|decreases?|falls?) (along )?with)\b",
    re.IGNORECASE,
)
_ON_SECOND = re.compile(
    r"\b(depends? on|(var(y|ies)|chang(e|es)|ris(e|es)|grows?|increases?|decreases?|falls?) (along )?with"
    r"|(affected|influenced|driven|explained) by)\b",
    re.IGNORECASE,
)
_WILL = re.compile(r"\b(will|going to|gonna)\b", re.IGNORECASE)
_NEXT = re.compile(
    r"\b(for |in |over |by )?(the )?(next|coming|following) (\d+ )?(day|week|month|quarter|year)s?\b|\btomorrow\b",
    re.IGNORECASE,
)
_FUTURE_WORDS = re.compile(
    r"\b(will|going to|gonna|we|you|they|i|get|have|see|be|make|sell|there|continue|keep)\b", re.IGNORECASE
)
_MOVES = (
    r"(?:increas|decreas|declin|improv)(?:e|ed|ing)|grow(?:n|ing)?|ris(?:e|en|ing)|f(?:all|ell)(?:en|ing)?|drop(?:ped|ping)?"
    r"|shr(?:ink|unk)(?:ing)?|(?:go|gone|going) (?:up|down)"
    r"|(?:get|got|gotten|getting) (?:better|worse|higher|lower|more|fewer)"
)
_TREND = re.compile(
    rf"\btrends?\b|^\s*(is|are|was|were|has|have|did|do|does)\b.*\b(?:{_MOVES})\b",
    re.IGNORECASE,
)
_FELT = re.compile(r"\b(better|worse|longer|shorter|slower|faster)\b", re.IGNORECASE)
_LENGTHS = frozenset(form for unit in ("second", "minute", "hour", "day") for form in (unit, f"{unit}s"))
_TREND_WORDS = re.compile(
    rf"\b(trend(s|ing)?|is|are|was|were|has|have|did|do|does|been|{_MOVES}|there an?"
    r"|over (the )?(time|years?|months?))\b",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:make|makes|making|made) up|\baccounts? for|\b(?:are |is )?responsible for|\bgenerates?|\bbrings? in"
    r"|\bcontributes?( to)?",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*(?:%|per ?cent|percent)", re.IGNORECASE)
_EACH_SHARE = re.compile(r"\b(less|more|fewer|under|over|below|above)( than)?\W+(an? )?(\d|one\b)", re.IGNORECASE)
_MOST_OF = re.compile(
    r"\b(?:makes?|making|made|accounts? for|brings?|generates?|responsible for|earns?|spends?|have|has|holds?|gets?"
    r"|causes?)"
    r"( up| in)? (?:the )?(?:most|majority|bulk|lion['’]s share) of\b(?!\s+(?:them|these|those|it)\b)",
    re.IGNORECASE,
)
_FEW_GROUPS = re.compile(
    r"^\s*(do|does|is|are)?\s*(it )?(only )?(just )?(a )?(few|handful of|small number of)\b", re.IGNORECASE
)
_APART = re.compile(
    r"^\W*(?:what(?:['’]s| is| was)?|show( me)?|how (?:big|large) is|is there)?\s*"
    r"(?:the |an? )?(?:big |large )?(?:difference|gap) (?:in|of) "
    r"(?P<what>.+?) between (?P<sides>.+ and .+?)\W*$",
    re.IGNORECASE,
)
_PARETO = re.compile(r"\b(pareto|concentrated|concentration)( of| in| chart)?\b", re.IGNORECASE)
_HAPPENED = re.compile(
    r"^\W*(?:so |and )?what(?:['’]?s)? (?:was )?happen(?:ed|ing)? (?P<when>on .+?)\W*$", re.IGNORECASE
)
_SUMMARY = re.compile(
    r"^\s*(please\s+|can you\s+)?(summari[sz]e|(give me |show me )?(an? |the )?(quick |short |brief )?"
    r"(summary|overview)( of|\s*[?.!]?\s*$)|describe|(what can you |can you )?tell me (something )?about"
    r"|what (do|can) (you|we) (know|say) about)",
    re.IGNORECASE,
)
_FORECAST = re.compile(r"\b(forecasts?|predict(s|ion|ions)?|extrapolat\w+|projections?)\b", re.IGNORECASE)
_ASKED_WHAT = re.compile(r"^\s*(what|how) (do|does|did|is|are|was|were)\b( the)?", re.IGNORECASE)
_FEW = re.compile(
    r"\b(were|was|are|is|anything|something|few|many|low|high|per|data|values?|which|what|when)\b", re.IGNORECASE
)
_EACH = re.compile(r"\b(hour|day|week|month)s?\b|\b(hour|dai|week|month)ly\b", re.IGNORECASE)
_MANY_DAYS = 1200
_GRAINS = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month"}
_JUDGED = re.compile(r"\b(so|bad|good|high|low|long|short|big|small|poor|busy|special|for|in|at)\b", re.IGNORECASE)
_SMALL_WORDS = re.compile(
    r"\b(between|of|in|the|with|to|for|do|does|is|there|any|a|an|how|are|our|show|find|me|strong|strongly|much|widely)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Analysis:
    """An analysis that is asked for: the plan it is about, its words, and how it is made (None: it is refused)."""

    plan: Plan
    words: str
    recipe: Recipe | None
    refusal: str = ""
    where: str = ""  # which rows it is about, where not all
    sides: Sides | None = None  # what it sets against each other

    @property
    def kept(self) -> Plan:
        """What further turns are about: the rows of both sides."""
        return self.sides.over_both(self.plan) if self.sides is not None else self.plan


def analysis_of(
    question: str,
    metadata: Metadata,
    now: datetime,
    year: int | None,
    fiscal: int,
    read: Reader,
    before: Plan | None = None,
    called: Callable[[str], str] = str,
) -> Analysis | None:
    """The analysis a question asks for, or None where it is a plain question (or not wholly understood).

    Parameters
    ----------
    read
        Reads a question as a plan, or gives None where that leaves anything out.
    before
        The plan of the turn before: what is meant where a question names no number.
    called
        What a side of a comparison is called in the language that is answered in.
    """
    finders: Sequence[Callable[[], Analysis | None]] = (
        partial(_forecast, question, metadata, now, read, before),
        partial(_of_a_day, question, metadata, now, year, fiscal, read),
        partial(_change, question, metadata, now, year, fiscal, read, before, called),
        partial(_apart, question, metadata, read, called),
        partial(_pareto, question, metadata, read),
        partial(_followed, question, metadata, read),
        partial(_mapped, question, metadata, read),
        partial(_boxed, question, metadata, read),
        partial(_related, question, metadata, read),
        *(partial(_curve, question, metadata, read, kind) for kind in _CURVES),
        partial(_one_number, question, metadata, read, _SPREAD, spread, "How {} is spread"),
        partial(_boxed, question, metadata, read, _SPREAD_BY),
        partial(_odd, question, metadata, read, before),
        partial(_one_number, question, metadata, read, _FAR, far_out, "What of {} lies far out"),
        partial(_trend, question, metadata, read),
        partial(_summary, question, metadata, read),
    )
    return next((found for find in finders if (found := find()) is not None), None)


def _about(plan: Plan, metadata: Metadata, words: str, recipe: Recipe, sides: Sides | None = None) -> Analysis:
    """An analysis of a plan's rows."""
    return Analysis(plan, words, recipe, where=rules_words(plan, metadata), sides=sides)


def _without(pattern: re.Pattern[str], text: str, filling: str = " ") -> str:
    return " ".join(pattern.sub(filling, text).replace("?", " ").split())


def _forecast(question: str, metadata: Metadata, now: datetime, read: Reader, before: Plan | None) -> Analysis | None:
    ahead = _WILL.search(question) is not None and (moved_in(question) or _NEXT.search(question) is not None)
    if not ahead and not _FORECAST.search(question):
        return None
    rest = _without(_NEXT, _without(_FORECAST, question))
    if ahead:
        rest = _without(_FUTURE_WORDS, rest)
    bare = _without(_MOVED, rest) if ahead else rest
    plan = subject_of(bare, metadata, before) if ahead else None
    lead = _without(_LEAD, bare)
    for text in (bare, lead, _without(_SMALL_WORDS, bare), f"number of {lead}" if lead else ""):
        plan = plan or _measured(read(text) if text else None)
    if plan is None:
        return None
    time = default_time(metadata, plan.scope)
    last = metadata.profile(time).high if time is not None else None
    if ahead and isinstance(last, datetime) and last.replace(tzinfo=None) > now:  # what is planned is in the rows
        return None
    refusal = (
        "I do not forecast: a number for a time that the data do not cover would be a guess, and an interval around it "
        "that can be trusted needs a model that somebody has checked. I can show how it has moved so far."
    )
    return Analysis(plan, "No forecast", None, refusal)


def _measured(plan: Plan | None) -> Plan | None:
    return plan if plan is not None and plan.measures else None


def _change(
    question: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, read: Reader, before: Plan | None,
    called: Callable[[str], str],
) -> Analysis | None:  # fmt: skip
    why = _WHY.match(question) is not None
    if not why and not _STRONG.search(question) and not is_open(question):
        return None
    tokens = tokenize(question)
    found = two_periods(tokens, now, year, fiscal)
    if found is None:
        since = _since(question, metadata, now, year, fiscal, read, before, called) if moved_in(question) else None
        return since or (_standing_out(question, metadata, now, year, fiscal, read, called) if why else None)
    one, two, (first, last) = found
    text = " ".join(token.text for place, token in enumerate(tokens) if not first <= place < last)
    plan = _subject(text, question, metadata, before) or _plan_of(text, metadata, read)
    time = default_time(metadata, plan.scope) if plan is not None else None
    if plan is None or time is None or any(c.operator == "period" for c in plan.conditions):
        return None
    sides = Sides(one.of(time), two.of(time)).named_by(called)
    words = f"{'Why' if why else 'How'} {describe(plan, metadata)} changed from {one.name} to {two.name}"
    return _about(plan, metadata, words, partial(change, plan, sides, metadata, why=why), sides)


def _subject(text: str, question: str, metadata: Metadata, before: Plan | None) -> Plan | None:
    """What is meant where a question is open, or points at the number of the turn before."""
    bare = _without(_MOVED, _without(_LEAD, text))
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
    plan = _subject(text, question, metadata, before) or _plan_of(text, metadata, read)
    time = default_time(metadata, plan.scope) if plan is not None else None
    if plan is None or time is None or plan.dimensions or any(c.operator == "period" for c in plan.conditions):
        return None
    if since and not _is_mean(plan, metadata):  # all before it and all since are of no equal length
        return None
    sides = sides_since(period, since, time, metadata)
    if sides is None:
        return None
    sides = sides.named_by(called)
    why = _WHY.match(question) is not None
    words = f"{'Why' if why else 'How'} {describe(plan, metadata)} changed"
    how = f"{words} from {sides.before.name} to {sides.after.name}" if not since else f"{words} {sides.after.name}"
    return _about(plan, metadata, how, partial(change, plan, sides, metadata, why=why), sides)


def _of_a_day(
    question: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, read: Reader
) -> Analysis | None:
    """``what happened on 8 February``: what the rows of that day say, since the day before is no measure of it."""
    said = _HAPPENED.match(question)
    tokens = tokenize(said["when"]) if said is not None else []
    found = one_period(tokens, now, year, fiscal) if tokens else None
    facts = next((name for name in metadata.catalog.relations if metadata.times([name])), None)
    if said is None or found is None or facts is None:
        return None
    (period, (first, last)), fact = found, metadata.main_facts() or facts
    words = metadata.relation(fact).title.lower()
    whole = last == len(tokens) and all(token.lower in ("on", "the") for token in tokens[:first])
    return (
        _summary(f"summarize {words} {said['when']}", metadata, read)
        if whole and period.high - period.low == timedelta(days=1)
        else None
    )


def _apart(question: str, metadata: Metadata, read: Reader, called: Callable[[str], str]) -> Analysis | None:
    """``difference in satisfaction between France and Spain``: two values of one member, and what sets them apart."""
    said = _APART.match(question)
    if said is None:
        return None
    plan = read(f"compare {said['what']} of {said['sides']}")
    both = [c for c in plan.conditions if c.operator == "in" and len(c.values) == 2] if plan is not None else []
    if plan is None or len(both) != 1 or len(plan.measures) != 1 or plan.shape != "aggregate":
        return None
    if {d.member for d in plan.dimensions} - {both[0].member} or plan.alternatives or plan.exists:
        return None
    one, two = (Condition(both[0].member, "in", (value,), both[0].part) for value in both[0].values)
    rest = tuple(c for c in plan.conditions if c is not both[0])
    bare = plan.with_(dimensions=(), conditions=rest, order=(), calculations=(), compare=False)
    sides = Sides(Side(str(both[0].values[1]), two), Side(str(both[0].values[0]), one)).named_by(called)
    words = f"The difference in {describe(bare, metadata)} between {sides.after.name} and {sides.before.name}"
    return _about(bare, metadata, words, partial(change, bare, sides, metadata, why=False), sides)


def _is_spread(plan: Plan, metadata: Metadata) -> bool:
    """Whether the rows of each value of a number are counted, where nothing but that number is spoken of."""
    if any(d.bin for d in plan.dimensions):
        return True
    alone = [d.member for d in plan.dimensions] if all(_counts_rows(m, metadata) for m in plan.measures) else []
    numbers = [
        path for path in alone if metadata.is_number(path) and metadata.member(path).meta.get("aggregate") == "avg"
    ]
    return len(alone) == len(numbers) == 1


def _told_as(plan: Plan, metadata: Metadata) -> str:
    """Whether a number of rows is told by their sum, which is what was taken in, or by their mean."""
    path = taken_in(metadata)
    summed = metadata.plain(Measure(path, "measure")).member if path is not None else None
    return "total" if summed in [d.member for d in plan.dimensions] else "average"


def _plan_of(text: str, metadata: Metadata, read: Reader) -> Plan | None:
    """The number a question about a change is about, the words of changing taken out."""
    bare = _without(_MOVED, _without(_LEAD, _without(_TERMS, text)))
    for words in (
        bare,
        _without(_DONE, bare),
        _without(
            re.compile(r"\b(in|of|the|to|and|from|between|or|as|with|bad|good|so|go|up|down)$", re.IGNORECASE), bare
        ),
    ):
        plan = read(words) if words else None
        if plan is not None and _is_spread(plan, metadata):  # a number of rows, not how many rows have it
            plan = read(f"{_told_as(plan, metadata)} {words}")
        if plan is not None and len(plan.measures) == 1 and plan.shape == "aggregate" and plan.limit is None:
            return plan
    if _without(_DONE, bare).strip(" .,!").lower() in ("money", "much money"):
        return main_number(metadata) if taken_in(metadata) is not None else None
    return None


def _standing_out(
    question: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, read: Reader,
    called: Callable[[str], str],
) -> Analysis | None:  # fmt: skip
    """``why is July so bad for delays``, ``why are delays at JFK higher``: a period or value against all others."""
    tokens = tokenize(_without(_JUDGED, question))
    found = one_period(tokens, now, year, fiscal)
    text = " ".join(t.text for i, t in enumerate(tokens) if found is None or not found[1][0] <= i < found[1][1])
    plan = _plan_of(text, metadata, read) or (read(_without(_LEAD, question)) if found is None else None)
    if plan is not None and not _is_mean(plan, metadata):
        plan = read(f"average {_without(_LEAD, text)}")
    if plan is None or len(plan.measures) != 1 or plan.shape != "aggregate" or plan.dimensions or plan.alternatives:
        return None
    conditions = list(plan.conditions)
    if found is not None and (time := default_time(metadata, plan.scope)) is not None:
        conditions.append(found[0].of(time).condition)
    if len(conditions) != 1 or plan.exists or not _is_mean(plan, metadata):
        return None
    condition = conditions[0]
    opposite = {"period": "not period", "in": "not in"}.get(condition.operator)
    if opposite is None or condition.part is not None:
        return None
    bare = plan.with_(conditions=())
    others = Side("all others", Condition(condition.member, opposite, condition.values))
    sides = Sides(others, Side(_name(condition, metadata), condition)).named_by(called)
    where = where_words([condition], metadata, plan.scope, link=" where ")
    words = f"Why {describe(bare, metadata)} stands out{where}"
    return Analysis(plan.with_(conditions=(condition,)), words, partial(change, bare, sides, metadata, why=True))


def _is_mean(plan: Plan, metadata: Metadata) -> bool:
    """Whether a number can be set against that of all other rows: a sum of a month and of eleven cannot."""
    number = plan.measures[0] if plan.measures else Measure()
    member = metadata.members.get(number.member or "")
    if number.aggregate == "measure":
        return member is not None and member.agg_type not in ("count", "sum")
    return number.aggregate in ("avg", "share_true")


def _name(condition: Condition, metadata: Metadata) -> str:
    if condition.operator == "in":
        return " or ".join(str(value) for value in condition.values)
    low, high = (datetime.fromisoformat(str(v)) if v else None for v in condition.values)
    return called(low, high) if low is not None and high is not None else condition_words(condition, metadata)


def _numbers(plan: Plan, metadata: Metadata) -> list[str]:
    """The numbers of rows that a plan speaks of."""
    found = [metadata.plain(m).member for m in plan.measures if metadata.plain(m).aggregate in ("avg", "sum", "median")]
    found += list(plan.columns) + [d.member for d in plan.dimensions] + [o.member for o in plan.order]
    numeric = [p for p in found if p and p in metadata.members and metadata.is_number(p) and not metadata.is_key(p)]
    return list(dict.fromkeys(numeric))


def _one_number(
    question: str, metadata: Metadata, read: Reader, cue: re.Pattern[str],
    recipe: Callable[..., Generator[list[str], list[pa.Table], Found | None]], words: str,
) -> Analysis | None:  # fmt: skip
    if not cue.search(question) or _STEPS.search(question):
        return None
    rest = _without(cue, question)
    bare = _without(_SMALL_WORDS, rest)
    for text in (rest, _without(_ASKED_WHAT, rest), bare, _without(_FEW, bare)):
        plan = read(text) if text else None
        numbers = _numbers(plan, metadata) if plan is not None else []
        others = [d for d in plan.dimensions if d.member not in numbers] if plan is not None else []
        if plan is not None and len(numbers) == 1 and not others and plan.limit is None:
            said = describe(Plan(plan.scope, shape="rows", columns=(numbers[0],)), metadata).removeprefix("a list of ")
            return _about(plan, metadata, words.format(said), partial(recipe, plan, numbers[0], metadata))
    return None


def _mapped(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    """``stations on a map``, ``average delay by destination on a map``: where rows are that have coordinates."""
    if not _ON_MAP.search(question):
        return None
    rest = _without(_ON_MAP, question)
    bare = _without(_MAP_WORDS, rest)
    plan = next(
        (found for text in (rest, bare, f"how many {bare}") if text and (found := read(text)) is not None), None
    )
    if plan is None or plan.limit is not None or len(plan.dimensions) > 1 or any(d.grain for d in plan.dimensions):
        return None
    listed = plan.columns[0] if plan.shape != "aggregate" and plan.columns else None
    apart = plan.measures and metadata.plain(plan.measures[0]).aggregate == "count_distinct" and not plan.dimensions
    asked = [listed] if listed else [d.member for d in plan.dimensions]
    near = [word for path in asked for word in metadata.parts(path)] + rest.lower().split()
    relations = [*(path.split(".", 1)[0] for path in asked), *plan.scope, *metadata.catalog.relations]
    at = coordinates_of(list(dict.fromkeys(relations)), near, metadata)
    owner = at.latitude.split(".", 1)[0] if at is not None else ""
    if at is not None and listed is not None and set(metadata.parts(at.latitude)[:-1]) & set(metadata.parts(listed)):
        plan = Plan(plan.scope[:1], measures=(Measure(),), dimensions=(Dimension(listed),), conditions=plan.conditions)
    elif listed is not None:
        apart = apart or listed != metadata.label_of(owner)
        plan = Plan(plan.scope[:1], measures=(Measure(),), conditions=plan.conditions)
    scope = metadata.scope([*plan.scope, owner]) if owner else None
    if at is None or scope is None or apart:  # different things that rows name are at no place of their own
        return Analysis(plan, "A map", None, _NO_PLACE)
    plan = plan.with_(scope=scope, shape="aggregate", measures=plan.measures or (Measure(),))
    return _about(plan, metadata, f"{describe(plan, metadata)} on a map", partial(places, plan, at, metadata))


def _curve(question: str, metadata: Metadata, read: Reader, kind: Curve) -> Analysis | None:
    """``cumulative distribution of delay``, ``density plot of price``; a column of densities is one like others."""
    if kind == "density" and any("density" in metadata.parts(path) for path in metadata.members):
        return None
    recipe = partial(spread, drawn_as=kind)
    return _one_number(question, metadata, read, _CURVES[kind], recipe, "How {} is spread, as a curve")


def _boxed(question: str, metadata: Metadata, read: Reader, cue: re.Pattern[str] = _BOXES) -> Analysis | None:
    """``box plot of delay by airline``: the number that is averaged or listed, by at most one group."""
    if not cue.search(question):
        return None
    rest = _without(cue, question)
    plans = [plan for text in (rest, _without(_SMALL_WORDS, rest)) if text and (plan := read(text)) is not None]
    for plan in plans:
        numbers = _numbers(plan, metadata)
        groups = tuple(d for d in plan.dimensions if d.member not in numbers)
        if len(numbers) == 1 and len(groups) < 2 and plan.limit is None:
            average = Measure(numbers[0], "avg")
            plan = plan.with_(shape="aggregate", columns=(), dimensions=groups, measures=(average,))
            words = describe(plan, metadata).replace("average ", "", 1)
            return _about(plan, metadata, f"A box plot of {words}", partial(boxes, plan, numbers[0], metadata))
    return Analysis(plans[0], "A box plot", None, _NO_BOX) if plans and cue is _BOXES else None


def _odd(question: str, metadata: Metadata, read: Reader, before: Plan | None) -> Analysis | None:
    """``unusual days``, ``outliers in flights per day``: periods unlike the others of their kind."""
    if not _FAR.search(question):
        return None
    rest = _without(_SMALL_WORDS, _without(_FEW, _without(_FAR, question)))
    unit = _EACH.search(rest)
    if unit is None:
        return _anything_odd(rest, metadata, before)
    said = unit[0].lower()
    grain = _GRAINS.get(said, said.removesuffix("s"))
    plan = read(f"{_without(_EACH, rest)} per {grain}") or read(rest)
    grains = [d.grain for d in plan.dimensions] if plan is not None else []
    if plan is None or len(plan.measures) != 1 or len(grains) != 1 or grains[0] not in ("day", "week", "month", "hour"):
        return None
    return _about(
        plan, metadata, f"What stands out of {describe(plan, metadata)}", partial(odd_periods, plan, metadata)
    )


def _anything_odd(words: str, metadata: Metadata, before: Plan | None) -> Analysis | None:
    """``anything unusual?``: days of the main number, months where there are very many days."""
    plan = subject_of(words, metadata, before)
    time = default_time(metadata, plan.scope) if plan is not None else None
    if plan is None or time is None:
        return None
    low, high = metadata.profile(time).low, metadata.profile(time).high
    known = isinstance(low, datetime) and isinstance(high, datetime)
    grain = "month" if known and (high - low).days > _MANY_DAYS else "day"
    plan = plan.with_(dimensions=(Dimension(time, grain),))
    words = f"What stands out of {describe(plan, metadata)}"
    return _about(plan, metadata, words, partial(odd_periods, plan, metadata))


def _related(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    if not _RELATED.search(question):
        return None
    rest = _without(_RELATED, question, " and ")
    bare = re.sub(r"^(\s*and\b)+|(\band\s*)+$", "", _without(_SMALL_WORDS, rest), flags=re.IGNORECASE)
    bare = re.sub(r"(\s+and\b)+", " and", bare, flags=re.IGNORECASE)
    halves = [part for part in re.split(r"\band\b|,", bare) if part.strip()]
    plans = [read(part.strip()) for part in halves] if len(halves) == 2 else []
    plans = [_number_of(part.strip(), plan, metadata, read) for part, plan in zip(halves, plans, strict=False)]
    numbers = [_numbers(plan, metadata)[:1] for plan in plans if plan is not None and not plan.conditions]
    pair = [path for found in numbers for path in found]
    if len(pair) != 2 or pair[0] == pair[1]:
        return None
    if _ON_SECOND.search(question):  # what depends on the other stands upright
        pair.reverse()
    scope = metadata.scope([path.split(".", 1)[0] for path in pair])
    if scope is None:
        return None
    plan = Plan(scope, shape="rows", columns=(pair[0], pair[1]))
    words = f"How {describe(plan, metadata).removeprefix('a list of ')} go together"
    return _about(plan, metadata, words, partial(relation, plan, pair[0], pair[1], metadata))


def _number_of(words: str, plan: Plan | None, metadata: Metadata, read: Reader) -> Plan | None:
    """What a word says as a number of rows: ``delay`` beside another number is how long, not whether."""
    if plan is not None and _numbers(plan, metadata) and not plan.conditions:
        return plan
    return read(f"average {words}")


def _trend(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    if not _TREND.search(question):
        return None
    words = _without(_TREND_WORDS, question)
    plan = read(words) or read(_without(_SMALL_WORDS, words))
    if plan is not None and _FELT.search(question) and _sums_a_length(plan, metadata):
        plan = read(f"average {words}") or plan
    if (
        plan is None
        or len(plan.measures) != 1
        or plan.limit is not None
        or plan.shape != "aggregate"
        or plan.calculations
    ):
        return None
    if len(plan.dimensions) > 1 or any(not d.grain for d in plan.dimensions):
        return None
    said = flagged(plan, metadata)
    rest = plan.with_(conditions=tuple(c for c in plan.conditions if c not in said))
    recipe = partial(trend, plan, metadata)
    return Analysis(plan, f"The trend of {describe(plan, metadata)}", recipe, where=rules_words(rest, metadata))


def _sums_a_length(plan: Plan, metadata: Metadata) -> bool:
    """Whether a number adds up how long each took: that it got worse is said of one of them."""
    plain = [metadata.plain(measure) for measure in plan.measures]
    summed = [p.member for p in plain if p.aggregate == "sum" and p.member]
    return bool(summed) and all(_LENGTHS & set(metadata.parts(path)) for path in summed)


def _pareto(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    percent = _PERCENT.search(question)
    most = _MOST.search(question)
    most_of = _MOST_OF.search(question)
    if not (_PARETO.search(question) or percent and most or most_of):
        return None
    if most and _EACH_SHARE.search(question[most.end() :]):  # of each by itself, and not of the largest together
        return None
    share = float(percent[1]) / 100 if percent else 0.5 if most_of else 0.8
    if not 0 < share < 1:
        return None
    if (at := most_of or most) and (percent or most_of):
        who = _without(
            _FEW_GROUPS, re.sub(r"^\s*(which|what|how many|the)\b", "", question[: at.start()], flags=re.IGNORECASE)
        )
        what = re.sub(
            r"\b(of|the|all|our)\b", " ", _without(_PERCENT, question[at.end() :]), flags=re.IGNORECASE
        ).strip()
        text = f"{what} by {who}"
    else:
        text = _without(_PARETO, question)
    plan = read(text)
    if plan is None or len(plan.measures) != 1 or len(plan.dimensions) != 1 or plan.dimensions[0].grain:
        return None
    return _about(
        plan,
        metadata,
        f"How far {describe(plan, metadata)} is concentrated",
        partial(concentration, plan, metadata, share),
    )


def _followed(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    """``retention of customers``, ``funnel from view to purchase``: what rows are events of, followed over time."""
    found = journey_of(question, metadata, read)
    return _about(found.plan, metadata, found.words, found.recipe) if found is not None else None


def _summary(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    if not _SUMMARY.match(question):
        return None
    rest = _without(_SUMMARY, question)
    bare = re.sub(r"^(the|all|our|my)\b|\b(table|data|dataset)\b\s*$", " ", rest, flags=re.IGNORECASE).strip()
    plan = read(f"how many {bare}") or read(bare) if bare else None
    if plan is None:
        dated = (name for name in metadata.catalog.relations if metadata.times([name]))
        fact = (metadata.main_facts() or next(dated, None)) if not bare else None
        if fact is None:
            return None
        plan = Plan((fact,))
    if plan.dimensions or plan.limit is not None or any(not _counts_rows(m, metadata) for m in plan.measures):
        return None
    if plan.conditions and (facts := metadata.facts_of(plan.scope[0])) is not None:  # of one thing: what its rows say
        plan = plan.with_(scope=metadata.scope([facts, *plan.scope], prefer=[facts]) or plan.scope, measures=())
    return Analysis(plan, f"A summary of {bare or 'the data'}", partial(overview, plan, metadata))  # it says so itself


def _counts_rows(measure: Measure, metadata: Metadata) -> bool:
    """Whether a number counts the rows themselves, and not things that these name."""
    known = metadata.members.get(measure.member or "")
    if measure.aggregate == "measure":
        return known is not None and known.agg_type == "count"
    return measure.aggregate == "count" and not measure.exists
