"""A form that is asked: its SQL, its words, its title; then what its result says, and its picture."""

from __future__ import annotations

from dataclasses import field, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ....records import dataclass
from ....semantic.catalog import Catalog
from ...charts import ChartColumn
from ..forms import (
    Condition,
    Expression,
    Form,
    Member,
    OneOf,
    Or,
    Order,
    Range,
    Truncated,
    in_words,
    to_sql,
)
from ..forms.walking import parts
from ..forms.words import Words
from ..plans.phrases import join_words
from .answer import tell
from .outcome import Outcome, Telling
from .picture import columns_of, picture
from .titled import drawn_columns, subtitle_of

if TYPE_CHECKING:
    import pyarrow as pa


__all__ = ["Formed"]

_LONGEST_TITLE = 120
_OF_THE_FORM = ("sql", "time", "words", "title", "columns", "where")
_CUT = ("year", "quarter", "month", "week")  # periods that the data may begin or end within


@dataclass(frozen=True)
class Formed:
    """A form as an asker's catalog names what it asks.

    Raises (``sql``)
    ----------------
    CannotWrite
        If SQL over the model cannot say the form.
    """

    form: Form
    catalog: Catalog
    extent: tuple[datetime | None, datetime | None] = (None, None)  # the first and last moment of the data
    claim: tuple[Any, ...] = ()  # what is said of two groups with yes or no
    words_below: str | None = None  # the line below the title of its picture, where that is told otherwise
    _told: list[tuple[pa.Table, Outcome, Telling]] = field(  # of the table that was told last
        default_factory=list, init=False, compare=False, repr=False
    )

    @cached_property
    def sql(self) -> str:
        form = self.form
        if form.groups and form.measures and not form.order and not form.limit:  # what is cut begins with the first
            form = form.with_(order=tuple(Order(clause.expression) for clause in form.groups))
        return to_sql(form.settled())

    @cached_property
    def time(self) -> Member | None:
        """The time by whose periods it groups, where the data may begin or end within one."""
        periods = (clause.expression for clause in self.form.groups)
        time = next((p.of for p in periods if isinstance(p, Truncated) and p.grain in _CUT), None)
        return time if isinstance(time, Member) else None

    @cached_property
    def words(self) -> str:
        """The whole form, ready to begin a sentence."""
        return _begun(in_words(self.form, self.catalog))

    @cached_property
    def title(self) -> str:
        """What it shows, without how that is sorted and cut."""
        return _begun(in_words(self.form.with_(order=(), limit=None), self.catalog))[:_LONGEST_TITLE]

    @cached_property
    def columns(self) -> list[ChartColumn]:
        """The columns of its result, without cells."""
        return columns_of(self.form, self.catalog)

    @cached_property
    def where(self) -> tuple[str, str]:
        """Its conditions in words, and those of them that choose no value of what it groups by."""
        words = Words(self.catalog).of_rows(self.form)
        shown = {_member(clause.expression) for clause in self.form.groups} - {None}
        beside = [item.condition for item in self.form.where if _said(item.condition) not in shown]
        return (
            _where([words.condition(item.condition) for item in self.form.where]),
            _where([words.condition(condition) for condition in beside]),
        )

    def outcome(self, table: pa.Table) -> Outcome:
        """What its query gave."""
        form = self.form
        places = enumerate(self.columns)
        columns = tuple(column.filled(table.column(place).to_pylist()) for place, column in places)
        where, about = self.where
        first = form.measures[0].expression if form.measures else None
        order = form.order[0] if form.order and form.order[0].by == first else None
        return Outcome(
            columns, self.title, where,
            "rows" if form.columns else "aggregate" if form.measures or len(columns) > 1 else "distinct",
            "" if order is None else "highest" if order.descending else "lowest",
            form.limit.count if form.limit else None, bool(form.limit and form.limit.per), self.extent,
            claim=self.claim,
            about=about,
            skipped=form.limit.skip if form.limit else 0,
            chosen=_chooses(form),
        )  # fmt: skip

    def told(self, table: pa.Table) -> Telling:
        """What its result says."""
        return self._seen(table)[1]

    def picture(self, table: pa.Table, mark: str | None = None) -> dict[str, Any] | None:
        """A chart of its result; ``mark`` is the one that is wished for, ``table`` for none."""
        outcome, telling = self._seen(table)
        headline = telling.headline or self.title
        below = subtitle_of(outcome, headline) if self.words_below is None else self.words_below
        return picture(self.form, drawn_columns(outcome), mark, headline, below)

    def said_as(self, table: pa.Table, telling: Telling, columns: tuple[ChartColumn, ...], subtitle: str) -> Formed:
        """The same told in other words: what its result says, and what its columns are called."""
        made = replace(self, words_below=subtitle)
        made._told[:] = [(table, replace(self.outcome(table), columns=columns), telling)]
        return made

    def said_once(self) -> None:
        """Say what the form alone says, for whoever gets it :meth:`apart`."""
        for name in _OF_THE_FORM:
            getattr(self, name)

    def apart(self) -> Formed:
        """The same for another result: what the form alone says comes along, what a result said does not."""
        made = replace(self)
        vars(made).update({name: said for name, said in vars(self).items() if name in _OF_THE_FORM})
        return made

    def _seen(self, table: pa.Table) -> tuple[Outcome, Telling]:
        """What its query gave, and says: picture and sentences are of the same table."""
        for known, outcome, telling in self._told:
            if known is table:
                return outcome, telling
        outcome = self.outcome(table)
        telling = tell(outcome)
        self._told[:] = [(table, outcome, telling)]
        return outcome, telling


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]


def _said(condition: Condition) -> Expression | None:
    """The member whose values a condition chooses, where it does no more."""
    return _member(condition.of) if isinstance(condition, OneOf | Range) and not condition.negated else None


def _member(expression: Expression) -> Expression | None:
    """A member, also at a grain of time."""
    inner = expression.of if isinstance(expression, Truncated) else expression
    return inner if isinstance(inner, Member) else None


def _where(rules: list[str]) -> str:
    return f", where {join_words(rules)}" if rules else ""


def _chooses(form: Form) -> bool:
    """Whether some of several periods are enough for a row."""
    either = [part for part in parts(form.where) if isinstance(part, Or)]
    return any(isinstance(part, Range) for one in either for part in parts(one))
