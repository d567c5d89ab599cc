"""Which member each name and value means: the assignment whose members fit best together in one query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import Struct

from ....records import dataclass
from ..budget import Budget
from ..schema.directions import fit_of
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.values import ValueMatch
from ..words.families import root
from ..words.text import stem
from .measurements import measured_scope
from .segments import Item

__all__ = ["FREQUENT", "RANKED", "Resolution", "resolve"]

FREQUENT = frozenset(
    "busiest|quietest|most popular|least popular|most frequent|least frequent|most common|commonest|least common".split(
        "|"
    )
)
RANKED = FREQUENT | frozenset("top|best|biggest|largest|leading|strongest|bottom|worst|smallest".split("|"))
_JUDGED = frozenset(("best", "worst", "strongest", "weakest", "top"))
_OF_NUMBERS = frozenset("worst longest shortest highest lowest greatest smallest".split())
_STARTS = frozenset("from start started begin origin source pickup departure".split())
_BEAM = 24
_JOIN = 0.28
_AFTER_VALUE = 0.25  # less than what another name said beside it tells: the "age of female pilots" is theirs
_BRIDGE = 0.3
_SHORT = 2  # letters of a word that is cut
_OTHER_WORD = 0.4  # what only may be called so gives way to rows that are, two joins away


class Resolution(Struct, frozen=True):
    """The choice per item (by place), the relations used, the scope, its score, and how close the runner-up came."""

    choice: dict[int, Candidate | ValueMatch]
    scope: tuple[str, ...]
    score: float
    margin: float


@dataclass(frozen=True, slots=True)
class _State:
    score: float
    relations: tuple[str, ...]
    choice: tuple[tuple[int, Candidate | ValueMatch], ...]
    scope: tuple[str, ...]


def resolve(
    items: Sequence[Item], metadata: Metadata, prefer: Sequence[str] = (), budget: Budget | None = None
) -> Resolution | None:
    """The best assignment, or None when nothing is named (``prefer``: the relations of the turn before)."""
    budget = budget or Budget()
    states = [_State(0.0, (), (), ())]
    mentioned = {c.relation for item in items if item.kind == "name" for c in item.names if c.member is None and c.full}
    for place, item in enumerate(items):
        options = _options(item, place, items, metadata, mentioned)
        if not options:
            continue
        grown: dict[tuple[object, ...], _State] = {}
        for state in states:
            budget.spend(len(options) * (1 + len(state.choice)))
            for weight, candidate, relation in options:
                relations = state.relations if relation in state.relations else (*state.relations, relation)
                # A name that cannot be joined with what was chosen is no reading with it.
                scope = state.scope if relations == state.relations else metadata.scope(relations)
                if scope is None:
                    continue
                cost = _JOIN * (len(scope) - len(state.scope or (relation,))) if relations != state.relations else 0.0
                if relations != state.relations and metadata.is_bridged(scope):
                    cost += _BRIDGE * (state.scope == () or not metadata.is_bridged(state.scope))
                bonus = 0.2 if relation in prefer else 0.0
                if relations != state.relations and metadata.is_island(relation):
                    bonus -= 0.5
                if isinstance(candidate, ValueMatch) and any(
                    isinstance(c, ValueMatch) and c.member == candidate.member for _, c in state.choice
                ):
                    bonus += 0.25
                if isinstance(candidate, ValueMatch) and any(
                    isinstance(c, ValueMatch) and p == place - 1 and c.member.split(".", 1)[0] == relation
                    for p, c in state.choice[-1:]
                ):
                    bonus += 0.35  # ``Steve Johnson``: both halves of one name
                new = _State(state.score + weight + bonus - cost, relations, (*state.choice, (place, candidate)), scope)
                key = tuple((p, _key(c)) for p, c in new.choice)
                if key not in grown or grown[key].score < new.score:
                    grown[key] = new
            # A name may go unread, at a price for each of its words; a value is cheaper to leave, since it may be a
            # word.
            if item.kind != "value":
                skipped = _State(
                    state.score - 0.6 * (item.end - item.start), state.relations, state.choice, state.scope
                )
                grown[("skip", tuple((p, _key(c)) for p, c in state.choice))] = skipped
            else:
                grown[("skip", tuple((p, _key(c)) for p, c in state.choice))] = _State(
                    state.score - 0.3, state.relations, state.choice, state.scope
                )
        # Rounded, since sums of floats differ by the order of the words.
        states = sorted(grown.values(), key=lambda s: (-round(s.score, 6), len(s.scope)))[:_BEAM]
    best = states[0]
    if not best.relations:
        meant = tuple(prefer) or _only_timed(items, metadata)
        return Resolution({}, meant, 0.0, 1.0) if meant else None
    # Measurements settle it; else times and facts may widen the scope of the best.
    measured = measured_scope(best.choice, items, metadata)
    if measured is not None:
        best = replace(best, scope=measured)
    else:
        best = _with_times(_with_facts(_dated(states, items, metadata), items, metadata), items, metadata)
    rival = next((s for s in states[1:] if len(s.choice) == len(best.choice)), None)
    return Resolution(
        dict(best.choice),
        best.scope,
        best.score,
        best.score - rival.score if rival else 1.0,
    )


def _with_facts(state: _State, items: Sequence[Item], metadata: Metadata) -> _State:
    """``busiest store``: the rows that point at stores say how busy one is, where nothing else is named."""
    if not any(item.is_cue("top") and item.text.lower() in RANKED for item in items):
        return state
    named = [c for _, c in state.choice if isinstance(c, Candidate)]
    if any(c.member is not None and (metadata.is_measure(c.member) or metadata.is_number(c.member)) for c in named):
        return state
    entity = next((c.relation for c in named if c.member is None), None) or _popular(items, state, metadata)
    fact = metadata.facts_of(entity) if entity is not None else None
    if fact is None or fact in state.relations or any(item.is_cue("count") for item in items):
        return state
    scope = metadata.scope((fact, *state.relations), (fact,))
    return replace(state, scope=scope) if scope is not None and scope[0] == fact else state


def _popular(items: Sequence[Item], state: _State, metadata: Metadata) -> str | None:
    """``most popular genre``: the relation of a group right behind, which is used as often as what it groups is."""
    for place, item in enumerate(items[:-1]):
        if item.is_cue("top") and item.text.lower() in _POPULAR:
            named = dict(state.choice).get(place + 1)
            if isinstance(named, Candidate) and named.member is not None and metadata.is_category(named.member):
                return named.relation
    return None


_POPULAR = frozenset(
    {"most popular", "least popular", "busiest", "quietest", "most used", "least used", "most in demand"}
)


def _tells_of(other: Item, item: Item) -> bool:
    """Whether a word may tell which of its names another has: what names a thing of its own does not."""
    if other.kind not in ("name", "word") or other.text.lower() == item.text.lower():
        return False
    several = other.end - other.start > 1
    return not any(c.full and (c.member is None or several) for c in other.names)


def _dated(states: Sequence[_State], items: Sequence[Item], metadata: Metadata) -> _State:
    """The best state; where times are spoken of, one nearly as good whose own rows have a time."""
    best = states[0]
    if metadata.times(best.scope) or not any(item.kind in ("period", "grain") for item in items):
        return best
    near = (s for s in states[1:] if len(s.choice) == len(best.choice) and s.score >= best.score - _AS_GOOD)
    return next((s for s in near if metadata.times(s.scope)), best)


_AS_GOOD = 0.5


def _with_times(state: _State, items: Sequence[Item], metadata: Metadata) -> _State:
    """A period or a unit of time over rows without a time speaks of that of the rows they belong to."""
    if not any(item.kind in ("period", "grain") for item in items) or metadata.times(state.scope[:1]):
        return state
    if any(metadata.is_time(name.member) for item in items for name in item.names if name.member is not None):
        return state  # it is said which
    years = not metadata.times(state.scope) and any(
        metadata.is_year(m.path)
        for r in state.scope
        for m in metadata.relation(r).members.values()
        if m.path in metadata.members
    )
    wider = metadata.dated(state.scope) if not years else None
    return replace(state, scope=wider) if wider is not None else state


def _only_timed(items: Sequence[Item], metadata: Metadata) -> tuple[str, ...]:
    """``busiest month`` names no rows: they are those of the main relation that has a time. What is *best* is told by
    the amount that speaks for its rows, where there is one.
    """
    said = {item.text.lower() for item in items if item.is_cue("top")}
    if not said & (FREQUENT | _JUDGED) or not any(item.kind == "grain" for item in items):
        return ()
    main = _main_timed(metadata)
    if main is None or not said & FREQUENT and "headline" not in (metadata.relation(main).meta or {}):
        return ()
    return (main,)


def _main_timed(metadata: Metadata) -> str | None:
    """The relation of events that a model is about: of those with a time, the one that says most."""
    relations = sorted(metadata.catalog.relations.values(), key=lambda r: r.name)
    timed = [r for r in relations if metadata.times([r.name])]
    timed = [r for r in timed if r.kind == "view"] or timed
    timed.sort(key=lambda r: -len(r.members))
    return timed[0].name if timed and (len(timed) == 1 or len(timed[0].members) > len(timed[1].members)) else None


def _key(candidate: Candidate | ValueMatch) -> object:
    return (
        (candidate.member, str(candidate.value))
        if isinstance(candidate, ValueMatch)
        else (candidate.relation, candidate.member)
    )


def _options(
    item: Item, place: int, items: Sequence[Item], metadata: Metadata, mentioned: set[str]
) -> list[tuple[float, Candidate | ValueMatch, str]]:
    size = item.end - item.start
    if item.kind == "name":
        marked = _several_markers(items, metadata)
        near = _relations_near(items, place)
        role = _role(items, place)
        frequent = any(other.is_cue("top") and other.text.lower() in FREQUENT for other in items)
        frequent = frequent and bool(metadata.times(metadata.catalog.relations))
        relation_full = any(c.member is None and c.full for c in item.names)
        member_full = any(
            c.member is not None and c.full and c.quality >= 0.97 and not (relation_full and _counts(c, metadata))
            for c in item.names
        )
        number_full = any(c.member is not None and c.full and _is_number(c.member, metadata) for c in item.names)
        options: list[tuple[float, Candidate | ValueMatch, str]] = []
        kin = {root(other.text.lower()) for other in items if _tells_of(other, item)}
        for candidate in item.names[:40]:
            if candidate.relation in marked and not (candidate.full and candidate.member is None):
                continue
            weight = candidate.quality * size + _fit(
                candidate, "count" if candidate.full and size > 1 and role == "any" else role, metadata
            )
            if candidate.relation in mentioned:
                weight += 0.15
            if frequent and not metadata.times([candidate.relation]) and metadata.facts_of(candidate.relation) is None:
                weight -= 0.8
            if relation_full and _counts(candidate, metadata):
                # The model's measure of rows is what the noun means anyway.
                continue
            another = number_full and not candidate.full and _is_another(candidate.member, item, metadata)
            weight -= 0.6 if another else 0.0
            if relation_full and not candidate.full and _is_other_word(candidate, item, metadata):
                weight -= _OTHER_WORD
            if (
                candidate.member is not None
                and candidate.relation in near
                and not (relation_full and candidate.quality < 0.8)
                and not another
            ):
                weight += 0.35
            if candidate.member is None and candidate.full:
                weight += -0.3 if candidate.quality < 1 and member_full else 0.1
                # Rows called like a number, behind an average: nobody averages rows.
                weight -= 0.6 if _is_number_of(item, place, items, metadata) else 0.0
                counted = role == "count" or bool(place) and items[place - 1].kind == "number"
                weight -= 0.6 if not counted and _is_own_amount(candidate.relation, item, metadata) else 0.0
            if (
                candidate.member is not None
                and candidate.quality < 1
                and candidate.member == metadata.label_of(candidate.relation)
            ):
                weight += 0.12
            if metadata.relation(candidate.relation).kind == "view":
                weight += 0.05
            if candidate.member is not None and _STARTS & set(metadata.parts(candidate.member)):
                weight += 0.04  # of the two ends of a way, where neither was said, the first
            if candidate.member is not None and not candidate.full:
                weight += 0.3 * bool(kin & {root(part) for part in metadata.parts(candidate.member)})
            if candidate.member is not None and not candidate.full:
                weight += _AFTER_VALUE * _follows_value(candidate.member, place, items)
            if candidate.member is not None:
                weight += _pairing(candidate.member, item, place, items, metadata)
            relation = candidate.relation
            # Several marks of the same rows need no join of their own.
            if candidate.member is None and relation in marked:
                relation = metadata.edges[relation][0]  # its rows are those it marks, which several may mark
            options.append((weight, candidate, relation))
        if frequent:
            main = _main_timed(metadata)
            options = [(weight + 0.4 * (relation == main), c, relation) for weight, c, relation in options]
        options.sort(key=lambda option: (-option[0], metadata.position.get(option[1].member or "", -1), option[2]))
        return options[:8]
    if item.kind == "value":
        named = _members_near(items, place)
        beside = (
            {c.relation for c in items[place - 1].names if c.member is None and c.quality > 0.9} if place else set()
        )
        back = place - 2 if place > 1 and items[place - 1].text.lower() == "the" else place - 1
        # "the" may stand between the preposition and the name.
        preposition = items[back].text.lower().removesuffix(" the") if place else ""
        chosen = []
        for match in item.values[:40]:
            relation = match.member.split(".", 1)[0]
            weight = (
                match.quality * size + (0.1 if relation in mentioned else 0.0) + (0.4 if match.member in named else 0.0)
            )
            synonyms = (metadata.member(match.member).name.lower(), *metadata.member(match.member).synonyms)
            weight += 0.3 if relation in beside else 0.0
            weight += 0.3 if preposition and preposition in synonyms else 0.0
            weight += 0.3 * fit_of(metadata, match.member, preposition)
            weight += 0.04 if _STARTS & set(metadata.parts(match.member)) else 0.0
            if metadata.relation(relation).kind == "view":
                weight += 0.05
            chosen.append((weight, match, relation))
        chosen.sort(key=lambda option: (-option[0], metadata.position.get(option[1].member, 0), str(option[1].value)))
        best_per_member: dict[str, tuple[float, Candidate | ValueMatch, str]] = {}
        for option in chosen:
            best_per_member.setdefault(option[1].member or "", option)
        return list(best_per_member.values())[:8]
    return []


def _is_other_word(candidate: Candidate, item: Item, metadata: Metadata) -> bool:
    """Whether a column may be meant by a word that is in no name of its own: the *subject* by a class."""
    if candidate.member is None:
        return False
    own = {stem(part) for part in (*metadata.parts(candidate.member), *metadata.words_of(candidate.relation))}
    said = item.text.lower().split()
    cut = any(part.startswith(word) for part in own for word in said if len(word) > _SHORT)  # cust, of a customer
    return not cut and own.isdisjoint(map(stem, said))


def _counts(candidate: Candidate, metadata: Metadata) -> bool:
    """Whether a name is of the measure that counts a relation's rows."""
    path = candidate.member
    return path is not None and metadata.is_measure(path) and metadata.member(path).agg_type == "count"


def _is_number(path: str, metadata: Metadata) -> bool:
    return metadata.is_number(path) or metadata.is_measure(path)


def _is_another(path: str | None, item: Item, metadata: Metadata) -> bool:
    """Whether a word more makes another thing of a number: an age rating is no rating, a total amount is an amount."""
    if path is None or not _is_number(path, metadata):
        return False
    own = {stem(word) for word in metadata.words_of(path.split(".", 1)[0])}
    said = {stem(word) for word in item.text.lower().split()}
    return bool({stem(part) for part in metadata.parts(path)} - own - said - _SAME)


_SAME = frozenset(map(stem, (
    "total avg average mean min max sum net gross base unit final overall full number usd eur gbp chf kg g km m min "
    "hours days seconds percent pct amount value"
).split()))  # fmt: skip
"""Words that a number's name may have beside what it is."""


def _is_number_of(item: Item, place: int, items: Sequence[Item], metadata: Metadata) -> bool:
    """``average tip`` over tips: an average is of a number, not of the rows that are called the same."""
    if not place or not any(items[place - 1].is_cue("agg", kind) for kind in ("avg", "median", "sum", "min", "max")):
        return False
    return any(c.member is not None and c.full and metadata.is_number(c.member) for c in item.names)


def _is_own_amount(relation: str, item: Item, metadata: Metadata) -> bool:
    """``sales by city`` over rows called sales that have an amount of that name: it is the amount, unless counted."""
    own = (c.member for c in item.names if c.member is not None and c.full and c.relation == relation)
    return any(metadata.is_number(path) and metadata.is_flow(path) for path in own)


def _several_markers(items: Sequence[Item], metadata: Metadata) -> set[str]:
    """Relations of keys only that are named beside each other (``loss payment, loss reserve``)."""
    named = {c.relation for item in items if item.kind == "name" for c in item.names if c.member is None and c.full}
    marked = {relation for relation in named if metadata.is_marker(relation)}
    return marked if len(marked) > 1 else set()


def _grades(item: Item, place: int, items: Sequence[Item]) -> bool:
    """``is A more punctual than B``: a quality is compared, that names a number in part only."""
    before, behind = items[place - 1 : place] if place else (), items[place + 1 : place + 2]
    graded = any(one.text.lower() in ("more", "less", "as") for one in before)
    return graded and any(one.text.lower() in ("than", "as") for one in behind) and not any(c.full for c in item.names)


def _follows_value(member: str, place: int, items: Sequence[Item]) -> bool:
    """``cargo bike``: the noun behind a value, of which its column's name is one."""
    return bool(place) and any(
        match.member == member and match.end == items[place].start for match in items[place - 1].values
    )


def _pairing(member: str, item: Item, place: int, items: Sequence[Item], metadata: Metadata) -> float:
    """What else is said speaks for or against a member: a share for a percentage, ``versus`` a number for a number."""
    known = metadata.member(member)
    partly = item.end - item.start > 1 and not any(c.full for c in item.names)
    if partly and known.format == "percent" and known.kind == "measure" and known.agg_type == "number":
        return 0.3 if any(other.is_cue("calc", "share") for other in items) else 0.0
    if _grades(item, place, items) and known.kind == "measure":
        return 0.3 if known.format == "percent" else 0.0  # "more punctual than": of each one's own
    if known.type != "boolean" and known.kind != "segment":
        return 0.0
    for step in (-1, 1):
        versus, beyond = place + step, place + 2 * step
        if 0 <= beyond < len(items) and items[versus].is_cue("group", "versus") and items[beyond].kind == "name":
            numbers = [
                any(c.member is not None and metadata.is_number(c.member) for c in side.names)
                for side in (item, items[beyond])
            ]
            return -0.9 if all(numbers) else 0.0
    return 0.0


def _relations_near(items: Sequence[Item], place: int) -> set[str]:
    """Relations named next to a name (``department name``, ``name of each department``, ``names of the
    departments``).
    """
    near: set[str] = set()
    for step in (-1, 1):
        at, little = place + step, 0
        while 0 <= at < len(items) and little < 3:
            other = items[at]
            if other.kind == "name":
                near.update(c.relation for c in other.names if c.member is None and c.quality > 0.55)
                break
            if other.kind in ("word", "cue") and other.text.lower() in (
                "of",
                "the",
                "of the",
                "for each",
                "of each",
                "each",
                "all",
                "all the",
                "of all",
                "for",
                "'",
                "in",
                "in the",
                "from",
                "whose",
            ):
                at, little = at + step, little + 1
                continue
            break
    return near


def _members_near(items: Sequence[Item], place: int) -> set[str]:
    """Members named right before or after a value (``origin JFK``, ``status is "open"``)."""
    near: set[str] = set()
    for step, reach in ((-1, 3), (1, 1)):
        for distance in range(1, reach + 1):
            at = place + step * distance
            if not 0 <= at < len(items):
                break
            other = items[at]
            if other.kind == "name":
                near.update(c.member for c in other.names if c.member is not None and c.quality > 0.5)
                break
            if other.kind == "value" or other.is_cue("logic", "break"):
                break
    return near


def _role(items: Sequence[Item], place: int) -> str:
    """What the cue before a name asks of it: a number to aggregate, a category to group by, or nothing."""
    for at in range(place - 1, max(-1, place - 3), -1):
        other = items[at]
        if other.is_cue("count"):
            return "count"
        if other.is_cue("agg"):
            return f"number:{other.cue.value if other.cue else ''}"
        if other.is_cue("group") and other.cue is not None and other.cue.value == "by" or other.is_cue("series"):
            return "category"
        if other.kind == "number" and at == place - 1 and at and items[at - 1].is_cue("top"):
            return "subject"
        if other.is_cue("top") and at == place - 1:
            return "extreme" if other.text.lower() in _OF_NUMBERS else "any"
        if other.kind not in ("word",) and not other.is_cue("have"):
            return "any"
    return "any"


def _fit(candidate: Candidate, role: str, metadata: Metadata) -> float:
    if (
        candidate.member is not None
        and role != "count"
        and metadata.is_measure(candidate.member)
        and metadata.member(candidate.member).agg_type in ("count_distinct", "count_distinct_approx")
    ):
        return -0.6
    if candidate.member is None:
        return -0.3 if role.startswith("number") else 0.25 if role == "count" and candidate.full else 0.0
    if (
        role != "count"
        and candidate.member.endswith(".count")
        and metadata.is_measure(candidate.member)
        and not candidate.full
    ):
        return -0.6
    member = metadata.member(candidate.member)
    if role.startswith("number"):
        if member.kind == "measure":
            return (
                0.35
                if member.agg_type == role.partition(":")[2]
                else -0.1
                if member.agg_type in ("number", None)
                else -0.4
            )
        return (
            0.1
            if member.type == "number" and not metadata.is_key(candidate.member)
            else -0.35
            if member.type != "time"
            else -0.1
        )
    if role == "extreme":
        return -0.6 if member.type == "boolean" or member.kind == "segment" else 0.0
    if role in ("category", "subject"):
        if member.kind == "measure":
            return -0.45 if role == "subject" else -0.2
        if member.type in ("string", "boolean", "time"):
            return 0.1 if not metadata.is_key(candidate.member) else 0.06
        return 0.0
    return 0.02 if member.type == "string" and metadata.parts(candidate.member)[-1:] == ("name",) else 0.0
