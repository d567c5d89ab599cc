"""One query result: its rows with their types, where they came from, and the way to the rest of them."""

from __future__ import annotations

import asyncio
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from ..protocol.tools import Column, RowFilter
from .counts import MoreThan
from .frames import TruncatedResult, to_frame
from .rows import Rows, read_rows, wire_rows

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    import pyarrow as pa

    from .pages import Pages

__all__ = ["Loader", "Result"]

_each_row = msgspec.json.Decoder(list[msgspec.Raw]).decode


class Loader(Protocol):
    """Runs a query again in full, under the same user; blocking, or awaiting."""

    def load(self, sql: str, uuid: str = "", progress: Callable[[int], object] | None = None) -> Rows: ...

    async def aload(self, sql: str, uuid: str = "") -> Rows: ...


def _tell_bytes(count: int) -> None:
    sys.stderr.write(f"\r{count / 1e6:,.1f} MB")
    sys.stderr.flush()


class Result:
    """One query's rows with their types, the SQL behind them, and the way to the rest of them.

    Attributes
    ----------
    sql, title, description, user_request, uuid
        As the service names them.
    schema
        The columns with their wire types.
    total_rows
        The full count; :attr:`truncated` says whether fewer rows are here.
    limited
        Whether there are more rows than the service puts into one result; then ``total_rows`` is how many it puts
        there, the full count is not known, and ``client.stream_sql(result.sql)`` gives them all.
    as_of
        When the data were read, an ISO instant, if the service says so.
    kept
        Whether the service had computed it before, for the same rights over the same data.
    row_filters, notes
        The row-level policies that were applied, and what the service remarks.
    vega_spec
        The Vega-Lite specification as JSON text, without data.
    whoami
        Under whose policies it ran.
    elapsed_ms
        How long the query took, in milliseconds, if the service says so.

    Examples
    --------
    >>> result = client.chat().ask("flights by origin").result
    >>> result.columns
    ['origin', 'count']
    >>> len(result), result.truncated
    (3, False)
    """

    def __init__(
        self,
        *,
        sql: str,
        schema: list[Column],
        data: bytes | list[Any] | Rows,
        total_rows: int | None = None,
        uuid: str = "",
        title: str = "",
        description: str = "",
        user_request: str = "",
        vega_spec: str | None = None,
        row_filters: list[RowFilter] | None = None,
        notes: list[str] | None = None,
        whoami: str = "",
        elapsed_ms: int | None = None,
        row_limit: int | None = None,
        as_of: str = "",
        kept: bool = False,
        loader: Loader | None = None,
    ) -> None:
        self.sql = sql
        self.schema = schema
        self.uuid = uuid
        self.title = title
        self.description = description
        self.user_request = user_request
        self.vega_spec = vega_spec
        self.row_filters = row_filters or []
        self.notes = notes or []
        self.whoami = whoami
        self.elapsed_ms = elapsed_ms
        self.as_of = as_of
        self.kept = kept
        self.limited = row_limit is not None
        self._data = data
        self._loader = loader
        self._read: Rows | None = data if isinstance(data, Rows) else None
        self._rows: list[list[Any]] | None = None
        self._count: int | None = None
        self._pages: Pages | None = None
        if row_limit is not None:
            total_rows = MoreThan(max(row_limit, len(self)))
        self.total_rows = len(self) if total_rows is None else total_rows

    def __len__(self) -> int:
        """Rows that are here."""
        if self._read is None and self._count is None:
            self._count = self._counted()
        return len(self._read) if self._read is not None else self._count or 0

    def __repr__(self) -> str:
        rows = (
            f"{len(self):,} of {self.total_rows:,} rows, TRUNCATED" if self.truncated else f"{self.total_rows:,} rows"
        )
        return f"<Result {self.title or self.sql!r}: {rows} × {len(self.schema)} columns>"

    @property
    def truncated(self) -> bool:
        """Whether there are more rows than are here; ``len(result)`` says how many are."""
        return self.limited or len(self) < self.total_rows

    @property
    def can_load(self) -> bool:
        """Whether :meth:`load_all` has a data API to ask."""
        return self._loader is not None

    @property
    def rows(self) -> list[list[Any]]:
        """The rows that are here, a list for each, as JSON carries them (decimals and very large integers as text)."""
        if self._rows is None:
            self._rows = self._wire_rows()
        return self._rows

    def first(self, count: int) -> list[list[Any]]:
        """The first of :attr:`rows`, without making the others: what a table of a large result shows.

        Examples
        --------
        >>> result.first(1)
        [['EWR', 120835]]
        """
        if self._rows is None and isinstance(self._data, Rows):
            return wire_rows(self._data.first(count))
        return self.rows[:count]

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.schema]

    def to_frame(self) -> pd.DataFrame:
        """The rows that are here as a typed DataFrame; where it came from stands in ``df.attrs``.

        Returns
        -------
        pandas.DataFrame
            ``len(result)`` rows, one column for each of :attr:`columns`.

        Warns
        -----
        TruncatedResult
            If there are more rows than these.

        Examples
        --------
        >>> result.to_frame().dtypes.astype(str).tolist()
        ['string', 'Int64']
        """
        if self.truncated:
            warnings.warn(self._cut_said(), TruncatedResult, stacklevel=2)
        return to_frame(self._columns(), self._provenance())

    def load_all(self, *, progress: bool | Callable[[int], object] = False) -> pd.DataFrame:
        """All rows, fetched from the data API under the same user if they are not here; the result keeps them.

        As a rule the service has kept them, and nothing is computed a second time.

        Parameters
        ----------
        progress
            Tell on the standard error output how much has come; or call this with the bytes so far.

        Returns
        -------
        pandas.DataFrame
            ``total_rows`` rows.

        Raises
        ------
        SvcError
            When the data API refuses or fails.
        ValueError
            When the result was made without a client, or over a development branch.

        Examples
        --------
        >>> len(client.chat().ask("list all flights of 4 July").result.load_all())
        737
        """
        told = _tell_bytes if progress is True else progress or None
        self._load_rest(told)
        if progress is True:
            sys.stderr.write(f"\r{len(self):,} rows".ljust(40) + "\n")
        return self.to_frame()

    def _load_rest(self, told: Callable[[int], object] | None = None) -> None:
        if len(self) < self.total_rows:
            self._keep(self._need_loader().load(self.sql, self.uuid, told))

    async def aload_all(self) -> pd.DataFrame:
        """:meth:`load_all`, awaited.

        Examples
        --------
        >>> len(asyncio.run(result.aload_all()))
        3
        """
        if len(self) < self.total_rows:
            self._keep(await self._need_loader().aload(self.sql, self.uuid))
        return await asyncio.to_thread(self.to_frame)

    def pages(self, *, keep: bool = True, progress: Callable[[int], object] | None = None) -> Pages:
        """All rows (fetched if they are not here) to look at page by page: what a table in a page asks for.

        Parameters
        ----------
        keep
            Whether the result keeps them; else they are there for as long as what is returned.
        progress
            Called with the bytes so far while they are fetched; what it raises ends that.

        Examples
        --------
        >>> result = client.query("SELECT origin, MEASURE(count) FROM flights GROUP BY 1")
        >>> len(result.pages())
        3
        """
        from .pages import Pages

        if not keep and self._pages is None:
            whole = len(self) >= self.total_rows or not self.can_load
            rows = self._columns() if whole else self._need_loader().load(self.sql, self.uuid, progress)
            return Pages(self.schema, rows, self.about())
        if self.can_load:
            self._load_rest(progress)
        if self._pages is None or len(self._pages) != len(self):
            self._pages = Pages(self.schema, self._columns(), self.about())
        return self._pages

    def _cut_said(self) -> str:
        if len(self) < self.total_rows:
            more = "" if self.limited else " all"
            return f"only {len(self):,} of {self.total_rows:,} rows are here; load_all() fetches them{more}"
        return (
            f"only the first {len(self):,} rows are here, as many as the service puts into one result; "
            "client.stream_sql(result.sql) gives all of them"
        )

    def about(self) -> dict[str, str]:
        """What stands behind the rows, in words: the query, as whom, as of when, which row filters, whether cut.

        Examples
        --------
        >>> result.about()["truncated"]
        'no'
        """
        found = {
            "title": self.title,
            "sql": self.sql,
            "user": self.whoami,
            "data as of": self.as_of,
            "rows": f"{len(self):,} of {self.total_rows:,}",
            "truncated": "yes" if self.truncated else "no",
            "row filters": "; ".join(f"{each.cube}: {each.filter}" for each in self.row_filters),
            "notes": " ".join(self.notes),
        }
        return {name: text for name, text in found.items() if text}

    def to_arrow(self) -> pa.Table:
        """All rows as an Arrow table (fetched if they are not here); :meth:`about` is in its metadata.

        Warns
        -----
        TruncatedResult
            If not all of them can be had.

        Examples
        --------
        >>> result.to_arrow().num_rows
        3
        """
        from .handing_over import to_arrow

        return to_arrow(self._whole(), self.about())

    def to_polars(self) -> Any:
        """All rows as a polars DataFrame; as :meth:`to_arrow`.

        Examples
        --------
        >>> result.to_polars()  # doctest: +SKIP
        """
        from .handing_over import to_polars

        return to_polars(self.to_arrow())

    def to_duckdb(self, connection: Any = None, name: str = "result") -> Any:
        """All rows as a DuckDB relation; as :meth:`to_arrow`.

        Parameters
        ----------
        connection, name
            A DuckDB connection of yours, in which the rows then are a view of that name.

        Examples
        --------
        >>> result.to_duckdb().limit(1).fetchall()
        [('EWR', 120835)]
        """
        from .handing_over import to_duckdb

        return to_duckdb(self.to_arrow(), connection, name)

    def to_excel(self, path: str | Path) -> Path:
        """Write all rows into a workbook, and what is behind them onto its second sheet; as :meth:`to_arrow`.

        Raises
        ------
        ValueError
            There are more rows than a sheet holds, or the file is not called ``….xlsx``.

        Examples
        --------
        >>> result.to_excel(folder / "origins.xlsx").name
        'origins.xlsx'
        """
        from .handing_over import to_excel

        return to_excel(self, path)

    def _whole(self) -> Rows:
        if self.can_load:
            self._load_rest()
        if self.truncated:
            warnings.warn(self._cut_said(), TruncatedResult, stacklevel=3)
        return self._columns()

    def to_itables(self, **options: Any) -> Any:
        """The rows that are here as a table to search, sort and page through: the widget of the package itables.

        It carries its own script and fetches nothing. Options are those of ``itables.widget.ITable``; the caption says
        what the table is, and how many of its rows are here.

        Raises
        ------
        ModuleNotFoundError
            Where itables is not installed.

        Examples
        --------
        >>> result.to_itables(paging=False)  # doctest: +SKIP
        """
        from .interactive import interactive_table

        return interactive_table(self, **options)

    def chart(self) -> Any:
        """The chart as an ``altair.Chart``; None if the analyst drew none.

        Examples
        --------
        >>> type(result.chart()).__name__
        'Chart'
        """
        if self.vega_spec is None:
            return None
        from .charts import render_result

        return render_result(self).to_altair()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        from .rendering import result_bundle

        return result_bundle(self)

    def _counted(self) -> int:
        """How many rows have come; columns are made of them when somebody looks at them."""
        if not isinstance(self._data, bytes):
            return len(self._data) if self.schema else 0
        try:
            return len(_each_row(self._data)) if self.schema else 0
        except msgspec.DecodeError:  # not JSON by the book, or no array
            return len(self._columns())

    def _columns(self) -> Rows:
        if self._read is None:
            assert not isinstance(self._data, Rows)
            self._read = read_rows(self.schema, self._data)
        return self._read

    def _wire_rows(self) -> list[list[Any]]:
        if isinstance(self._data, Rows):
            return wire_rows(self._data)
        data = msgspec.json.decode(self._data) if isinstance(self._data, bytes) else self._data
        return [self._cells(row) for row in data]

    def _cells(self, row: Any) -> list[Any]:
        if isinstance(row, dict):
            return list(map(row.get, self.columns))
        return list(row) if isinstance(row, list | tuple) else [None] * len(self.columns)

    def _provenance(self) -> dict[str, Any]:
        return {
            "sql": self.sql,
            "uuid": self.uuid,
            "title": self.title,
            "total_rows": None if self.limited else self.total_rows,
            "truncated": self.truncated,
            "as_of": self.as_of,
            "kept": self.kept,
            "user": self.whoami,
            "row_filters": [msgspec.to_builtins(each) for each in self.row_filters],
            "notes": list(self.notes),
        }

    def _need_loader(self) -> Loader:
        if self._loader is None:
            raise ValueError(
                "There is no data API to load the other rows from: this result was made without a client, or over a "
                "development branch, which the data API does not read"
            )
        return self._loader

    def _keep(self, rows: Rows) -> None:
        self._data = self._read = rows
        self._rows = None
        self.total_rows = MoreThan(len(rows)) if self.limited else len(rows)
