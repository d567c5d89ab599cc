"""Statements that run often, written out once: SQLite's driver then runs them by itself.

What SQLAlchemy does around a statement of a microsecond costs ten times as much as the statement. Other databases are
asked by way of it: there the way to the server costs more.
"""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from sqlalchemy import Connection, Executable
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from ...records import dataclass
from .records import Record

__all__ = ["Prepared", "command"]

Values = Mapping[str, Any]
# Named, since values are given by name, in no order.
_DIALECT = sqlite.dialect(paramstyle="named")
_LONGEST = 64
"""How long a list of an ``IN`` may be that has a text of its own."""


class Prepared:
    """A statement with named parameters.

    Parameters
    ----------
    statement
        Of SQLAlchemy. What it gives back is read by name: ``row.number``.
    """

    def __init__(self, statement: Executable) -> None:
        self.statement = statement
        self._texts: dict[tuple[Any, ...], _Text] = {}

    def all(self, connection: Connection, values: Values) -> list[Record]:
        """Every row."""
        text = self._text(connection, values)
        if text is None:
            return list(connection.execute(self.statement, values))
        found = _run(connection, text.sql, text.given(values))
        kept = found.fetchall()
        return list(map(text.record(found), kept)) if kept else []

    def first(self, connection: Connection, values: Values) -> Record | None:
        """The first row, or None."""
        text = self._text(connection, values)
        if text is None:
            return connection.execute(self.statement, values).first()
        found = _run(connection, text.sql, text.given(values))
        row = found.fetchone()
        made = None if row is None else cast(Record, text.record(found)(row))
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
        return int(_run(connection, text.sql, text.given(values)).rowcount)

    def run_each(self, connection: Connection, rows: Sequence[Values]) -> None:
        """Run the statement once for each; all have the same names."""
        text = self._text(connection, rows[0])
        if text is None:
            connection.execute(self.statement, rows)
            return
        for row in rows:
            _run(connection, text.sql, text.given(row))

    def _text(self, connection: Connection, values: Values) -> _Text | None:
        """What the driver is given for such values; None where it is asked by way of SQLAlchemy."""
        if connection.dialect.name != "sqlite":
            return None
        # A list of another length is another text: SQLite has no parameter for a list.
        shape = tuple(values) if list not in map(type, values.values()) else _shape(values)
        found = self._texts.get(shape)
        if found is None:
            if any(type(value) is list and len(value) > _LONGEST for value in values.values()):
                return None
            found = self._texts[shape] = _text(self.statement, values)
        return found


@dataclass(frozen=True)
class _Text:
    """A statement as SQLite reads it, the values that it holds itself, and how its rows are read."""

    sql: str
    own: Values
    lists: tuple[str, ...]
    readers: tuple[tuple[int, Callable[[Any], Any]], ...]

    def given(self, values: Values) -> Values:
        """All parameters of the text."""
        every = {**self.own, **values}
        for name in self.lists:
            every |= {f"{name}_{place}": value for place, value in enumerate(values[name], 1)}
            del every[name]
        return every

    def record(self, found: sqlite3.Cursor) -> Callable[[tuple[Any, ...]], Any]:
        """Reads a row of what was found."""
        if not self._kind:
            make: Any = namedtuple  # noqa: PYI024 (of names that are known only now)
            self._kind.append(make("Record", [column[0] for column in found.description])._make)
        whole = self._kind[0]
        if not self.readers:
            return whole

        def read(row: tuple[Any, ...]) -> Any:
            cells = list(row)
            for place, reader in self.readers:
                cells[place] = reader(cells[place])
            return whole(cells)

        return read

    @cached_property
    def _kind(self) -> list[Callable[[Any], Any]]:
        return []


def _shape(values: Values) -> tuple[Any, ...]:
    """Names, and how long the lists are: that is part of a text."""
    return tuple((name, len(value) if type(value) is list else None) for name, value in values.items())


def _text(statement: Any, values: Values) -> _Text:
    lists = tuple(name for name, value in values.items() if type(value) is list)
    written = statement.compile(dialect=_DIALECT, column_keys=None if lists else list(values))
    state = written.construct_expanded_state(dict(values)) if lists else None  # how long they are is part of the text
    sql, own = (str(written), written.params) if state is None else (state.statement, state.parameters)
    readers = []
    for place, column in enumerate(getattr(statement, "exported_columns", ())):
        reader = column.type.dialect_impl(_DIALECT).result_processor(_DIALECT, None)
        if reader is not None:
            readers.append((place, reader))
    return _Text(sql, {name: value for name, value in own.items() if name not in values}, lists, tuple(readers))


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
    gone = connection.dialect.is_disconnect(error, None, None)  # type: ignore[arg-type]
    return DBAPIError.instance(
        sql, None, error, sqlite3.Error, hide_parameters=True, dialect=connection.dialect, connection_invalidated=gone
    )
