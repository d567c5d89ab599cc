"""Kinds told by which rows they have: only such, both kinds of them, these but not those, all there are, none."""

from __future__ import annotations

import pytest
import worlds
from asking import ask
from test_demo_questions import plain, same

BY_ORIGIN = "SELECT destination FROM flights GROUP BY 1 HAVING"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("Which destinations are served only from JFK?", f"{BY_ORIGIN} min(origin) = 'JFK' AND max(origin) = 'JFK'"),
        ("destinations that are only reached from EWR", f"{BY_ORIGIN} min(origin) = 'EWR' AND max(origin) = 'EWR'"),
        ("which carriers fly only from LGA", "SELECT carrier FROM flights GROUP BY 1 HAVING min(origin) = 'LGA' AND max(origin) = 'LGA'"),
        ("destinations only served by one airline", f"{BY_ORIGIN} count(DISTINCT carrier) = 1"),
        ("routes flown by just one carrier", "SELECT origin || '–' || destination FROM flights GROUP BY 1 HAVING count(DISTINCT carrier) = 1"),
        (
            "which destinations do both UA and DL serve from EWR",
            f"{BY_ORIGIN} count(*) FILTER (carrier = 'UA' AND origin = 'EWR') > 0 AND count(*) FILTER (carrier = 'DL' AND origin = 'EWR') > 0",
        ),
        ("carriers that fly to both BOS and MIA", "SELECT carrier FROM flights WHERE destination IN ('BOS', 'MIA') GROUP BY 1 HAVING count(DISTINCT destination) = 2"),
        (
            "destinations from JFK but not from LGA or EWR",
            f"{BY_ORIGIN} count(*) FILTER (origin = 'JFK') > 0 AND count(*) FILTER (origin IN ('LGA', 'EWR')) = 0",
        ),
        (
            "which airlines fly from JFK but not from EWR",
            "SELECT a.name FROM flights JOIN airlines a USING (carrier) GROUP BY 1 HAVING count(*) FILTER (origin = 'JFK') > 0 AND count(*) FILTER (origin = 'EWR') = 0",
        ),
        ("which airlines fly from all three airports", "SELECT a.name FROM flights JOIN airlines a USING (carrier) GROUP BY 1 HAVING count(DISTINCT origin) = 3"),
        ("carriers that serve all origins", "SELECT carrier FROM flights GROUP BY 1 HAVING count(DISTINCT origin) = 3"),
        (
            "airlines w/o any cancelled flight in july",
            "SELECT a.name FROM flights JOIN airlines a USING (carrier) WHERE month(scheduled_departure) = 7 GROUP BY 1 HAVING count(*) FILTER (departure_delay IS NULL) = 0",
        ),
        ("which carriers had no cancelled flights", "SELECT carrier FROM flights GROUP BY 1 HAVING count(*) FILTER (departure_delay IS NULL) = 0"),
        ("destinations without delayed flights", f"{BY_ORIGIN} count(*) FILTER (departure_delay > 15) = 0"),
    ],
)  # fmt: skip
def test_kinds_are_told_by_which_rows_they_have(question: str, sql: str) -> None:
    assert same(ask(worlds.flights(), question).rows(), plain(sql))
