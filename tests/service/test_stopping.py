"""A service that stops at any moment of a question: nobody's error is told to nobody, and what was said is kept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from svc_notebook.service.app import create_app
from svc_notebook.service.clock import ManualClock
from svc_notebook.service.operation.audit import AuditLog
from svc_notebook.service.store import open_store
from svc_notebook.service.turns import notes, running
from tests.loops import run

from .service_world import ADMIN, CHAT, OrdersLayer, ScriptedAnalyst, headers, lines, make_config, make_service

ASKED = {"input": "Run: SELECT * FROM orders", "sessionSettings": {"externalId": "ana"}}


class Steps:
    """Every piece of work for the store, in its order; the one with a number waits, before it is done or after."""

    def __init__(self, service: Any, held: int = -1, *, after: bool = False) -> None:
        self.names: list[str] = []
        self.come, self.go = asyncio.Event(), asyncio.Event()
        self._held, self._after = held, after
        for kind in ("read", "write", "note"):
            setattr(service._desk, kind, partial(self._step, getattr(service._desk, kind)))

    async def _step(self, real: Callable[..., Any], work: Any, *args: Any, **kwargs: Any) -> Any:
        number = len(self.names)
        self.names.append(work.__name__)
        if number != self._held:
            return await real(work, *args, **kwargs)
        if not self._after:
            await self._hold()
            return await real(work, *args, **kwargs)
        try:
            return await real(work, *args, **kwargs)
        finally:
            await self._hold()

    async def _hold(self) -> None:
        self.come.set()
        await self.go.wait()


async def asked(store: Any, held: int, *, after: bool) -> tuple[list[str], httpx.Response, list[str]]:
    """A question to a service that is stopped while the store's work of that number is held."""
    told: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(str(context)))
    service = make_service(make_config(), ScriptedAnalyst(), OrdersLayer(), store, ManualClock())
    await service.start()
    steps = Steps(service, held, after=after)
    transport = httpx.ASGITransport(create_app(service))
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as http:
        asking = asyncio.create_task(http.post(CHAT, json=ASKED, headers=headers(ADMIN)))
        come = asyncio.create_task(steps.come.wait())
        await asyncio.wait({asking, come}, return_when=asyncio.FIRST_COMPLETED)
        stopping = asyncio.create_task(service.stop())
        await asyncio.wait({stopping}, timeout=0.1)  # as far as it comes
        steps.go.set()
        come.cancel()
        await asyncio.wait_for(stopping, 30)
        answer = await asyncio.wait_for(asking, 30)
    others = asyncio.all_tasks() - {asyncio.current_task()}
    _, late = await asyncio.wait(others, timeout=5) if others else (None, set())
    told += [f"still at work: {task}" for task in late if "_give_up" not in str(task)]
    return steps.names, answer, told


def kept(store: Any, chat_id: str) -> list[str]:
    """How the thread's turns ended, as the next service on the store says it; none of a thread that is not there."""

    async def replayed() -> list[str]:
        service = make_service(make_config(), ScriptedAnalyst(), OrdersLayer(), store, ManualClock())
        await service.start()
        transport = httpx.ASGITransport(create_app(service))
        async with httpx.AsyncClient(transport=transport, base_url="http://service") as http:
            body = {"chatId": chat_id, "sessionSettings": ASKED["sessionSettings"]}
            answer = await http.post(CHAT, json=body, headers=headers(ADMIN))
        await service.stop()
        assert answer.status_code in (200, 404)
        frames = lines(answer.content) if answer.status_code == 200 else []
        return [turn["status"] for frame in frames if "state" in frame for turn in frame["state"].get("turns", [])]

    return run(replayed())


@pytest.mark.parametrize("hold", [2.0, 0.0], ids=["what begins is waited for", "and where that takes too long"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_service_may_stop_at_each_moment_of_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hold: float, after: bool
) -> None:
    for module in (running, notes):
        monkeypatch.setattr(module, "HOLD", hold)
    number, names = 0, ["the first"]
    while number < len(names):
        store = open_store(f"sqlite:///{tmp_path}/{number}.sqlite")
        names, answer, told = run(asked(store, number, after=after))
        where = (number, names[number : number + 1])
        assert not told, where
        assert answer.status_code in (200, 503), where
        if answer.status_code == 200:
            ended = kept(store, lines(answer.content)[0]["state"]["chatId"])
            assert set(ended) <= {"complete", "aborted", "failed"}, where
            if hold:
                assert ended and "failed" not in ended, where
            elif not ended:  # whose first line had left is told that nothing came of it
                assert "shutting down" in answer.text or "has stopped" in answer.text, where
        store.close()
        number += 1
    assert {"authenticate", "open_turn", "finish_turn"} <= set(names)


def test_an_audit_log_takes_the_queries_that_end_after_it(tmp_path: Path) -> None:
    audit = AuditLog(tmp_path, 0, lambda: 0.0, lambda: pytest.fail("an entry is lost"))
    audit.put({"sql": "SELECT 1"})
    audit.close()
    late = threading.Thread(target=audit.put, args=({"sql": "SELECT 2"},))
    late.start()
    late.join()
    [file] = tmp_path.iterdir()
    assert [line.count("SELECT") for line in file.read_text("utf-8").splitlines()] == [1, 1]
