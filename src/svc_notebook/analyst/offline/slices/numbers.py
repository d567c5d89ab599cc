"""The number that two slices are compared by, and whether more of it is what a comparative says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .... import patterns as re
from ..plans.plan import Condition, Measure, Plan
from ..schema.derivations import is_derived
from ..schema.member_kinds import adjective_members, kind_of
from ..schema.metadata import Metadata
from ..schema.money import ADDED_UP, amounts, goes_out
from ..schema.nouns import plural
from ..schema.polarity import is_bad_when_high, marks
from ..schema.spans import span_in
from ..words.numbers import dimension_of, unit_of
from ..words.shortened import is_short_for
from ..words.text import singular, stem
from ..words.thesaurus import ANY_ROW_NOUNS, ROW_NOUNS
from .asked import COMPARATIVES
from .lexicon import Sense, in_other_words, load_comparing
from .said import Said

__all__ = ["Number", "number_said_so", "numbers"]

Reader = Callable[[str], Plan | None]
_UNITS = {"weight": "mass", "mass": "mass", "duration": "time"}
_ANY_ROWS = frozenset((*ROW_NOUNS, *ANY_ROW_NOUNS, "load", "visit", "one"))
_DEAR = frozenset({"price", "cost"})
_RATES = ("rate of {}", "share of {}", "share that are {}", "{} rate")
_BILLS = frozenset(map(stem, ("bill", "charge")))
_TRIED = 3
_SMALL = frozenset("the a an of our your their us we more on in at to for per average mean".split())
_MONEY = frozenset(map(stem, "bill bills spend spending spent pay paid charge charged".split()))
_OF_ROWS = re.compile(r"\s(?:to|from|in|at|on|during|for)\s+\w")  # of both sides alike
_FOLDS = ("avg", "median", "share_true", "ratio", "span")


class Number(NamedTuple):
    """A number of slices: how it is computed, of whose rows, and which sign a comparative gives it."""

    measure: Measure
    relation: str
    sign: int = 0  # none where nothing is claimed
    per_day: bool = False
    scope: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()  # on the rows of both


def numbers(said: Said, metadata: Metadata, read: Reader) -> Iterator[Number]:
    """The numbers that a question may compare by, the likeliest first."""
    sense = load_comparing().sense(said.comparative) if said.comparative else None
    if said.comparative and sense is None:
        return
    about = _about(said.about)
    if sense is not None and sense.kind in ("busy", "quiet"):
        yield from _rows(about, sense, metadata)
        yield from _states(about, sense, metadata, read)
        return
    if sense is not None and sense.kind in ("often", "seldom") or said.rated or sense is not None and _judges(sense):
        yield from _deeds(about, sense, metadata, read)
        yield from _states(about or said.verb, sense, metadata, read)
    if sense is not None and sense.hints:
        yield from _measured(about, said.verb, sense, metadata)
    if sense is None or sense.kind != "so":
        yield from _named(about, said.verb, sense, metadata, read)


def number_said_so(so: str, about: str, verb: str, metadata: Metadata, read: Reader) -> str | None:
    """The number of rows that ``how late a plane leaves`` speaks of: an adjective, whose it is, and what they do."""
    comparative = COMPARATIVES.get(so)
    said = Said(comparative, about, verb, "", "") if comparative is not None else None
    for number in numbers(said, metadata, read) if said is not None else ():
        path = metadata.plain(number.measure).member
        if path is not None and number.measure.aggregate != "span" and metadata.is_number(path):
            return path
    return None


def _about(words: str) -> str:
    bare = [word for word in words.lower().split() if word not in load_comparing().words["bare"]]
    return " ".join(bare)


def _judges(sense: Sense) -> bool:
    return sense.kind in ("better", "worse")


def _rows(about: str, sense: Sense, metadata: Metadata) -> Iterator[Number]:
    """How many rows there are each day."""
    timed = [name for name in _relations(metadata) if metadata.times([name])]
    main = metadata.main_facts()
    relations = _rows_called(about, metadata)
    if not about:  # what happens there: rows of a table that points at the others
        pointing = sorted(timed, key=lambda name: (name != main, -len(metadata.edges.get(name, ()))))
        relations = pointing[:1]
    for relation in relations:
        if relation in timed:
            yield Number(Measure(None, "count", entity=relation), relation, sense.sign, per_day=True)


def _relations(metadata: Metadata) -> list[str]:
    """The relations that are no views, where there are others."""
    cubes = [name for name, relation in metadata.catalog.relations.items() if relation.kind == "cube"]
    return cubes or list(metadata.catalog.relations)


def _rows_called(about: str, metadata: Metadata) -> list[str]:
    """The relations whose rows words are for."""
    said = [word for word in about.split() if word not in _SMALL]
    names = metadata.kind_names.rows.get(stem(said[-1]), ()) if said else ()
    cubes = _relations(metadata)
    if len(said) == 1 and not names:  # lessons of a table that is called les
        names = tuple(n for n in cubes if is_short_for(metadata.words_of(n)[-1], said[0]))
    return [name for name in names if name in cubes] if len(said) == 1 else []


def _states(about: str, sense: Sense | None, metadata: Metadata, read: Reader) -> Iterator[Number]:
    """``no shows worse on saturdays``: which part of the rows is so, as more of them are where there are more rows."""
    if not about:
        return
    others = in_other_words(about)
    for words in (text.format(other) for other in others for text in _RATES):
        plan = read(words)
        if plan is None or not _is_one(plan) or plan.conditions:
            continue
        measure = plan.measures[0]
        if measure.aggregate == "share_true":
            sign = 1 if sense is None else sense.sign
            if sense is not None and _judges(sense):
                sign = _judged(sense, [p for c in measure.conditions for p in _said_of(c.member, c.values, metadata)])
            if sign or sense is None:
                yield Number(measure, plan.scope[0], sign if sense is not None else 0, scope=plan.scope)
            return
        if (share := _own_share(measure, metadata)) is not None:  # the model's own
            if _is_amount(about, metadata):
                return  # delays are so many minutes before they are so many
            sign = 0 if sense is None else _judged(sense, [*share]) if _judges(sense) else sense.sign
            if sign or sense is None:
                yield Number(measure, plan.scope[0], sign, scope=plan.scope)
            return


def _deeds(about: str, sense: Sense | None, metadata: Metadata, read: Reader) -> Iterator[Number]:
    """``leave Oban over an hour late more often``: which part of the rows that left Oban did so."""
    if not about or sense is None or sense.kind not in ("often", "seldom"):
        return
    for relation in _relations(metadata):
        *owner, rows = metadata.words_of(relation)
        plan = read(" ".join(("number of", *owner, plural(rows), "that", about)))
        apart = tuple(c for c in plan.conditions if not _names_rows(c, metadata)) if plan is not None else ()
        own = all(c.member.split(".", 1)[0] == relation for c in apart)
        if plan is None or not _is_one(plan) or plan.scope[0] != relation or not (apart and own):
            continue
        kept = tuple(c for c in plan.conditions if c not in apart)
        if not kept:
            continue
        share = Measure(None, "share_true", apart, entity=relation)
        yield Number(share, relation, sense.sign, scope=plan.scope, conditions=kept)


def _names_rows(condition: Condition, metadata: Metadata) -> bool:
    """Whether a condition says of whom rows are, or when, and not what they were like."""
    return condition.operator == "period" or condition.part is not None or metadata.is_category(condition.member)


def _own_share(measure: Measure, metadata: Metadata) -> tuple[str, ...] | None:
    """Words of a measure of the model that is a share of its rows."""
    known = metadata.members.get(measure.member or "") if measure.aggregate == "measure" else None
    if known is None or not str(known.format or "").startswith("percent"):
        return None
    return tuple(metadata.parts(known.path))


def _is_amount(about: str, metadata: Metadata) -> bool:
    """Whether a number of each row is called so."""
    said = {stem(word) for word in about.split()} - _SMALL
    numbers_ = (path for path in metadata.members if kind_of(metadata, path) == "number")
    return any(said & {stem(part) for part in metadata.parts(path)} for path in numbers_)


def _said_of(member: str, values: tuple[object, ...], metadata: Metadata) -> list[str]:
    texts = [word for value in values for word in str(value).lower().replace("-", " ").split()]
    return [*metadata.parts(member), *texts]


def _judged(sense: Sense, parts: list[str]) -> int:
    """Which way is better, where a name says so clearly."""
    worse = sense.kind == "worse"
    if is_bad_when_high(parts):
        return 1 if worse else -1
    return 0


def _measured(about: str, verb: str, sense: Sense, metadata: Metadata) -> Iterator[Number]:
    """What the adjective measures: of the rows that are spoken of, or with a word of what is spoken of in its name."""
    main = metadata.main_facts()
    ordered = sorted(_relations(metadata), key=lambda name: name != main)
    rows = _rows_called(about, metadata)
    found = adjective_members(metadata, [*rows, *(n for n in ordered if n not in rows)], sense.hints, sense.turned)
    found = [(p, r) for p, r in found if not _is_price(p, sense, metadata)]
    found += [one for one in _in_unit(sense, [*rows, *ordered], metadata) if one not in found]
    words = {stem(word) for word in about.split()} - _SMALL
    said = words | {stem(word) for name in _names_of(verb)[:1] for word in name.split()[:-1]}
    named = [(p, r) for p, r in found if said & {stem(part) for part in metadata.parts(p)}] if said else []
    if not named and words and not rows and not _are_rows(about):
        return  # it is said of something that nobody knows
    for path, turned in named or found:
        measure = _folded(path, metadata)
        if measure is not None:
            yield Number(measure, path.split(".", 1)[0], -sense.sign if turned else sense.sign)
    if not found and sense.hints & _DEAR:
        yield from _money("", rows, sense, metadata)
    if not found and "late" in sense.hints:
        yield from _late(rows, sense, metadata)


def _names_of(verb: str) -> tuple[str, ...]:
    """What a number may be called that a verb speaks of."""
    return load_comparing().by_stem.get(stem(verb), ()) if verb else ()


def _are_rows(about: str) -> bool:
    """Whether a word is for rows of whatever kind: loads, trips, visits."""
    said = about.split()
    return len(said) == 1 and singular(said[0]) in _ANY_ROWS


def _is_price(path: str, sense: Sense, metadata: Metadata) -> bool:
    """Whether a number is what an hour costs and not how many there are."""
    return bool({"rate", "price", "per"} & set(metadata.parts(path))) and not sense.hints & _DEAR


def _late(relations: list[str], sense: Sense, metadata: Metadata) -> Iterator[Number]:
    """Which part of the rows is late, where nothing says by how much."""
    for path, member in metadata.members.items():
        late = {"late", "delayed"} & set(metadata.parts(path))
        if member.type == "boolean" and member.kind == "dimension" and late:
            share, own = Measure(None, "share_true", (Condition(path, "true"),)), path.split(".", 1)[0]
            yield Number(share, (relations or [own])[0], sense.sign, scope=(own,))


def _turned(sense: Sense) -> bool:
    return "duration" in sense.turned


def _in_unit(sense: Sense, relations: list[str], metadata: Metadata) -> list[tuple[str, bool]]:
    """Numbers in a unit of what an adjective measures: ``heavier`` of what is kept in kilograms."""
    wanted = {_UNITS[hint] for hint in (*sense.hints, *sense.turned) if hint in _UNITS}
    found = []
    for relation in relations:
        for member in metadata.relation(relation).members.values():
            if member.path not in metadata.members or kind_of(metadata, member.path) != "number":
                continue
            kept = unit_of(str(member.meta.get("unit", "")) or member.title) if member.meta else unit_of(member.title)
            if kept and dimension_of(kept) in wanted:
                found.append(member.path)
    net = [path for path in found if "net" in metadata.parts(path)]
    return [(path, _turned(sense)) for path in net or found]


def _folded(path: str, metadata: Metadata) -> Measure | None:
    """A number of each row, averaged."""
    if (span := span_in(path)) is not None:
        plain = not (span.is_folded or span.end.day or span.start.day)
        return Measure(span.start.path, "span", other=span.end.path, unit=span.unit, fold="avg") if plain else None
    return Measure(path, "avg") if metadata.is_number(path) and not metadata.is_key(path) else None


def _named(about: str, verb: str, sense: Sense | None, metadata: Metadata, read: Reader) -> Iterator[Number]:
    """A number by its name, or by what a verb says that it is."""
    rows = _rows_called(about.removeprefix("per "), metadata) if about.startswith("per ") else []
    if {stem(word) for word in (*about.split(), verb)} & _MONEY and (rows or not about or stem(verb) not in _MONEY):
        yield from _money(about, rows, sense, metadata)
        return
    phrases = [*([about] if about else []), *_names_of(verb)]
    for phrase in phrases:
        summed = bool(set(phrase.split()) & ADDED_UP)
        for words in (phrase, f"average {phrase}") if sense is None or summed else (f"average {phrase}",):
            plan = read(words)
            if (
                plan is None
                or not _is_one(plan)
                or plan.conditions
                and sense is not None
                and not _OF_ROWS.search(phrase)
                or not (summed or _is_folded(plan.measures[0], metadata, sense))
            ):
                continue
            sign = _sign(plan.measures[0], sense, metadata)
            if summed and sense is not None and _judges(sense):
                sign = 1 if sense.kind == "better" else -1
            if sign is not None:
                path = metadata.plain(plan.measures[0]).member or plan.scope[0]
                measure = _of_things(plan.measures[0], sense, metadata)
                yield Number(measure, path.split(".", 1)[0], sign, scope=plan.scope, conditions=plan.conditions)
            break


def _of_things(measure: Measure, sense: Sense | None, metadata: Metadata) -> Measure:
    """``fewer seats``: all there are of a number of things, and no mean of them."""
    path = metadata.plain(measure).member
    counted = sense is not None and sense.kind in ("more", "less") and path is not None and metadata.is_counted(path)
    return Measure(path, "sum") if counted else measure


def _money(about: str, rows: list[str], sense: Sense | None, metadata: Metadata) -> Iterator[Number]:
    """``mean bill``, ``spend more per invoice``: how much money a row is about."""
    every = [path for path in amounts(metadata) if not is_derived(path) and not _is_physical(path, metadata)]
    found = [path for path in every if not goes_out(metadata, path)] or every
    if _BILLS & {stem(word) for word in about.split()}:  # what is asked for, paid or not
        found = sorted(found, key=lambda path: "paid" in metadata.parts(path))
    fitting = [path for path in found if path.split(".", 1)[0] in rows] if rows else found
    fold = "median" if "median" in about.split() else "avg"
    for path in fitting[:_TRIED]:
        sign = 0 if sense is None else _sign(Measure(path, "avg"), sense, metadata)
        if sign is not None:
            yield Number(Measure(path, fold), path.split(".", 1)[0], sign)  # type: ignore[arg-type]  # aggregates


def _is_physical(path: str, metadata: Metadata) -> bool:
    """Whether a number is kept in a unit that no money is: a gross of kilograms."""
    meta = metadata.members[path].meta
    return bool(meta and dimension_of(unit_of(str(meta.get("unit", ""))) or ""))


def _is_one(plan: Plan) -> bool:
    several = plan.dimensions or plan.parts or plan.calculations or plan.having or plan.hidden or plan.claim
    kept = plan.exists or plan.alternatives or plan.limit or plan.nested
    return plan.shape == "aggregate" and len(plan.measures) == 1 and not several and not kept


def _is_folded(measure: Measure, metadata: Metadata, sense: Sense | None) -> bool:
    return sense is None or metadata.plain(measure).aggregate in _FOLDS


def _sign(measure: Measure, sense: Sense | None, metadata: Metadata) -> int | None:
    """What the comparative claims of a number; None where it cannot be told what is better."""
    if sense is None:
        return 0
    if not _judges(sense):
        return sense.sign
    path = metadata.plain(measure).member or measure.member or ""
    parts = list(metadata.parts(path)) if path else []
    if path and path in marks(metadata, [path.split(".", 1)[0]]):
        return 1 if sense.kind == "better" else -1
    return _judged(sense, parts) or None
