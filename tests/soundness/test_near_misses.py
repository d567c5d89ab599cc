"""What is hidden is never the near miss of a misspelt name: each refusal is that of a model in which it was never written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .compare import Outcome, ask, ask_json

STAFF = SecurityContext(user="s", groups=frozenset({"staff"}))
BOSS = SecurityContext(user="b", groups=frozenset({"boss"}))
NOW = datetime(2024, 6, 1)  # noqa: DTZ001 - the time of the query's zone
DATA = {
    "visits": pa.table({
        "id": [1, 2], "city": ["Ulm", "Bonn"], "fee": [1.0, 2.0], "came_on": [NOW, NOW], "settled_on": [NOW, NOW],
    }),
    "payroll": pa.table({"id": [1, 2], "wage": [1.0, 2.0]}),
}  # fmt: skip
BOSSES: list[dict[str, Any]] = [{"group": "boss", "row_level": {"allow_all": True}}]
KEY = {"name": "id", "sql": "id", "type": "number", "primary_key": True}


def members(*, hidden: bool) -> dict[str, Any]:
    """The visits' members, with or without those that only a boss sees."""
    dimensions: list[dict[str, Any]] = [
        KEY,
        {"name": "city", "sql": "city", "type": "string"},
        {"name": "came_on", "sql": "came_on", "type": "time",
         "granularities": [{"name": "fortnight", "interval": "2 weeks", "origin": "2024-01-01"}]},
    ]  # fmt: skip
    measures = [{"name": "count", "type": "count"}]
    segments = [{"name": "southern", "sql": "{CUBE}.city = 'Ulm'"}]
    if hidden:
        dimensions += [
            {"name": "diagnosis", "sql": "city", "type": "string"},
            {"name": "settled_on", "sql": "settled_on", "type": "time",
             "granularities": [{"name": "billing_cycle", "interval": "4 weeks", "origin": "2024-01-01"}]},
        ]  # fmt: skip
        measures.append({"name": "total_honorarium", "type": "sum", "sql": "fee"})
        segments.append({"name": "insolvent", "sql": "{CUBE}.fee > 1"})
    return {"dimensions": dimensions, "measures": measures, "segments": segments}


def model(*, hidden: bool) -> dict[str, Any]:
    visits: dict[str, Any] = {"name": "visits", "sql_table": "visits", **members(hidden=hidden)}
    views: list[dict[str, Any]] = [{"name": "trips", "cubes": [{"join_path": "visits", "includes": ["city", "count"]}]}]
    if not hidden:
        return {"cubes": [visits], "views": views}
    secret = ["diagnosis", "settled_on", "total_honorarium", "insolvent"]
    staff = {"group": "staff", "member_level": {"includes": "*", "excludes": secret}, "row_level": {"allow_all": True}}
    visits["access_policy"] = [staff, *BOSSES]
    views[0]["cubes"][0]["includes"] += ["diagnosis", "total_honorarium"]
    narrow = {"group": "staff", "member_level": {"includes": ["city", "count"]}, "row_level": {"allow_all": True}}
    views[0]["access_policy"] = [narrow, *BOSSES]
    views.append(
        {"name": "redundancies", "cubes": [{"join_path": "payroll", "includes": "*"}], "access_policy": BOSSES}
    )
    wage = {"name": "wage", "sql": "wage", "type": "number"}
    payroll = {"name": "payroll", "sql_table": "payroll", "dimensions": [KEY, wage], "access_policy": BOSSES}
    closed = {"name": "blackmail", "sql_table": "payroll", "public": False, "dimensions": [KEY, wage]}
    return {"cubes": [visits, payroll, closed], "views": views}


@pytest.fixture(scope="module")
def worlds() -> Iterator[tuple[SemanticLayer, SemanticLayer]]:
    """A model that hides, and one in which what is hidden was never written."""
    layers = [SemanticLayer(load_model(model(hidden=h)), DuckDBEngine.open(None, data=DATA)) for h in (True, False)]
    yield layers[0], layers[1]
    for layer in layers:
        layer.close()


HIDDEN = ("payroll", "blackmail", "redundancies", "diagnosis", "settled_on", "total_honorarium", "insolvent", "billing_cycle")  # fmt: skip
RELATIONS = ("payrol", "payrolls", "pay", "PAYROL", "blackmial", "redundancy", "redundancis")
MEMBERS = ("diagnosi", "diagnose", "setled_on", "total_honorarum", "honorarium", "insolvnt", "insolvents")
FORMS_OF_RELATIONS = (
    "SELECT COUNT(*) FROM {}",
    "SELECT * FROM visits v JOIN {} p ON p.id = v.id",
    "SELECT city FROM visits WHERE EXISTS (SELECT 1 FROM {})",
    "WITH q AS (SELECT * FROM {}) SELECT * FROM q",
    "SELECT {}.wage FROM visits",
)
FORMS_OF_MEMBERS = (
    "SELECT {} FROM visits",
    "SELECT {} FROM trips",
    "SELECT visits.{} FROM visits",
    "SELECT MEASURE({}) FROM visits",
    "SELECT city FROM visits WHERE {}",
    "SELECT city, COUNT(*) FROM visits GROUP BY {}",
    "SELECT city FROM visits ORDER BY {}",
    "SELECT {} FROM (SELECT * FROM visits) AS q",
    "SELECT city FROM visits WHERE city IN (SELECT {} FROM trips)",
    "SELECT date_trunc('month', {}) FROM visits",
)
GRAINS = ("billing_cycl", "biling_cycle", "billing", "cycle")


def json_queries(path: str) -> list[dict[str, Any]]:
    """A name in each place where a JSON query takes one."""
    plain: dict[str, Any] = {"dimensions": ["visits.city"]}
    return [
        {"dimensions": [path]},
        {"measures": [path]},
        {**plain, "segments": [path]},
        {**plain, "filters": [{"member": path, "operator": "set"}]},
        {**plain, "filters": [{"or": [{"member": path, "operator": "equals", "values": ["1"]}]}]},
        {**plain, "order": {path: "asc"}},
        {"timeDimensions": [{"dimension": path, "granularity": "month"}]},
        {"dimensions": [f"{path}.month"]},
    ]


def refusals(layer: SemanticLayer, ctx: SecurityContext) -> dict[str, Outcome]:
    """The outcome of every query that misses a hidden name, or hits it."""
    statements = [form.format(name) for name in (*RELATIONS, *HIDDEN[:3]) for form in FORMS_OF_RELATIONS]
    statements += [form.format(name) for name in (*MEMBERS, *HIDDEN[3:7]) for form in FORMS_OF_MEMBERS]
    statements += [f"SELECT date_trunc('{grain}', came_on) FROM visits" for grain in (*GRAINS, HIDDEN[7])]
    found = {statement: ask(layer, ctx, statement) for statement in statements}
    paths = [f"visits.{name}" for name in (*MEMBERS, *HIDDEN[3:7])] + [f"trips.{name}" for name in MEMBERS]
    paths += [f"{name}.wage" for name in (*RELATIONS, *HIDDEN[:3])] + ["payroll.wages", "payroll", "wage"]
    asked = [query for path in paths for query in json_queries(path)]
    for grain in (*GRAINS, HIDDEN[7]):
        asked.append({"timeDimensions": [{"dimension": "visits.came_on", "granularity": grain}]})
        asked.append({"dimensions": [f"visits.came_on.{grain}"]})
    return found | {repr(query): ask_json(layer, ctx, query, NOW) for query in asked}


def test_refusals_are_those_of_a_model_without_what_is_hidden(worlds: tuple[SemanticLayer, SemanticLayer]) -> None:
    found, other = refusals(worlds[0], STAFF), refusals(worlds[1], STAFF)
    assert [asked for asked in found if found[asked] != other[asked]] == []
    for asked, outcome in found.items():
        assert outcome.error, asked
        said = [
            word for word in HIDDEN if word not in asked.lower() and word in f"{outcome.message} {outcome.suggestions}"
        ]
        assert not said, (asked, outcome)


@pytest.mark.parametrize("name", HIDDEN)
def test_they_are_near_misses_for_whoever_sees_them(name: str, worlds: tuple[SemanticLayer, SemanticLayer]) -> None:
    """The names above are near enough: somebody is told each of them (nobody, of what is not public)."""
    told = [o.suggestions for o in refusals(worlds[0], BOSS).values()]
    if name == "billing_cycle":
        assert all(
            f"Did you mean '{name}'"
            in ask(worlds[0], BOSS, f"SELECT date_trunc('{g}', settled_on) FROM visits").message
            for g in GRAINS
        )
        return
    if name == "blackmail":
        assert not any(name in names for names in told)
        return
    assert any(name in names or f"visits.{name}" in names for names in told)


def test_suggestions_are_given_of_what_is_seen(worlds: tuple[SemanticLayer, SemanticLayer]) -> None:
    assert ask(worlds[0], STAFF, "SELECT COUNT(*) FROM vists").suggestions == ("visits",)
    assert "southern" in ask(worlds[0], STAFF, "SELECT city FROM visits WHERE southren").suggestions
    assert "'fortnight'" in ask(worlds[0], STAFF, "SELECT date_trunc('fortnigt', came_on) FROM visits").message
