"""Members: hidden ones do not exist, masked ones show their mask and nothing else, overlapping policies follow the members."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError, UnknownMember
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .compare import ask_json

PEOPLE = pa.table(
    {
        "id": [1, 2, 3, 4],
        "name": ["Ada", "Bo", "Cy", "Di"],
        "mail": ["CANARY_1", "CANARY_2", "CANARY_3", "CANARY_4"],
        "pay": [987654, 987655, 987656, 987657],
        "team": ["red", "red", "blue", "blue"],
    }
)
STAFF = SecurityContext(user="s", groups=frozenset({"staff"}))
BOSS = SecurityContext(user="b", groups=frozenset({"boss"}))
BOTH = SecurityContext(user="sb", groups=frozenset({"staff", "boss"}))
NOBODY = SecurityContext(user="n")


def cube(policy: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": "people",
        "sql_table": "people",
        "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
            {"name": "name", "sql": "name", "type": "string"},
            {"name": "mail", "sql": "mail", "type": "string", "mask": "***"},
            {"name": "pay", "sql": "pay", "type": "number", "mask": -1},
            {"name": "team", "sql": "team", "type": "string"},
            {"name": "secret", "sql": "mail", "type": "string", "public": False},
        ],
        "measures": [
            {"name": "count", "type": "count"},
            {"name": "total_pay", "type": "sum", "sql": "{pay}", "mask": 0},
            {"name": "average", "type": "number", "sql": "{total_pay} / NULLIF({count}, 0)"},
        ],
        "segments": [{"name": "rich", "sql": "{CUBE}.pay > 987655"}],
        "access_policy": policy,
    }


def open_layer(policy: list[dict[str, Any]]) -> SemanticLayer:
    return SemanticLayer(load_model({"cubes": [cube(policy)]}), DuckDBEngine.open(None, data={"people": PEOPLE}))


@pytest.fixture
def masked() -> Iterator[SemanticLayer]:
    layer = open_layer(
        [
            {
                "group": "staff",
                "member_level": {"includes": ["id", "name", "team", "count"]},
                "member_masking": {"includes": ["mail", "pay", "total_pay"]},
                "row_level": {"allow_all": True},
            },
            {"group": "boss", "member_level": {"includes": "*"}, "row_level": {"allow_all": True}},
        ]
    )
    yield layer
    layer.close()


def rows(layer: SemanticLayer, ctx: SecurityContext, sql: str) -> list[tuple[Any, ...]]:
    table = layer.query(ctx, sql).table
    return list(zip(*[column.to_pylist() for column in table.columns], strict=True))


def test_a_masked_member_shows_its_mask(masked: SemanticLayer) -> None:
    assert rows(masked, STAFF, "SELECT DISTINCT mail, pay FROM people") == [("***", -1)]
    assert rows(masked, BOSS, "SELECT max(mail), max(pay) FROM people") == [("CANARY_4", 987657)]


@pytest.mark.parametrize("sql", [
    "SELECT name, total_pay FROM people",
    "SELECT people.name, people.total_pay FROM people WHERE id > 0 ORDER BY people.total_pay DESC, id",
    "SELECT * FROM (SELECT name, total_pay FROM people) AS q",
    "SELECT q.* FROM (SELECT name, total_pay FROM people LIMIT 9) AS q",
    "WITH q AS (SELECT name, total_pay FROM people) SELECT * FROM q",
    "SELECT name, MEASURE(total_pay) FROM people GROUP BY name",
])  # fmt: skip
def test_a_masked_measure_shows_its_mask_over_single_rows_too(masked: SemanticLayer, sql: str) -> None:
    assert sorted(rows(masked, STAFF, sql)) == [("Ada", 0), ("Bo", 0), ("Cy", 0), ("Di", 0)]
    assert sorted(rows(masked, BOSS, sql))[0] == ("Ada", 987654)


@pytest.mark.parametrize("ungrouped", [False, True])
def test_a_masked_measure_shows_its_mask_in_json_queries(masked: SemanticLayer, ungrouped: bool) -> None:
    asked = {"dimensions": ["people.name"], "measures": ["people.total_pay"], "ungrouped": ungrouped}
    now = datetime(2024, 1, 1)  # noqa: DTZ001 - it has no dates
    found = ask_json(masked, STAFF, asked, now)
    assert sorted(found.rows) == [(0, "Ada", 0), (0, "Bo", 0), (0, "Cy", 0), (0, "Di", 0)]
    assert sorted(ask_json(masked, BOSS, asked, now).rows)[0] == (0, "Ada", 987654)


@pytest.mark.parametrize("sql", [
    "SELECT max(pay), min(mail) FROM people",
    "SELECT count(*) FROM people WHERE pay > 100000",
    "SELECT name FROM people WHERE mail LIKE 'CANARY%'",
    "SELECT name FROM people ORDER BY pay DESC, id LIMIT 1",
    "SELECT count(DISTINCT mail) FROM people",
    "SELECT pay, count(*) FROM people GROUP BY 1",
    "SELECT name, rank() OVER (ORDER BY pay) FROM people",
    "SELECT a.name FROM people a JOIN people b ON a.pay = b.pay + 1",
    "SELECT MEASURE(total_pay) FROM people",
    "SELECT team, MEASURE(total_pay) FROM people GROUP BY 1",
    "SELECT count(*) FROM people HAVING MEASURE(total_pay) > 100000",
    "WITH q AS (SELECT * FROM people) SELECT max(pay), max(mail) FROM q",
    "SELECT name FROM people WHERE pay = (SELECT max(pay) FROM people WHERE mail <> '***')",
    "SELECT MEASURE(average) FROM people",
    "SELECT count(*) FROM people WHERE rich",
    "SELECT CAST(mail AS INTEGER) FROM people",
    "SELECT id, total_pay FROM people",
    "SELECT * FROM (SELECT id, total_pay FROM people) q WHERE total_pay > 987655 ORDER BY total_pay",
    "WITH q AS (SELECT team, total_pay FROM people) SELECT team, sum(total_pay) FROM q GROUP BY 1",
])  # fmt: skip
def test_nothing_tells_what_a_mask_covers(masked: SemanticLayer, sql: str) -> None:
    """The same question over data whose covered columns hold something else gives the same answer."""
    other = PEOPLE.set_column(3, "pay", pa.array([5, 4, 3, 2])).set_column(2, "mail", pa.array(["w", "w", "y", "z"]))
    policy = [
        {
            "group": "staff",
            "member_level": {"includes": ["id", "name", "team", "count"]},
            "member_masking": {"includes": ["mail", "pay", "total_pay"]},
            "row_level": {"allow_all": True},
        }
    ]
    twin = SemanticLayer(load_model({"cubes": [cube(policy)]}), DuckDBEngine.open(None, data={"people": other}))
    try:
        assert outcome(masked, STAFF, sql) == outcome(twin, STAFF, sql)
    finally:
        twin.close()


def outcome(layer: SemanticLayer, ctx: SecurityContext, sql: str) -> Any:
    try:
        return sorted(rows(layer, ctx, sql), key=repr)
    except QueryError as problem:
        return type(problem).__name__, problem.message


def test_values_of_masked_and_hidden_members(masked: SemanticLayer) -> None:
    assert set(masked.values(STAFF, "people.mail")) <= {"***"}
    with pytest.raises(UnknownMember):
        masked.values(STAFF, "people.secret")
    assert masked.values(STAFF, "people.team") == ["blue", "red"] or set(masked.values(STAFF, "people.team")) == {
        "red",
        "blue",
    }


def test_a_calculated_measure_over_what_is_not_granted_is_not_granted_through_the_back_door() -> None:
    layer = open_layer(
        [{"group": "staff", "member_level": {"includes": ["name", "count"]}, "row_level": {"allow_all": True}}]
    )
    try:
        for sql in (
            "SELECT MEASURE(average) FROM people",
            "SELECT MEASURE(total_pay) FROM people",
            "SELECT pay FROM people",
        ):
            with pytest.raises(UnknownMember):
                layer.query(STAFF, sql)
        assert set(layer.catalog(STAFF).relations["people"].members) == {"name", "count"}
        assert (
            not layer.catalog(NOBODY).relations.get("people") or not layer.catalog(NOBODY).relations["people"].members
        )
    finally:
        layer.close()


def test_overlapping_policies_follow_the_members_asked_for() -> None:
    """Two policies: (a, b) on red rows, (b, c) on blue ones. (b) sees both; (a, b, c) together sees nothing."""
    red = {"filters": [{"member": "team", "operator": "equals", "values": ["red"]}]}
    blue = {"filters": [{"member": "team", "operator": "equals", "values": ["blue"]}]}
    layer = open_layer(
        [
            {"group": "staff", "member_level": {"includes": ["name", "team"]}, "row_level": red},
            {"group": "boss", "member_level": {"includes": ["team", "pay"]}, "row_level": blue},
        ]
    )
    try:
        assert sorted(rows(layer, BOTH, "SELECT name, team FROM people")) == [("Ada", "red"), ("Bo", "red")]
        assert sorted(rows(layer, BOTH, "SELECT pay, team FROM people")) == [(987656, "blue"), (987657, "blue")]
        assert sorted(rows(layer, BOTH, "SELECT team FROM people")) == [("blue",), ("blue",), ("red",), ("red",)]
        assert rows(layer, BOTH, "SELECT name, team, pay FROM people") == []
        assert rows(layer, STAFF, "SELECT DISTINCT team FROM people") == [("red",)]
        # The two halves of a query do not add up to what neither policy grants.
        joined = "SELECT a.name, b.pay FROM (SELECT team, name FROM people) a JOIN (SELECT team, pay FROM people) b USING (team)"
        assert rows(layer, BOTH, joined) == []
    finally:
        layer.close()


def test_no_policy_for_ones_groups_means_no_access(masked: SemanticLayer) -> None:
    for sql in ("SELECT * FROM people", "SELECT count(*) FROM people", "SELECT name FROM people"):
        assert (
            outcome(masked, NOBODY, sql) == []
            or outcome(masked, NOBODY, sql)[0] == "UnknownMember"
            or outcome(masked, NOBODY, sql) in ([(0,)],)
        )


QUESTIONS_ABOUT_PAY = [
    "SELECT max(pay), min(pay), sum(pay), count(DISTINCT pay) FROM people",
    "SELECT name, pay, mail FROM people",
    "SELECT name FROM people WHERE pay > 900000",
    "SELECT name FROM people WHERE CAST(mail AS INTEGER) > 0 OR mail LIKE '%3'",
    "SELECT name FROM people ORDER BY pay DESC, id LIMIT 2",
    "SELECT pay, count(*) FROM people GROUP BY 1",
    "SELECT team, MEASURE(total_pay) FROM people GROUP BY 1",
    "SELECT MEASURE(total_pay), MEASURE(average) FROM people",
    "SELECT team FROM people GROUP BY 1 HAVING MEASURE(total_pay) > 1",
    "SELECT name, rank() OVER (ORDER BY pay) FROM people",
    "SELECT a.name, b.name FROM people a JOIN people b ON a.pay < b.pay",
    "SELECT name FROM people WHERE pay IN (SELECT pay FROM people WHERE team = 'blue')",
    "SELECT name FROM people p WHERE EXISTS (SELECT 1 FROM people q WHERE q.pay > p.pay AND q.team = 'blue')",
    "SELECT count(*) FROM people WHERE rich",
    "SELECT team, MEASURE(count) FROM people WHERE pay <> -1 GROUP BY 1",
]


@pytest.mark.parametrize("sql", QUESTIONS_ABOUT_PAY)
@pytest.mark.parametrize(
    "members", [["id", "name", "team", "count"], ["id", "name", "team", "count", "average"]], ids=len
)
def test_a_member_open_on_some_rows_and_masked_on_others(sql: str, members: list[str]) -> None:
    """Staff see blue rows with pay masked, bosses red rows in full; who is both learns nothing of pay on blue rows."""
    policy = [
        {
            "group": "staff",
            "member_level": {"includes": members},
            "member_masking": {"includes": ["mail", "pay", "total_pay"]},
            "row_level": {"filters": [{"member": "team", "operator": "equals", "values": ["blue"]}]},
        },
        {
            "group": "boss",
            "member_level": {"includes": "*"},
            "row_level": {"filters": [{"member": "team", "operator": "equals", "values": ["red"]}]},
        },
    ]
    other = PEOPLE.set_column(3, "pay", pa.array([987654, 987655, 3, 2]))
    other = other.set_column(2, "mail", pa.array(["CANARY_1", "CANARY_2", "y", "x"]))
    outcomes = []
    for data in (PEOPLE, other):
        layer = SemanticLayer(load_model({"cubes": [cube(policy)]}), DuckDBEngine.open(None, data={"people": data}))
        try:
            outcomes.append(outcome(layer, BOTH, sql))
        finally:
            layer.close()
    if "average" in members and "average" in sql:
        return  # granted in full by its author on both rows: an average of what is masked is what was granted
    assert outcomes[0] == outcomes[1]


def test_cubes_behind_a_policed_view_are_out_of_reach() -> None:
    """A view with a policy over a private cube without one: no name, path, join or search leads past the view."""
    private = {**cube([]), "public": False}
    del private["access_policy"]
    red = {"filters": [{"member": "team", "operator": "equals", "values": ["red"]}]}
    view = {
        "name": "team",
        "cubes": [{"join_path": "people", "includes": ["name", "team", "count"]}],
        "access_policy": [{"group": "*", "row_level": red}],
    }
    layer = SemanticLayer(
        load_model({"cubes": [private], "views": [view]}), DuckDBEngine.open(None, data={"people": PEOPLE})
    )
    try:
        assert rows(layer, NOBODY, "SELECT MEASURE(count) FROM team") == [(2,)]
        for sql in (
            "SELECT count(*) FROM people", "SELECT people.name FROM team", "SELECT team.people.name FROM team",
            "SELECT MEASURE(people.count) FROM team", "SELECT count(*) FROM team CROSS JOIN people",
            "SELECT count(*) FROM team t JOIN people p ON TRUE", "SELECT pay FROM team", "SELECT team.mail FROM team",
            "SELECT t.name FROM team t ORDER BY people.pay", "SELECT count(*) FROM memory.main.people",
        ):  # fmt: skip
            with pytest.raises(QueryError):
                layer.query(NOBODY, sql)
        with pytest.raises(UnknownMember):
            layer.values(NOBODY, "people.name")
        assert list(layer.catalog(NOBODY).relations) == ["team"]
        assert {relation.name for relation, _ in layer.search(NOBODY, "people pay mail")} <= {"team"}
    finally:
        layer.close()


@pytest.mark.parametrize("public", [True, False])
def test_a_view_without_a_policy_masks_what_its_cube_masks(public: bool) -> None:
    def member(name: str, kind: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "sql": f"{{CUBE}}.{name}", "type": kind, **more}

    people = {
        "name": "people", "sql_table": "people", "public": public,
        "access_policy": [
            {"group": "*", "member_level": {"includes": ["id"]}, "member_masking": {"includes": "*"}},
            {"group": "staff", "member_level": {"includes": "*"}},
        ],
        "dimensions": [member("id", "number", primary_key=True, public=True), member("mail", "string", mask="***")],
        "measures": [member("pay", "sum")],
    }  # fmt: skip
    view = {"name": "v", "cubes": [{"join_path": "people", "includes": "*", "alias": "p", "prefix": True}]}
    model = load_model({"cubes": [people], "views": [view]})
    assert any("p_mail, p_pay" in str(told) and "masks" in str(told) for told in model.warnings)
    layer = SemanticLayer(
        model, DuckDBEngine.open(None, data={"people": {"id": [1, 2], "mail": ["a@x", "b@x"], "pay": [3, 4]}})
    )
    anybody, staff = SecurityContext(user="ana"), SecurityContext(user="bo", groups=frozenset({"staff"}))
    asked = "SELECT p_id, p_mail, MEASURE(p_pay) FROM v GROUP BY 1, 2 ORDER BY 1"
    assert rows(layer, anybody, asked) == [(1, "***", None), (2, "***", None)]
    assert rows(layer, anybody, "SELECT count(*) FROM v WHERE p_mail LIKE 'a%'") == [(0,)]
    assert rows(layer, anybody, "SELECT p_id FROM v GROUP BY 1 HAVING MEASURE(p_pay) > 3") == []
    assert rows(layer, staff, asked) == [(1, "a@x", 3), (2, "b@x", 4)]
    layer.close()
