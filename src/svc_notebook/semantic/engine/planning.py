"""By what the engine plans: by the query alone, or by what the tables hold as well, while nobody is kept from a row.

A plan that goes by the tables' minima, maxima and NULLs joins faster, and tells what hidden rows hold. It is a setting
of the whole instance, so that it goes by every model that is asked of it: one that hides anything ends it for good.
"""

from __future__ import annotations

import duckdb

from .locks import plan_by_data

__all__ = ["Planning"]

_VIEWS = "SELECT count(*) FROM duckdb_views() WHERE NOT internal"


class Planning:
    """What a locked instance plans by: at first the query alone.

    Parameters
    ----------
    connection
        The instance. One that holds views, which may leave rows out, is never planned for by the data.
    given
        Its rules are those that it was opened with, whatever comes.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, *, given: bool) -> None:
        self.by_data = False
        self._connection = connection
        self._ended = given

    def begin(self) -> None:
        """A model that shows everybody every row is asked."""
        if not self._ended and not self.by_data and self._connection.execute(_VIEWS).fetchall() == [(0,)]:
            self.by_data = True  # first: whatever becomes of the next line, it can be ended
            plan_by_data(self._connection, True)

    def end(self) -> None:
        """A model that hides something is asked: from now on no plan goes by the data."""
        self._ended = True
        if self.by_data:
            plan_by_data(self._connection, False)
            self.by_data = False
