"""An analysis that is asked for, and what finding one goes by."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from .....records import dataclass
from ...plans.phrases import rules_words
from ...plans.plan import Plan
from ...schema.metadata import Metadata
from ..pieces import Found
from ..sides import Sides

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Analysis", "Reader", "Recipe", "about"]

Recipe = Callable[[], "Generator[list[str], list[pa.Table], Found | None]"]
Reader = Callable[[str], Plan | None]


@dataclass(frozen=True)
class Analysis:
    """An analysis that is asked for: the plan it is about, its words, and how it is made (None: it is refused)."""

    plan: Plan
    words: str
    recipe: Recipe | None
    refusal: str = ""
    where: str = ""  # which rows it is about, where not all
    sides: Sides | None = None  # what it sets against each other

    @property
    def kept(self) -> Plan:
        """What further turns are about: the rows of both sides, told apart."""
        return self.sides.told_apart(self.plan) if self.sides is not None else self.plan


def about(plan: Plan, metadata: Metadata, words: str, recipe: Recipe, sides: Sides | None = None) -> Analysis:
    """An analysis of a plan's rows."""
    return Analysis(plan, words, recipe, where=rules_words(plan, metadata), sides=sides)
