"""How relations hang together: which members a join compares, and the shortest way from one relation to another."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ...semantic.catalog import Catalog

__all__ = ["JoinGraph", "Pair"]

Pair = tuple[str, str]  # the members two relations are compared by, the near one first
_SIDE = r"(\w+)\.(\w+)"
_EQUAL = re.compile(rf"\s*{_SIDE}\s*=\s*{_SIDE}\s*")


@dataclass
class JoinGraph:
    """The joins of a catalog that compare columns its asker may see, to be walked in both directions."""

    catalog: Catalog
    visible: Collection[str]
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
                    links[name].setdefault(other, pairs)
                    links[other].setdefault(name, tuple((there, here) for here, there in pairs))
        return links

    def _pairs(self, name: str, other: str, text: str) -> tuple[Pair, ...]:
        found = []
        for part in re.split(r"\s+AND\s+", text, flags=re.IGNORECASE):
            equal = _EQUAL.fullmatch(part)
            sides = {equal[1]: f"{equal[1]}.{equal[2]}", equal[3]: f"{equal[3]}.{equal[4]}"} if equal else {}
            if name not in sides or other not in sides or not {sides[name], sides[other]} <= set(self.visible):
                return ()
            found.append((sides[name], sides[other]))
        return tuple(found)

    def between(self, one: str, other: str) -> tuple[Pair, ...]:
        """The pairs that a join of two neighbours compares; none where there is no join."""
        return self.links.get(one, {}).get(other, ())

    def way(self, one: str, other: str) -> tuple[str, ...] | None:
        """The shortest way from one relation to another, both included; None where none leads there."""
        if (one, other) not in self._ways:
            self._ways[one, other] = self._search(one, other)
        return self._ways[one, other]

    def _search(self, one: str, other: str) -> tuple[str, ...] | None:
        before: dict[str, str | None] = {one: None}
        queue = deque([one])
        while queue:
            here = queue.popleft()
            if here == other:
                steps = [here]
                while (last := before[steps[-1]]) is not None:
                    steps.append(last)
                return tuple(reversed(steps))
            for there in self.links.get(here, ()):
                if there not in before:
                    before[there] = here
                    queue.append(there)
        return None
