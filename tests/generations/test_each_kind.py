"""Each kind of file is seen to change; what cannot be used leaves the data as they were, and that is told."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

import svc_notebook as svc
from svc_notebook.embedded import EmbeddedClient
from svc_notebook.semantic.errors import ModelError

from .files import KINDS, table, write

MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: city, sql: city, type: string}
    measures:
      - {name: number, type: count}
      - {name: highest, sql: id, type: max}
      - {name: total, sql: id, type: sum}
"""
ASKED = "SELECT MEASURE(number) AS n, MEASURE(total) AS s FROM orders"
QUICK = {"reload_interval": 0.05}
NEVER = {"reload_interval": 0}


def eventually(happened: Callable[[], bool]) -> bool:
    until = time.monotonic() + 30
    while not happened() and time.monotonic() < until:
        time.sleep(0.02)
    return happened()


def asked(client: EmbeddedClient) -> tuple[int, int]:
    frame = client.sql(ASKED)
    return int(frame.n[0]), int(frame.s[0])


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "orders.yml").write_text(MODEL)
    return folder


@pytest.fixture
def opened(model: Path) -> Iterator[Callable[..., EmbeddedClient]]:
    clients: list[EmbeddedClient] = []

    def open_client(path: Path, config: dict[str, float] = NEVER) -> EmbeddedClient:
        given = {"database": path} if path.suffix == ".duckdb" else {"data": {"orders": path}}
        clients.append(svc.embedded(model, **given, config=config))
        return clients[-1]

    yield open_client
    for client in clients:
        client.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_replaced_file_is_answered_from_and_one_that_is_gone_is_not_missed(
    kind: str, tmp_path: Path, opened: Callable[..., EmbeddedClient]
) -> None:
    path = tmp_path / f"orders.{kind}"
    write(path, table(0, 10))
    client = opened(path)
    first = client.query(ASKED)
    assert asked(client) == (10, 45)
    write(path, table(100, 3))
    assert asked(client) == (10, 45)
    assert client.reload().generation == 2
    assert asked(client) == (3, 303)
    assert first.as_of <= client.query(ASKED).as_of == client.freshness().as_of
    path.unlink()
    with pytest.raises(ValueError, match=f"there is no (database )?file '.*orders.{kind}'"):
        client.reload()
    assert asked(client) == (3, 303)
    assert f"orders.{kind}" in client.freshness().held_back
    [note] = client.query(ASKED).notes
    assert "have changed since" in note and str(tmp_path) not in note
    write(path, table(7, 1))
    assert client.reload().held_back == ""
    assert asked(client) == (1, 7) and not client.query(ASKED).notes


def test_changes_are_seen_without_being_asked_for(tmp_path: Path, opened: Callable[..., EmbeddedClient]) -> None:
    path = tmp_path / "orders.csv"
    write(path, table(0, 10))
    client = opened(path, QUICK)
    with path.open("a") as file:
        file.write("10,city 1\n")
    assert eventually(lambda: asked(client) == (11, 55))
    path.write_text("")
    assert eventually(lambda: "orders.csv' is empty" in client.freshness().held_back)
    assert asked(client) == (11, 55)
    (tmp_path / "model" / "orders.yml").write_text(MODEL + "  - nonsense")
    write(path, table(0, 2))
    assert eventually(lambda: "orders.yml" in client.freshness().held_back)
    assert asked(client) == (11, 55)
    (tmp_path / "model" / "orders.yml").write_text(MODEL.replace("highest", "largest"))
    assert eventually(lambda: asked(client) == (2, 1))
    assert int(client.sql("SELECT MEASURE(largest) AS m FROM orders").m[0]) == 1


def test_a_column_of_another_type_or_without_its_name_is_held_back(
    tmp_path: Path, opened: Callable[..., EmbeddedClient]
) -> None:
    path = tmp_path / "orders.parquet"
    write(path, table(0, 10))
    client = opened(path)
    for odd in (
        pa.table({"id": ["a", "b"], "city": ["x", "y"]}),
        pa.table({"number": [1], "city": ["x"]}),
    ):
        write(path, odd)
        with pytest.raises(ModelError, match="id"):
            client.reload()
        assert asked(client) == (10, 45)
    write(path, pa.table({"id": [1.5, 2.5], "city": ["x", "y"]}))  # a number is a number
    client.reload()
    assert float(client.sql(ASKED).s[0]) == 4.0


def test_who_writes_a_database_is_not_locked_out_and_what_is_not_in_its_file_yet_is_read(
    tmp_path: Path, opened: Callable[..., EmbeddedClient]
) -> None:
    path = tmp_path / "orders.duckdb"
    write(path, table(0, 10))
    client = opened(path)
    script = (
        f"import duckdb, sys; c = duckdb.connect({str(path)!r}); c.execute('INSERT INTO orders VALUES (10, NULL)'); "
        "print('written', flush=True); sys.stdin.read()"
    )
    piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    writer = subprocess.Popen([sys.executable, "-c", script], **piped)
    with writer:
        assert writer.stdout is not None and writer.stdout.readline() == "written\n"
        client.reload()
        assert asked(client) == (11, 55)
        writer.communicate("")


def test_readiness_tells_everybody_that_data_are_held_back_and_the_operator_why(
    tmp_path: Path, opened: Callable[..., EmbeddedClient]
) -> None:
    import httpx

    path = tmp_path / "orders.csv"
    write(path, table(0, 10))
    client = opened(path)
    path.write_text("")
    with pytest.raises(ValueError, match="empty"):
        client.reload()
    with httpx.Client(transport=client.transport, base_url=client.base_url) as http:
        ready = http.get("/readyz")
        assert ready.status_code == 200
        assert ready.json()["generation"] == {"number": 1, "asOf": client.freshness().as_of, "heldBack": True}
        for way in ("POST", "GET"):
            place = "/api/v1/reload" if way == "POST" else "/api/v1/freshness"
            assert http.request(way, place).status_code == 401
        key = client.service.config.tenants[0].api_keys[0].secret()
        refused = http.post("/api/v1/reload", headers={"Authorization": f"Api-Key {key}"}, json={})
        assert refused.status_code == 400 and "empty" in refused.json()["message"]


def test_what_was_made_from_frames_is_kept_by_nobody_but_the_engine() -> None:
    client = svc.embedded({"orders": table(0, 3)})
    try:
        assert client.service.source._data.values == ()
        assert client.reload().generation == 2
        assert int(client.sql("SELECT COUNT(*) AS n FROM orders").n[0]) == 3
    finally:
        client.close()


def test_a_folder_gains_and_loses_tables(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    write(folder / "orders.csv", table(0, 3))
    client = svc.embedded(folder, config=NEVER)
    try:
        write(folder / "visits.csv", table(0, 4))
        client.reload()
        assert int(client.sql("SELECT COUNT(*) AS n FROM visits").n[0]) == 4
        (folder / "visits.csv").unlink()
        client.reload()
        assert {cube.name for cube in client.meta().cubes} == {"orders"}
    finally:
        client.close()
