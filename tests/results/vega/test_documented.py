"""The tables of ``docs/charts.md`` are those of the code: what comes through by kind, and what is left out with its reason."""

from __future__ import annotations

import collections
from pathlib import Path

from svc_notebook.results.vega import exclusions

from .specs import SPECS

PAGE = Path(__file__).parents[3] / "docs" / "charts.md"


def what_comes_through() -> str:
    """Kinds of features with the number of specifications that are drawn equal to a standard renderer."""
    counted = collections.Counter(name.split(":")[0] for name in SPECS)
    rows = [f"| {kind} | {count} |" for kind, count in counted.items()]
    return "\n".join(["| feature | specifications |", "|---|---|", *rows, f"| all | {len(SPECS)} |"])


def what_is_left_out() -> str:
    """Every exclusion with its reason."""
    named = exclusions.EXCLUDED_KEYS | exclusions.EXCLUDED_DEFINITIONS | exclusions.EXCLUDED_VALUES
    rows = [
        f"| `{name.removeprefix('*.')}` | {why.removeprefix('left out').lstrip(':; ')} |" for name, why in named.items()
    ]
    return "\n".join(["| left out | because |", "|---|---|", *rows])


def test_the_page_shows_both_tables() -> None:
    page = PAGE.read_text(encoding="utf8")
    for table in (what_comes_through(), what_is_left_out()):
        assert table in page, f"put this into docs/charts.md:\n{table}"
