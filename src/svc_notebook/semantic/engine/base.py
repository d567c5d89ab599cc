"""The interface between the compiler's SQL and whatever runs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from svc_notebook.cancellation import CancellationToken

__all__ = ["OWN_VALUES", "Engine", "TableName"]

OWN_VALUES = (
    "The query cannot be computed with the values it finds: a number or a date is out of range (calculate with "
    "CAST(x AS DOUBLE), or leave such rows out), or a subquery in the place of one value gives several "
    "(write max(…) or LIMIT 1)."
)
"""One sentence for whatever fails with a value, on any engine: which of several rows fails first is up to the plan."""


class TableName(NamedTuple):
    """A physical table, fully qualified."""

    catalog: str
    schema: str
    table: str


class Engine(Protocol):
    """Runs SQL that the compiler generated, never SQL that somebody typed."""

    @property
    def dialect(self) -> str:
        """The sqlglot name of the SQL it speaks."""

    @property
    def default_schema(self) -> str:
        """The schema whose tables go by their names alone."""

    @property
    def sampled_rows(self) -> int | None:
        """How many rows are read to know a column's values; None for all, where they lie at hand."""

    def spread(self, sql: str, share: float) -> str:
        """A statement of about that share of another's rows, drawn from all over them."""

    def lowered(self, sql: str, params: Mapping[str, Any]) -> str:
        """A compiled query in the SQL that this engine speaks; what is written for it is what it runs.

        Raises
        ------
        NotAllowed
            If the engine has no word for something in it; the message names it.
        """

    def execute(
        self,
        sql: str,
        params: Mapping[str, Any],
        *,
        cancel: CancellationToken | None = None,
        timeout: float | None = None,
        max_rows: int | None = None,
    ) -> pa.Table:
        """Run one statement, as :meth:`lowered` gives it, with named parameters; the result has canonical types.

        Raises
        ------
        Cancelled
            If the token was cancelled.
        QueryTimeout, OutOfMemory, EngineFailure
            The engine's own words are logged, never passed on.
        """

    def column_types(self, sql: str) -> list[str]:
        """The engine's type names of a statement's columns, without running it."""

    def qualify(self, schema: str | None, table: str, catalog: str | None = None) -> TableName:
        """Where a table written in the model lies; one that is not there is qualified with the default schema.

        Raises
        ------
        UnknownPlace
            If the schema or the catalog is named and the database does not have it.
        """

    def tables_read(self, sql: str) -> frozenset[TableName] | None:
        """Every base table the engine's own parser sees in a statement; None if it sees anything but tables."""

    def describe(self) -> Mapping[str, Mapping[str, str]]:
        """Columns and their types by ``schema.table``."""

    def close(self) -> None: ...
