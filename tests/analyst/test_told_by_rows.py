"""What readings are told apart by is the same whatever order an engine gives its groups in."""

from __future__ import annotations

import pytest
import worlds

from svc_notebook.analyst.offline.asking import given

GROUPS = 'SELECT "tail_number", MEASURE("count") AS "n" FROM "flights" GROUP BY 1'
ROWS = 'SELECT "tail_number", "origin", "cancelled", "scheduled_departure" FROM "flights" WHERE "airline" = \'Delta Air Lines Inc.\''


@pytest.mark.parametrize("sql", [GROUPS, ROWS])
def test_rows_in_any_order_are_the_same(sql: str) -> None:
    toolbox = worlds.flights().toolbox()
    found = {given(toolbox, f"{sql}{order}") for order in ("", " ORDER BY 1", " ORDER BY 1 DESC", " ORDER BY 2")}
    assert len(found) == 1


def test_other_rows_are_not_the_same() -> None:
    toolbox = worlds.flights().toolbox()
    assert given(toolbox, GROUPS) != given(toolbox, GROUPS.replace('"count"', '"flown_count"'))
