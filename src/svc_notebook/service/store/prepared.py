"""Statements that run often, written out once: SQLite's driver then runs them by itself.

What SQLAlchemy does around a statement of a microsecond costs ten times as much as the statement. Other databases are
asked by way of it: there the way to the server costs more. The texts of those that a service begins and answers with
are kept in `statements.json`, and SQLAlchemy is not even loaded for them.
"""

from __future__ import annotations

import json
import sqlite3
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...records import dataclass

if TYPE_CHECKING:
    from sqlalchemy import Connection, Executable

    from .records import Record

__all__ = ["KEPT", "Prepared", "Text", "command", "kept_texts"]

Values = Mapping[str, Any]
KEPT = Path(__file__).with_name("statements.json")
_LONGEST = 64
"""How long a list may be of which each item has a place of its own."""


class Prepared:
    """A statement with named parameters. What it gives back is read by name: ``row.number``.

    Parameters
    ----------
    name
        A module of :mod:`.statements` and what it is called there: ``"threads.FIND"``.
    given
        What a function of that name is given, which writes it.
    """

    def __init__(self, name: str, *given: Any) -> None:
        self.name = f"{name}{given or ''}"
        self._name, self._given = name, given
        self.texts: dict[tuple[str, ...], Text] = {}
        """How SQLite reads it, by the names of the values it was given."""

    @cached_property
    def statement(self) -> Executable:
        """In SQLAlchemy's words; loaded when it is first needed."""
        module, _, name = self._name.partition(".")
        found = getattr(import_module(f"{__package__}.statements.{module}"), name)
        return cast("Executable", found(*self._given) if self._given else found)

    def written(self, values: Values) -> Text:
        """How SQLite reads it where it is given such values, written anew."""
        return _written(self.statement, values)

    def all(self, connection: Connection, values: Values) -> list[Record]:
        """Every row."""
        text = self._text(connection, values)
        if text is None:
            return list(connection.execute(self.statement, values))
        found = text.run(connection, values)
        kept = found.fetchall()
        return list(map(text.record(found), kept)) if kept else []

    def first(self, connection: Connection, values: Values) -> Record | None:
        """The first row, or None."""
        text = self._text(connection, values)
        if text is None:
            return connection.execute(self.statement, values).first()
        found = text.run(connection, values)
        row = found.fetchone()
        made = None if row is None else cast("Record", text.record(found)(row))
        # One row was read of perhaps more: an open cursor would hold its view of the file, and with it the log's size.
        found.close()
        return made

    def scalar(self, connection: Connection, values: Values) -> Any:
        """The first column of the first row, or None."""
        row = self.first(connection, values)
        return None if row is None else row[0]

    def scalars(self, connection: Connection, values: Values) -> list[Any]:
        """The first column of every row."""
        return [row[0] for row in self.all(connection, values)]

    def run(self, connection: Connection, values: Values) -> int:
        """How many rows the statement changed."""
        text = self._text(connection, values)
        if text is None:
            return int(connection.execute(self.statement, values).rowcount)
        return int(text.run(connection, values).rowcount)

    def run_each(self, connection: Connection, rows: Sequence[Values]) -> None:
        """Run the statement once for each; all have the same names."""
        text = self._text(connection, rows[0])
        if text is None:
            connection.execute(self.statement, rows)
            return
        for row in rows:
            text.run(connection, row)

    def scalars_of_each(self, connection: Connection, rows: Sequence[Values]) -> list[Any]:
        """:meth:`run_each`, and the first column of every row that comes back."""
        # Many are one statement to SQLAlchemy.
        if len(rows) > _LONGEST or self._text(connection, rows[0]) is None:
            return list(connection.execute(self.statement, rows).scalars())
        return [found for row in rows for found in self.scalars(connection, row)]

    def _text(self, connection: Connection, values: Values) -> Text | None:
        """What the driver is given for such values; None where it is asked by way of SQLAlchemy."""
        if connection.dialect.name != "sqlite":
            return None
        if any(type(value) is list and len(value) > _LONGEST for value in values.values()):
            return None
        names = tuple(values)
        found = self.texts.get(names)
        if found is None:
            found = self.texts[names] = kept_texts().get((self.name, frozenset(names))) or self.written(values)
        return found


@dataclass(frozen=True)
class Text:
    """A statement as SQLite reads it, the values that it holds itself, and what of it and of its rows is not plain.

    ``lists`` are the values that it has a place for each item of, ``truths`` the columns that are no numbers.
    """

    sql: str
    own: Values
    lists: tuple[str, ...] = ()
    truths: tuple[int, ...] = ()

    def run(self, connection: Connection, values: Values) -> sqlite3.Cursor:
        """Have the driver run it."""
        if not self.lists:
            return _run(connection, self.sql, {**self.own, **values} if self.own else values)
        sql, every = self.sql, {**self.own, **values}
        for name in self.lists:
            items = {f"{name}_{place}": value for place, value in enumerate(every.pop(name), 1)}
            # SQLite has no parameter for a list, and takes an empty one for what it is.
            sql = sql.replace(f"__[POSTCOMPILE_{name}]", ", ".join(f":{item}" for item in items))
            every |= items
        return _run(connection, sql, every)

    def record(self, found: sqlite3.Cursor) -> Callable[[tuple[Any, ...]], Any]:
        """Reads a row of what was found."""
        if not self._kind:
            make: Any = namedtuple  # noqa: PYI024 (of names that are known only now)
            self._kind.append(make("Record", [column[0] for column in found.description])._make)
        whole = self._kind[0]
        if not self.truths:
            return whole

        def read(row: tuple[Any, ...]) -> Any:
            cells = list(row)
            for place in self.truths:
                cells[place] = None if cells[place] is None else bool(cells[place])
            return whole(cells)

        return read

    @cached_property
    def _kind(self) -> list[Callable[[Any], Any]]:
        return []


@cache
def kept_texts() -> Mapping[tuple[str, frozenset[str]], Text]:
    """Those of `statements.json`, by the statement's name and those of its values."""
    return {
        (name, frozenset(values)): Text(sql, own, tuple(lists), tuple(truths))
        for name, values, sql, own, lists, truths in json.loads(KEPT.read_text("utf8"))
    }


def _written(statement: Any, values: Values) -> Text:
    from sqlalchemy import Boolean
    from sqlalchemy.dialects import sqlite

    # Named, since values are given by name, in no order.
    dialect = sqlite.dialect(paramstyle="named")
    several = any(type(value) is list for value in values.values())
    written = statement.compile(dialect=dialect, column_keys=None if several else list(values))
    every = {**written.params, **values}
    lists = tuple(name for name, value in every.items() if isinstance(value, list | tuple))
    truths = []
    for place, column in enumerate(getattr(statement, "exported_columns", ())):
        if column.type.dialect_impl(dialect).result_processor(dialect, None) is not None:
            assert isinstance(column.type, Boolean), f"{column} is read in a way of its own"
            truths.append(place)
    own = {name: value for name, value in written.params.items() if name not in values}
    return Text(str(written), own, lists, tuple(truths))


def command(connection: Connection, sql: str) -> None:
    """Have SQLite's driver run a text that has no values."""
    _run(connection, sql, {})


def _run(connection: Connection, sql: str, values: Values) -> sqlite3.Cursor:
    # Past SQLAlchemy, whose way through compiling, events and results takes longer than the statement does.
    driver: Any = connection.connection.dbapi_connection
    try:
        found: sqlite3.Cursor = driver.execute(sql, values)
    except sqlite3.Error as error:
        raise _told(connection, sql, error) from error
    return found


def _told(connection: Connection, sql: str, error: sqlite3.Error) -> BaseException:
    """The driver's error as SQLAlchemy would tell it; values are nobody's to see."""
    from sqlalchemy.dialects import sqlite
    from sqlalchemy.exc import DBAPIError

    dialect = sqlite.dialect(dbapi=sqlite3)
    gone = dialect.is_disconnect(error, None, None)  # type: ignore[arg-type]
    return DBAPIError.instance(
        sql, None, error, sqlite3.Error, hide_parameters=True, dialect=dialect, connection_invalidated=gone
    )
