"""``pyarrow.compute``, loaded when the first of its functions is asked for.

It writes three hundred functions with their documentation as it is imported, which few small answers need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["pc"]

if TYPE_CHECKING:
    import pyarrow.compute as pc
else:

    class _Functions:
        def __getattr__(self, name: str) -> Any:
            import pyarrow.compute

            found = getattr(pyarrow.compute, name)
            setattr(self, name, found)
            return found

    pc = _Functions()
