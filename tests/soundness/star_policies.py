"""Row policies over generated models, and which rows they leave, worked out row by row.

A row of a cube is left if it passes the cube's own filter and its to-one rows, as far as they are policed and count for the
question, exist and are left themselves. In a view every cube of the view counts; in a query over cubes those it names.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from svc_notebook.semantic.context import SecurityContext

from .oracle import Row, needed_by
from .questions import Question
from .stars import WORDS, Star, Table


@dataclass(frozen=True)
class Policies:
    """For each policed cube the values of its column ``s`` that may be seen."""

    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def make(cls, star: Star, rng: random.Random) -> Policies:
        """Police some cubes; not those that are extended, nor those that extend."""
        bases = {id(table.extends) for table in star.tables if table.extends}
        free = [table for table in star.tables if table.extends is None and id(table) not in bases]
        chosen = rng.sample(free, k=rng.randrange(1, len(free) + 1)) if free else []
        return cls({table.name: tuple(rng.sample(WORDS, k=rng.choice([0, 1, 2, 4, 4]))) for table in chosen})

    def context(self) -> SecurityContext:
        return SecurityContext(user="ana", user_attributes={name: list(words) for name, words in self.words.items()})

    def model(self, star: Star) -> dict[str, Any]:
        model = star.model()
        for cube in model["cubes"]:
            if cube["name"] in self.words:
                values = [f"{{ userAttributes.{cube['name']} }}"]
                filters = [{"member": "s", "operator": "equals", "values": values}]
                cube["access_policy"] = [{"group": "*", "row_level": {"filters": filters}}]
        return model

    def allowed(self, star: Star, question: Question) -> Callable[[Table, Row], bool]:
        """Whether a row counts for a question."""
        counting = star.tables if question.over_view else needed_by(star, question)

        def policed(table: Table) -> bool:
            return table.name in self.words or any(policed(child) for child in below(table))

        def below(table: Table) -> list[Table]:
            return [t for t in counting if t.parent is table and t.relationship != "one_to_many"]

        def left(table: Table, row: Row) -> bool:
            if table.name in self.words and row["s"] not in self.words[table.name]:
                return False
            return all(
                any(joins(child, row, other) and left(child, other) for other in child.rows)
                for child in below(table)
                if policed(child)
            )

        return left


def joins(child: Table, row: Row, other: Row) -> bool:
    """Whether ``other`` of ``child`` is joined to its parent's ``row``."""
    return all(row[mine] is not None and row[mine] == other[own] for mine, own in child.pairs)
