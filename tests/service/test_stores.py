"""Every store does the same: atomic, exact under races, convergent, migrated by itself."""

from __future__ import annotations

import os
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from svc_notebook.analyst.base import AnswerDelta, AnswerDone, Thinking, ToolStarted
from svc_notebook.client.engine.portal import engine
from svc_notebook.service.config import GroupSeed, TenantConfig
from svc_notebook.service.store import StoreBusy, StoreFailed, memory, open_store
from svc_notebook.service.store.accounts import seed
from svc_notebook.service.store.catalog import page
from svc_notebook.service.store.marks import latest_time, reach_time
from svc_notebook.service.store.schema import metadata
from svc_notebook.service.store.users import delete_expired, provision, set_groups
from svc_notebook.service.web.rules import check_typed

from .listening import statements
from .service_world import CHAT, Gate, World, eventually, final_text, lines

MEMORY = Path(memory.__file__).with_name("memory.sql")
THREADS = CHAT.replace("/stream-chat-state", "/threads")
Open = Callable[..., World]


def parallel(count: int, work: Callable[[int], Any]) -> list[Any]:
    start = threading.Barrier(min(count, 16))

    def begin(index: int) -> Any:
        if index < 16:
            start.wait(60)
        return work(index)

    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(begin, range(count)))


def test_migrations_make_the_tables_that_the_code_speaks_of(durable_url: str) -> None:
    store = open_store(durable_url)

    def differences(connection: Connection) -> list[Any]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    assert store.read(differences) == []
    store.close()
    again = open_store(durable_url)
    assert again.state_hash()
    again.close()


def test_a_store_in_memory_has_the_tables_that_the_code_speaks_of() -> None:
    """``SVC_GOLDEN=write`` writes their text anew."""
    dialect = sqlite.dialect()
    made = [CreateTable(table) for table in metadata.sorted_tables]
    made += [
        CreateIndex(index)
        for table in metadata.sorted_tables
        for index in sorted(table.indexes, key=lambda index: str(index.name))
    ]
    whole = "".join(f"{str(each.compile(dialect=dialect)).strip()};\n" for each in made).replace("\t", "    ")
    whole = re.sub(r" +$", "", whole, flags=re.MULTILINE)
    if os.environ.get("SVC_GOLDEN") == "write":
        MEMORY.write_text(whole, "utf8")
    assert MEMORY.read_text("utf8") == whole
    store = open_store("memory")
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    store.close()


def test_a_store_of_a_newer_version_is_refused(durable_url: str) -> None:
    store = open_store(durable_url)
    store.write(lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    store.close()
    with pytest.raises(StoreFailed, match="newer version"):
        open_store(durable_url)


def test_processes_that_open_a_new_store_together_migrate_it_once(durable_url: str) -> None:
    stores = parallel(4, lambda _: open_store(durable_url))
    assert len({store.state_hash() for store in stores}) == 1
    for store in stores:
        store.close()


def test_a_read_sees_one_state(durable_url: str) -> None:
    store = open_store(durable_url)
    other = open_store(durable_url)

    def count(connection: Connection) -> int:
        return int(connection.execute(text("SELECT count(*) FROM tenants")).scalar_one())

    def add(connection: Connection) -> None:
        connection.execute(
            text("INSERT INTO tenants (name, plan, use_creator_mode, user_limit) VALUES ('x', 'enterprise', true, 1)")
        )

    def twice(connection: Connection) -> tuple[int, int]:
        before = count(connection)
        other.write(add)
        return before, count(connection)

    assert store.read(twice) == (0, 0)
    assert store.read(count) == 1
    store.close()
    other.close()


def test_the_user_limit_is_exact(store_url: str, opened: Open) -> None:
    w = opened(store_url, tenant_user_limit=20)
    codes = Counter(parallel(48, lambda i: w.session(externalId=f"user-{i}").status_code))
    assert codes == {200: 20, 429: 28}
    assert (
        w.service.store.read(lambda c: c.execute(text("SELECT count(*) FROM users WHERE kind = 'external'")).scalar())
        == 20
    )
    known = w.service.store.read(
        lambda c: c.execute(text("SELECT name FROM users WHERE kind = 'external'")).scalars().all()
    )
    assert {w.session(externalId=name).status_code for name in known} == {200}


def test_one_new_user_from_many_requests_counts_once(store_url: str, opened: Open) -> None:
    w = opened(store_url, tenant_user_limit=2)
    assert Counter(parallel(32, lambda i: w.session(externalId="same").status_code)) == {200: 32}
    assert w.session(externalId="another").status_code == 200
    assert w.session(externalId="third").status_code == 429


def test_expired_users_free_their_places(store_url: str, opened: Open) -> None:
    w = opened(store_url, tenant_user_limit=2)
    w.ask("orders", "a", settings={"ephemeralTtlSeconds": 10})
    w.ask("orders", "b", settings={"ephemeralTtlSeconds": 20})
    assert w.session(externalId="c").status_code == 429
    w.clock.advance(11)
    assert w.session(externalId="c").status_code == 200
    assert w.session(externalId="d").status_code == 429


def test_a_definition_race_has_one_winner(store_url: str, opened: Open) -> None:
    w = opened(store_url)
    kinds = ["string", "number", "string_array", "number_array"]

    def define(index: int) -> tuple[str, int, str]:
        kind = kinds[index % 4]
        response = w.creator(
            f"user-{index}", groupDefinitions=[{"name": f"g-{kind}"}],
            userAttributeDefinitions=[{"name": f"b-{kind}", "type": "string"}, {"name": "a", "type": kind}],
        )  # fmt: skip
        return kind, response.status_code, response.text

    results = parallel(32, define)
    winner = w.listed("user-attributes")["a"]["type"]
    assert {status for kind, status, _ in results if kind == winner} == {200}
    losers = [(status, message) for kind, status, message in results if kind != winner]
    assert {status for status, _ in losers} == {400}
    assert all("cannot change type" in message for _, message in losers)
    assert set(w.listed()) == {f"g-{winner}"}
    assert set(w.listed("user-attributes")) == {"a", f"b-{winner}"}


def test_a_thousand_definitions_cost_as_many_statements_as_one(store_url: str, opened: Open) -> None:
    w = opened(store_url)
    said = statements(w.service.store)

    def cost(count: int, text: str) -> int:
        said.clear()
        groups = [{"name": f"g{i}", "description": text} for i in range(count)]
        kinds = [{"name": f"a{i}", "type": "string", "displayName": text} for i in range(count)]
        assert w.creator(groupDefinitions=groups, userAttributeDefinitions=kinds).status_code == 200
        return len([each for each in said if each.startswith(("SELECT catalog.id", "INSERT INTO catalog"))])

    assert {cost(1, "a"), cost(1000, "a"), cost(1000, "b")} == {4}, "two for groups, two for attributes"
    assert cost(1000, "b") == 2, "what is there already is only looked at"
    assert cost(1000, "") == 3, "a group's description is never cleared"
    assert w.listed()["g0"]["description"] == "b"
    assert w.listed("user-attributes")["a0"]["displayName"] == ""


def test_groups_know_how_many_members_they_have(store_url: str, opened: Open) -> None:
    w = opened(store_url)
    sets = [["analysts"], ["managers"], ["analysts", "managers"], []]

    def listed() -> dict[str, int]:
        scope = w.service.store.read(lambda c: c.execute(_COUNTS).all())
        assert all(kept == counted for _, kept, counted in scope)
        return {name: kept for name, kept, _ in scope}

    before = listed()
    parallel(32, lambda i: w.session(externalId=f"user-{i % 5}", groups=sets[i % 4]).status_code)
    listed()
    for i in range(8):
        w.session(externalId=f"user-{i}", groups=["managers"])
    assert listed()["managers"] == before["managers"] + 8
    for i in range(3):
        w.ask("orders", f"guest-{i}", settings={"groups": ["managers"], "ephemeralTtlSeconds": 10 + i})
    assert listed()["managers"] == before["managers"] + 11
    w.creator("ana", groupDefinitions=[{"name": "own"}], groups=["own"])
    assert w.listed()["own"]["userCount"] == 1
    w.clock.advance(11.5)  # two are due, and whoever removes them has not been there
    eventually(lambda: listed()["managers"] in {before["managers"] + 9, before["managers"] + 11})
    engine().run(w.service.reap())
    assert listed()["managers"] == before["managers"] + 9


_COUNTS = text("SELECT name, member_count, (SELECT COUNT(*) FROM memberships WHERE group_id = catalog.id) FROM catalog")


def test_whoever_has_expired_is_not_counted(store_url: str) -> None:
    store = open_store(store_url)

    def filled(connection: Connection) -> None:
        tenant = TenantConfig(groups=[GroupSeed("all")])
        tenant_id = seed(connection, tenant, {}, check_typed)
        for number in range(6):
            user = provision(connection, tenant_id, 0, f"u{number}", now=0, ttl=None if number < 2 else float(number))
            set_groups(connection, user.id, tenant_id, 0, ["all"])

    store.write(filled)
    tenant_id = store.read(lambda c: c.execute(text("SELECT id FROM tenants")).scalar())
    assert [store.read(page, tenant_id, 0, "group", 10, 0, now)[0][0].members for now in (0, 3, 9)] == [6, 4, 2]
    store.write(delete_expired, 4.5)
    assert [store.read(page, tenant_id, 0, "group", 10, 0, now)[0][0].members for now in (4.5, 9)] == [3, 2]
    store.close()


def test_the_latest_time_that_anybody_has_seen_is_kept(store_url: str) -> None:
    store = open_store(store_url)
    assert store.read(latest_time) == 0
    assert [store.write(reach_time, now) for now in (5.0, 3.0, 7.0)] == [5.0, 5.0, 7.0]
    assert store.read(latest_time) == 7.0
    store.close()


def test_a_page_is_found_by_an_index(tmp_path: Path) -> None:
    store = open_store(tmp_path / "state.sqlite")
    said = statements(store)
    store.read(page, 1, 0, "group", 100, 0, 0.0)
    asked = [each for each in said if each.startswith("SELECT")]
    plans = [row[3] for sql in asked for row in store.read(_explained, sql)]
    assert plans
    assert not [step for step in plans if "TEMP B-TREE" in step]
    assert not [step for step in plans if step.startswith("SCAN") and "CONSTANT" not in step]
    store.close()


def _explained(connection: Connection, sql: str) -> list[Any]:
    return list(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}"))


def test_definitions_in_opposite_order_do_not_deadlock(store_url: str, opened: Open) -> None:
    w = opened(store_url)
    names = [f"g{i}" for i in range(8)]

    def define(index: int) -> int:
        order = names if index % 2 else names[::-1]
        body = {"groupDefinitions": [{"name": name, "description": str(index)} for name in order], "groups": order}
        return w.creator(f"user-{index % 3}", **body).status_code

    assert set(parallel(32, define)) == {200}
    assert set(w.listed()) == set(names)


def test_parallel_memberships_are_one_of_the_requests(store_url: str, opened: Open) -> None:
    w = opened(store_url)
    sets = [["analysts"], ["managers"], ["analysts", "managers"], []]
    parallel(32, lambda i: w.session(externalId="same", groups=sets[i % 4]))
    members = w.service.store.read(lambda c: c.execute(text("SELECT count(*) FROM memberships")).scalar())
    assert members in {1, 2, 3}  # ivy's and one of the sets
    w.session(externalId="same", groups=["analysts"])
    assert "managers" not in [row[1][3] for row in memberships(w, "same")]


def memberships(w: World, user: str) -> list[Any]:
    from svc_notebook.service.store.statehash import state_dump

    return [row for row in w.service.store.read(state_dump)["memberships"] if row[0][3] == user]


def test_repeating_in_any_order_converges(store_url: str, opened: Open) -> None:
    w = opened(store_url)
    calls = [
        {
            "externalId": f"user-{i % 3}",
            "groups": ["analysts"],
            "userAttributes": [{"name": "city", "value": f"c{i % 3}"}],
        }
        for i in range(24)
    ]
    for call in calls:
        w.session(**call)
    before = w.state()
    assert {response.status_code for response in parallel(24, lambda i: w.session(**calls[23 - i]))} == {200}
    assert w.state() == before


def test_the_state_hash_tells_states_apart_and_not_stores(opened: Open, tmp_path: Path) -> None:
    one, two = opened("memory"), opened(str(tmp_path / "two.sqlite"))
    for w, users in ((one, ["a", "b"]), (two, ["b", "a"])):
        for user in users:
            w.session(externalId=user, groups=["managers"])
    assert one.state() == two.state()
    one.session(externalId="a", groups=[])
    assert one.state() != two.state()


def test_two_services_share_one_store(durable_url: str, opened: Open) -> None:
    one, two = opened(durable_url), opened(durable_url)
    chat_id = one.ask("orders", "ana")[0]["state"]["chatId"]
    replay = lines(two.chat({"chatId": chat_id, "sessionSettings": {"externalId": "ana"}}).content)
    assert final_text(replay) == "There are 0 rows."
    codes = parallel(32, lambda i: (one, two)[i % 2].session(externalId=f"u{i}", groups=["analysts"]).status_code)
    assert set(codes) == {200}
    assert one.state() == two.state()


@pytest.fixture
def both(durable_url: str, opened: Open) -> Iterator[tuple[World, World, Gate]]:
    """Two services on one store; in the first, the answer to "slow" waits for the gate."""
    one, two, gate = opened(durable_url), opened(durable_url), Gate()

    @one.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> Any:
        yield Thinking("Let me see.")
        yield ToolStarted("t", "svcMeta", "{}")
        yield AnswerDelta("half ")
        await gate.passed()
        yield AnswerDone("half done")

    yield one, two, gate
    gate.open()


def half(frame: Any) -> bool:
    return bool(frame.get("content") == "half ")


def test_a_thread_streams_in_one_service_at_a_time(both: tuple[World, World, Gate]) -> None:
    one, two, gate = both
    with one.streaming("slow", "ana") as stream:
        refused = two.ask("more", "ana", chatId=stream.chat_id)
        assert refused[0]["error"] == "Streaming for thread is in progress"
        gate.open()
        stream.rest()
    assert final_text(two.ask("more", "ana", chatId=stream.chat_id)) == "There are 0 rows."


def test_an_abort_reaches_a_turn_of_the_other_service(both: tuple[World, World, Gate]) -> None:
    one, two, _ = both
    with one.streaming("slow", "ana") as stream:
        stream.until(half)
        assert two.abort(stream.chat_id, "bob").status_code == 403
        assert two.abort(stream.chat_id, "ana").status_code == 204
        assert not len(one.service.turns), "204 means that it has ended"
        assert stream.rest()[-2]["id"] == "__aborted__"
    assert two.abort(stream.chat_id, "ana").status_code == 204
    replay = lines(two.chat({"chatId": stream.chat_id, "sessionSettings": {"externalId": "ana"}}).content)
    assert final_text(replay) == "half "
    assert replay[-2]["state"]["turns"][0]["status"] == "aborted"


def test_a_turn_of_the_other_service_is_followed_to_its_end(both: tuple[World, World, Gate]) -> None:
    one, two, gate = both
    with one.streaming("slow", "ana") as stream:
        stream.until(half)
        assert two.get(f"{THREADS}?externalId=ana").json()["items"][0]["isStreaming"] is True
        with two.streaming(None, "ana", chatId=stream.chat_id) as second:
            known = second.until(lambda frame: frame.get("thinking"))
            assert known[-1]["thinking"] == "Let me see."
            gate.open()
            rest = second.rest()
    assert final_text(rest) == "half done"
    assert [frame["id"] for frame in rest[-2:]] == ["__state__", "__usage__"]
    assert rest[-2]["state"]["turns"] == [{"number": 1, "status": "complete"}]
    assert two.get(f"{THREADS}?externalId=ana").json()["items"][0]["isStreaming"] is False


def test_a_thread_deleted_at_the_other_service_stops_there(both: tuple[World, World, Gate]) -> None:
    one, two, _ = both
    with one.streaming("slow", "ana") as stream:
        stream.until(half)
        with two.streaming(None, "ana", chatId=stream.chat_id) as second:
            assert two.delete(f"{THREADS}/{stream.chat_id}?externalId=ana").status_code == 204
            assert "No thread" in second.rest()[-2]["error"]
        assert stream.rest()[-2]["id"] == "__aborted__"
    assert two.chat({"chatId": stream.chat_id, "sessionSettings": {"externalId": "ana"}}).status_code == 404


def test_threads_outlive_the_service(durable_url: str, opened: Open) -> None:
    from .service_world import embedded_world

    with embedded_world(durable_url) as first:
        chat_id = first.ask("orders", "ana")[0]["state"]["chatId"]
        before = first.state()
    second = opened(durable_url)
    assert second.state() == before
    assert final_text(second.ask("more", "ana", chatId=chat_id)) == "There are 0 rows."
    assert second.analyst.turns[-1].history[0].memory == {"rows": 0}
    assert second.analyst.turns[-1].history[0].results[0]["sqlQuery"] == "SELECT * FROM orders"


def test_a_locked_file_makes_requests_wait_then_names_the_holder(tmp_path: Path) -> None:
    import os
    import sqlite3

    path = tmp_path / "state.sqlite"
    store = open_store(path, busy_timeout=0.2)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy) as caught:
        store.write(lambda connection: None)
    assert caught.value.message == "The state store is locked; try again."  # what a caller of the API is told
    assert f"state.sqlite is locked by process {os.getpid()} (python" in caught.value.__notes__[0]
    assert store.state_hash()  # reading goes on
    holder.execute("COMMIT")
    store.write(lambda connection: None)
    holder.close()
    store.close()


def test_a_file_waits_for_locks_holds_references_and_is_written_before_it_is_told(tmp_path: Path) -> None:
    store = open_store(tmp_path / "state.sqlite", busy_timeout=0.7)
    wanted = {"busy_timeout": 700, "foreign_keys": 1, "journal_mode": "wal", "synchronous": 2}
    for run in (store.read, store.write):
        assert {
            name: run(lambda c, name=name: c.exec_driver_sql(f"PRAGMA {name}").scalar()) for name in wanted
        } == wanted
    store.close()


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match=r"the folder .*nowhere does not exist"):
        open_store(tmp_path / "nowhere" / "state.sqlite")


def test_passwords_are_not_shown() -> None:
    from sqlalchemy import create_engine

    from svc_notebook.service.store import Store
    from svc_notebook.service.store.server import Database

    assert "hunter2" not in repr(Store(Database(create_engine("postgresql+psycopg://svc:hunter2@localhost/x"))))
