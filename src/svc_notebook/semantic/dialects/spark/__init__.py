"""Apache Spark, 4.0 and newer: :func:`lowered` says a compiled query as Spark SQL says it, with ANSI mode on.

How a query is walked is in :mod:`..walk`; each operation is one entry of a table there or in one of these modules. What
is in none of them is refused by its name.
"""

from ..walk.kinds import Kind
from ..walk.scope import PhysicalColumn
from .lowering import lowered
from .names import Traits

__all__ = ["Kind", "PhysicalColumn", "Traits", "lowered"]
