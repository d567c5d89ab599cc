"""How relations hang together: which members a join compares, and the shortest way from one relation to another."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from .... import patterns as re
from ....records import dataclass
from ....semantic.catalog import Catalog

__all__ = ["JoinGraph", "Pair"]

Pair = tuple[str, str]  # the members two relations are compared by, the near one first
_SIDE = r"(\w+)\.(\w+)"
_EQUAL = re.compile(rf"\s*{_SIDE}\s*=\s*{_SIDE}\s*")


@dataclass
class JoinGraph:
    """The joins of a catalog that compare columns its asker may see, to be walked in both directions."""

    catalog: Catalog
    visible: Collection[str]
    # A reference that is always missing joins nothing: ways through it would find no row.
    empty: Callable[[str], bool] = lambda member: False
    _ways: dict[tuple[str, str], tuple[str, ...] | None] = field(default_factory=dict)

    @cached_property
    def links(self) -> dict[str, dict[str, tuple[Pair, ...]]]:
        """Relation → neighbour → pairs of members, in the order of declaration, both directions."""
        links: dict[str, dict[str, tuple[Pair, ...]]] = {name: {} for name in self.catalog.relations}
        for name, relation in self.catalog.relations.items():
            joins = (relation.meta or {}).get("joins")
            for other, text in joins.items() if isinstance(joins, Mapping) else ():
                pairs = self._pairs(name, other, str(text))
                if other in links and pairs:
                    # The first declaration wins, so that a way does not depend on which side declared it.
                    links[name].setdefault(other, pairs)
                    links[other].setdefault(name, tuple((there, here) for here, there in pairs))
        return links

    def _pairs(self, name: str, other: str, text: str) -> tuple[Pair, ...]:
        found = []
        for part in re.split(r"\s+AND\s+", text, flags=re.IGNORECASE):
            equal = _EQUAL.fullmatch(part)
            sides = {equal[1]: f"{equal[1]}.{equal[2]}", equal[3]: f"{equal[3]}.{equal[4]}"} if equal else {}
            if name not in sides or other not in sides or not {sides[name], sides[other]} <= set(self.visible):
                # Part of a join is no join: it would multiply rows.
                return ()
            found.append((sides[name], sides[other]))
        return tuple(found)

    def between(self, one: str, other: str) -> tuple[Pair, ...]:
        """The pairs that a join of two neighbours compares; none where there is no join."""
        return self.links.get(one, {}).get(other, ())

    def in_order(self, scope: Sequence[str]) -> bool:
        """Whether each relation of a scope joins one that is named before it."""
        return all(
            any(self.between(known, relation) for known in scope[:place])
            for place, relation in enumerate(scope)
            if place
        )

    def way(self, one: str, other: str) -> tuple[str, ...] | None:
        """The shortest way from one relation to another, both included; None where none leads there."""
        if (one, other) not in self._ways:
            self._ways[one, other] = self._search(one, other)
        return self._ways[one, other]

    def _search(self, one: str, other: str) -> tuple[str, ...] | None:
        """The way of least cost: a step is 1, half of it at a relation that only links two others, and turning round at
        one that two others refer to 1 more.
        """
        queue: list[tuple[float, int, tuple[str, ...], bool]] = [(0.0, 0, (one,), False)]
        done: set[tuple[str, bool]] = set()
        # The order of entry breaks ties, or ways would change with the order of a heap.
        number = 0
        while queue:
            cost, _, steps, down = heapq.heappop(queue)
            here = steps[-1]
            if here == other:
                return steps
            if (here, down) in done:
                continue
            done.add((here, down))
            for there in self.links.get(here, ()):
                if there in steps or not self.used(here, there):
                    continue
                refers = self.refers(here, there)
                number += 1
                # Down to rows and up again joins everything with everything that shares them.
                turn = 1.0 if down and not refers else 0.0
                step = 0.5 if self.is_link(here) or self.is_link(there) else 1.0
                heapq.heappush(queue, (cost + step + turn, number, (*steps, there), refers))
        return None

    def is_link(self, relation: str) -> bool:
        """Whether rows are pairs of rows of others: a key of several columns, two of them references."""
        keys = {m.path for m in self.catalog.relations[relation].members.values() if m.primary_key}
        own = {near for other in self.catalog.relations[relation].joins for near, _ in self.between(relation, other)}
        return len(keys) > 1 and len(keys & own) > 1

    def refers(self, one: str, other: str) -> bool:
        """Whether rows of ``one`` refer to single rows of ``other``."""
        return other in self.catalog.relations[one].joins

    def used(self, one: str, other: str) -> bool:
        """Whether any row takes a join: one whose reference is always missing leads nowhere."""
        here, there = (one, other) if self.refers(one, other) else (other, one)
        return not any(self.empty(near) for near, _ in self.between(here, there))

    def tree(self, relations: Sequence[str]) -> tuple[str, ...] | None:
        """The relations that hang together ``relations``, each a neighbour of one before it."""
        best: tuple[str, ...] | None = None
        # From each of them once: the greedy tree depends on where it begins.
        for start in relations:
            grown = [start]
            for goal in relations:
                ways = [way for known in grown if (way := self.way(known, goal)) is not None]
                if not ways:
                    return None
                grown.extend(step for step in min(ways, key=len) if step not in grown)
            if best is None or len(grown) < len(best):
                best = tuple(grown)
        return best
