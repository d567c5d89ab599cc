"""Rows listed instead of grouped: names and ages, two numbers side by side, things listed beside columns."""

from __future__ import annotations

from ..grammar.kinds import labels_of
from ..walk.draft import Mention, OrderWish
from ..walk.walker import SMALL_WORDS
from .named_extremes import NamedExtremes

__all__ = ["Listings"]

_LISTING = frozenset({"list", "rank", "sort", "order"})


class Listings(NamedExtremes):
    """Plans whose result is rows, not groups."""

    def list_of_unique(self) -> None:
        """``return all claims by claim number and date``: a count per unique value says nothing, a list is meant."""
        draft, meta = self.draft, self.meta
        everything = any(token.lower == "all" for token in draft.tokens)
        if (
            not (draft.listing or everything)
            or self.shape != "aggregate"
            or draft.counting
            or draft.counted_entities
            or draft.mark
            or draft.spread
            or draft.top
            or draft.calculations
        ):
            return
        if any(m.aggregate not in ("avg", "sum") or m in draft.measures for m in self.measures) or any(
            d.bin for d in self.dimensions
        ):
            return
        if not any(meta.profile(d.member).unique or meta.is_key(d.member) for d in self.dimensions):
            return
        self.columns = [d.member for d in self.dimensions] + [m.member for m in self.measures if m.member]
        self.shape, self.dimensions, self.measures = "rows", [], []

    def listed_by(self) -> None:
        """``list the employees by salary``: each of them, in that order, and no groups of equal pay."""
        draft = self.draft
        words = [token.lower for token in draft.tokens[:3]]
        plain = self.shape == "aggregate" and not (self.measures or self.exists or draft.grains or draft.mark)
        if not plain or len(self.dimensions) != 1 or not _LISTING & set(words):
            return
        if draft.counting or draft.counted_entities or draft.top is not None or draft.spread or draft.calculations:
            return
        path = self.dimensions[0].member
        relation = path.split(".", 1)[0]
        place = next((p for p, c in draft.resolution.choice.items() if getattr(c, "member", None) == path), 0)
        number = self.meta.is_number(path) and not self.meta.is_category(path)
        told = [r for r, _ in draft.entities] == [relation] and draft.items[place - 1].text.lower() == "by"
        labels = labels_of(self.meta, relation)
        if not (number or self.meta.is_time(path)) or not told or not labels or path in labels:
            return
        self.shape, self.columns, self.dimensions = "rows", [*labels, path], []
        draft.orders = [*draft.orders, OrderWish(number, member=path)] if not draft.orders else draft.orders

    def scatter(self, mentions: list[Mention], numbers: list[Mention], big: list[Mention], cats: list[Mention]) -> bool:
        """Two numbers side by side, without an aggregate: rows as points."""
        draft, meta = self.draft, self.meta
        keys = [m for m in cats if meta.is_number(m.member)]
        wish = draft.mark == "point"
        pair = big if len(big) >= 2 else numbers if wish and len(numbers) >= 2 else [*numbers, *keys] if wish else []
        if not wish and any(meta.is_small(m.member) for m in pair) and draft.relate:
            return False
        if len(pair) < 2 or draft.trend or draft.mark in ("bar", "line", "arc", "area"):
            return False
        if not wish and not draft.relate and any(meta.is_time(d.member) for d in self.dimensions):
            return False
        if (
            not wish
            and not draft.relate
            and draft.listing
            and cats
            and not any(m.role for m in mentions)
            and not self.dimensions
        ):
            return False
        if draft.top is not None and not wish:
            return False
        self.shape = "rows"
        chosen = pair[:3] if not wish else pair[:2]
        self.columns = [m.member for m in chosen]
        for dimension in self.dimensions:
            if dimension.member not in self.columns and not (
                meta.profile(dimension.member).unique and meta.cardinality(dimension.member) > 20
            ):
                self.columns.append(dimension.member)
        for mention in cats:
            if (
                mention.member not in self.columns
                and mention not in pair
                and not (meta.profile(mention.member).unique and meta.cardinality(mention.member) > 20)
            ):
                self.columns.append(mention.member)
        self.dimensions = []
        for _, condition, _ in self.conditions:
            several = sum(1 for _, c, _ in self.conditions if c.member == condition.member and c.operator == "in")
            if condition.operator == "in" and several > 1 and condition.member not in self.columns:
                self.columns.append(condition.member)
        return True

    def near_rows(self, cats: list[Mention], numbers: list[Mention]) -> bool:
        """Whether a category beside a number names single rows (names and ages), so that a list is meant."""
        return any(self.meta.profile(m.member).unique for m in cats)

    def listed(self, mentions: list[Mention]) -> bool:
        """``names and ages of singers``: joined by and, no grouping word."""
        plain = not any(m.role for m in mentions) and not self.dimensions
        return plain and self.draft.listing and not self.draft.relate

    def as_rows(self, mentions: list[Mention]) -> None:
        self.shape = "rows"
        placed = [(m.place, m.member) for m in mentions] + self.listed_entities(mentions)
        self.columns = list(
            dict.fromkeys([d.member for d in self.dimensions if d.grain is None] + [m for _, m in sorted(placed)])
        )
        self.dimensions = []

    def listed_entities(self, mentions: list[Mention]) -> list[tuple[int, str]]:
        """``return the agents and the policies``: things listed beside columns are shown by what names them."""
        draft = self.draft
        shown = {m.member.split(".", 1)[0] for m in mentions}
        found: list[tuple[int, str]] = []
        for relation, place in draft.entities:
            label = self.meta.label_of(relation)
            back = place - 1
            while back >= 0 and (draft.items[back].kind == "word" or draft.items[back].text.lower() in SMALL_WORDS):
                back -= 1
            joined = back >= 0 and (draft.items[back].is_cue("logic", "and") or draft.items[back].is_cue("logic", ","))
            opening = back >= 0 and draft.items[back].is_cue("ask", "list")
            if draft.mark or not draft.listing or label is None or relation in shown or not (joined or opening):
                continue
            if opening and not any(other.is_cue("logic", "and") for other in draft.items[place + 1 : place + 3]):
                continue
            shown.add(relation)
            found.append((place, label))
        return found
