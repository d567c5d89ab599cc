"""The first few of one group, divided by others or told by another number: ``monthly flights of the top 3 airlines``,
``average delay of the 5 biggest airlines``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from msgspec import Struct

from ..calendar.grains import find_grains, is_superlative
from ..forms import Aggregate, Clause, Expression, Filter, Form, Member, Missing, Ratio, Related
from ..plans.plan import ChartWish, Plan
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from ..words.numbers import number_word
from ..words.text import Token, tokenize
from .read_back import read_back

__all__ = ["of_the_few", "of_the_top"]

_LEADING = frozenset({"for", "of", "in", "at", "among", "from", "across"})
_ARTICLES = frozenset({"the", "our", "its", "their"})
_ENDS = frozenset({"top", "bottom"})
_MOST = frozenset({"most", "least", "fewest", "highest", "lowest", "largest", "biggest", "greatest", "smallest"})
_WITH = frozenset({"with", "having", "that", "which", "who"})
_ASKING = frozenset({"which", "who", "whose", "list", "name"})
_SURE = 0.7


def of_the_top(plan: Plan, metadata: Metadata) -> Form | None:
    """The form of a plan whose limit is of one of its groups: that is among its first, taken by themselves."""
    if plan.limit_of is None:
        return None
    few = plan.with_(
        dimensions=(plan.dimensions[plan.limit_of],), limit_of=None, chart=ChartWish(), compare=False,
        order=tuple(order for order in plan.order if order.by == "measure"),
    )  # fmt: skip
    divided = plan.with_(limit=None, limit_of=None, order=())
    first, whole = (read_back(write_sql(each, metadata).sql, metadata) for each in (few, divided))
    if not isinstance(first, Form) or not isinstance(whole, Form) or not first.order:
        return None
    return _among(whole, first)


def of_the_few(question: str, metadata: Metadata, read: Callable[[str], Plan | None]) -> Form | None:
    """The form of what is asked of the few that are chosen by another number, read as two questions.

    ``read`` gives the plan of one that is read whole.
    """
    for split in _splits(question, metadata):
        few, whole = (read(text) for text in (split.few, split.whole))
        if few is None or whole is None or few.limit is None or not few.order or not _tells_groups(whole):
            continue
        if min(few.confidence, whole.confidence) < _SURE:
            continue
        first, told = (read_back(write_sql(each, metadata).sql, metadata) for each in (few, whole))
        if not isinstance(first, Form) or not isinstance(told, Form) or not first.order:
            continue
        kind, groups = _kind(first), [clause.expression for clause in told.groups]
        if kind is None or kind not in groups or _of_its_own(whole, kind, metadata):
            continue
        if few.measures[:1] == whole.measures[:1] and len(groups) == 1:
            continue  # they are ranked by what is shown
        return _among(told, first)
    return None


def _tells_groups(plan: Plan) -> bool:
    grouped = plan.shape == "aggregate" and bool(plan.measures and plan.dimensions)
    return grouped and plan.limit is None and not (plan.parts or plan.nested)


class _Split(Struct, frozen=True):
    few: str
    whole: str


def _splits(question: str, metadata: Metadata) -> list[_Split]:
    """The ways to part a question into which few are chosen, and what is asked of each of them."""
    tokens = tokenize(question)
    words = [token.lower for token in tokens]
    if words[:1] and words[0] in _ASKING:
        return []
    return [
        split for at in range(1, len(words) - 1)
        if words[at] in _LEADING and (split := _split(tokens, words, at, metadata)) is not None
    ]  # fmt: skip


def _split(tokens: Sequence[Token], words: Sequence[str], at: int, metadata: Metadata) -> _Split | None:
    if words[at] == "at" and words[at + 1] in ("least", "most"):
        return None  # a bound: "with at least 5 submissions"
    start = at + 1 + (words[at + 1] in _ARTICLES)
    place, chosen, counted = start, False, False
    while place < len(words):
        if words[place] in _ENDS or is_superlative(words[place]) or words[place] in ("most", "least"):
            chosen = True
        elif tokens[place].kind == "number" or (number_word(words[place]) or 0) > 1:
            counted = True
        else:
            break
        place += 1
    if chosen and place > start and words[place - 1] in ("most", "least") and place < len(words):
        place += 1  # "most popular"
    end = metadata.kind_names.end(tokens, place)
    if place == start or end is None:
        return None
    stop = _end_of_few(tokens, words, end, metadata)
    if not chosen and not (counted and stop > end and _MOST & set(words[end:stop])):
        return None

    def text(some: Sequence[Token]) -> str:
        return " ".join(token.text for token in some)

    head = text([*tokens[:at], *tokens[stop:]]).rstrip(" ?.!")
    return _Split(text(tokens[start:stop]).rstrip(" ?.!"), f"{head} by {text(tokens[place:end])}")


def _end_of_few(tokens: Sequence[Token], words: Sequence[str], end: int, metadata: Metadata) -> int:
    """Where it ends by what they are chosen: ``by flights``, ``with the most flights``; ``by month`` is of all."""
    if end >= len(words) or words[end] not in _WITH | {"by"}:
        return end
    grains = {grain.first for grain in find_grains(tokens)}
    if words[end] == "by" and (end + 1 in grains or _names_text(tokens, end + 1, metadata)):
        return end
    after = [p for p in range(end + 2, len(words)) if words[p] in ("per", "by", "each", ",", "?", ";", "and")]
    return min([*after, len(words)])


def _names_text(tokens: Sequence[Token], at: int, metadata: Metadata) -> bool:
    kinds = metadata.kind_names.called.get(tuple(token.stem for token in tokens[at : at + 1]), ())
    return any(kind.path is not None for kind in kinds)


def _kind(first: Form) -> Expression | None:
    """What the few are: their group, or what rows that are ordered are known by."""
    clauses = first.groups if first.groups else first.columns[:1]
    return clauses[0].expression if len(clauses) == 1 else None


def _of_its_own(whole: Plan, kind: Expression, metadata: Metadata) -> bool:
    """Whether each of the few is one row of those that the number is of."""
    of = {m.member.split(".", 1)[0] for m in whole.measures if m.member}
    return isinstance(kind, Member) and kind.relation in of and metadata.profile(kind.path).unique


def _among(whole: Form, first: Form) -> Form:
    shown = first.with_(measures=()) if first.groups else first.with_(columns=first.columns[:1])
    clause = (shown.groups or shown.columns)[0]
    told = tuple(condition for condition in whole.where if not _is_there(condition, clause.expression))
    among = Filter(Related(shown, keys=(clause.expression,)))
    return whole.with_(where=(*told, among), measures=tuple(map(_in_percent, whole.measures)))


def _in_percent(clause: Clause) -> Clause:
    """A share of rows is told as one."""
    match clause.expression:
        case Ratio(Aggregate(where=some) as part, Aggregate(where=None) as of) if some is not None:
            if replace(part, where=None) == of:
                return replace(clause, expression=Ratio(part, of, percent=True))
    return clause


def _is_there(condition: Filter, kind: Expression) -> bool:
    """Whether all that is asked is that there is one: among the few there is."""
    held = condition.condition
    of = held.of if isinstance(held, Missing) and held.negated else None
    return isinstance(of, Member) and isinstance(kind, Member) and of.relation == kind.relation
