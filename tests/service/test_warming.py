"""The service prepares its analysts in the background: start does not wait for it, stop ends it, rights are kept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Hashable
from typing import Any

import pytest

from svc_notebook.analyst.base import AnswerDone, Event, Turn
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.cancellation import CancellationToken, Cancelled
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.service.config import (
    AgentConfig,
    AttributeDefinition,
    GroupSeed,
    InternalUser,
    ServiceConfig,
    TenantConfig,
)
from svc_notebook.service.deployments import warming
from svc_notebook.service.deployments.sites import Site
from svc_notebook.service.runtime import Service

from .service_world import OrdersLayer


class Preparing:
    """An analyst that notes whose sight it is asked to prepare, and waits until it is let go."""

    name = "preparing"

    def __init__(self) -> None:
        self.seen: list[Hashable] = []
        self.reached, self.both = threading.Event(), threading.Event()
        self.stopped: list[str] = []
        self.go = threading.Event()

    async def warm(self, toolbox: Toolbox) -> None:
        self.seen.append(toolbox.sight.asker)
        if len(self.seen) == 2:
            self.both.set()
        await asyncio.to_thread(self._wait, toolbox)

    def _wait(self, toolbox: Toolbox) -> None:
        self.reached.set()
        with toolbox.cancel.on_cancel(self.go.set):
            self.go.wait(30)
        try:
            toolbox.cancel.raise_if_cancelled()
        except Cancelled as cancelled:
            self.stopped.append(cancelled.reason)
            raise

    async def answer(self, turn: Turn, toolbox: Toolbox, cancel: CancellationToken) -> AsyncIterator[Event]:
        yield AnswerDone("")

    async def suggestions(self, toolbox: Toolbox, limit: int = 4) -> list[str]:
        return []


def service_of(analyst: Preparing, layer: Any) -> Service:
    users = [
        InternalUser(username="desk", email="desk@svc.local", groups=["airlines"], user_attributes={"carrier": ["DL"]}),
        InternalUser(username="operator", email="operator@svc.local", unrestricted=True),
    ]
    tenant = TenantConfig(
        agents=[AgentConfig(analyst=analyst)],
        internal_users=users, groups=[GroupSeed(name="airlines")],
        attributes=[AttributeDefinition(name="carrier", type="string_array")],
    )  # fmt: skip
    return Service(ServiceConfig(tenants=[tenant]), {Site("local", 1): {"main": layer}})


def test_start_does_not_wait_and_stop_ends_the_preparation() -> None:
    analyst = Preparing()

    async def life() -> None:
        service = service_of(analyst, OrdersLayer())
        await service.start()
        assert service.started and not analyst.stopped
        assert await asyncio.to_thread(analyst.reached.wait, 30)
        await service.stop()

    asyncio.run(life())
    assert analyst.go.is_set()
    assert analyst.stopped == ["the service stops"]


def test_users_of_the_configuration_are_prepared_for_under_their_own_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "_PAUSE", 0.01)
    analyst = Preparing()
    analyst.go.set()

    async def life() -> None:
        service = service_of(analyst, OrdersLayer())
        await service.start()
        assert await asyncio.to_thread(analyst.both.wait, 30)
        await service.stop()

    asyncio.run(asyncio.wait_for(life(), 30))
    desk = SecurityContext(user_attributes={"carrier": ["DL"]}, groups=frozenset({"airlines"}))
    assert analyst.seen == [SecurityContext.operator().known, desk.known]


def test_after_the_first_user_others_wait_until_no_turn_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "_PAUSE", 0.01)
    analyst = Preparing()
    analyst.go.set()
    looks: list[int] = []

    class Turns:
        """Two looks find a turn, the third none."""

        def __len__(self) -> int:
            looks.append(len(analyst.seen))
            return int(len(looks) < 3)

    async def life() -> None:
        service = service_of(analyst, OrdersLayer())
        await service.start()
        turns, service.turns = service.turns, Turns()  # type: ignore[assignment]
        assert await asyncio.to_thread(analyst.both.wait, 30)
        service.turns = turns
        await service.stop()

    asyncio.run(asyncio.wait_for(life(), 30))
    assert looks == [1, 1, 1]
