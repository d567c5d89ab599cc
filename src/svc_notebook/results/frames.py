"""Result rows as a typed DataFrame.

``Int64``, ``Float64`` and ``boolean`` with ``NA`` for null, ``string``, ``datetime64[us]`` for timestamps and dates,
exact ``decimal128`` for decimals (pandas' Arrow type: as exact as Python's ``Decimal`` objects, thirty times cheaper to
build, and it adds up), objects for what is not known.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from .rows import Rows, Values

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ResultWarning", "TruncatedResult", "to_frame"]


class ResultWarning(UserWarning):
    """A column did not keep to its declared type."""


class TruncatedResult(UserWarning):
    """Not all rows are here."""


def to_frame(rows: Rows, attrs: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """A DataFrame of ``rows``; ``attrs`` (plain JSON values) go to ``df.attrs``.

    Warns
    -----
    ResultWarning
        For each column that did not keep to its declared type.
    """
    import pandas as pd

    series = [_series(values) for values in rows.columns]
    # By number at first: a result may have two columns of one name, which a dict cannot.
    frame = pd.DataFrame(dict(enumerate(series)), index=pd.RangeIndex(len(rows)), copy=False)
    frame.columns = pd.Index(rows.names, dtype="str")
    frame.attrs.update(attrs or {})
    for problem in rows.problems:
        warnings.warn(problem, ResultWarning, stacklevel=3)
    return frame


def _series(values: Values) -> Any:
    import pandas as pd

    if isinstance(values, list):
        return pd.Series(values, dtype=object)
    kind = values.type
    if pa.types.is_dictionary(kind):
        return _series(values.cast(kind.value_type))
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return _instants(values)
    dtype = _pandas_type(kind)
    if dtype is None:
        return values.to_pandas()
    # pandas' own way in for a type that can be missing; by to_pandas() a column of integers with a NULL becomes floats.
    return pd.Series(dtype.__from_arrow__(values), copy=False)


def _instants(values: pa.ChunkedArray) -> Any:
    if pa.types.is_date(values.type) or values.type.tz is None:
        try:
            values = values.cast(pa.timestamp("us"))
        except pa.ArrowInvalid:  # nanoseconds that microseconds would cut off
            pass
    return values.to_pandas()


def _pandas_type(kind: pa.DataType) -> Any:
    import pandas as pd

    if pa.types.is_integer(kind):
        return pd.UInt64Dtype() if pa.types.is_uint64(kind) else pd.Int64Dtype()
    if pa.types.is_floating(kind):
        return pd.Float64Dtype()
    if pa.types.is_boolean(kind):
        return pd.BooleanDtype()
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return pd.StringDtype("pyarrow")
    return pd.ArrowDtype(kind) if pa.types.is_decimal(kind) else None
