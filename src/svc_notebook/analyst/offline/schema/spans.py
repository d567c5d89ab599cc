"""The time between two moments as a member: of one row, of a row and one it refers to, of two events."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ....records import dataclass
from ..forms import Aggregate, Compare, Expression, Member, Value
from ..forms.lasting import lasting

__all__ = ["SPAN", "Moment", "Span", "span_in"]

SPAN = "~"
_FOLD, _EVENT, _DAY = "!", "^", "#"
_FOLDS = {"first": "min", "last": "max"}


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of a row; ``fold``: of the ``first`` or ``last`` of several rows. ``event``: of the first row that has the
    value of a member. ``day``: no time of a row, but a date.
    """

    path: str = ""
    fold: str = ""
    event: tuple[str, str] | None = None
    day: date | None = None

    @property
    def relation(self) -> str:
        return self.path.split(".", 1)[0]

    @property
    def is_folded(self) -> bool:
        return bool(self.fold or self.event)

    def written(self, relation: str) -> str:
        if self.day is not None:
            return f"{_DAY}{self.day:%Y%m%d}"
        name = self.path.split(".", 1)[1] if self.relation == relation else self.path
        fold = f"{self.fold}{_FOLD}" if self.fold else ""
        # In hexadecimal: a value may hold any of the signs that part a path.
        event = f"{_EVENT}{self.event[0].split('.', 1)[1]}={self.event[1].encode().hex()}" if self.event else ""
        return f"{fold}{name}{event}"

    def expression(self, *, folded: bool) -> Expression:
        """The moment; as an aggregate where several rows make one span."""
        if self.day is not None:
            return Value(self.day)
        of = Member(self.path)
        if self.event is not None:
            return Aggregate("min", of, Compare(Member(self.event[0]), "=", Value(self.event[1])))
        if not folded and not self.fold:
            return of
        return Aggregate(_FOLDS.get(self.fold, "min"), of)  # type: ignore[arg-type]  # one of the folds


@dataclass(frozen=True, slots=True)
class Span:
    """The time from one moment to another in a unit."""

    start: Moment
    end: Moment
    unit: str

    @property
    def path(self) -> str:
        """``stays.admitted_at~discharged_at~day``; ``leads.created_at~first!quotes.sent_on~day``."""
        relation = self.start.relation
        return f"{relation}.{self.start.written(relation)}{SPAN}{self.end.written(relation)}{SPAN}{self.unit}"

    @property
    def is_folded(self) -> bool:
        """Whether it is one of several rows together."""
        return self.start.is_folded or self.end.is_folded

    @property
    def is_since(self) -> bool:
        """Whether it goes from the last of several rows to a day."""
        return self.end.day is not None and self.start.is_folded

    @property
    def members(self) -> tuple[str, ...]:
        return tuple(moment.path for moment in (self.start, self.end) if moment.day is None)

    @property
    def relations(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(path.split(".", 1)[0] for path in self.members))

    def within(self, unit: str) -> Span:
        """The same in another unit."""
        return replace(self, unit=unit)

    @property
    def expression(self) -> Expression:
        start, end = (moment.expression(folded=self.is_folded) for moment in (self.start, self.end))
        return lasting(self.unit, start, end)


def span_in(path: str) -> Span | None:
    """The span that a path stands for, where it stands for one."""
    relation, _, rest = path.partition(".")
    if rest.count(SPAN) != 2:
        return None
    start, end, unit = rest.split(SPAN)
    return Span(_moment(start, relation), _moment(end, relation), unit)


def _moment(said: str, relation: str) -> Moment:
    if said.startswith(_DAY):
        day = said[1:]
        return Moment(day=date(int(day[:4]), int(day[4:6]), int(day[6:])))
    fold, _, rest = said.rpartition(_FOLD)
    name, _, event = rest.partition(_EVENT)
    path = name if "." in name else f"{relation}.{name}"
    if not event:
        return Moment(path, fold)
    member, _, value = event.partition("=")
    return Moment(path, fold, (f"{path.split('.', 1)[0]}.{member}", bytes.fromhex(value).decode()))
