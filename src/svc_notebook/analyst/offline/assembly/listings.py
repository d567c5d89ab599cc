"""Rows listed instead of grouped: names and ages, two numbers side by side, things listed beside columns."""

from __future__ import annotations

from collections import Counter

from ..schema.member_kinds import labels_of
from ..walk.draft import Mention, OrderWish
from ..walk.walker import SMALL_WORDS
from .assembly import Assembly
from .conditions import all_conditions

__all__ = ["as_rows", "list_of_unique", "listed", "listed_by", "near_rows", "not_by_what_is_missing", "scatter"]


_LISTING = frozenset({"list", "rank", "sort", "order"})


def list_of_unique(state: Assembly) -> None:
    """``return all claims by claim number and date``: a count per unique value says nothing, a list is meant."""
    draft, meta = state.draft, state.meta
    everything = any(token.lower == "all" for token in draft.tokens)
    if (
        not (draft.listing or everything)
        or state.shape != "aggregate"
        or draft.counting
        or draft.counted_entities
        or draft.mark
        or draft.spread
        or draft.top
        or draft.calculations
    ):
        return
    # Sums and averages that nobody said came of the columns being numbers: as rows they are shown plain.
    if any(m.aggregate not in ("avg", "sum") or m in draft.measures for m in state.measures) or any(
        d.bin for d in state.dimensions
    ):
        return
    if not any(meta.profile(d.member).unique or meta.is_key(d.member) for d in state.dimensions):
        return
    state.columns = [d.member for d in state.dimensions] + [m.member for m in state.measures if m.member]
    state.shape, state.dimensions, state.measures = "rows", [], []


def listed_by(state: Assembly) -> None:
    """``list the employees by salary``: each of them, in that order, and no groups of equal pay."""
    draft = state.draft
    words = [token.lower for token in draft.tokens[:3]]
    plain = state.shape == "aggregate" and not (state.measures or state.exists or draft.grains or draft.mark)
    if not plain or len(state.dimensions) != 1 or not _LISTING & set(words):
        return
    if draft.counting or draft.counted_entities or draft.top is not None or draft.spread or draft.calculations:
        return
    path = state.dimensions[0].member
    relation = path.split(".", 1)[0]
    place = next((p for p, c in draft.resolution.choice.items() if getattr(c, "member", None) == path), 0)
    number = state.meta.is_number(path) and not state.meta.is_category(path)
    told = [r for r, _ in draft.entities] == [relation] and draft.items[place - 1].text.lower() == "by"
    labels = labels_of(state.meta, relation)
    if not (number or state.meta.is_time(path)) or not told or not labels or path in labels:
        return
    state.shape, state.columns, state.dimensions = "rows", [*labels, path], []
    # Numbers are listed from the highest, times from the first, unless an order was said.
    draft.orders = [*draft.orders, OrderWish(number, member=path)] if not draft.orders else draft.orders


def scatter(
    state: Assembly, mentions: list[Mention], numbers: list[Mention], big: list[Mention], cats: list[Mention]
) -> bool:
    """Two numbers side by side, without an aggregate: rows as points."""
    pair = _pair_of(state, numbers, big, cats)
    if len(pair) < 2 or not _side_by_side(state, mentions, pair, cats):
        return False
    state.shape = "rows"
    # Two channels for points; a table may show a third.
    state.columns = [m.member for m in (pair[:2] if state.draft.mark == "point" else pair[:3])]
    beside = [d.member for d in state.dimensions] + [m.member for m in cats if m not in pair]
    # Names of single rows stay out of a scatter: a colour for each point tells nothing.
    repeated = [member for member in beside if not _names_each(state, member)]
    # A value said of a member several times restricts and tells apart: which row is of which must be seen.
    several = Counter(c.member for _, c, _ in state.conditions if c.operator == "in")
    more = dict.fromkeys([*repeated, *(member for member, times in several.items() if times > 1)])
    state.columns += [member for member in more if member not in state.columns]
    state.dimensions = []
    return True


def _pair_of(state: Assembly, numbers: list[Mention], big: list[Mention], cats: list[Mention]) -> list[Mention]:
    """The numbers that may stand side by side."""
    if len(big) >= 2:
        return big
    if state.draft.mark != "point":
        return []
    keys = [m for m in cats if state.meta.is_number(m.member)]
    return numbers if len(numbers) >= 2 else [*numbers, *keys]


def _side_by_side(state: Assembly, mentions: list[Mention], pair: list[Mention], cats: list[Mention]) -> bool:
    """Whether two numbers are asked for row by row."""
    draft = state.draft
    if draft.trend or draft.mark in ("bar", "line", "arc", "area"):
        return False
    if draft.mark == "point":
        return True
    if draft.top is not None:
        return False
    if draft.relate:
        return not any(state.meta.is_small(m.member) for m in pair)
    if any(state.meta.is_time(d.member) for d in state.dimensions):
        return False
    listed = draft.listing and cats and not any(m.role for m in mentions)
    return not listed or bool(state.dimensions)


def _names_each(state: Assembly, member: str) -> bool:
    """Whether a column has another value in each of many rows."""
    return state.meta.profile(member).unique and state.meta.cardinality(member) > 20


def near_rows(state: Assembly, cats: list[Mention]) -> bool:
    """Whether a category beside a number names single rows (names and ages), so that a list is meant."""
    return any(state.meta.profile(m.member).unique for m in cats)


def listed(state: Assembly, mentions: list[Mention]) -> bool:
    """``names and ages of singers``: joined by and, no grouping word."""
    plain = not any(m.role for m in mentions) and not state.dimensions
    return plain and state.draft.listing and not state.draft.relate


def as_rows(state: Assembly, mentions: list[Mention]) -> None:
    state.shape = "rows"
    placed = [(m.place, m.member) for m in mentions] + _listed_entities(state, mentions)
    state.columns = list(
        dict.fromkeys([d.member for d in state.dimensions if d.grain is None] + [m for _, m in sorted(placed)])
    )
    state.dimensions = []


def _listed_entities(state: Assembly, mentions: list[Mention]) -> list[tuple[int, str]]:
    """``return the agents and the policies``: things listed beside columns are shown by what names them."""
    draft = state.draft
    shown = {m.member.split(".", 1)[0] for m in mentions}
    found: list[tuple[int, str]] = []
    for relation, place in draft.entities:
        label = state.meta.label_of(relation)
        back = place - 1
        while back >= 0 and (draft.items[back].kind == "word" or draft.items[back].text.lower() in SMALL_WORDS):
            back -= 1
        joined = back >= 0 and (draft.items[back].is_cue("logic", "and") or draft.items[back].is_cue("logic", ","))
        opening = back >= 0 and draft.items[back].is_cue("ask", "list")
        if draft.mark or not draft.listing or label is None or relation in shown or not (joined or opening):
            continue
        # `list customers with …` lists nothing beside them: an *and* has to follow.
        if opening and not any(other.is_cue("logic", "and") for other in draft.items[place + 1 : place + 3]):
            continue
        shown.add(relation)
        found.append((place, label))
    return found


def not_by_what_is_missing(state: Assembly) -> None:
    """``which class has no room``: rows that lack something are told by what they are called, not by that."""
    lacking = {c.member for c in all_conditions(state) if c.operator == "null"}
    if state.shape not in ("rows", "distinct") or not state.columns or not lacking >= set(state.columns):
        return
    relation = state.columns[0].split(".", 1)[0]
    names = [path for path in labels_of(state.meta, relation) if path not in lacking]
    # Where the name is what is missing, the key is left to tell rows by.
    key = state.meta.key_of(relation)
    state.columns = names or ([key] if key is not None else state.columns)
