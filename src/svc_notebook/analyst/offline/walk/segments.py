"""The question cut into items: cues, names, values, numbers, periods. Where readings compete for words, the best
cover wins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import Literal

from ....records import dataclass
from ..budget import Budget
from ..calendar.fiscal import fiscal_unit
from ..calendar.grains import Grain, find_grains
from ..calendar.periods import Period, find_periods
from ..forms.partings import named_parts
from ..schema.deeds import deeds_of
from ..schema.lexicon import Candidate, Span, find_spans, named_exactly
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..schema.said_kinds import is_done, is_kind_of_rows
from ..schema.values import ValueMatch
from ..words.cues import STEERING, STEERING_LIST, Cue, find_cues
from ..words.numbers import SCALES, number_word, unit_of
from ..words.text import Token, singular, stem, within_distance
from ..words.thesaurus import FILLER, FILLER_WORDS
from .worded import worded

__all__ = ["Item", "segment"]

ItemKind = Literal["name", "value", "cue", "number", "period", "grain", "quoted", "word", "unit"]


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of the question in its chosen reading."""

    kind: ItemKind
    start: int
    end: int
    text: str
    names: tuple[Candidate, ...] = ()
    values: tuple[ValueMatch, ...] = ()
    cue: Cue | None = None
    number: float | None = None
    period: Period | None = None
    grain: Grain | None = None
    also: tuple[Candidate, ...] = field(default=())

    def is_cue(self, kind: str, value: str | None = None) -> bool:
        return self.cue is not None and self.cue.kind == kind and (value is None or self.cue.value == value)


_OF_NOUN = 0.2  # what a value weighs more before its noun
_TOTALS = frozenset({"total", "totals", "sum", "count", "balance", "average"})
_ORDERING = frozenset({"rank", "order", "sort", "ranked", "sorted", "ordered", "arrange", "list"})


def segment(
    question: str,
    metadata: Metadata,
    now: datetime,
    default_year: int | None = None,
    fiscal: int = 1,
    budget: Budget | None = None,
) -> tuple[list[Token], list[Item]]:
    """Tokens and items of a question."""
    budget = budget or Budget()
    tokens = worded(question, metadata, now, default_year, budget)
    options: list[tuple[float, Item]] = []
    text = _texts(tokens)
    spans = find_spans(tokens, metadata)
    tokens = _mended(tokens, {span.start for span in spans if span.end == span.start + 1}, metadata)
    # The latest is the last of all, and none that is late.
    spans = [span for span in spans if span.end > span.start + 1 or not _is_said_of(tokens, span.start)]
    parted = named_parts([token.lower for token in tokens])
    # The data's own word for a shift says more than a part of the day.
    if any(metadata.values.find(tokens, place) for place in parted):  # shifts that the data call so
        parted = {}
    spans = [span for span in spans if not (span.start in parted and span.end == span.start + 1)]
    periods = find_periods(tokens, now, default_year, fiscal)
    periods = [p for p in periods if not parted.keys() & set(range(p.first, p.last))]
    periods = [p for p in periods if not _is_own_season(p, tokens, metadata)]
    cues = [_as_versus(cue, periods, tokens) for cue in find_cues(tokens, _groups_named(tokens, spans, metadata))]
    cues = [own for cue in cues for own in _beside_name(cue, spans, metadata)]
    grains = find_grains(tokens, parted)
    which = [_as_which(cue, grains, spans, cues, tokens, metadata) for cue in cues]
    if which != cues:
        cues, spans = which, [s for s in spans if tokens[s.start].lower != "how"]
    bounds = [cue for cue in cues if cue.kind == "compare" and _is_amount(tokens, cue.end)]
    spans = [_as_bounded(span, spans, bounds, tokens, metadata) for span in spans]
    for span in (s for s in spans if not _begins_in_unit(s, spans, tokens)):
        options.append(
            (
                _name_weight(
                    tokens, span.start, span.end, span.size, span.candidates, _measured(span.candidates, metadata)
                ),
                Item("name", span.start, span.end, text(span.start, span.end), names=span.candidates),
            )
        )
    timed = {p.first for p in periods} | {g.first for g in grains}
    for start in range(len(tokens)):
        budget.spend()
        found = _value_options(tokens, start, metadata, text, timed)
        options.extend((weight + _OF_NOUN * _is_of_noun(item, spans), item) for weight, item in found)
    ordering = {cue.start for cue in cues if cue.kind in ("order", "axis", "count")}
    for cue in cues:
        # "sort by" holds an order and an axis: it has to win over both.
        if cue.kind == "order" and tokens[cue.start].lower in _ORDERING and cue.end in ordering:
            options.append((2.0, Item("cue", cue.start, cue.end, text(cue.start, cue.end), cue=cue)))
        options.append(
            (_cue_weight(cue, tokens, cues), Item("cue", cue.start, cue.end, text(cue.start, cue.end), cue=cue))
        )
    # A lone number that could be a year weighs less than a name or a bound.
    for period in periods:
        weight = 0.75 if period.bare_year else (period.last - period.first) * 1.1 + 0.2
        options.append((weight, Item("period", period.first, period.last, period.words, period=period)))
    compared = [range(cue.start, cue.end) for cue in cues if cue.kind == "compare"]
    tops = [c.end for c in cues if c.kind == "top" and not any(c.start in within for within in compared)]
    named_as = {(span.start, span.end): span.candidates for span in spans}
    for grain in grains:
        if grain.unit in ("fiscal_year", "fiscal_quarter"):
            grain = replace(grain, unit=fiscal_unit(grain.unit.removeprefix("fiscal_"), fiscal))
        size = grain.last - grain.first
        ranked = any(_only_numbers(tokens[place : grain.first]) for place in tops if place <= grain.first)
        many = _is_unit(text(grain.first, grain.last), tokens, grain.first) and _are_times(
            named_as.get((grain.first, grain.last), ()), metadata
        )
        options.append(
            (
                # Ranked or in the plural a unit is one; alone it gives way to a column that is called so.
                size * 1.05 + (0.5 if ranked or many else 0.1 if size > 1 or grain.first in parted else -0.15),
                Item("grain", grain.first, grain.last, text(grain.first, grain.last), grain=grain),
            )
        )
    options.extend(_number_options(tokens, text))
    for number, token in enumerate(tokens):
        if token.kind == "quoted":
            options.append((0.5, Item("quoted", number, number + 1, token.text)))
            names = named_exactly(token.text, metadata)
            if names:
                options.append((1.2, Item("name", number, number + 1, token.text, names=names)))
        elif token.kind == "word":
            # A word weighs nothing: any reading of it is better than none.
            options.append((0.0, Item("word", number, number + 1, token.text)))
    # One cover for the whole question: what is best here may take the words of what is better there.
    items = _cover(tokens, options)
    return tokens, _with_slips(tokens, items, metadata)


def _mended(tokens: list[Token], named: set[int], metadata: Metadata) -> list[Token]:
    """Words that name nothing and are a slip away from a steering word (``avrage``, ``mnth``) read as that word."""
    mended = []
    for number, token in enumerate(tokens):
        plain = token.kind == "word" and len(token.lower) > 3 and number not in named and token.stem not in FILLER
        if plain and token.lower not in STEERING and not metadata.values.find(tokens, number):
            near = [word for word in STEERING_LIST if within_distance(token.lower, word)]
            if near:
                token = replace(token, lower=near[0], stem=stem(near[0]))
        mended.append(token)
    return mended


def _is_own_season(period: Period, tokens: Sequence[Token], metadata: Metadata) -> bool:
    """``in spring`` where the data say of each row which season it was: their own word says more than months do."""
    token = tokens[period.first]
    return period.last - period.first == 1 and token.lower in _SEASONS and (token.stem,) in metadata.values.whole


_SEASONS = frozenset({"spring", "summer", "autumn", "fall", "winter"})


def _as_versus(cue: Cue, periods: Sequence[Period], tokens: Sequence[Token]) -> Cue:
    """Two periods set against each other (``this year vs last year``) ask for no growth."""
    if cue.kind == "calc" and cue.value == "yoy" and any(p.relative and p.last == cue.start for p in periods):
        size = 2 if tokens[cue.start].lower == "compared" else 1
        return Cue(cue.start, cue.start + size, "group", "versus")
    return cue


def _as_which(
    cue: Cue,
    grains: Sequence[Grain],
    spans: Sequence[Span],
    cues: Sequence[Cue],
    tokens: Sequence[Token],
    metadata: Metadata,
) -> Cue:
    """``on how many days were more than 100 parcels lost``: the days are told, and with them how many they are."""
    if cue.kind != "count" or tokens[cue.start].lower != "how":
        return cue
    tested = any(other.kind == "compare" and other.start > cue.end for other in cues)
    units = {grain.first for grain in grains if _is_many(tokens[grain.first].lower)}
    groups = {span.start for span in spans if span.start == cue.end and _are_groups(span.candidates, metadata)}
    return replace(cue, kind="ask", value="which") if tested and cue.end in units | groups else cue


def _are_groups(candidates: Sequence[Candidate], metadata: Metadata) -> bool:
    """Whether what is called best so are values of a column, and no rows."""
    best = max((c.quality for c in candidates), default=0.0)
    paths = [c.member for c in candidates if c.quality == best and c.full]
    return bool(paths) and all(
        p is not None and metadata.member(p).type == "string" and not metadata.member(p).primary_key for p in paths
    )


def _beside_name(cue: Cue, spans: Sequence[Span], metadata: Metadata) -> Sequence[Cue]:
    """``total amount of Anna`` over rows with an ``amount``: the cue is ``total``, unless another number follows."""
    if cue.kind not in ("agg", "count") or cue.end - cue.start == 1:
        return (cue,)

    def numbers(within: range) -> list[Span]:
        named = [s for s in spans if s.start in within]
        return [s for s in named if any(c.full and c.member and metadata.is_number(c.member) for c in s.candidates)]

    own = [span for span in numbers(range(cue.start, cue.end)) if span.end < cue.end]
    named = any(span.start in range(cue.end, cue.end + 2) for span in spans if any(c.full for c in span.candidates))
    if not own or named:
        return (cue,)
    return (replace(cue, end=own[0].start),) if own[0].start > cue.start else ()


def _only_numbers(tokens: Sequence[Token]) -> bool:
    """Whether nothing else stands between: ``top 5 days`` are days, also where a time is called so."""
    return all(token.kind == "number" or (number_word(token.lower) or 0) > 1 for token in tokens)


def _are_times(candidates: Sequence[Candidate], metadata: Metadata) -> bool:
    """Whether what is called best so are times, or nothing is."""
    best = max((c.quality for c in candidates), default=0.0)
    return all(c.member is not None and metadata.is_time(c.member) for c in candidates if c.quality == best)


def _is_unit(words: str, tokens: Sequence[Token], place: int) -> bool:
    """Whether a unit is asked for as one, also where a time is called so: ``days``, ``on which day``, ``what day``."""
    return _is_many(words) or place > 0 and tokens[place - 1].lower in ("which", "what") and words.lower() == "day"


def _is_many(words: str) -> bool:
    return words.lower() in ("days", "weeks", "months", "quarters", "years")


def _texts(tokens: Sequence[Token]) -> Callable[[int, int], str]:
    def text(start: int, end: int) -> str:
        return " ".join(token.text for token in tokens[start:end])

    return text


def _measured(candidates: Sequence[Candidate], metadata: Metadata) -> bool:
    return any(c.full and c.member is not None and metadata.is_measure(c.member) for c in candidates)


def _name_weight(
    tokens: Sequence[Token], start: int, end: int, size: int, candidates: Sequence[Candidate], measured: bool = False
) -> float:
    best = max(c.quality for c in candidates)
    if any(c.full for c in candidates):
        size = end - start
    weight = size * best
    if any(c.full for c in candidates):
        # Full names win over cues of as many words; a measure's longer name over its column's.
        weight += 0.3 * size - 0.05 + (0.3 * (size - 1) if measured else 0.0)
    words = [t for t in tokens[start:end] if t.kind == "word"]
    # A name of nothing but filling words gives way unless it is said whole.
    if words and all(t.stem in FILLER for t in words) and not any(c.full for c in candidates):
        weight -= 0.45 * size
    return weight


def _is_said_of(tokens: Sequence[Token], at: int) -> bool:
    """``the latest``, ``running total``: words that say which or how, whatever flag or table is called alike."""
    return tokens[at].lower == "latest" or tokens[at].lower == "running" and _next(tokens, at + 1) in _TOTALS


def _cue_weight(cue: Cue, tokens: Sequence[Token], cues: Sequence[Cue]) -> float:
    size = cue.end - cue.start
    weight = size * 0.4 if cue.weak else size + (0.3 if size > 1 else 0.0)
    if cue.kind == "order" and size > 1:
        weight += 0.2
    # These hold words that names are made of ("in", "of", "what"): they weigh less than any name.
    if cue.kind == "have":
        weight = 0.3 * size
    if cue.kind == "ask":
        weight = 0.45 * size
    if cue.kind == "logic" and tokens[cue.start].kind == "punctuation":
        weight = 0.3
    if (
        cue.kind == "axis"
        and tokens[cue.end - 1].lower == "bar"
        and _next(tokens, cue.end) in ("chart", "graph", "plot")
    ):
        weight = 0.1
    if cue.kind == "axis" and size == 1:
        # The letters x and y are axes only beside a picture, or where they are written large.
        weight = (
            0.9
            if len(tokens[cue.start].text) > 1
            or tokens[cue.start].text.isupper()
            or any(c.kind == "mark" for c in cues)
            else 0.1
        )
    # "number of" before a noun is a count, even where a column is called number.
    if cue.kind in ("agg", "count") and _heads_a_name(tokens, cue.end):
        weight += 0.5
    return weight


def _groups_named(tokens: Sequence[Token], spans: Sequence[Span], metadata: Metadata) -> set[str]:
    """The words that are the whole name of something to group by."""
    return {
        tokens[span.start].lower
        for span in spans
        for candidate in span.candidates
        if span.end == span.start + 1 and candidate.member is not None
        and [stem(part) for part in metadata.parts(candidate.member)] == [tokens[span.start].stem]
        and metadata.is_category(candidate.member)  # last: of a number, the data are asked
    }  # fmt: skip


def _next(tokens: Sequence[Token], place: int) -> str:
    return tokens[place].lower if place < len(tokens) else ""


def _heads_a_name(tokens: Sequence[Token], place: int) -> bool:
    while place < len(tokens) and tokens[place].lower in ("of", "the", "all", "number", "(", "each", "a"):
        place += 1
    return (
        place < len(tokens)
        and tokens[place].kind == "word"
        and (tokens[place].stem not in FILLER or tokens[place].lower in ("name", "date"))
    )


def _value_options(
    tokens: Sequence[Token], start: int, metadata: Metadata, text: Callable[[int, int], str], timed: Collection[int]
) -> list[tuple[float, Item]]:
    matches = [m for m in metadata.values.find(tokens, start) if m.end > start + 1 or not is_done(tokens, start)]
    done = deeds_of(tokens, start, matches, metadata, timed)
    matches = [m for m in matches if m.end > start + 1 or m.member.split(".", 1)[0] not in done]
    if not matches:
        return []
    options = []
    for end in sorted({m.end for m in matches}):
        group = tuple(m for m in matches if m.end == end)
        size, best = end - start, max(m.quality for m in group)
        weight = size * best + (0.15 if size > 1 or best > 0.95 else 0.0)
        # A value of several words is hardly said by chance.
        if size > 1 and best >= 0.85 and all(t.kind == "word" for t in tokens[start:end]):
            weight += 0.3 * size
        token = tokens[start]
        if token.kind == "quoted":
            weight = 1.0 + best
        elif size == 1 and token.lower in FILLER_WORDS and token.text == token.lower:
            if not _is_said_as_value(tokens, start, group, metadata):
                continue
            weight += 0.5
        elif size == 1 and len(token.text) <= 3 and token.text != token.text.upper():
            weight -= 0.5
        options.append((weight, Item("value", start, end, text(start, end), values=group)))
    return options


def _is_said_as_value(tokens: Sequence[Token], start: int, group: Sequence[ValueMatch], metadata: Metadata) -> bool:
    """Whether a little word is a value where it stands: ``quality is ok``, ``only ok readings``, ``with qc ok``."""
    if is_kind_of_rows(tokens, start, group, metadata):
        return True
    own = [m for m in group if str(m.value) == tokens[start].text and m.member in metadata.members]
    at = start - 1
    while at > 0 and tokens[at].lower in _EQUAL:
        at -= 1
    before, after = _next(tokens, at) if at >= 0 else "", _next(tokens, start + 1)
    for match in own:
        rows = metadata.words_of(match.member.split(".", 1)[0])[-1:]
        if stem(before) in {stem(part) for part in metadata.parts(match.member)}:
            return True
        if before == "where" or singular(after) in rows and before in _BEFORE_OK:
            return True
    return False


_BEFORE_OK = frozenset({"only", "all", "the", "many", ",", "are", "just"})
_EQUAL = frozenset({"is", "are", "was", "were", "=", "being", "status", "flag"})


def _is_of_noun(item: Item, spans: Sequence[Span]) -> bool:
    """Whether a value stands right before the noun for the rows that have it (``billing tickets``), where a name that
    is spelt alike is another relation's.
    """
    nouns = {c.relation for s in spans if s.start == item.end for c in s.candidates if c.member is None and c.full}
    named = {c.relation for s in spans if (s.start, s.end) == (item.start, item.end) for c in s.candidates if c.full}
    owners = {match.member.split(".", 1)[0] for match in item.values if match.quality == 1.0}
    return bool(nouns & owners) and not named & nouns


def _begins_in_unit(span: Span, spans: Sequence[Span], tokens: Sequence[Token]) -> bool:
    """``2 hours of departure delay``: the unit of a bound, and no departure hour, before a name that goes on behind."""
    unit = _after_number(tokens, span.start) and unit_of(tokens[span.start].lower) is not None
    return unit and any(span.start < other.start < span.end < other.end for other in spans)


def _is_amount(tokens: Sequence[Token], place: int) -> bool:
    """Whether a number stands there with its unit behind: ``2 hours``, and no two loans."""
    if place + 1 >= len(tokens) or not unit_of(tokens[place + 1].lower):
        return False
    return tokens[place].kind == "number" or number_word(tokens[place].lower) is not None


def _as_bounded(
    span: Span, spans: Sequence[Span], bounds: Sequence[Cue], tokens: Sequence[Token], metadata: Metadata
) -> Span:
    """``a delay over 2 hours``, ``over 2 hours of delay``: what is bounded is a number, and no flag of that name."""
    flag = span.candidates[0].member if span.candidates else None
    if flag is None or kind_of(metadata, flag) != "flag":
        return span
    behind, before = span.end, span.start - (tokens[span.start - 1].lower == "of" if span.start else 0)
    while behind < len(tokens) and tokens[behind].lower in _OF_BOUNDS:
        behind += 1
    ahead = any(cue.end + 2 == before for cue in bounds)
    if not ahead and all(cue.start != behind for cue in bounds):
        return span
    same = (c for s in spans if (s.start, s.end) == (span.start, span.end) for c in s.candidates)
    numbers = tuple(c for c in same if c.member is not None and kind_of(metadata, c.member) == "number")
    return replace(span, candidates=numbers) if numbers else span


_OF_BOUNDS = frozenset({"of", "is", "was", "are", "were", "that"})


def _number_options(tokens: Sequence[Token], text: Callable[[int, int], str]) -> list[tuple[float, Item]]:
    options = []
    for i, token in enumerate(tokens):
        value = token.value if token.kind == "number" else number_word(token.lower) if token.kind == "word" else None
        if token.lower == "one" and i and tokens[i - 1].lower == "no":
            value = None  # nobody
        if value is not None:
            end = i + 1
            if end < len(tokens) and tokens[end].lower in SCALES:
                value, end = value * SCALES[tokens[end].lower], end + 1
            # In words a number is often none ("one", "second").
            weight = (0.6 if token.kind == "number" else 0.35) * (end - i)
            options.append((weight, Item("number", i, end, text(i, end), number=value)))
        elif token.kind == "word" and _after_number(tokens, i) and unit_of(token.lower):
            options.append((1.45, Item("unit", i, i + 1, token.text)))
    return options


def _after_number(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word follows a number (``20 minutes``, ``20-minute``)."""
    before = i - 2 if i > 1 and tokens[i - 1].text == "-" else i - 1
    return before >= 0 and (tokens[before].kind == "number" or number_word(tokens[before].lower) is not None)


def _cover(tokens: Sequence[Token], options: list[tuple[float, Item]]) -> list[Item]:
    """The items of the heaviest cover without overlap; of equal ones, the one with fewer, then earlier items."""
    by_start: dict[int, list[tuple[float, Item]]] = {}
    for weight, item in options:
        if weight > 0 or item.kind == "word":
            by_start.setdefault(item.start, []).append((weight, item))
    best: list[tuple[float, Item | None]] = [(0.0, None)] * (len(tokens) + 1)
    for i in range(len(tokens) - 1, -1, -1):
        best[i] = (best[i + 1][0], None)
        for weight, item in by_start.get(i, ()):
            total = weight + best[item.end][0]
            # The surplus is for floats: of equals the earlier reading stands.
            if total > best[i][0] + 1e-9 or (best[i][1] is None and total >= best[i][0]):
                best[i] = (total, item)
    items: list[Item] = []
    i = 0
    while i < len(tokens):
        chosen = best[i][1]
        if chosen is None:
            i += 1
            continue
        item = chosen
        if item.kind in ("cue", "grain", "value"):
            rivals = [o for w, o in by_start[i] if o.kind == "name" and o.end == item.end]
            # What else it could have been, in case the cue finds nothing to do.
            item = replace(item, also=rivals[0].names) if rivals else item
        items.append(item)
        i = item.end
    return items


def _with_slips(tokens: Sequence[Token], items: list[Item], metadata: Metadata) -> list[Item]:
    """Left-over words that are a typing slip away from a value become that value."""
    fixed = []
    for item in items:
        token = tokens[item.start]
        if item.kind == "word" and token.stem not in FILLER and len(token.lower) > 4:
            near = metadata.values.near(token)
            if 0 < len({value for _, value in near}) <= 2:
                matches = tuple(ValueMatch(member, value, 0.7, item.start, item.end) for member, value in near)
                item = replace(item, kind="value", values=matches)
        fixed.append(item)
    return fixed
