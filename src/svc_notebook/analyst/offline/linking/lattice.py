"""From a question to its lattice: every stretch of words with all that it may be."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from ....records import dataclass
from ..budget import Budget
from ..calendar.grains import find_grains
from ..calendar.long_grains import LONG_GRAINS
from ..calendar.periods import find_periods
from ..lexicon import load_lexicon
from ..plans.plan import Measure
from ..schema.deeds import deeds_of
from ..schema.lexicon import Candidate, find_spans
from ..schema.metadata import Metadata
from ..schema.said_kinds import is_done, is_kind_of_rows
from ..schema.spans import Span
from ..schema.values import ValueMatch
from ..walk.worded import worded
from ..words.numbers import CURRENCIES, SCALES, exact_unit, number_word, unit_of
from ..words.standing_in_order import in_order
from ..words.text import Token, stem, verb_of_who
from ..words.thesaurus import FILLER, FILLER_WORDS, KINDS_TOO, LIGHT_VERBS
from .derived import derived, is_lasting
from .mentions import Mention, Named, Valued
from .spanning import Spanned, spanned

__all__ = ["Lattice", "link"]

_MOST_NAMES = 8
_HAVING = frozenset({"with", "had", "has", "having"})
_OWN = 0.95  # how well a word fits a name that is the model's own
_MOST_VALUES = 4
_MOST_HELD = 24  # values that a word they share stands for
_HEAD, _HELD, _KNOWN = 0.9, 0.8, 0.6  # how well: as what the values are, in any place, as a name has it too
_SINGLE = frozenset("dollar euro percent second minute hour kilometer mile meter kg pound".split())
_DENIALS = ("un", "in", "im", "non-", "non", "dis", "not-")
_SPELT = frozenset({"letter", "letters", "word", "substring", "string", "character", "phrase"})


@dataclass(frozen=True)
class Lattice:
    """A question's tokens and the mentions that begin at each of them."""

    question: str
    tokens: tuple[Token, ...]
    starting: tuple[tuple[Mention, ...], ...]
    weight: tuple[str, ...]  # what is lost when the token is left out: "", "content", "number", "value", "operator"
    today: date = date.min
    spans: tuple[Span, ...] = ()  # times between two times that are asked for, the likeliest first


def link(
    question: str,
    metadata: Metadata,
    now: datetime,
    default_year: int | None = None,
    fiscal: int = 1,
    budget: Budget | None = None,
) -> Lattice:
    """The lattice of a question over what ``metadata`` shows."""
    question = in_order(question)
    tokens = worded(question, metadata, now, default_year, budget)
    # Said over first: the words for a time between two times would be read one by one below.
    lasting = spanned(tokens, metadata, now.date())
    if lasting is not None:
        tokens = lasting.tokens
    mentions = [
        *_names(tokens, metadata),
        *_values(tokens, metadata, {period.first for period in find_periods(tokens, now, default_year, fiscal)}),
        *_operators(tokens, metadata.vocabulary),
        *_units(tokens),
        *_numbers(tokens),
        *_times(tokens, now, default_year, fiscal),
        *(_lasting(lasting) if lasting is not None else derived(tokens, metadata, now.date())),
    ]
    if lasting is not None:
        mentions = [_of_rows(m) for m in mentions if m.operator == "lasting-so" or not m.start <= lasting.at < m.end]
    wholes = [(m.start, m.end) for m in mentions if m.kind == "name" and m.end > m.start + 1 and _is_whole(m)]
    mentions = [m for m in mentions if m.kind != "grain" or not any(_lies_in(m, whole) for whole in wholes)]
    own = {m.start for m in mentions if m.kind == "name" and m.end == m.start + 1 and _is_own(m)}
    starting: list[list[Mention]] = [[] for _ in tokens]
    valued = {m.start for m in mentions if m.kind == "value" and m.values[0].quality >= _HEAD}
    for mention in mentions:
        if mention.operator == "money" and (mention.start in own or _pays_with(tokens, mention.start, valued)):
            continue  # the model's own word says which amount; "who paid cash" asks for none
        starting[mention.start].append(mention)
    weights = _weights(tokens, mentions)
    spans = lasting.spans if lasting is not None else ()
    if lasting is not None:
        weights[lasting.at] = "operator"
    return Lattice(question, tuple(tokens), tuple(map(tuple, starting)), tuple(weights), now.date(), spans)


def _of_rows(mention: Mention) -> Mention:
    """A noun for rows is that alone where it is told how long they take."""
    names = mention.names
    if mention.operator or not names or names[0].member is not None or not names[0].full:
        return mention
    return replace(mention, names=tuple(named for named in names if named.full))


def _lasting(of: Spanned) -> list[Mention]:
    """The token that stands for a time between two times."""
    names = tuple(Named(span.start.relation, span.path, 1.0, True, 0.0, rank) for rank, span in enumerate(of.spans))
    return [Mention("name", of.at, of.at + 1, of.tokens[of.at].text, names=names, operator="lasting-so",
                    argument=of.role)]  # fmt: skip


def _pays_with(tokens: Sequence[Token], at: int, valued: Collection[int]) -> bool:
    """Whether a verb of paying stands before the value that says how it was done."""
    behind = at + 2 if at + 1 < len(tokens) and tokens[at + 1].lower in ("by", "via", "in", "with") else at + 1
    return tokens[at].lower == "paid" and behind in valued


def _is_whole(mention: Mention) -> bool:
    """Whether words are all of a member's name, as it is written."""
    return any(named.member is not None and named.full and named.quality >= 1.0 for named in mention.names)


def _lies_in(mention: Mention, whole: tuple[int, int]) -> bool:
    """Whether a unit of time is a part of a longer name: the year of a ``year group`` is none."""
    return whole[0] <= mention.start and mention.end <= whole[1] and mention.end - mention.start < whole[1] - whole[0]


def _is_own(mention: Mention) -> bool:
    """Whether a word is the model's own for a member, and for no rows."""
    fitting = [named for named in mention.names if named.quality >= _OWN]
    return bool(fitting) and all(named.member is not None for named in fitting)


def _is_value(token: Token, values: Sequence[Any]) -> bool:
    """Whether a common word is what the data hold, as it is written: orders that were ``returned``."""
    said = any(token.lower == str(value).lower() for value in values)
    return said and token.lower not in FILLER_WORDS and token.lower not in load_lexicon().words


def _is_rated(tokens: Sequence[Token], at: int) -> bool:
    """``return rate``: of what is how often."""
    return at + 1 < len(tokens) and tokens[at + 1].lower in ("rate", "rates")


def _says_little(token: Token) -> bool:
    return token.stem in FILLER or token.lower in LIGHT_VERBS


def _weights(tokens: Sequence[Token], mentions: Sequence[Mention]) -> list[str]:
    """What leaving a token out loses, the gravest of what it may be part of."""
    # From what is least to what is gravest to pass over.
    order = ("", "content", "name", "operator", "grain", "value", "period", "number")
    found = ["content" if t.kind == "word" and not _says_little(t) and len(t.lower) > 1 else "" for t in tokens]
    # The verb behind "who" is said by naming people.
    if (verb := verb_of_who(tokens)) is not None:
        found[verb] = ""
    for token in (t for t in range(len(tokens)) if tokens[t].kind in ("number", "quoted", "date")):
        found[token] = "number"
    for place in range(len(tokens)):
        found[place] = "number" if is_pronoun(tokens, place) else found[place]
    for mention in mentions:
        if mention.kind == "operator" and mention.operator in (
            "ask",
            "logic",
            "related",
            "unique",
            "versus",
            "direction",
            "unit",
            "lasting",
        ):
            # Words that only join lose nothing; one that is something else as well keeps that.
            for place in range(mention.start, mention.end):
                found[place] = "" if found[place] == "content" else found[place]
            continue
        if mention.kind == "name" and not any(n.full for n in mention.names):
            continue
        if mention.kind == "value" and (
            mention.values[0].quality < 0.9
            or mention.end - mention.start < 2
            and tokens[mention.start].stem in FILLER
            and tokens[mention.start].text not in KINDS_TOO
            and not _is_value(tokens[mention.start], [v for valued in mention.values for v in valued.values])
            and not _is_rated(tokens, mention.start)
        ):
            continue
        kind = mention.kind if mention.kind in order else "content"
        for place in range(mention.start, mention.end):
            if order.index(kind) > order.index(found[place]) and (
                found[place] or tokens[place].stem not in FILLER or kind in ("number", "operator", "value")
            ):
                found[place] = kind
    return found


def _text(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(token.text for token in tokens[start:end])


def _names(tokens: Sequence[Token], metadata: Metadata) -> list[Mention]:
    found: dict[tuple[int, int], list[Candidate]] = {}
    for span in find_spans(tokens, metadata):
        found.setdefault((span.start, span.end), []).extend(span.candidates)
    # Denied flags come first, so that a name cut from them does not take their place.
    mentions = _denied(tokens, metadata)
    spoken = {c.relation for candidates in found.values() for c in candidates if c.member is None and c.full}
    units = {grain.first for grain in find_grains(tokens, {})}
    for (start, end), candidates in found.items():
        if end == start + 1 and start in units and (_is_compared(tokens, start) or not any(c.full for c in candidates)):
            continue  # an hour is nobody's hourly wage, and five of them are none of a day's
        best: dict[tuple[str, str | None], Candidate] = {}
        for candidate in candidates:
            if _said_otherwise(candidate, metadata):
                continue
            key = (candidate.relation, candidate.member)
            if key not in best or best[key].quality < candidate.quality:
                best[key] = candidate
        if not best:
            continue
        ranked = sorted(
            best.values(),
            # Of equal ones what was spoken of already, then the model's order.
            key=lambda c: (-c.quality, c.relation not in spoken, metadata.position.get(c.member or "", -1)),
        )
        kept = ranked[:_MOST_NAMES]
        names = tuple(
            Named(c.relation, c.member, c.quality, c.full, kept[0].quality - c.quality, rank)
            for rank, c in enumerate(kept)
        )
        mentions.append(Mention("name", start, end, _text(tokens, start, end), names=names))
    return mentions


def _denied(tokens: Sequence[Token], metadata: Metadata) -> list[Mention]:
    """Flags with a prefix that denies them: ``unresolved``, ``inactive``, ``non-billable``."""
    mentions = []
    for at, token in enumerate(tokens):
        prefix = next((p for p in _DENIALS if token.lower.startswith(p) and len(token.lower) > len(p) + 3), None)
        if prefix is None or token.kind != "word":
            continue
        rest = stem(token.lower[len(prefix) :])
        flags = [p for p, m in metadata.members.items() if m.type == "boolean" and m.kind == "dimension"]
        known = [p for p in flags if rest in {stem(part) for part in metadata.parts(p)}]
        names = tuple(Named(p.split(".", 1)[0], p, 1.0, True, 0.0, rank) for rank, p in enumerate(known))
        if names:
            mentions.append(Mention("name", at, at + 1, token.text, operator="denied", names=names))
    return mentions


def _said_otherwise(candidate: Candidate, metadata: Metadata) -> bool:
    """A measure that an aggregate and a column say as well."""
    if candidate.member is None or not metadata.is_measure(candidate.member):
        return False
    measure = Measure(candidate.member, "measure")
    # An aggregate over its column says the same, and can be put together otherwise.
    return metadata.plain(measure) != measure


def _values(tokens: Sequence[Token], metadata: Metadata, periods: Collection[int]) -> list[Mention]:
    mentions = []
    grains = find_grains(tokens, {})
    units = {grain.first for grain in grains}
    inside = {place for grain in grains if grain.last > grain.first + 1 for place in range(grain.first, grain.last)}
    for start, token in enumerate(tokens):
        by_end: dict[int, list[ValueMatch]] = {}
        matched = [m for m in metadata.values.find(tokens, start) if m.end > start + 1 or not is_done(tokens, start)]
        done = deeds_of(tokens, start, matched, metadata, {*units, *periods})
        for match in matched:
            if match.end == start + 1 and (match.member.split(".", 1)[0] in done or start in inside):
                continue  # "tickets opened in March" speak of no status, "hour of the day" of no airport DAY
            ranked = start + 1 < len(tokens) and tokens[start + 1].lower in _HAVING
            if start in units and match.end == start + 1 and (ranked or token.text != str(match.value)):
                continue  # "per day", "the day with the most" speak of no airport DAY
            by_end.setdefault(match.end, []).append(match)
        for end, matches in by_end.items():
            said = is_kind_of_rows(tokens, start, matches, metadata)
            if end > start + 1 or said or not _is_everyday(tokens, start, matches):
                mentions.append(Mention("value", start, end, _text(tokens, start, end), values=_valued(matches)))
        if not by_end and token.kind == "word" and token.stem not in FILLER:
            mentions.extend(_almost(tokens, start, metadata, bool(done)))
        if token.lower in _SPELT and start + 1 < len(tokens) and tokens[start + 1].kind in ("word", "number"):
            mentions.append(Mention("quoted", start, start + 2, tokens[start + 1].text, operator="spelt"))
        if token.kind == "quoted":
            mentions.append(Mention("quoted", start, start + 1, token.text))
    return mentions


def _is_everyday(tokens: Sequence[Token], place: int, matches: Sequence[ValueMatch]) -> bool:
    """Whether a word that is a value too is said as the word that it is."""
    token = tokens[place]
    if token.kind != "word" or token.stem not in FILLER or not token.text.islower():
        return False
    return not _is_value(token, [match.value for match in matches]) and not _is_rated(tokens, place)


def _almost(tokens: Sequence[Token], start: int, metadata: Metadata, done: bool) -> Iterator[Mention]:
    """Values that a word is a slip of, begins, or stands in."""
    token = tokens[start]
    if len(token.lower) > 4 and not done:
        near = metadata.values.near(token)
        if 0 < len({value for _, value in near}) <= 2:
            slips = [ValueMatch(member, value, 0.6, start, start + 1) for member, value in near]
            yield Mention("value", start, start + 1, token.text, values=_valued(slips))
    for end in (start + 2, start + 1) if len(token.lower) > 3 else ():
        if begun := _begun(tokens, start, end, metadata) if end <= len(tokens) else ():
            yield Mention("value", start, end, _text(tokens, start, end), values=begun)
            break
    named = (token.stem,) in metadata.kind_names.called  # *airlines* are all of them, whichever are called so
    if len(token.stem) > 2 and not done and not named and (held := _held(token, metadata)):
        yield Mention("value", start, start + 1, token.text, values=held)


def _begun(tokens: Sequence[Token], start: int, end: int, metadata: Metadata) -> tuple[Valued, ...]:
    """Values that words begin, where they begin one or two of a member (``newark`` for Newark Liberty)."""
    hits: dict[str, list[object]] = {}
    for member, value, place, _ in metadata.values.parts.get(tokens[start].stem, ()):
        words = str(value).lower().split()
        if place == 0 and all(
            token.lower == word for token, word in zip(tokens[start + 1 : end], words[1:], strict=False)
        ):
            hits.setdefault(member, []).append(value)
    quality = 0.55 + 0.1 * (end - start - 1)
    few = [ValueMatch(m, v, quality, start, end) for m, values in hits.items() if len(values) <= 2 for v in values]
    return _valued(few) if few else ()


def _held(token: Token, metadata: Metadata) -> tuple[Valued, ...]:
    """Every value that has a word of its own for what is said: ``bread`` for rye bread and white bread.

    What they are (their last word) says it better than what they are like. Not where all of a member's values have the
    word, which tells none of them apart.
    """
    hits: dict[str, dict[Any, bool]] = {}
    for member, value, place, size in metadata.values.parts.get(token.stem, ()):
        known = hits.setdefault(member, {})
        known[value] = known.get(value, False) or place == size - 1
    found = []
    for member, heads in hits.items():
        all_values, are_heads = metadata.values.members.get(member, ()), all(heads.values())
        few = len(heads) <= _MOST_HELD and 2 * len(heads) <= len(all_values) + 1
        if member not in metadata.values.complete or not few or len(heads) == 1 and not are_heads:
            continue
        quality = _KNOWN if token.stem in metadata.vocabulary else _HEAD if are_heads else _HELD
        values = sorted(heads, key=str)
        found.append((quality, member, tuple(values)))
    found.sort(key=lambda item: -item[0])
    return tuple(
        Valued(member, values, quality, found[0][0] - quality, rank, shared=len(values) > 1)
        for rank, (quality, member, values) in enumerate(found[:_MOST_VALUES])
    )


def _valued(matches: Sequence[ValueMatch]) -> tuple[Valued, ...]:
    grouped: dict[str, list[ValueMatch]] = {}
    for match in matches:
        grouped.setdefault(match.member, []).append(match)
    found = []
    for member, same in grouped.items():
        best = max(m.quality for m in same)
        # Nearly as good spellings of one member are all meant.
        kept = tuple(dict.fromkeys(m.value for m in same if m.quality >= best - 0.05))
        found.append((best, member, kept[:8]))
    found.sort(key=lambda item: -item[0])
    return tuple(
        Valued(member, values, quality, found[0][0] - quality, rank)
        for rank, (quality, member, values) in enumerate(found[:_MOST_VALUES])
    )


def _mended(words: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """Words with slips of the lexicon's own mended: ``more then``, ``averge``; names of the model stay as they are."""
    lexicon = load_lexicon()
    found = []
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        if word == "then" and (before in ("more", "less", "greater", "fewer", "other") or before.endswith("er")):
            word = "than"
        elif len(word) > 4 and word.isalpha() and word not in lexicon.words and stem(word) not in known:
            near = lexicon.near(word)
            word = near if near is not None else word
        found.append(word)
    return tuple(found)


def _operators(tokens: Sequence[Token], known: Collection[str]) -> list[Mention]:
    lexicon = load_lexicon()
    words = _mended([token.lower.replace("’", "'") for token in tokens], known)
    mentions = []
    for start, token in enumerate(tokens):
        if token.kind == "quoted" or is_lasting(words, start):
            continue
        for size, entry in lexicon.at(words[start : start + 8]):
            end = start + size
            if entry.operator == "length":
                continue  # a name of what is derived, where anything is
            mentions.append(
                Mention("operator", start, end, _text(tokens, start, end), operator=entry.operator,
                        argument=entry.argument, hints=entry.hints, turned=entry.turned)
            )  # fmt: skip
    return mentions


def _units(tokens: Sequence[Token]) -> list[Mention]:
    """Units that numbers are to be shown in: ``in hours``, ``how many hours``."""
    mentions = []
    for start, token in enumerate(tokens):
        asked = token.lower == "how" and start + 1 < len(tokens) and tokens[start + 1].lower in ("many", "much")
        at = start + 2 if asked else start + 1
        unit = exact_unit(tokens[at].lower) if (asked or token.lower == "in") and at < len(tokens) else None
        if unit is not None:
            argument, hints = ("total", frozenset({unit})) if asked else (unit, frozenset[str]())
            text = _text(tokens, start, at + 1)
            mentions.append(Mention("operator", start, at + 1, text, operator="unit", argument=argument, hints=hints))
    return mentions


def _numbers(tokens: Sequence[Token]) -> list[Mention]:
    mentions = []
    for i, token in enumerate(tokens):
        value = token.value if token.kind == "number" else number_word(token.lower) if token.kind == "word" else None
        if (
            value is None
            and token.lower in ("a", "an", "one")
            and i + 1 < len(tokens)
            and tokens[i + 1].lower in _SINGLE
        ):
            value = 1.0  # "more than an hour"
        if value is None or is_pronoun(tokens, i):
            continue
        end = i + 1
        while end < len(tokens) and tokens[end].lower in SCALES:
            value, end = value * SCALES[tokens[end].lower], end + 1
        unit = None
        behind = end + 1 if end + 1 < len(tokens) and tokens[end].text == "-" else end
        if behind < len(tokens) and tokens[behind].kind == "word":
            unit = unit_of(tokens[behind].lower) if len(tokens[behind].lower) < 12 else None
            word = tokens[behind].lower
            unit = (
                unit
                if unit and (word.rstrip("s") == unit or len(word) <= 6 or word in ("minutes", "seconds"))
                else None
            )
            if word in CURRENCIES or word in ("percent", "%", "times"):
                unit = "money" if word not in ("percent", "%", "times") else word
        text = _text(tokens, i, end)
        if end < len(tokens) and tokens[end].lower in ("year", "years"):
            old = end + 1 < len(tokens) and tokens[end + 1].lower == "old"
            mentions.append(
                Mention("number", i, end + 1 + old, _text(tokens, i, end + 1 + old), number=value, unit="year")
            )
            if old:
                continue  # an age, and nothing else
        if unit is not None:
            mentions.append(Mention("number", i, behind + 1, _text(tokens, i, behind + 1), number=value, unit=unit))
        if unit not in ("percent", "%"):  # "less than 1 percent of revenue" is no revenue of less than 1
            mentions.append(Mention("number", i, end, text, number=value))
    return mentions


def is_pronoun(tokens: Sequence[Token], at: int) -> bool:
    """``of those who get one``: one of what was spoken of, and no number."""
    said = [token.lower for token in tokens[at - 1 : at + 2]] if at else []
    return said[1:2] == ["one"] and said[0] in _GETTING and (len(said) < 3 or said[2] in _NO_NOUN)


_GETTING = frozenset("get gets got have has had receive received need needed own owns".split())
_NO_NOUN = frozenset("? . ! , ; and or by per in on for with from".split())


def _is_compared(tokens: Sequence[Token], place: int) -> bool:
    """Whether a unit of time ends a comparison: *longer than 5 hours* are no groups of hours."""
    number = place - 1
    if number < 1 or tokens[number].kind != "number" and number_word(tokens[number].lower) is None:
        return False
    return tokens[number - 1].lower in _COMPARED_BY


_COMPARED_BY = frozenset("than over under above below exceeding least most exactly".split())


def _times(tokens: Sequence[Token], now: datetime, year: int | None, fiscal: int) -> list[Mention]:
    mentions = []
    for period in find_periods(tokens, now, year, fiscal):
        mentions.append(Mention("period", period.first, period.last, period.words, period=period))
    for grain in find_grains(tokens, {}):  # halves of the week are operators here
        if grain.unit in LONG_GRAINS or _is_compared(tokens, grain.first):  # no form says them
            continue
        adverb = "adverb" if grain.adverb else ""
        text = _text(tokens, grain.first, grain.last)
        mentions.append(Mention("grain", grain.first, grain.last, text, operator=adverb, argument=grain.unit))
    return mentions
