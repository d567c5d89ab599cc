"""PostgreSQL, 15 and newer: :func:`lowered` says a compiled query as it is said there.

A query is walked from its FROM to its columns with the kind of every value known, as DuckDB would type it; each
operation is one entry of a table in one of these modules. What is in none of them is refused by its name.
"""

from ..base import Dialect
from .kinds import Kind
from .lowering import lowered
from .scope import PhysicalColumn
from .traits import Traits

__all__ = ["POSTGRES", "Kind", "PhysicalColumn", "Traits", "lowered"]

POSTGRES = Dialect("postgres", "PostgreSQL", floats_fail=True)
