"""Vega-Lite v5 specs without data, chosen by rules: what a result shows decides the mark, what the asker said decides
first.
"""

from .along_time import fitted, titled_below
from .attached import drawn, headed
from .choose import choose_chart
from .columns import ChartColumn, ChartRequest, escape_field
from .lines import wrapped
from .maps import map_of

__all__ = [
    "ChartColumn", "ChartRequest", "choose_chart", "drawn", "escape_field", "fitted", "headed", "map_of",
    "titled_below", "wrapped",
]  # fmt: skip
