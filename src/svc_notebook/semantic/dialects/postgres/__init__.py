"""PostgreSQL, 15 and newer: :func:`lowered` says a compiled query as it is said there.

How a query is walked is in :mod:`..walk`; each operation is one entry of a table there or in one of these modules. What
is in none of them is refused by its name.
"""

from ..walk.kinds import Kind
from ..walk.scope import PhysicalColumn
from .lowering import lowered
from .traits import Traits

__all__ = ["Kind", "PhysicalColumn", "Traits", "lowered"]
