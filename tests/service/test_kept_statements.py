"""A service in memory begins and answers with statements whose texts are kept: SQLAlchemy is not loaded for them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select, text
from sqlalchemy.exc import IntegrityError

from scripts.statements import left_open, named
from svc_notebook.service.store import StoreFailed, open_store
from svc_notebook.service.store.marks import latest_time, reach_time
from svc_notebook.service.store.prepared import Prepared, kept_texts
from svc_notebook.service.store.schema import marks

ROOT = Path(__file__).parents[2]
START = """
import sys
import svc_notebook as svc
client = svc.demo()
assert client.chat().ask("flights by carrier").results
assert client.chat(external_id="ana").ask("flights by month").results
import svc_notebook.service.store.threads as threads
client.service.store.write(threads.renew_leases, "nobody", ["none"], 0.0)
client.close()
print([name for name in sys.modules if name.partition(".")[0] in ("sqlalchemy", "alembic")])
"""


def said(*command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    return subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_the_demo_begins_and_answers_without_sqlalchemy() -> None:
    assert said("-c", START).stdout.splitlines()[-1] == "[]"


def test_kept_texts_are_those_that_would_be_written() -> None:
    """``python -m scripts.statements`` writes them anew."""
    assert kept_texts()
    found = said("-m", "scripts.statements", "--check")
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize("items", [(), (1,), (1, 2, 3)])
@pytest.mark.parametrize("prepared", named(), ids=lambda each: each.name)
def test_sqlite_reads_every_statement(prepared: Prepared, items: tuple[int, ...]) -> None:
    values = left_open(prepared.statement, *items)
    found = prepared.written(values)
    store = open_store("memory")
    store.read(lambda connection: replace(found, sql=f"EXPLAIN {found.sql}").run(connection, values).fetchall())
    store.close()


def test_what_has_no_text_sees_and_shares_the_same_transaction() -> None:
    store = open_store("memory")

    def both(connection: Connection) -> None:
        reach_time(connection, 5.0)
        assert connection.execute(select(marks.c.value)).scalar() == 5.0
        connection.execute(insert(marks).values(name="other", value=1.0))
        raise KeyError

    with pytest.raises(KeyError):
        store.write(both)
    assert store.read(latest_time) == 0
    assert store.read(lambda connection: connection.execute(select(marks)).all()) == []
    store.write(lambda connection: connection.execute(insert(marks).values(name="other", value=1.0)))
    assert store.read(lambda connection: connection.execute(text("SELECT name FROM marks")).scalar()) == "other"
    store.close()


def test_what_fails_leaves_the_store_as_it_was() -> None:
    store = open_store("memory")

    def twice(connection: Connection) -> None:
        reach_time(connection, 5.0)
        connection.execute(insert(marks).values(name="time", value=1.0))

    with pytest.raises(StoreFailed) as failed:
        store.write(twice)
    assert isinstance(failed.value.__cause__, IntegrityError)
    assert store.read(latest_time) == 0
    assert store.write(reach_time, 7.0) == 7.0
    store.close()
