"""Parts that a time falls into which have names of their own: times of the day, halves of the week, seasons.

One table of them: what groups rows by them, in a plan's SQL as in a form, and which words name them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ....records import dataclass
from .conditions import Condition, OneOf
from .expressions import Case, Expression, Member, Part, Value
from .vocabulary import PartName

__all__ = ["PARTINGS", "Parting", "named_parts", "parting_of"]


@dataclass(frozen=True, slots=True)
class Parting:
    """A way to divide time: by a ``part`` of it, whose values have names; the last name is of all that are left."""

    unit: str
    title: str
    part: PartName
    sql: str
    condition: str
    names: tuple[tuple[str, tuple[int, ...]], ...]

    def expression(self, time: Expression) -> Case:
        """The name of the part that a time falls into."""
        branches: list[tuple[Condition, Expression]] = [
            (OneOf(Part(time, self.part), tuple(map(Value, values))), Value(name)) for name, values in self.names[:-1]
        ]
        return Case(tuple(branches), Value(self.names[-1][0]))

    def written(self, column: str) -> str:
        """The same as SQL over a column."""
        of = f"EXTRACT({self.sql} FROM {column})"
        cases = [
            f"WHEN {of} IN ({', '.join(map(str, values))}) THEN '{name}'" if len(values) > 1 else
            f"WHEN {of} = {values[0]} THEN '{name}'"
            for name, values in self.names[:-1]
        ]  # fmt: skip
        return f"CASE {' '.join(cases)} ELSE '{self.names[-1][0]}' END"

    @property
    def in_order(self) -> tuple[str, ...]:
        """The names as they follow one another; a week begins with what is left of it."""
        names = tuple(name for name, _ in self.names)
        return names[::-1] if self.unit == "weekend" else names

    def values(self, names: Sequence[str]) -> tuple[int, ...]:
        """The values of the part that names stand for."""
        return tuple(value for name, values in self.names if name in names for value in values)


PARTINGS = {
    known.unit: known
    for known in (
        Parting(
            "part_of_day", "part of the day", "hour", "HOUR", "hour_of_day",
            (("morning", tuple(range(6, 12))), ("afternoon", tuple(range(12, 18))), ("evening", tuple(range(18, 22))),
             ("night", (22, 23, 0, 1, 2, 3, 4, 5))),
        ),
        Parting(
            "weekend", "weekday or weekend", "isoweekday", "ISODOW", "weekday",
            (("weekend", (6, 7)), ("weekday", (1, 2, 3, 4, 5))),
        ),
        Parting(
            "season", "season", "month", "MONTH", "month_of_year",
            (("winter", (12, 1, 2)), ("spring", (3, 4, 5)), ("summer", (6, 7, 8)), ("autumn", (9, 10, 11))),
        ),
    )
}  # fmt: skip
_JOINING = frozenset({"and", "or", "vs", "versus", "against", "than", "to", "with", "compared", ",", "/", "but"})
_ALSO = {"fall": "autumn"}
_NAMES = {name: (unit, name) for unit, parting in PARTINGS.items() for name, _ in parting.names}


def parting_of(expression: Expression) -> tuple[str, Member] | None:
    """The unit that an expression groups by, and the time it is of."""
    match expression:
        case Case(((OneOf(Part(Member() as time)), _), *_)):
            return next(((u, time) for u, known in PARTINGS.items() if known.expression(time) == expression), None)
    return None


def named_parts(words: Sequence[str]) -> dict[int, tuple[str, str]]:
    """Places of words that name parts set beside each other (``morning``, ``evening``), each with its unit and name.

    A row falls into one part only: where two are named, joined by a word, they are groups and no conditions.
    """
    named = [(place, known) for place, word in enumerate(words) if (known := _named(word)) is not None]
    found: dict[int, tuple[str, str]] = {}
    for (one, first), (other, second) in pairwise(named):
        if first[0] == second[0] and first != second and _JOINING & set(words[one + 1 : other]):
            found |= {one: first, other: second}
    return found


def _named(word: str) -> tuple[str, str] | None:
    plain = word[:-1] if word.endswith("s") else word
    return _NAMES.get(_ALSO.get(plain, plain))
