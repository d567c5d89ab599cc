"""What a bound may be of: numbers that reach it, and the money of rows that are named right before it."""

from __future__ import annotations

from ..plans.plan import Condition
from ..schema.lexicon import Candidate
from ..schema.money import amounts
from ..schema.profiles import reaches
from ..words.numbers import CURRENCIES
from .walker import WalkerState

__all__ = ["Bounds"]

_MONEY = CURRENCIES | {"pounds", "$", "€", "£"}
_NEAR = 4  # items between rows and what is said of them


class Bounds(WalkerState):
    """Bounds that stand behind rows: ``orders over 50 euros``."""

    def can_hold(self, condition: Condition) -> bool:
        """Whether the values of a member reach a bound at all."""
        return reaches(self.meta.profile(condition.member), condition.operator, condition.values)

    def rows_before(self) -> str:
        """The relation whose rows are named between the last number and a comparison (``tips of orders over 50``)."""
        for back in range(self.at - 1, max(-1, self.at - 1 - _NEAR), -1):
            chosen = self.chosen(back)
            if isinstance(chosen, Candidate):
                return chosen.relation if chosen.member is None else ""
        return ""

    def paid_before(self, operator: str, numbers: tuple[float, ...], after: int) -> str | None:
        """``orders over 50 euros``: how much money a row is about, of the rows named right before."""
        relation = self.rows_before()
        said = [item.text.lower() for item in self.items[self.at + 1 : after + 1]]
        if not relation or not any(word in _MONEY or word[:1] in "$€£" for word in said):
            return None
        paths = [path for path in amounts(self.meta) if path.split(".", 1)[0] == relation and path in self.meta.members]
        known = next((path for path in paths if self.can_hold(Condition(path, operator, numbers))), None)
        if known is not None and after < len(self.items) and self.items[after].text.lower() in _MONEY:
            self.absorbed.add(after)
        return known
