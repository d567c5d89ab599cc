"""Superlatives of a plan: ``highest``, ``most``, ``top 10``, ``busiest``, ``is A higher than B``."""

from __future__ import annotations

from itertools import pairwise

from ..forms.partings import PARTINGS
from ..lexicon import load_lexicon
from ..plans.plan import Dimension, Measure
from ..schema.lexicon import Candidate
from ..schema.member_kinds import adjective_members, doers, labels_of, people
from ..schema.money import MONEY_NOUNS
from ..schema.polarity import BEST, are_breaches, is_bad_when_high, is_judging
from ..walk.draft import OrderWish
from ..walk.resolve import FREQUENT
from ..walk.segments import Item
from ..walk.walker import EACH, SMALL_WORDS
from ..words.text import name_parts, singular, stem, verb_of_who
from ..words.thesaurus import related
from .assembly import Assembly

__all__ = [
    "asks_who",
    "bad_when_high",
    "claimed",
    "judge",
    "limited_noun",
    "limited_within",
    "most_frequent",
    "superlatives",
    "who",
]


_ASKING = frozenset("is are was were do does did has have had".split())
_HAVING = frozenset(("with", "had", "has", "have", "having", "brought", "made", "saw"))
_TIMELY = frozenset({"punctual", "prompt", "timely", "reliable"})
_LESS = frozenset("less fewer lower smaller shorter quieter earlier cheaper lighter younger slower".split())
_EACH_COSTS = frozenset({"cost", "pay", "paid", "earn", "spend", "weigh"})  # said of each of them
_BY_MUCH = frozenset("more less fewer higher lower bigger smaller larger greater better worse".split())
_OF_ONE = frozenset({"highest", "largest", "biggest", "greatest", "lowest", "smallest"})  # of single rows


def superlatives(state: Assembly) -> None:
    """``highest``, ``most``, ``top 10``: an extreme of a number, or an order with a limit."""
    top = state.draft.top
    if top is None:
        return
    direction, number, place = top
    order = next((o for o in state.draft.orders if o.descending is None and o.measure is not None), None)
    # Only names the number; which way it is ranked has been judged before.
    _adjective_measure(state, place)
    descending = direction == "desc"
    # The order was said with its number (`ordered by the most …`), and lacked its direction alone.
    if order is not None and order.measure is not None:
        order.descending = descending
        _default_limit(state, number, place)
        return
    # Rows were listed by an earlier step: the superlative decides what they really are.
    if state.shape == "rows" and state.columns:
        _rank_listed(state, number, place, descending)
        return
    grouped_number = _numeric_after(state, place, near=True)
    # Ranked groups have each their number; without them `highest price per shop` is the highest of each.
    ranking = state.draft.which or asks_who(state) or _has_the(state, place) or _names_group(state, place)
    if grouped_number is not None and number is None and not ranking:
        for i, measure in enumerate(state.measures):
            if (
                measure not in state.draft.measures
                and measure.member == grouped_number
                and measure.aggregate in ("avg", "sum")
            ):
                state.measures[i] = Measure(grouped_number, "max" if descending else "min")
                return
    if not state.measures:
        state.measures.append(state.count_of(_counted_after(state, place)))
    # Of all rows: no group is left to rank.
    if not state.dimensions and number is None:
        _single_extreme(state, place, descending)
    if state.dimensions:
        state.draft.orders.append(OrderWish(descending, measure=state.measures[0]))
        _default_limit(state, number, place)


def _rank_listed(state: Assembly, number: int | None, place: int, descending: bool) -> None:
    """The superlative of what was to be listed: its extreme, its groups or its rows by a number, or a count of each."""
    numeric, draft = _numeric_after(state, place), state.draft
    columns, state.columns = state.columns, []
    plain = [c for c in columns if c != numeric]
    if numeric is None:  # no number behind it: rows are counted by what was to be listed.
        state.shape, state.dimensions = "aggregate", [state.as_dimension(c) for c in columns]
        state.measures = [state.count_of(_counted_after(state, place))]
        draft.orders.append(OrderWish(descending, measure=state.measures[0]))
    # `highest price`: one column, no list and no thing asked for is the extreme itself.
    elif number is None and (not plain or len(columns) == 1 and not draft.which and not draft.listing):
        state.shape = "aggregate"
        state.measures = [Measure(numeric, "max" if descending else "min")]
        return
    # Where no column tells single rows they are groups, of which the number is put together.
    elif 1 <= len(plain) <= 2 and not draft.listing and not any(state.meta.profile(c).unique for c in plain):
        state.shape, state.dimensions = "aggregate", [state.as_dimension(c) for c in plain]
        state.measures = [Measure(numeric, state.default_aggregate(numeric))]
        draft.orders.append(OrderWish(descending, measure=state.measures[0]))
    else:
        told = [] if plain else labels_of(state.meta, numeric.split(".", 1)[0])  # the top three: of whom?
        state.columns = [*told, *columns]
        draft.orders.append(OrderWish(descending, member=numeric))
    _default_limit(state, number, place)


def who(state: Assembly) -> None:
    """``who paid the most fines``: people are ranked, by name, where nobody else is."""
    if not asks_who(state) or state.dimensions or state.draft.top is None:
        return
    deed = _deed_of_who(state)
    told = [deed] if deed is not None else list(state.scope)
    known = people(state.meta, told)
    at = verb_of_who(state.draft.tokens)
    doer = doers(state.meta, told, state.draft.tokens[at].lower if at is not None else "") if not known else None
    label = known[0] if known else labels_of(state.meta, doer) if doer is not None else ()
    if not label or any(m.member in label for m in state.draft.mentions):
        return
    if len(label) > 1 and not all(state.raw_number(m) for m in state.draft.mentions):
        return  # somebody else is named
    key = state.meta.key_of(label[0].split(".", 1)[0]) if len(label) > 1 else None  # two may be called alike
    state.dimensions.extend(Dimension(path) for path in (*label, *([key] if key is not None else [])))
    named = [m for m in state.draft.mentions if state.raw_number(m)]
    direction, _, place = state.draft.top
    if len(named) == 1 and state.draft.items[place].text.lower() in _OF_ONE and not state.measures:
        state.measures = [Measure(named[0].member, "max" if direction == "desc" else "min")]
    elif deed is not None and not (named or state.measures):
        state.measures = [Measure(None, "count", entity=deed)]
    if (verb := verb_of_who(state.draft.tokens)) is not None:
        state.unread = [word for word in state.unread if word != state.draft.tokens[verb].text]


def _deed_of_who(state: Assembly) -> str | None:
    """``who borrowed``: the rows of which it is known when that was done."""
    said = stem(state.draft.tokens[1].lower) if len(state.draft.tokens) > 1 else ""
    times = state.meta.times(state.meta.catalog.relations)
    return next((p.split(".", 1)[0] for p in times if said in {stem(w) for w in state.meta.parts(p)}), None)


def asks_who(state: Assembly) -> bool:
    return bool(state.draft.tokens) and state.draft.tokens[0].lower == "who"


def _has_the(state: Assembly, place: int) -> bool:
    """``month with the highest revenue``: groups are ranked, of which each has its number."""
    before = [token.lower for token in state.draft.tokens[: state.draft.items[place].start]]
    while before and before[-1] in ("the", "our"):
        before.pop()
    return bool(before) and before[-1] in _HAVING and bool(state.dimensions)


def _names_group(state: Assembly, place: int) -> bool:
    """``best month for revenue``: what the superlative stands before is a group, of which each has its number."""
    items = state.draft.items
    after = next((at for at in range(place + 1, len(items)) if items[at].text.lower() not in SMALL_WORDS), None)
    if after is None or not state.dimensions:
        return False
    chosen = state.draft.resolution.choice.get(after)
    grouped = isinstance(chosen, Candidate) and chosen.member in [d.member for d in state.dimensions]
    return grouped or items[after].kind == "grain"


def _single_extreme(state: Assembly, place: int, descending: bool) -> None:
    """``longest delay``: of all rows, not the average that the model defines."""
    plain = state.meta.plain(state.measures[0]) if len(state.measures) == 1 else Measure()
    near = any(isinstance(state.draft.resolution.choice.get(at), Candidate) for at in (place + 1, place + 2))
    averaged = any(item.is_cue("agg", "avg") for item in state.draft.items)
    if near and not averaged and plain.member is not None and plain.aggregate == "avg" and not plain.conditions:
        state.measures[0] = Measure(plain.member, "max" if descending else "min")


def most_frequent(state: Assembly) -> None:
    """``busiest hour``, ``most popular year``: rows are counted by what follows, also when that is a number."""
    draft = state.draft
    if draft.top is None or draft.items[draft.top[2]].text.lower() not in FREQUENT:
        return
    if state.measures or draft.counting or draft.orders:
        return
    place = draft.top[2]
    at, number = next(
        ((m.place, m) for m in draft.mentions if m.place > place and state.meta.is_number(m.member)), (0, None)
    )
    near = at and all(draft.items[p].text.lower() in SMALL_WORDS for p in range(place + 1, at))
    if number is not None and near and (state.meta.is_category(number.member) or state.meta.is_small(number.member)):
        draft.mentions = [m for m in draft.mentions if m is not number and not state.meta.is_time(m.member)]
        state.dimensions = [d for d in state.dimensions if not state.meta.is_time(d.member)]
        state.dimensions.append(Dimension(number.member))
    if state.dimensions:
        state.measures.append(state.count_of(_counted_after(state, place)))


def claimed(state: Assembly) -> None:
    """``is the cost in A higher than in B``: the two are the groups, and the words say yes or no."""
    draft = state.draft
    than = next((i for i, token in enumerate(draft.tokens) if token.lower == "than"), None)
    if than is None or draft.tokens[0].lower not in _ASKING:
        return
    _claimed_of_parts(state, than)
    _as_often(state, than)
    if state.dimensions:
        return
    said = [(c, draft.items[p].start) for _, c, p in state.conditions if c.operator == "in" and c.part is None]
    # Two values on one side are a group, of which it is not said whether together or each.
    said = [(c, start) for c, start in said if len(c.values) == 1]
    for one, start in said:
        for other, later in said:
            if one.member == other.member and start < than < later and one.values != other.values:
                words = {token.lower for token in draft.tokens[start:than]}
                less = bool(words & _LESS) or "worse" in words and not bad_when_high(state, None)
                less = less or "better" in words and bad_when_high(state, None)
                if words & _TIMELY and bad_when_high(state, None):  # the more punctual has less of a delay
                    less = not less
                state.claim = ("<" if less else ">", one.values[0], other.values[0])
                draft.compare = True
                draft.mentions = [m for m in draft.mentions if m.member != one.member]
                numbers = [m for m in draft.mentions if state.raw_number(m)]
                if not state.measures and not numbers and _compare_how_often(state, than):
                    return
                if not state.measures and not numbers:
                    _compare_by_adjective(state, one.member.split(".", 1)[0], start, than)
                elif not state.measures and words & _EACH_COSTS:
                    draft.mentions = [m for m in draft.mentions if m not in numbers[:1]]
                    state.measures = [Measure(numbers[0].member, "avg")]
                return


def _claimed_of_parts(state: Assembly, than: int) -> None:
    """``are morning rides shorter than evening rides``: two parts of the day are the groups."""
    parts = [item for item in state.draft.items if item.grain is not None and item.grain.unit in PARTINGS]
    if len(parts) != 2 or not parts[0].start < than < parts[1].start or state.claim:
        return
    words = {token.lower for token in state.draft.tokens[parts[0].start : than]}
    less = bool(words & _LESS) != bool(words & _TIMELY and bad_when_high(state, None))
    state.claim = ("<" if less else ">", *(item.text.lower() for item in parts))
    state.draft.compare = True
    told = words & (_BY_MUCH | _LESS)
    state.unread = [word for word in state.unread if word.lower() not in told]
    state.draft.unread = [word for word in state.draft.unread if word.lower() not in told]
    if not state.measures and _compare_how_often(state, than):
        state.draft.mentions = [m for m in state.draft.mentions if not state.meta.is_time(m.member)]


def _as_often(state: Assembly, than: int) -> None:
    """``are A's orders returned more often than B's``: by the model's own rate of it, not by how many there are."""
    known = state.meta.members.get(state.measures[0].member or "") if len(state.measures) == 1 else None
    often = {token.lower for token in state.draft.tokens[max(0, than - 2) : than]} & {"often", "frequently"}
    if known is None or known.agg_type != "count" or not often:
        return
    kind = set(state.meta.parts(known.path)) - {"count", "number", "total"}
    # The rate is called as the count is, but for words of counting.
    rates = [
        m.path for m in state.meta.relation(known.relation).members.values()
        if m.kind == "measure" and str(m.format or "").startswith("percent") and m.path in state.meta.members
        and set(state.meta.parts(m.path)) - {"share", "rate", "percentage", "ratio"} == kind
    ]  # fmt: skip
    if kind and len(rates) == 1:
        state.measures = [Measure(rates[0], "measure")]


def _compare_how_often(state: Assembly, than: int) -> bool:
    """``are JFK flights more delayed than others``, ``delayed more often``: how many of each, not how many."""
    draft = state.draft
    said = {token.lower for token in draft.tokens[max(0, than - 3) : than]}
    flags = [
        (c, place) for _, c, place in state.conditions
        if c.operator == "true" and draft.items[place].text.lower().endswith(("ed", "late"))
    ]  # fmt: skip
    near = [c for c, place in flags if draft.items[place].end == than or "often" in said]
    # Right before `than`, or with `often`: anywhere else a flag restricts both sides.
    if len(near) != 1 or not said & (_BY_MUCH | {"often"}):
        return False
    state.measures = [Measure(None, "share_true", (near[0],), entity=near[0].member.split(".", 1)[0])]
    state.conditions = [entry for entry in state.conditions if entry[1] is not near[0]]
    told = _BY_MUCH | {"often", "than"}
    state.unread = [word for word in state.unread if word.lower() not in told]
    draft.unread = [word for word in draft.unread if word.lower() not in told]
    return True


def _compare_by_adjective(state: Assembly, relation: str, start: int, than: int) -> None:
    """``are men heavier than women``: by what the adjective measures; by their number where it is ``more``."""
    words = [token.lower for token in state.draft.tokens[start : than + 1]]
    for at, word in enumerate(words):
        entry = next((e for n, e in load_lexicon().at(tuple(words[at:])) if e.hints and word not in _BY_MUCH), None)
        if entry is None:
            continue
        relations = [relation, *(r for r in state.scope if r != relation)]
        found = adjective_members(state.meta, relations, entry.hints, entry.turned)
        # Turned (`lighter` by a number of lightness) it would answer the other way round: refused instead.
        known = [p for p, turned in found if p in state.meta.members and not turned and state.meta.is_number(p)]
        if not known:
            state.draft.unmet.append(word)
            return
        state.draft.unread = [said for said in state.draft.unread if said.lower() != word]
        state.unread = [said for said in state.unread if said.lower() != word]
        state.measures.append(Measure(known[0], "avg"))
        return
    state.measures.append(state.count_of(None))


def _adjective_measure(state: Assembly, place: int) -> None:
    """``most profitable``, ``cheapest``: the adjective names the number."""
    words = [w for w in state.draft.items[place].text.lower().split() if w not in ("most", "least", "the")]
    targets = related(stem(words[-1])) if words else frozenset()
    if not targets or state.measures or any(state.raw_number(m) for m in state.draft.mentions):
        return
    for relation in state.scope:
        for member in state.meta.relation(relation).members.values():
            path = member.path
            if path not in state.meta.members or not {stem(p) for p in state.meta.parts(path)} & targets:
                continue
            if member.kind == "measure":
                state.measures.append(Measure(path, "measure"))
            elif state.meta.is_number(path) and not state.meta.is_key(path) and state.columns != [path]:
                state.measures.append(Measure(path, state.default_aggregate(path)))
            else:
                continue
            if state.shape == "rows":
                state.shape, state.dimensions, state.columns = (
                    "aggregate",
                    [state.as_dimension(c) for c in state.columns],
                    [],
                )
            return


def judge(state: Assembly) -> None:
    """``best`` and ``worst`` point up or down by what they are said of."""
    top = state.draft.top
    if top is None or not is_judging(text := state.draft.items[top[2]].text):
        return
    order = next((o for o in state.draft.orders if o.descending is None and o.measure is not None), None)
    state.draft.top = ("desc" if (text.lower() in BEST) != bad_when_high(state, order) else "asc", *top[1:])
    _judge_by_small(state)


def _judge_by_small(state: Assembly) -> None:
    """``best topic by satisfaction``: a number of few values is what the best is known by, and groups nothing."""
    by = [d for d in state.dimensions if state.meta.is_number(d.member) and not d.bin and _judges(state, d.member)]
    others = state.draft.mentions or state.draft.grains or state.draft.grouped_entities or len(state.dimensions) > 1
    if len(by) == 1 and others and not state.measures:
        state.dimensions = [d for d in state.dimensions if d is not by[0]]
        state.measures.append(Measure(by[0].member, state.default_aggregate(by[0].member)))


def _judges(state: Assembly, member: str) -> bool:
    return state.meta.is_small(member) and not state.meta.is_key(member) and not state.meta.is_year(member)


def bad_when_high(state: Assembly, order: OrderWish | None) -> bool:
    """Whether much is bad of the number that is spoken of; of the rows that are meant, where there is none."""
    known = [*state.measures, *([order.measure] if order is not None and order.measure is not None else [])]
    members = [m.member for m in known if m.member] + [
        m.member for m in state.draft.mentions if state.raw_number(m) or state.meta.is_measure(m.member)
    ]
    said = [c for m in known for c in m.conditions]
    if not members and not said:
        said = [c for _, c, _ in (state.conditions or state.draft.conditions) if c.member]
        members = [m.member for m in state.draft.mentions if state.meta.member(m.member).type == "boolean"]
    counted = {m.entity for m in known if m.entity} | {r for r, _ in state.draft.counted_entities}
    counted = counted or {r for r, _ in state.draft.entities}  # "worst month for complaints"
    words = [part for path in members for part in state.meta.parts(path)]
    words += [part for c in said for part in (*state.meta.parts(c.member), *name_parts(str(c.values)))]
    words += [word for r in counted for word in state.meta.words_of(r)] if not members else []
    words += ["fine"] if not members and any(are_breaches(state.meta, relation) for relation in counted) else []
    if any(token.lower in MONEY_NOUNS for token in state.draft.tokens):
        words = [word for word in words if word != "price"]  # what came in, whatever a high price is
    return is_bad_when_high(words)


def _numeric_after(state: Assembly, place: int, near: bool = False) -> str | None:
    """The number (or date) named right after a superlative."""
    for at in range(place + 1, len(state.draft.items)):
        chosen = state.draft.resolution.choice.get(at)
        if isinstance(chosen, Candidate) and chosen.member is not None and at not in state.described:
            if not _bounds_rows(state, chosen.member, place, at) and _is_size(state, chosen.member):
                return chosen.member
            # Only what stands right behind is of the superlative; farther on it may be a condition.
            if near:
                return None
        if state.draft.items[at].is_cue("group") and near:
            return None
    for mention in state.draft.mentions:
        asked = state.draft.which and mention.place < place and state.meta.is_category(mention.member)
        if asked:  # "which hours have the most delays": hours are told, not ranked by
            continue
        if not near and state.meta.is_number(mention.member) and not state.meta.is_key(mention.member):
            return mention.member
    return None


def _is_size(state: Assembly, member: str) -> bool:
    """Whether a member is a number or a time, of which one is the largest."""
    return state.meta.is_number(member) and not state.meta.is_key(member) or state.meta.is_time(member)


def _bounds_rows(state: Assembly, member: str, top: int, place: int) -> bool:
    """``the most crossings with at most 40 passengers``: it says which of the rows before it are counted."""
    rows = any(top < at < place for _, at in state.draft.entities)
    bound = any(condition.member == member for _, condition, _ in state.conditions)
    return rows and bound and all(mention.member != member for mention in state.draft.mentions)


def _counted_after(state: Assembly, place: int) -> str | None:
    """The rows named behind a superlative, which are no groups (``most popular class at each club``)."""
    items = state.draft.items
    behind = [(relation, at) for relation, at in state.draft.entities if at > place]
    return next((relation for relation, at in behind if not items[at - 1].is_cue("group")), None)


def _default_limit(state: Assembly, number: int | None, place: int) -> None:
    text = state.draft.items[place].text.lower() if place < len(state.draft.items) else ""
    number = number if number is not None else state.draft.noun_number
    lone = _right_after(state, place)
    several = lone if lone is not None else text in ("top", "bottom")
    # `who` asks for one, whatever else is in the plural.
    several = not asks_who(state) and (several or _plural_subject(state, place))
    value = number if number is not None else 10 if several else 1
    each = [i for i, d in enumerate(state.dimensions) if d.member in state.draft.each or d.member in state.each_labels]
    # One group is the subject, the other says within which it is limited.
    if len(state.dimensions) == 2 and len(each) == 1:
        state.limit_per = each[0]
    state.limit = value


def limited_noun(state: Assembly) -> int | None:
    """``monthly flights of the top 3 airlines``: the group that the limit is of, where others divide it."""
    top, limit = state.draft.top, state.limit
    if top is None or limit is None or limit < 2 or state.limit_per is not None or len(state.dimensions) < 2:
        return None
    if state.shape != "aggregate" or state.nested is not None or state.calculations:
        return None
    for at in (top[2] + 1, top[2] + 2):
        chosen = state.draft.resolution.choice.get(at)
        if isinstance(chosen, Candidate):
            named = chosen.member or state.meta.label_of(chosen.relation)
            return next((i for i, d in enumerate(state.dimensions) if d.member == named and d.grain is None), None)
    return None


def limited_within(state: Assembly) -> None:
    """``the airline with the most flights in each month``, ``at each origin``: the first of every one."""
    if state.limit is None or state.limit_per is not None or len(state.dimensions) != 2 or state.shape != "aggregate":
        return
    for place, (before, item) in enumerate(pairwise(state.draft.items), 1):
        if item.grain is not None and before.text.lower() in EACH:
            unit = item.grain.unit
            state.limit_per = next((i for i, d in enumerate(state.dimensions) if d.grain == unit), None)
        elif before.is_cue("group") and before.text.lower().split()[-1] in ("each", "every"):
            named = state.draft.resolution.choice.get(place)
            path = (named.member or state.meta.label_of(named.relation)) if isinstance(named, Candidate) else None
            state.limit_per = next((i for i, d in enumerate(state.dimensions) if d.member == path), state.limit_per)


def _right_after(state: Assembly, place: int) -> bool | None:
    """Whether the noun right after a superlative is in the plural; None where no noun stands there."""
    items = state.draft.items
    noun = items[place + 1] if place + 1 < len(items) else None
    # `most` and its like count what follows, whose plural says nothing of how many are asked for.
    if noun is None or noun.kind not in ("name", "grain") or items[place].text.lower() in ("most", "least", "fewest"):
        return None
    last = _head_of(state, noun)
    chosen = state.draft.resolution.choice.get(place + 1)
    if not isinstance(chosen, Candidate) or chosen.member is not None and not state.meta.is_category(chosen.member):
        return None
    if chosen.member is not None and state.meta.member(chosen.member).meta.get("kind") == "level":
        return None  # the worst ratings are of one
    return last != singular(last)


def _head_of(state: Assembly, noun: Item) -> str:
    """The word that says what a noun is: *cause* of ``cause of the crashes``."""
    said = [token.lower for token in state.draft.tokens[noun.start : noun.end]]
    return said[said.index("of") - 1] if "of" in said[1:] else said[-1]


def _plural_subject(state: Assembly, place: int) -> bool:
    """``which countries have the most``: several are asked for."""
    for at, item in enumerate(state.draft.items[:place]):
        if (
            item.kind == "name"
            and at
            and (
                state.draft.items[at - 1].is_cue("ask", "which")
                or state.draft.items[at - 1].text.lower() in ("which", "what", "are", "are the", "the")
            )
        ):
            last = state.draft.tokens[item.end - 1]
            return last.lower != singular(last.lower)
    return False
