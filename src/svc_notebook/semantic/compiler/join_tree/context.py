"""What one compilation carries: the model, the asker, parameters, and the parts of the text that are decided last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, TypeAlias

from sqlglot import exp

from .... import patterns as re
from ....records import dataclass
from ...context import SecurityContext
from ...dialects.nodes import late, retold
from ...engine import TableName
from ...errors import TooComplex
from ...model import Cube, Filter, FilterGroup, View
from ...policies.policy import Access, Visibility, matching, public_members
from ...policies.row_filters import FilterOutcome
from ..applied import AppliedFilter
from ..authored.index import ModelIndex
from ..filtered import Filtered, Telling
from ..values import Bound, Params
from .asked import Asked, Placed
from .rows import Part, Told

__all__ = ["AppliedFilter", "Compilation"]

Rule: TypeAlias = Callable[[Any, exp.Expr], Bound]
_MARK = re.compile("\x02(\\d+)\x02")
_MAX_SELECTS = 60
# From twelve relations on DuckDB orders joins by a rule of thumb, and no longer by trying all orders.
_MAX_SOURCES = 11


class HoldsTimes(Protocol):
    """A model source that may be read from a rollup; see :class:`.source.ModelSource`."""

    def period_held(self, use: tuple[str, str]) -> str | None: ...
    def held_time(self, use: tuple[str, str]) -> Bound: ...


@dataclass
class Compilation:
    """The state of one compilation; never shared.

    ``fails`` and ``stopping`` are said of the query before anything is made of it: whether it holds an operation on row
    values that may fail (see :mod:`.failing`), and whether it may be settled before all rows are read. ``raising`` is
    the first, or becomes true where an operation turns out to fail by the types it is over; then every relation with a
    policy ends in a barrier, so that nothing of the query is evaluated on rows it hides. ``rule`` gives an expression
    in a binder's scope.
    """

    index: ModelIndex
    asker: SecurityContext
    timezone: str = "UTC"
    named: frozenset[str] = frozenset()  # every identifier of the query, folded
    rule: Rule = field(kw_only=True)
    given: Mapping[str, Any] = field(default_factory=dict)
    params: Params = field(default_factory=Params)
    fails: bool = False
    raising: bool = field(init=False)
    stopping: bool = False
    drawn: bool = False  # its rows are drawn at random, so that no order of theirs tells anything
    notes: list[str] = field(default_factory=list)
    row_filters: list[AppliedFilter] = field(default_factory=list)
    filtered: list[Filtered] = field(default_factory=list)  # what filters came to for this asker
    telling: list[Telling] = field(default_factory=list)  # what the row filters are told by
    personal: bool = False  # whether the asker counts in other ways than by policies that match and their filters
    to_fill: set[str] = field(default_factory=set)  # group keys whose periods are wanted without gaps
    filled: set[str] = field(default_factory=set)  # … and those that some grouping has filled
    tables: set[TableName] = field(default_factory=set)
    _access: dict[str, Access] = field(default_factory=dict)
    _members: dict[str, dict[str, Visibility]] = field(default_factory=dict)
    sources: dict[str, HoldsTimes] = field(default_factory=dict)  # by their aliases
    placed: list[Placed] = field(default_factory=list)  # the rows of the finished statement
    told: list[tuple[Asked, Callable[[], Told]]] = field(default_factory=list)  # values of members over rows
    _deferred: list[Callable[[], str]] = field(default_factory=list)
    _made: dict[int, str] = field(default_factory=dict)  # what they became
    _depth: int = 0  # of rows within rows, while they are written
    _counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.params.zone = self.timezone
        self.raising = self.fails

    @property
    def ctx(self) -> SecurityContext:
        """The asker, for what is written for nobody else."""
        self.personal = True
        return self.asker

    def access(self, relation: str) -> Access:
        found = self._access.get(relation)
        if found is None:
            of = self._relation(relation)
            found = self._access[relation] = self.index.access(of, matching(of, self.asker))
        return found

    def sees(self, view: View | None, cube: str, member: str) -> bool:
        """Whether the asker may see a cube's member, in the view that is asked or in the cube itself."""
        if member in self.members(cube):
            return True
        if view is None:
            return False
        seen = self.members(view.name)
        return any(m.name in seen and (m.cube, m.member) == (cube, member) for m in view.members)

    def accessed(self) -> list[tuple[Cube | View, tuple[int, ...] | None]]:
        """The cubes and views whose policies were asked, and which of them match."""
        relations = map(self._relation, self._access)
        return [(relation, matching(relation, self.asker)) for relation in relations]

    def _relation(self, name: str) -> Cube | View:
        return self.index.model.cubes.get(name) or self.index.model.views[name]

    def filter(
        self,
        filters: Sequence[Filter | FilterGroup],
        column: Callable[[str], tuple[str, str]],
        sees: Callable[[str], bool] = lambda member: True,
    ) -> FilterOutcome:
        """Filters with the asker's values; see :class:`.row_filters.FilterWriter`."""
        found = Filtered(tuple(filters))
        outcome = found.write(self.asker, column, sees, self.params.add_of_asker)
        self.filtered.append(found)
        return outcome

    def members(self, relation: str) -> dict[str, Visibility]:
        """:func:`visible_members` of a relation, found once."""
        found = self._members.get(relation)
        if found is None:
            model = self.index.model
            of = model.cubes.get(relation) or model.views.get(relation)
            found = self._members[relation] = {} if of is None else public_members(of, self.access(relation))
        return found

    def fresh(self, prefix: str) -> str:
        """A name nothing else in this query has."""
        number = self._counts[prefix] = self._counts.get(prefix, 0) + 1
        # "s" is what SELECTs are numbered by.
        if prefix == "s" and number > _MAX_SELECTS:
            raise TooComplex(f"The query has more than {_MAX_SELECTS} SELECTs.")
        return f"{prefix}{number}"

    def count_sources(self, number: int) -> None:
        if number > _MAX_SOURCES:
            raise TooComplex(f"A FROM clause may join at most {_MAX_SOURCES} relations.")

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def defer(self, make: Callable[[], str]) -> str:
        """A mark that is replaced by ``make()`` once the whole query has been read."""
        number = len(self._deferred)
        self._deferred.append(make)
        return late(f"\x02{number}\x02", lambda: self._made[number])

    def place(self, asked: Asked, make: Callable[[], Part]) -> str:
        """The same for rows of the model; what they became is kept for the proof."""

        def text() -> str:
            part = make()
            self._depth += 1
            settled = self.settle(part.sql)
            self._depth -= 1
            self.placed.append(Placed(asked, part, settled, self._depth > 0))
            return settled

        return self.defer(text)

    def tell(self, asked: Asked, make: Callable[[], Told]) -> str:
        """The same for the value of a member over rows."""
        self.told.append((asked, make))
        return self.defer(lambda: make().sql)

    def settle(self, sql: str) -> str:
        """The text with every mark replaced."""

        def made(mark: re.Match[str]) -> str:
            number = int(mark[1])
            self._made[number] = self._deferred[number]()
            return self._made[number]

        text = sql
        # As long as there are any: what a mark became may hold others.
        while _MARK.search(text):
            text = _MARK.sub(made, text)
        return retold(text, sql)
