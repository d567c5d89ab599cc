"""A result is computed once, and given to nobody who could not have asked for it."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import svc_notebook as svc
from svc_notebook.embedded import EmbeddedClient
from svc_notebook.lanes import Lane
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import QueryResult, SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.results.kept import KeptKey, KeptResults, is_steady

from ..generations.files import write

MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: region, sql: region, type: string}
      - {name: kind, sql: kind, type: string}
    measures: [{name: number, type: count}]
    access_policy:
      - group: "*"
        row_level:
          filters: [{member: region, operator: equals, values: ["{ userAttributes.region }"]}]
"""
SQL = "SELECT id, region FROM orders ORDER BY id"


def orders(first: int = 0) -> pa.Table:
    numbers = range(first, first + 600)
    return pa.table(
        {
            "id": list(numbers),
            "region": [("north", "south", "east")[n % 3] for n in numbers],
            "kind": ["new" if n % 2 else "old" for n in numbers],
        }
    )


class Counting:
    """How many queries the engines of a service really ran."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ran: list[str] = []
        run = DuckDBEngine._run

        def counted(engine: Any, sql: str, *others: Any) -> Any:
            self.ran.append(sql)
            return run(engine, sql, *others)

        monkeypatch.setattr(DuckDBEngine, "_run", counted)

    def of(self, words: str) -> int:
        return sum(words in sql for sql in self.ran)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Counting:
    return Counting(monkeypatch)


@pytest.fixture
def client(tmp_path: Path, ran: Counting) -> Iterator[EmbeddedClient]:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "orders.yml").write_text(MODEL)
    write(tmp_path / "orders.csv", orders())
    data = {"orders": tmp_path / "orders.csv"}
    with svc.embedded(tmp_path / "model", data=data, analyst=_Lists(), config={"reload_interval": 0}) as client:
        ran.ran.clear()
        yield client


class _Lists:
    """Answers with all orders."""

    name = "lists"

    async def answer(self, turn: Any, toolbox: Any, cancel: Any) -> Any:
        from svc_notebook.analyst.base import AnswerDone, ToolFinished, ToolStarted
        from svc_notebook.protocol.tools import SQL_TOOL, SqlInput, dump

        request = SqlInput(sql_query=SQL)
        yield ToolStarted("call", SQL_TOOL, dump(request))
        yield ToolFinished("call", SQL_TOOL, dump(request), dump(await toolbox.sql_api(request)))
        yield AnswerDone("Here they are.")

    async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
        return []


def named(who: str, region: str) -> dict[str, Any]:
    return {"external_id": who, "user_attributes": {"region": [region]}}


def test_loading_repeating_and_exporting_an_answer_runs_one_query(client: EmbeddedClient, ran: Counting) -> None:
    answer = client.chat(**named("ana", "north")).ask("all orders")
    assert (len(answer.result), answer.result.total_rows, answer.result.kept) == (100, 200, False)
    assert len(answer.result.load_all()) == 200
    again = client.chat(**named("ana", "north")).ask("all orders")
    assert again.result.kept and again.result.total_rows == 200
    assert again.result.to_arrow().num_rows == 200
    assert client.query(SQL, **named("ana", "north")).kept
    assert len(ran.ran) == 1


def test_nobody_gets_what_they_could_not_have_asked_for(client: EmbeddedClient, ran: Counting) -> None:
    """Every asker, and every asker with the uuid of another's result, gets the rows of their own rights."""
    people = {"ana": "north", "bob": "south", "cy": "east", "dee": "north"}
    results = {who: client.chat(**named(who, region)).ask("all orders").result for who, region in people.items()}
    assert results["dee"].kept and not results["bob"].kept  # the same rights, the same rows
    calls = client._calls
    for (who, region), stolen in itertools.product(people.items(), results.values()):
        user = client._data_user(named(who, region))
        loaded = client.portal.run(calls.sql(user, SQL, stolen.uuid))
        assert set(loaded.rows.columns[1].to_pylist()) == {region}
    operator = client.query(SQL)
    assert operator.total_rows == 600 and not operator.kept
    nobody = client.portal.run(calls.sql(client._data_user({"external_id": "eve"}), SQL, results["ana"].uuid))
    assert len(nobody.rows) == 0
    assert ran.of("orders") <= len(set(people.values())) + 2


def test_rights_that_are_taken_away_are_gone_from_what_was_kept(client: EmbeddedClient) -> None:
    result = client.chat(**named("ana", "north"), is_ephemeral=False).ask("all orders").result
    client.generate_session(deployment_id=1, external_id="ana", user_attributes={"region": ["south"]})
    loaded = client.portal.run(client._calls.sql(client._data_user({"external_id": "ana"}), SQL, result.uuid))
    assert set(loaded.rows.columns[1].to_pylist()) == {"south"}


def test_another_generation_is_asked_anew_and_an_answer_keeps_its_own_rows(
    client: EmbeddedClient, tmp_path: Path
) -> None:
    old = client.chat(**named("ana", "north")).ask("all orders").result
    write(tmp_path / "orders.csv", orders(10_000))
    client.reload()
    new = client.query(SQL, **named("ana", "north"))
    assert not new.kept and min(row[0] for row in new.rows) >= 10_000
    assert max(old.load_all()["id"]) < 10_000  # the rows the answer is about


def test_a_stricter_model_is_not_got_around_by_what_was_kept(client: EmbeddedClient, tmp_path: Path) -> None:
    old = client.chat(**named("ana", "north")).ask("all orders").result
    policy = 'values: ["{ userAttributes.region }"]}'
    stricter = MODEL.replace(policy, f"{policy}, {{member: kind, operator: equals, values: [new]}}")
    (tmp_path / "model" / "orders.yml").write_text(stricter)
    client.reload()
    assert len(old.load_all()) == 100


def test_accounts_and_deployments_share_nothing() -> None:
    """Two layers over one store of kept results, one model and one asker: what differs is the place alone."""
    kept, ctx = KeptResults(), SecurityContext.operator()
    column = {"name": "x", "sql": "x", "type": "string"}
    model = load_model({"cubes": [{"name": "t", "sql_table": "t", "dimensions": [column]}]})
    engines = [DuckDBEngine.open(data={"t": pa.table({"x": [word]})}) for word in ("mine", "yours")]
    mine, yours = (
        SemanticLayer(model, engine, kept=kept, place=place) for engine, place in zip(engines, "ab", strict=True)
    )
    try:
        result = mine.query(ctx, "SELECT x FROM t")
        mine.remember("u", result)
        assert mine.query(ctx, "SELECT x FROM t", uuid="u").kept
        assert yours.query(ctx, "SELECT x FROM t", uuid="u").table.to_pydict() == {"x": ["yours"]}
    finally:
        for engine in engines:
            engine.close()


def test_what_depends_on_the_moment_is_asked_again() -> None:
    assert is_steady('SELECT "a" FROM t') and not is_steady("SELECT now()")
    assert not is_steady("SELECT timezone($1, now())") and not is_steady("SELECT current_date")


def result_of(size: int) -> QueryResult:
    return QueryResult(pa.table({"n": list(range(size))}), (), "SELECT", "SELECT", (), (), 0.0)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4000)), max_size=40), st.integers(0, 40_000))
def test_bytes_are_bounded_and_what_is_found_is_what_was_put(puts: list[tuple[int, int]], memory: int) -> None:
    kept, disk = KeptResults(memory, 60_000), 60_000
    said: dict[int, int] = {}
    for number, size in puts:
        kept.put(KeptKey("data", number), result_of(size))
        said[number] = size
        assert kept.used[0] <= memory and kept.used[1] <= disk
        for each, wanted in said.items():
            found = kept.find(KeptKey("data", each))
            assert found is None or found.table.equals(result_of(wanted).table)
    kept.close()
    assert kept.used == (0, 0) and len(kept) == 0
    assert kept._folder is None or not any(kept._folder.iterdir())


def test_only_what_nobody_has_to_wait_for_is_at_hand() -> None:
    kept, mine, other = KeptResults(24_000, 1 << 20), KeptKey("g", "mine"), KeptKey("g", "other")
    kept.put(mine, result_of(1_000))
    kept.name("u", mine)
    assert kept.at_hand([mine]) is kept.at_hand([], "u", "mine") is not None
    assert kept.at_hand([other]) is None and kept.at_hand([], "u", "other") is None
    with ThreadPoolExecutor(1) as elsewhere, kept._lock:  # as while something else moves to disk
        assert elsewhere.submit(kept.at_hand, [mine]).result() is None
    kept.put(other, result_of(2_000))
    assert kept.used[1], "the first is on disk now"
    assert kept.at_hand([mine], "u", "mine") is None and kept.find(mine) is not None
    assert kept.at_hand([mine, other]) is not None
    kept.close()


def test_a_kept_result_is_loaded_without_a_place_in_any_lane(
    client: EmbeddedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = named("ana", "north")
    result = client.chat(**ana).ask("all orders").result
    monkeypatch.setattr(Lane, "submit", None)
    assert len(result.load_all()) == 200 and client.query(SQL, **ana).kept
    with pytest.raises(svc.client.SvcError):
        client.query(f"{SQL} LIMIT 7", **ana)


def test_a_folder_that_somebody_cleared_is_not_missed() -> None:
    kept = KeptResults(0, 1 << 20)
    kept.put(KeptKey("data", 1), result_of(10))
    assert kept._folder is not None
    for file in kept._folder.iterdir():
        file.unlink()
    assert kept.find(KeptKey("data", 1)) is None and kept.used == (0, 0)
    kept.close()


@pytest.mark.parametrize("memory", [0, 1 << 20], ids=["on disk", "in memory"])
def test_what_is_kept_holds_no_more_memory_than_it_says(memory: int) -> None:
    """Neither the table that a few rows were cut from, nor rows that have moved to disk."""
    gc.collect()
    before = pa.total_allocated_bytes()
    kept = KeptResults(memory, 64 << 20)
    whole = replace(result_of(0), table=pa.table({"n": list(range(500_000))}))
    kept.put(KeptKey("data", 1), replace(whole, table=whole.table.slice(0, 5)))
    if not memory:
        kept.put(KeptKey("data", 2), whole)
    del whole
    gc.collect()
    assert pa.total_allocated_bytes() - before < 65_536
    kept.close()


def test_what_nobody_can_ask_for_any_more_makes_room() -> None:
    """Once its generation has gone, a result is found by its name alone: one that has none is dropped."""
    kept = KeptResults()
    for number in range(4):
        kept.put(KeptKey("old", number), result_of(number))
    kept.name("u", KeptKey("old", 3))
    kept.name("never kept", KeptKey("old", 99))
    kept.moved_on("old")
    kept.put(KeptKey("new", 0), result_of(5))
    assert len(kept) == 2
    found = kept.named("u", 3)
    assert found is not None and found.table.num_rows == 3
    kept.put(KeptKey("old", 3), result_of(3))
    assert kept.named("u", 3) is not None, "put again, it keeps its name"
    kept.close()
    assert (len(kept), kept.used, kept.named("u", 3)) == (0, (0, 0), None)


def test_reloads_leave_nothing_behind_that_nobody_asked_to_keep(client: EmbeddedClient, tmp_path: Path) -> None:
    kept = client.service.source.kept
    for number in range(5):
        (tmp_path / "model" / "orders.yml").write_text(f"{MODEL}# {number}\n")
        client.reload()
        client.query(SQL)
    gc.collect()
    client.query("SELECT MEASURE(number) AS n FROM orders")
    assert len(kept) <= 3
