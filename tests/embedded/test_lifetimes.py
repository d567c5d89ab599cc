"""What a cell made goes with its last reference; a service knows when it does not run; a stopped loop is not the end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.client.engine.portal import Portal, PortalStopped
from svc_notebook.client.errors import SvcError
from svc_notebook.embedded import EmbeddedClient
from svc_notebook.semantic.errors import ModelError

ORDERS = pd.DataFrame({"id": [1, 2, 3], "region": ["EMEA", "EMEA", "APAC"]})


@pytest.fixture
def portal() -> Iterator[Portal]:
    made = Portal("test-engine")
    yield made
    made.stop()


def cell(portal: Portal, **options: Any) -> EmbeddedClient:
    """What a notebook's cell does: make a client, ask with it."""
    client = svc.embedded(data={"orders": ORDERS}, portal=portal, **options)
    answer = client.chat().ask("how many orders")
    assert answer.status == "complete"
    assert len(client.sql("SELECT region FROM orders")) == 3
    return client


def open_files() -> int:
    return len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0


def tasks_of(portal: Portal) -> int:
    async def tasks() -> int:
        return len(asyncio.all_tasks())

    return portal.run(tasks())


def threads() -> set[str]:
    """Our threads; the clock of queries is shared and ends when it has been idle."""
    names = [f"{thread.name} {thread.ident}" for thread in threading.enumerate() if thread.name.startswith("svc-")]
    return {name for name in names if not name.startswith("svc-query-clock")}


def eventually(condition: Callable[[], bool], seconds: float = 30.0) -> bool:
    limit = time.monotonic() + seconds
    while not condition() and time.monotonic() < limit:
        gc.collect()
        time.sleep(0.02)
    return condition()


OWN_THREADS = 8 + 8 + 2 + 4 + 2 + 2
"""At most, of one service: store, queries, thinking, preparing, looking up; a clock and an end."""


def test_running_a_cell_again_and_again_leaves_nothing_behind(portal: Portal) -> None:
    others = threads()  # of clients that tests before this one opened
    client = cell(portal)
    tasks, files, gone = tasks_of(portal), open_files(), []
    for _ in range(10):
        gone += [weakref.ref(client.service), weakref.ref(client.service.layer.engine)]
        client = cell(portal)
    assert eventually(lambda: all(ref() is None for ref in gone))
    assert eventually(lambda: tasks_of(portal) <= tasks)
    assert eventually(lambda: open_files() <= files)
    assert eventually(lambda: len(threads() - others) <= OWN_THREADS), threads() - others
    assert client.service.running


@pytest.mark.parametrize("store", ["memory", "state.sqlite"])
def test_nothing_is_left_when_the_last_reference_goes(portal: Portal, tmp_path: Path, store: str) -> None:
    tasks, files, before = tasks_of(portal), open_files(), threads()
    client = cell(portal, store=store if store == "memory" else tmp_path / store)
    del client
    assert eventually(lambda: tasks_of(portal) <= tasks)
    assert eventually(lambda: open_files() <= files)
    assert eventually(lambda: threads() <= before), threads() - before


KEPT: dict[str, Callable[[EmbeddedClient], Any]] = {
    "chat": lambda client: client.chat(),
    "answer": lambda client: client.chat().ask("how many orders"),
    "session": lambda client: client.generate_session(deployment_id=1, external_id="ana"),
    "result": lambda client: client.query("SELECT region FROM orders"),
}


@pytest.mark.parametrize("keep", KEPT)
def test_whatever_can_still_ask_keeps_the_service(portal: Portal, keep: str) -> None:
    client = svc.embedded(data={"orders": ORDERS}, portal=portal)
    life = client.service._life
    kept = KEPT[keep](client)
    del client
    gc.collect()
    assert life.running
    del kept
    assert eventually(lambda: not life.running)


def test_an_awaiting_client_and_its_chat_go_as_well(portal: Portal) -> None:
    client = svc.embedded(data={"orders": ORDERS}, portal=portal)
    other = svc.AsyncClient(client.base_url, client._calls.address.api_key, transport=client.transport, portal=portal)
    life = client.service._life
    del client
    gc.collect()
    assert portal.run(other.query("SELECT region FROM orders")).total_rows == 3
    del other
    assert eventually(lambda: not life.running)


def test_after_its_loop_was_stopped_from_outside_a_service_knows_it_and_starts_again(portal: Portal) -> None:
    client = cell(portal)
    assert client.service.running
    loop, thread = portal.loop, portal._thread
    assert thread is not None
    loop.call_soon_threadsafe(loop.stop)
    thread.join(30)
    assert not client.service.running
    assert "stopped" in repr(client)
    with pytest.raises(SvcError, match="restart"):
        client.meta()
    client.restart()
    assert client.service.running
    assert client.chat().ask("how many orders").status == "complete"
    client.close()


def test_whoever_waits_when_the_loop_is_stopped_is_told(portal: Portal) -> None:
    loop = portal.loop
    threading.Timer(0.2, lambda: loop.call_soon_threadsafe(loop.stop)).start()
    with pytest.raises(PortalStopped):
        portal.run(asyncio.sleep(60))
    assert portal.run(asyncio.sleep(0, "the next one works")) == "the next one works"


def test_closing_twice_and_dropping_after_closing_does_nothing_more(portal: Portal) -> None:
    client = cell(portal)
    client.close()
    client.close()
    assert not client.service.running
    del client
    gc.collect()


@pytest.mark.parametrize("model", [None, {"cubes": "none"}])
def test_loading_leaves_the_search_for_garbage_as_it_was(portal: Portal, model: Any) -> None:
    assert gc.isenabled()
    with contextlib.suppress(ModelError):
        svc.embedded(model, data={"orders": ORDERS}, portal=portal).close()
    assert gc.isenabled()
    gc.disable()
    try:
        svc.embedded(data={"orders": ORDERS}, portal=portal).close()
        assert not gc.isenabled()
    finally:
        gc.enable()
