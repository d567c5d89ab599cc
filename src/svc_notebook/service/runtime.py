"""The service as an object: configuration, store, data model, analysts, running turns; it knows no routes.

All work on the store happens on threads of its own; the event loop never waits for a database.
"""

from __future__ import annotations

import asyncio
import logging
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from starlette.requests import Request

from ..lanes import Admission, Asker, Lanes, Place
from ..protocol.errors import Forbidden, NotFound, ServerError, ServiceError
from .auth import Caller, authenticate
from .clock import Clock, SteadyClock, SystemClock
from .config import AgentConfig, ApiKey, Deployment, ServiceConfig, TenantConfig
from .jsonbody import read_json
from .rules import check_defaults, check_typed
from .running import LEASE, Turns
from .secrets import digest
from .store import Store, open_store
from .store.accounts import seed
from .store.sessions import delete_stale
from .store.users import delete_expired, next_expiry
from .warming import Warming

if TYPE_CHECKING:
    from ..analyst.base import Analyst
    from ..semantic.layer import SemanticLayer

__all__ = ["Service"]

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)
_IDLE = 3600.0
_QUERIES = 8


def _found(layers: Mapping[str, SemanticLayer], name: str) -> SemanticLayer | None:
    try:  # not get(): branches are loaded when they are asked for
        return layers[name]
    except KeyError:
        return None


def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(8, thread_name_prefix="svc-store")


class Service:
    """The embedded analytics service.

    Parameters
    ----------
    config
        Accounts, keys, limits.
    layers
        The data model by branch name; ``"main"`` is the default branch.
    analysts
        Who answers, by agent id; agents that are missing here are made from their configuration.
    store
        An open store, or where to open one (then the service closes it).
    clock
        Where time comes from.
    """

    def __init__(
        self,
        config: ServiceConfig,
        layers: Mapping[str, SemanticLayer],
        analysts: Mapping[str, Analyst] | None = None,
        store: Store | str | Path = "memory",
        clock: Clock | None = None,
    ) -> None:
        self.config = config
        self.clock = SteadyClock(clock or SystemClock())
        self.layers = layers
        self._analysts = dict(analysts or {})
        self._making = threading.Lock()
        self._store_url = None if isinstance(store, Store) else store
        self.store = store if isinstance(store, Store) else open_store(store)
        self._tenants: dict[int, TenantConfig] = {}
        self._temporary: dict[str, tuple[int, ApiKey]] = {}
        self._pool = _threads()
        self.lanes = self._lanes()
        self.admission = Admission(config.open_limit)
        self._background: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self.turns = Turns(self)
        self._warming = Warming(self)
        self.started = False
        self._stopped = False
        self._due = math.inf

    async def start(self) -> None:
        """Bring the store up to the configuration and begin the background work; once stopped, it may start again."""
        if self.started:
            return
        if self._stopped:
            self._reopen()
        for tenant in self.config.tenants:
            check_defaults(tenant)
            kept = [key.secret() for key in tenant.api_keys if not key.temporary]
            tenant_id = await self.write(seed, tenant, {secret: digest(secret) for secret in kept}, check_typed)
            self._tenants[tenant_id] = tenant
            self._temporary |= {digest(key.secret()): (tenant_id, key) for key in tenant.api_keys if key.temporary}
        for work in (self._reap, self._renew, self._warming.run):
            task = asyncio.create_task(work())
            self._background.add(task)
        self.started = True

    async def stop(self) -> None:
        """End turns (their partial answers are kept) and background work, and close what this service opened."""
        await self.turns.stop()
        self._warming.stop()
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        self._background.clear()
        for analyst in self._analysts.values():
            if (close := getattr(analyst, "aclose", None)) is not None:
                await close()
        self.lanes.close(wait=False)
        self._pool.shutdown(wait=True)
        if self._store_url is not None:
            self.store.close()
        self.started, self._stopped = False, True

    def _reopen(self) -> None:
        self._pool, self.turns, self._wake = _threads(), Turns(self), asyncio.Event()
        self.lanes, self.admission = self._lanes(), Admission(self.config.open_limit)
        self._warming = Warming(self)
        self._stopped = False
        if self._store_url is not None:
            self.store = open_store(self._store_url)

    def _lanes(self) -> Lanes:
        """As many queries at once as the engine behind the default branch takes."""
        engine = getattr(self.layers.get("main"), "engine", None)
        return Lanes(getattr(engine, "concurrent", _QUERIES))

    # --- what handlers need -------------------------------------------------------------------------------------

    def now(self) -> float:
        return self.clock.now()

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """``Store.write`` on a store thread."""
        call = partial(self.store.write, work, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    async def trial(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """``Store.trial`` on a store thread."""
        call = partial(self.store.trial, work, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """``Store.read`` on a store thread."""
        call = partial(self.store.read, work, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    async def authenticate(self, request: Request, *, tokens: bool = True) -> Caller:
        header = next((value for name, value in request.scope["headers"] if name == b"authorization"), None)
        return await self.read(authenticate, header, self.now(), tokens=tokens, temporary=self._temporary)

    async def body(self, request: Request, model: type[T]) -> T:
        return await read_json(request, model, limit=self.config.body_limit, patience=self.config.body_timeout)

    def tenant(self, caller: Caller) -> TenantConfig:
        return self._tenants[caller.tenant_id]

    def tenants(self) -> list[tuple[int, TenantConfig]]:
        """Every account with its id."""
        return list(self._tenants.items())

    def tenant_by_id(self, tenant_id: int) -> TenantConfig:
        return self._tenants[tenant_id]

    def agent(self, caller: Caller, request: Request) -> AgentConfig:
        """The agent the path names.

        Raises
        ------
        NotFound
            Another account, or no such agent in this one: the same words.
        """
        config = self.tenant(caller)
        for agent in config.agents:
            if agent.id == request.path_params["agent"] and config.name == request.path_params["account"]:
                if agent.deployment is not None:
                    caller.require_deployment(agent.deployment, config.deployments_by_id())
                return agent
        raise NotFound("No such agent in this account.")

    def deployment(self, caller: Caller, agent: AgentConfig | None = None) -> Deployment:
        """Where a request is answered: the agent's deployment, else the first of the account's that the caller may use.

        Raises
        ------
        Forbidden
            The caller may use none of them.
        """
        known = self.tenant(caller).deployments_by_id()
        if agent is not None and agent.deployment is not None:
            caller.require_deployment(agent.deployment, known)
            return known[agent.deployment]
        for deployment in known.values():
            if caller.deployments is None or deployment.id in caller.deployments:
                return deployment
        raise Forbidden("This key gives no access to any deployment of this account.")

    async def analyst(self, agent: AgentConfig) -> Analyst:
        """Who answers for an agent; made on a thread when it is first needed.

        Raises
        ------
        ServerError
            The analyst cannot be made here; the message says what is missing.
        """
        known = self._analysts.get(agent.id)
        return known if known is not None else await self.lanes.look_up(self._made, agent)

    def _made(self, agent: AgentConfig) -> Analyst:
        from ..analyst.errors import AnalystUnavailable
        from ..analyst.registry import make_analyst

        with self._making:
            if agent.id not in self._analysts:
                try:
                    self._analysts[agent.id] = make_analyst(
                        agent.analyst,
                        instructions=agent.instructions,
                        certified=agent.certified_queries,
                        options=agent.options,
                    )
                except AnalystUnavailable as error:
                    raise ServerError(f"Agent {agent.id}: {error}") from None
            return self._analysts[agent.id]

    async def layer(self, branch: str = "", deployment: Deployment | None = None) -> SemanticLayer:
        """The data model of one of the branches that a deployment lists; ``""`` is the one that is served.

        Raises
        ------
        NotFound
            The deployment lists no such branch, or there is none: the same words.
        """
        listed = not branch or (deployment is not None and branch in deployment.branches)
        layer = await self.lanes.look_up(_found, self.layers, branch or "main") if listed else None
        if layer is None:
            raise NotFound(f"No branch {branch[:80]!r} here: omit activeBranchName for the default branch.")
        return layer

    @contextmanager
    def place(self, asker: Asker) -> Iterator[Place]:
        """Where the work of one request runs, which takes a share of the service while the block runs.

        Raises
        ------
        TooManyRequests, ServiceUnavailable
            The asker's share, or the whole service, is used up.
        """
        with self.admission.entered(asker):
            yield Place(self.lanes, asker)

    def expires(self, due: float | None) -> None:
        """Tell the reaper when a user is due; it wakes for one that is due sooner than all it knows of."""
        if due is not None and due < self._due:
            self._wake.set()

    # --- background ---------------------------------------------------------------------------------------------

    async def reap(self) -> int:
        """Remove expired users with their threads, and dead sessions; returns how many users."""
        count = 0
        while gone := await self.write(delete_expired, self.now()):
            await self.turns.expire(gone)
            count += len(gone)
        await self.write(delete_stale, self.now() - self.config.token_ttl)
        return count

    async def _reap(self) -> None:
        while True:
            self._wake.clear()
            self._due = math.inf  # whoever becomes due while this round reads wakes the next one
            try:
                await self.reap()
                due = await self.read(next_expiry)
            except ServiceError as error:
                _log.warning("expired users could not be removed yet: %s", error.message)
                due = self.now() + 5.0
            self._due = due if due is not None else math.inf
            await self._sleep_until(min(self._due, self.now() + _IDLE))

    async def _sleep_until(self, due: float) -> None:
        sleeping = asyncio.ensure_future(self.clock.sleep(due - self.now()))
        waking = asyncio.ensure_future(self._wake.wait())
        try:
            await asyncio.wait({sleeping, waking}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            waking.cancel()

    async def _renew(self) -> None:
        while True:
            await self.clock.sleep(LEASE / 3)
            try:
                await self.turns.renew()
            except ServiceError as error:
                _log.warning("leases of running turns could not be renewed: %s", error.message)
