"""What an asker can learn is the same as if the hidden rows and members did not exist.

Generated queries are asked of the full data under a policy and of plain tables that hold only the permitted rows:
equal rows, equal schema, equal error class and words. ``python -m tests.soundness.long_run`` asks more of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .coverage import coverage, json_coverage
from .pairs import Pair, open_pairs, run, run_json
from .worlds import build_full

pytestmark = pytest.mark.slow
SHORT = 600


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Pair]]:
    folder: Path = tmp_path_factory.mktemp("worlds")
    with open_pairs(build_full(folder / "full.duckdb"), folder) as opened:
        yield opened


def test_generated_queries_see_nothing_of_hidden_rows(pairs: list[Pair]) -> None:
    tally = run(pairs, range(SHORT))
    print(tally.asked, "asked,", tally.answered, "answered,", dict(tally.errors))
    assert not tally.failures, "\n".join(tally.failures)
    assert tally.errors["QueryTimeout"] <= 0.02 * tally.asked
    # A layer that refuses everything would pass the line above; most of what is generated is ordinary SQL.
    assert tally.answered > 0.75 * tally.asked, dict(tally.errors)


def test_what_the_engines_optimiser_fails_on_is_computed_without_it(pairs: list[Pair]) -> None:
    """DuckDB 2.0 loses a column where a list that is empty for certain meets a column of a joined subquery."""
    sql = (
        "SELECT median(desk.calls - desk.tickets_minutes) AS c1, sum(abs(desk.customer_id)) FILTER (WHERE desk.calls "
        "NOT IN (SELECT round(s.qty) FROM orders s WHERE s.created_at < s.created_at)) AS c2 FROM desk "
        "WHERE (desk.tickets_ticket_id % desk.tickets_minutes, desk.tier) <> (0, 'NA')"
    )
    assert [pair.differ(sql) for pair in pairs] == [(None, "")] * len(pairs)


def test_damaged_queries_end_in_documented_errors_and_tell_nothing(pairs: list[Pair]) -> None:
    tally = run(pairs, range(300), depth=1, broken=True)
    print(tally.asked, "asked,", tally.answered, "answered,", dict(tally.errors))
    assert not tally.failures, "\n".join(tally.failures)


def test_generated_json_queries_see_nothing_of_hidden_rows(pairs: list[Pair]) -> None:
    tally = run_json(pairs, range(200))
    print(tally.asked, "asked,", tally.answered, "answered,", dict(tally.errors))
    assert not tally.failures, "\n".join(tally.failures)
    assert tally.answered > 0.6 * tally.asked, dict(tally.errors)


def test_every_shape_of_query_is_generated() -> None:
    assert not [name for name, times in coverage(range(SHORT * 2)).items() if not times]
    assert not [name for name, times in json_coverage(range(400)).items() if not times]
