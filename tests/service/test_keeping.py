"""Copies of a store, a person's data out of it, what is due to go; and stores of every version, or of none."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

import svc_notebook as svc
from svc_notebook.cli import main
from svc_notebook.client.errors import SvcError
from svc_notebook.embedded import EmbeddedClient
from svc_notebook.service.store import StoreFailed, open_store
from svc_notebook.service.store import migrate as migrations

DATA = {"orders": pa.table({"id": [1, 2, 3]})}
REVISIONS = sorted(
    path.name[:4] for path in (Path(migrations.__file__).parent / "migrations" / "versions").glob("0*.py")
)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "state.sqlite"


@pytest.fixture
def client(store: Path) -> Iterator[EmbeddedClient]:
    with svc.embedded(DATA, store=store, user_attributes={"region": "string"}, groups=["sales"]) as client:
        yield client


def asked(client: EmbeddedClient, who: str) -> str:
    chat = client.chat(external_id=who, user_attributes={"region": "north"}, groups=["sales"], is_ephemeral=False)
    chat.ask("how many orders")
    assert chat.chat_id is not None
    return chat.chat_id


def keep(*words: object) -> int:
    return main(["store", *map(str, words)])


def test_a_copy_made_while_the_service_runs_holds_what_was_there(
    client: EmbeddedClient, store: Path, tmp_path: Path
) -> None:
    ana = asked(client, "ana")
    assert keep("backup", tmp_path / "copy.sqlite", "--store", store) == 0
    asked(client, "bob")
    copied = open_store(tmp_path / "copy.sqlite")
    assert copied.state_hash() != client.service.store.state_hash()
    copied.close()
    client.close()
    assert keep("restore", tmp_path / "copy.sqlite", "--store", store) == 1  # not without --yes
    assert keep("restore", tmp_path / "copy.sqlite", "--store", store, "--yes") == 0
    with svc.embedded(DATA, store=store, user_attributes={"region": "string"}, groups=["sales"]) as again:
        assert [thread.chat_id for thread in again.threads(external_id="ana")] == [ana]
        with pytest.raises(SvcError, match="No such user"):
            again.threads(external_id="bob")


def test_a_person_is_written_out_and_removed_with_all_that_is_theirs(
    client: EmbeddedClient, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chat_id = asked(client, "ana")
    other = asked(client, "bob")
    assert keep("export-user", "--store", store, "--external", "ana") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["user"]["name"] == "ana" and told["groups"] == ["sales"]
    assert told["userAttributes"] == {"region": '"north"'}
    [thread] = told["threads"]
    assert thread["id"] == chat_id and thread["turns"][0]["question"] == "how many orders" and thread["messages"]
    assert other not in json.dumps(told)
    assert keep("delete-user", "--store", store, "--external", "ana") == 1
    assert keep("delete-user", "--store", store, "--external", "ana", "--yes") == 0
    assert keep("export-user", "--store", store, "--external", "ana") == 1
    with closing(sqlite3.connect(store)) as connection:
        for table in ("threads", "turns", "messages"):
            column = "id" if table == "threads" else "thread_id"
            found = {row[0] for row in connection.execute(f"SELECT {column} FROM {table}")}
            assert found == {other}, table


def test_what_has_expired_and_what_is_old_goes(
    client: EmbeddedClient, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked(client, "ana")
    client.close()
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("UPDATE threads SET updated_at = 0")
        connection.commit()
    assert keep("prune", "--store", store) == 0
    assert "0 threads" in capsys.readouterr().err
    assert keep("prune", "--store", store, "--threads-older-than", 90) == 0
    assert "1 threads" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["export-user", "--external", "ana"], ["prune"], ["backup", "copy.sqlite"]])
def test_a_store_that_is_not_there_is_not_made(words: list[str], tmp_path: Path) -> None:
    assert keep(words[0], *words[1:], "--store", tmp_path / "none.sqlite") == 1
    assert not any(tmp_path.iterdir())


def test_a_damaged_copy_is_not_put_back(
    client: EmbeddedClient, store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked(client, "ana")
    client.close()
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(b"SQLite format 3\0" + b"\1" * 5_000)
    before = store.read_bytes()
    nameless, newer = tmp_path / "nameless.sqlite", tmp_path / "newer.sqlite"
    for copy, change in (
        (nameless, "DELETE FROM alembic_version"),
        (newer, "UPDATE alembic_version SET version_num = '9'"),
    ):
        shutil.copy(store, copy)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute(change)
            connection.commit()
    said = {
        damaged: "no state store, or a damaged one", tmp_path / "none.sqlite": "There is no file",
        nameless: "it has no version", newer: "written by a newer version (tables 9,",
    }  # fmt: skip
    for copy, why in said.items():
        assert keep("restore", copy, "--store", store, "--yes") == 1
        assert why in capsys.readouterr().err
    assert store.read_bytes() == before


# --- versions -----------------------------------------------------------------------------------------------------


_THREAD = (
    "INSERT INTO threads (id, tenant_id, user_id, agent, branch, title, created_at, updated_at) "
    "VALUES ('t1', 1, 1, 'data-analyst', '', 'how many orders', 1.0, 2.0)"
)
_TURN = (
    "INSERT INTO turns (thread_id, number, question, status, answer, started_at) "
    "VALUES ('t1', 1, 'how many orders', 'complete', 'Three.', 1.0)"
)


def made_by(revision: str, path: Path) -> None:
    """A store as the version with that revision left it, with an account, two users, a thread and its messages."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(Path(migrations.__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        for statement in (
            "INSERT INTO tenants (id, name, plan, use_creator_mode, user_limit) VALUES (1, 'local', 'enterprise', 1, 10000)",
            "INSERT INTO catalog (id, tenant_id, scope, kind, name) VALUES (1, 1, 0, 'group', 'sales')",
            "INSERT INTO users (id, tenant_id, kind, scope, name) VALUES (1, 1, 'external', 0, 'ana')",
            "INSERT INTO users (id, tenant_id, kind, scope, name) VALUES (2, 1, 'external', 0, 'bob')",
            "INSERT INTO memberships (user_id, group_id) VALUES (1, 1)",
            _THREAD,
            _TURN,
        ):
            connection.exec_driver_sql(statement)
        if revision >= "0005":  # from then on it is counted as they come
            connection.exec_driver_sql("UPDATE catalog SET member_count = 1")
    engine.dispose()


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_store_of_every_version_is_brought_up_with_what_it_holds(revision: str, store: Path) -> None:
    made_by(revision, store)
    with svc.embedded(DATA, store=store, groups=["sales"]) as client:
        [thread] = client.threads(external_id="ana")
        assert (thread.chat_id, thread.title) == ("t1", "how many orders")
        answer = client.chat(external_id="ana", chat_id="t1").ask("how many orders")
        assert answer.status == "complete" and "3" in answer.text
        group = "SELECT member_count FROM catalog WHERE name = 'sales'"
        with closing(sqlite3.connect(store)) as connection:
            assert connection.execute(group).fetchone() == (1,)
            assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (REVISIONS[-1],)


def test_a_migration_that_breaks_off_leaves_the_store_as_it_was(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_by(REVISIONS[0], store)
    upgrade = command.upgrade

    def broken(config: Config, revision: str) -> None:
        upgrade(config, REVISIONS[2])
        raise OSError("the power went")

    with monkeypatch.context() as patch:
        patch.setattr(command, "upgrade", broken)
        with pytest.raises(OSError, match="power"):
            open_store(store)
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (REVISIONS[0],)
    open_store(store).close()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE alembic_version SET version_num = 'f00ba4'", "unknown version"),
        ("UPDATE alembic_version SET version_num = '9999'", "newer version"),
        ("DROP TABLE alembic_version", "no version"),
        ("DELETE FROM alembic_version", "no version"),
    ],
)
def test_what_is_no_store_of_ours_is_told_in_a_sentence(damage: str, said: str, store: Path) -> None:
    open_store(store).close()
    with closing(sqlite3.connect(store)) as connection:
        connection.execute(damage)
        connection.commit()
    with pytest.raises(StoreFailed, match=said):
        open_store(store)


def test_an_empty_file_becomes_a_store_and_half_a_file_does_not(store: Path, tmp_path: Path) -> None:
    store.write_bytes(b"")
    open_store(store).close()
    half = tmp_path / "half.sqlite"
    shutil.copyfile(store, half)
    with half.open("r+b") as file:
        file.truncate(half.stat().st_size // 2)
    with pytest.raises(StoreFailed, match=r"half\.sqlite"):
        open_store(half)
