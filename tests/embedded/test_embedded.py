"""The service inside this process: put together, started, stopped, started again, several at once."""

from __future__ import annotations

import asyncio
import copy
import os
import pickle
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDone
from svc_notebook.client import errors
from svc_notebook.client.engine.portal import engine
from svc_notebook.embedded import EmbeddedClient
from svc_notebook.semantic.errors import ModelError

from ..loops import run

MODEL = {
    "cubes": [
        {
            "name": "orders",
            "sql_table": "orders",
            "dimensions": [
                {"name": "id", "sql": "id", "type": "number", "primary_key": True},
                {"name": "region", "sql": "region", "type": "string"},
            ],
            "measures": [
                {"name": "count", "type": "count"},
                {"name": "revenue", "sql": "amount", "type": "sum"},
            ],
            "access_policy": [
                {
                    "group": "*",
                    "row_level": {
                        "filters": [{"member": "region", "operator": "equals", "values": ["{ userAttributes.region }"]}]
                    },
                },
                {"group": "bosses", "row_level": {"allow_all": True}},
            ],
        }
    ]
}
ORDERS = pd.DataFrame({"id": [1, 2, 3], "region": ["EMEA", "EMEA", "APAC"], "amount": [10.0, 20.0, 5.0]})
REVENUE = "SELECT region, MEASURE(revenue) AS revenue FROM orders GROUP BY 1 ORDER BY 1"


def make(**changes: Any) -> EmbeddedClient:
    return svc.embedded(**{"model": MODEL, "data": {"orders": ORDERS}, **changes})


@pytest.fixture(scope="module")
def client() -> Iterator[EmbeddedClient]:
    with make() as client:
        yield client


def eventually(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def engine_tasks() -> int:
    async def count() -> int:
        return len(asyncio.all_tasks()) - 1

    return engine().run(count())


def test_a_question_is_answered_with_numbers_sql_and_rows(client: EmbeddedClient) -> None:
    answer = client.chat().ask("revenue by region")
    assert answer.status == "complete", answer.error
    frame = answer.df
    assert frame is not None
    assert sorted(map(tuple, frame.itertuples(index=False, name=None))) == [("APAC", 5.0), ("EMEA", 30.0)]
    assert "orders" in str(answer.sql)


def test_without_a_user_the_operator_asks(client: EmbeddedClient) -> None:
    assert client.chat().whoami == "operator@svc.local (internal)"
    assert client.sql(REVENUE)["revenue"].tolist() == [5.0, 30.0]


def test_the_attribute_that_a_policy_names_exists_and_decides(client: EmbeddedClient) -> None:
    ana = {"external_id": "ana", "user_attributes": {"region": ["EMEA"]}}
    frame = client.sql(REVENUE, **ana)
    assert frame["region"].tolist() == ["EMEA"]
    assert "region" in str(frame.attrs["row_filters"])
    assert client.chat(**ana).ask("how many orders").df.iloc[0, 0] == 2  # type: ignore[union-attr]


def test_a_group_that_a_policy_names_exists(client: EmbeddedClient) -> None:
    assert len(client.sql(REVENUE, external_id="bo", groups=["bosses"])) == 2


def test_a_missing_attribute_gives_no_rows_and_a_reason(client: EmbeddedClient) -> None:
    frame = client.sql(REVENUE, external_id="new-user")
    assert len(frame) == 0
    assert "region" in str(frame.attrs["notes"])


def test_rows_are_handed_over_by_reference(client: EmbeddedClient) -> None:
    answer = client.query(REVENUE)
    assert answer.total_rows == 2
    assert [column.name for column in answer.schema] == ["region", "revenue"]


def test_a_session_becomes_a_user_who_needs_no_key(client: EmbeddedClient) -> None:
    session = client.generate_session(deployment_id=1, external_id="cy", user_attributes={"region": ["APAC"]})
    user = svc.Client(
        client.base_url, token=session.token(), chat_api_url=client.chat_api_url, transport=client.transport
    )
    assert user.sql(REVENUE)["region"].tolist() == ["APAC"]
    assert user.chat().ask("how many orders").df.iloc[0, 0] == 1  # type: ignore[union-attr]
    session.revoke()
    with pytest.raises(errors.AuthenticationFailed):
        user.sql(REVENUE)


def test_explain_meta_threads_suggestions(client: EmbeddedClient) -> None:
    explained = client.explain(REVENUE, external_id="ana", user_attributes={"region": ["EMEA"]})
    assert "EMEA" not in explained.sql
    assert explained.row_filters
    assert [cube.name for cube in client.meta().cubes] == ["orders"]
    chat = client.chat(external_id="dora", user_attributes={"region": ["EMEA"]}, is_ephemeral=False)
    chat.ask("how many orders")
    (thread,) = client.threads(external_id="dora")
    assert thread.chat_id == chat.chat_id
    chat.rename_thread(thread.chat_id, "Orders")
    assert [each.title for each in chat.threads()] == ["Orders"]
    assert [each.question for each in chat.with_thread(thread.chat_id).history()] == ["how many orders"]
    chat.delete_thread(thread.chat_id)
    assert chat.threads() == []
    assert chat.suggestions()


def test_any_httpx_client_may_use_the_transport(client: EmbeddedClient) -> None:
    with httpx.Client(transport=client.transport, base_url=client.base_url) as http:
        assert http.get("/svc-api/v1/meta").status_code == 401


def test_two_services_live_side_by_side(client: EmbeddedClient) -> None:
    other = pd.DataFrame({"id": [1], "region": ["LATAM"], "amount": [1.0]})
    with make(data={"orders": other}) as second:
        assert second.sql(REVENUE)["region"].tolist() == ["LATAM"]
        assert client.sql(REVENUE)["region"].tolist() == ["APAC", "EMEA"]
        with pytest.raises(errors.AuthenticationFailed):  # each has a key of its own
            svc.Client(second.base_url, client._calls.address.api_key, transport=second.transport).meta()


def test_a_service_starts_again_over_the_same_state() -> None:
    with make() as client:
        chat = client.chat()
        chat.ask("how many orders")
        client.restart()
        assert [each.question for each in chat.history()] == ["how many orders"]
        assert chat.ask("revenue by region").status == "complete"


def test_state_in_a_file_outlives_the_process_object(tmp_path: Path) -> None:
    with make(store=tmp_path / "state.sqlite") as first:
        chat = first.chat(external_id="ana", user_attributes={"region": ["EMEA"]}, is_ephemeral=False)
        chat.ask("how many orders")
    with make(store=tmp_path / "state.sqlite") as second:
        assert [each.title for each in second.threads(external_id="ana")] == ["how many orders"]


def test_a_closed_service_says_so() -> None:
    client = make()
    client.close()
    client.close()
    assert repr(client) == "<EmbeddedClient http://svc.local, stopped>"
    with pytest.raises(errors.ServerFailed, match="restart"):
        client.meta()


def test_a_model_is_made_from_the_tables_where_none_is_given() -> None:
    with svc.embedded(data={"orders": ORDERS}) as client:
        assert client.chat().ask("how many orders").df.iloc[0, 0] == 3  # type: ignore[union-attr]


def test_a_database_file_of_either_kind(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as connection, connection:
        ORDERS.to_sql("orders", connection, index=False)
    with duckdb.connect(tmp_path / "shop.duckdb") as database:
        database.register("source", ORDERS)
        database.execute("CREATE TABLE orders AS FROM source")
    for name in ("shop.sqlite", "shop.duckdb"):
        with svc.embedded(MODEL, database=tmp_path / name) as client:
            assert client.sql(REVENUE)["revenue"].tolist() == [5.0, 30.0]


def test_nothing_to_ask_about_is_an_error() -> None:
    with pytest.raises(errors.ConfigurationError, match="data="):
        svc.embedded()


def test_a_broken_model_tells_what_is_wrong_and_leaves_nothing_open() -> None:
    threads = threading.active_count()
    with pytest.raises(ModelError, match="regionn"):
        make(
            model={
                "cubes": [
                    {**MODEL["cubes"][0], "joins": [{"name": "regionn", "sql": "1=1", "relationship": "one_to_one"}]}
                ]
            }
        )
    assert threading.active_count() <= threads


def test_attributes_and_groups_may_be_declared() -> None:
    with make(user_attributes={"city": "string", "levels": {"type": "number_array"}}, groups=["analysts"]) as client:
        given = {"city": "Bonn", "levels": [1, 2], "region": ["EMEA"]}
        session = client.generate_session(
            deployment_id=1, external_id="ana", user_attributes=given, groups=["analysts"]
        )
        assert session.token()


def test_the_configuration_beside_the_model_is_read(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "orders.yml").write_text(
        "cubes: [{name: orders, sql_table: orders, measures: [{name: count, type: count}]}]"
    )
    (tmp_path / "service.yml").write_text("account: acme\nattributes: {city: string}\n")
    with make(model=tmp_path / "model") as client:
        assert "/public/acme/" in str(client.chat_api_url)
        client.generate_session(deployment_id=1, external_id="ana", user_attributes={"city": "Bonn"})


class Teller:
    """Says which measures it was given."""

    name = "teller"

    async def answer(self, turn: Any, toolbox: Any, cancel: Any) -> Any:
        await asyncio.sleep(0)
        found = [member for relation in toolbox.catalog.relations.values() for member in relation.members]
        yield AnswerDone(", ".join(found))

    async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
        return []


def test_a_branch_of_the_model_is_a_folder_beside_it(tmp_path: Path) -> None:
    cube = "cubes: [{{name: orders, sql_table: orders, measures: [{{name: {}, type: count}}]}}]"
    for folder, name in [("model", "orders"), ("branches/trial", "tries")]:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "orders.yml").write_text(cube.format(name))
    listed = {"deployments": [{"id": 1, "branches": ["trial"]}]}
    with make(model=tmp_path / "model", analyst=Teller(), config=listed) as client:
        assert client.chat().ask("what is there").text == "orders"
        assert client.chat(branch="trial").ask("what is there").text == "tries"


def test_an_awaiting_client_over_the_same_service(client: EmbeddedClient) -> None:
    asynchronous = svc.AsyncClient(
        client.base_url, client._calls.address.api_key, chat_api_url=client.chat_api_url, transport=client.transport
    )

    async def ask() -> list[str]:
        chat = asynchronous.chat(external_id="ana", user_attributes={"region": ["EMEA"]})
        async with chat.stream("how many orders") as stream:
            ids = [str(message.id) async for message in stream]
        assert stream.answer.status == "complete"
        return ids

    ids = run(ask())
    assert (ids[0], ids[-1]) == ("__cutoff__", "__usage__")


def test_abandoned_streams_leave_neither_task_nor_thread(client: EmbeddedClient) -> None:
    client.chat().ask("how many orders")
    tasks, threads = engine_tasks(), threading.active_count()
    for _ in range(10):
        stream = client.chat().stream("revenue by region")
        next(stream)
        del stream
    assert eventually(lambda: engine_tasks() <= tasks), engine_tasks()
    assert threading.active_count() <= threads + 8  # store and query workers are kept by their pools


def run_script(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "dev", "-c", textwrap.dedent(code)],
        capture_output=True, text=True, timeout=120, check=False, env={**os.environ, "PYTHONWARNINGS": "default"},
    )  # fmt: skip


def test_the_interpreter_leaves_cleanly_while_an_answer_streams() -> None:
    done = run_script(
        """
        import pandas as pd, svc_notebook as svc
        client = svc.embedded(data={"orders": pd.DataFrame({"id": [1, 2], "region": ["a", "b"]})})
        print(client.chat().ask("how many orders").status)
        handle = client.chat().submit("number of orders by region")
        stream = client.chat().stream("number of orders by region")
        next(stream)
        client.chat().submit("how many orders")  # not yet on its way
        print("leaving")
        """
    )
    assert (done.returncode, done.stdout) == (0, "complete\nleaving\n"), done.stderr
    for word in ("destroyed", "Traceback", "never awaited", "failed"):
        assert word not in done.stderr, done.stderr


def test_the_interpreter_leaves_cleanly_right_after_the_first_question() -> None:
    done = run_script(
        """
        import pandas as pd, svc_notebook as svc
        client = svc.embedded(data={"orders": pd.DataFrame({"id": [1, 2], "region": ["a", "b"]})})
        handle = client.chat().submit("number of orders by region")
        print("leaving")
        """
    )
    assert (done.returncode, done.stdout) == (0, "leaving\n"), done.stderr
    for word in ("destroyed", "Traceback", "never awaited", "failed", "leaked"):
        assert word not in done.stderr, done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_is_told_to_restart() -> None:
    done = run_script(
        """
        import os, warnings
        from svc_notebook.client import errors
        import pandas as pd, svc_notebook as svc
        client = svc.embedded(data={"orders": pd.DataFrame({"id": [1, 2]})})
        client.meta()
        warnings.simplefilter("ignore")
        child = os.fork()
        if child == 0:
            assert not client.service.running
            assert "stopped" in repr(client)
            try:
                client.meta()
            except errors.ServerFailed as error:
                assert "restart()" in error.message, error
                client.restart()
                os._exit(client.sql("SELECT MEASURE(count) AS n FROM orders").n[0] - 2)
            os._exit(9)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_renders_for_pages() -> None:
    """The threads that render did not come along."""
    done = run_script(
        """
        import os, signal, warnings
        import httpx, pandas as pd, svc_notebook as svc
        from svc_notebook.embedded_config import OPERATOR
        client = svc.embedded(data={"orders": pd.DataFrame({"id": [1, 2]})})
        key = client.service.config.tenants[0].api_keys[0].secret()
        headers = {"Authorization": f"Api-Key {key}", "Accept": "application/vnd.svc-notebook.view+x-ndjson"}

        def viewed():
            body = {"input": "how many orders", "sessionSettings": {"internalId": OPERATOR.email}}
            with httpx.Client(transport=client.transport, headers=headers) as page:
                return "2 orders" in page.post(client.chat_api_url, json=body).text

        assert viewed()
        warnings.simplefilter("ignore")
        if (child := os.fork()) == 0:
            signal.alarm(30)  # ends a child that hangs
            client.restart()
            os._exit(0 if viewed() else 7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_waits_for_what_the_store_and_the_engine_are_doing() -> None:
    """Each child finds them unlocked, though its parent never stops asking: without waiting one in six hangs."""
    done = run_script(
        """
        import os, signal, threading, warnings
        import pandas as pd, svc_notebook as svc
        client = svc.embedded(data={"orders": pd.DataFrame({"id": [1, 2]})})
        warnings.simplefilter("ignore")
        over = threading.Event()

        def ask():
            while not over.is_set():
                client.chat().ask("how many orders")

        asking = threading.Thread(target=ask)
        asking.start()
        ended = []
        for _ in range(8):
            client.meta()
            if (child := os.fork()) == 0:
                signal.alarm(30)  # ends a child that hangs
                client.restart()
                os._exit(client.sql("SELECT MEASURE(count) AS n FROM orders").n[0] - 2)
            ended.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        over.set()
        asking.join()
        print(ended)
        """
    )
    assert (done.returncode, done.stdout) == (0, f"{[0] * 8}\n"), done.stderr


def test_two_services_of_their_own_keys_share_a_store(tmp_path: Path) -> None:
    """Two notebooks of one project: neither ends the other's key, and neither leaves a key behind."""
    store = tmp_path / "state.sqlite"
    with make(store=store) as first, make(store=store) as second:
        for each in (first, second, first.restart()):
            assert each.sql(REVENUE).revenue.sum() == 35
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM api_keys").fetchone() == (0,)


def test_the_demo_s_embed_urls_lead_somewhere() -> None:
    with svc.demo() as client, httpx.Client(transport=client.transport) as browser:
        for view in ("chat", "app", "dashboard/overview"):
            session = client.generate_session(deployment_id=1, external_id="ana")
            assert browser.get(session.embed_url(view)).status_code == 200
        [dashboard] = client.service.config.tenants[0].dashboards
        assert [len(client.sql(tile.sql)) for tile in dashboard.tiles] == [12, 16]


def test_an_answer_can_be_pickled_and_copied(client: EmbeddedClient) -> None:
    answer = client.chat(external_id="ana", user_attributes={"region": ["EMEA"]}).ask("revenue by region")
    assert answer.df is not None
    assert answer.result is not None
    for kept in (pickle.loads(pickle.dumps(answer)), copy.deepcopy(answer)):
        assert (kept.text, kept.sql, kept.status) == (answer.text, answer.sql, "complete")
        pd.testing.assert_frame_equal(kept.df, answer.df)
    assert b"local-" not in pickle.dumps(answer), "no key travels with it"
    pd.testing.assert_frame_equal(copy.deepcopy(answer.result).load_all(), answer.df)
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(client)


@pytest.mark.parametrize("ask", ["chat", "sql", "explain", "meta"])
def test_attributes_of_nobody_are_not_the_operators(ask: str) -> None:
    with svc.embedded(model=MODEL, data={"orders": ORDERS}) as client:
        words = (REVENUE,) if ask in ("sql", "explain") else ()
        with pytest.raises(errors.ConfigurationError, match="groups and user_attributes: of whom"):
            getattr(client, ask)(*words, user_attributes={"region": ["EMEA"]}, groups=["bosses"])


def test_a_word_that_is_no_part_of_a_user_is_answered_with_those_that_are() -> None:
    with svc.embedded(model=MODEL, data={"orders": ORDERS}) as client:
        with pytest.raises(TypeError, match="'embed_tenant_name' for a user; there are external_id, internal_id"):
            client.sql(REVENUE, external_id="ana", embed_tenant_name="acme-corp")
