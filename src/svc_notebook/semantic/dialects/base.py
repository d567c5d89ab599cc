"""What the compiler has to know of the engine it writes for.

The compiler writes one language: DuckDB's, of which it uses a closed set of operations. A dialect whose engine speaks
another one declares how each of them is said there, with the kinds of its values known; what it does not declare is
refused by name before anything runs.
"""

from __future__ import annotations

from msgspec import Struct

__all__ = ["Dialect"]


class Dialect(Struct, frozen=True):
    """An engine's language.

    Attributes
    ----------
    name
        sqlglot's name of it.
    shown
        Its name in a sentence.
    floats_fail
        Whether floating-point arithmetic may end in an error (an overflow that is infinity elsewhere), so that it must
        not be tried on rows that a policy hides.
    """

    name: str
    shown: str
    floats_fail: bool
