"""What else than rows and refusals an asker is told: that memory ran out, and how far a query is."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pyarrow as pa
import pytest

from svc_notebook.cancellation import CancellationToken
from svc_notebook.semantic.engine import DuckDBEngine, EngineLimits
from svc_notebook.semantic.errors import OutOfMemory

from .compare import ask
from .failing_worlds import CONTEXT, World, open_worlds

# Kept in memory until the last row; its length goes by {x}.
NEEDY = (
    "SELECT length(string_agg('x', ',')) AS n "
    "FROM facts a CROSS JOIN facts b CROSS JOIN (SELECT id AS i FROM facts WHERE id < {x}) c"
)


def most(world: World, shape: str) -> int:
    """How much memory a query over visible rows may need: the bound from which on it is refused."""
    low, high = 0, 120
    while high - low > 1:
        middle = (low + high) // 2
        found = ask(world.layers[shape], CONTEXT, NEEDY.replace("{x}", str(middle)))
        assert found.error in ("", OutOfMemory.__name__), found.message
        low, high = (low, middle) if found.error else (middle, high)
    return low


@pytest.mark.slow
def test_where_memory_ends_does_not_go_by_hidden_rows(tmp_path: Path) -> None:
    """Tables of a database file give way to what queries need: they count for nothing where memory is short."""
    settings = {"memory_limit": "64MB", "threads": "1"}
    with open_worlds(("none", "big"), tmp_path, settings=settings) as worlds:
        ends = {most(world, "list") for world in worlds}
    assert len(ends) == 1
    assert 5 < ends.pop() < 115  # else it never ran out, or always


def test_how_far_a_query_is_is_told_in_tenths() -> None:
    token, told = CancellationToken(), set()
    engine = DuckDBEngine.open(None, data={"t": pa.table({"i": range(1_500_000)})}, limits=EngineLimits(threads=1))
    slow = "SELECT max(md5(md5(md5(md5(CAST(i AS VARCHAR)))))) AS x FROM t"
    running = threading.Thread(target=lambda: engine.execute(slow, {}, cancel=token))
    running.start()
    while running.is_alive():
        told.add(token.progress)
        time.sleep(0.005)
    engine.close()
    assert len(told - {None, 0.0, 1.0}) > 1
    assert told <= {None, *(number / 10 for number in range(11))}
