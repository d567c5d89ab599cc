"""The service as an object: configuration, store, data model, analysts, running turns; it knows no routes.

All work on the store happens on threads of its own; the event loop never waits for a database.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from starlette.requests import Request

from ..lanes import Admission, Asker, Lanes, Place
from ..protocol.errors import Forbidden, NotFound, ServiceError, Unauthorized
from .callers.auth import Caller, authenticate, caller_by_temporary
from .callers.places import asker_of, internal_asker
from .callers.scope import Opening, Scope
from .callers.secrets import digest
from .clock import Clock, SteadyClock, SystemClock
from .config import AgentConfig, ApiKey, ServiceConfig, TenantConfig
from .deployments.freshness import Freshness
from .deployments.generations import Generations, Made, Source
from .deployments.sites import Models, Site, Sites
from .deployments.warming import Warming
from .operation.audit import AuditLog
from .operation.colleagues import Alone, Colleagues
from .operation.telemetry import Telemetry
from .operation.witness import Witness
from .store import Store, open_store
from .store.accounts import seed
from .store.marks import reach_time
from .store.notices import Notices
from .store.sessions import delete_stale
from .store.users import delete_expired, next_expiry
from .storedesk import StoreDesk
from .turns.bell import Bell, Carrier, Silence
from .turns.running import LEASE, Turns
from .web.jsonbody import read_json
from .web.rules import check_accounts, check_defaults, check_typed

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..analyst.base import Analyst
    from ..protocol.chat import SessionSettings
    from ..semantic.context import SecurityContext

__all__ = ["Service"]

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)
# Whoever becomes due sooner here wakes the reaper; this is for users that another service on the store has made.
_IDLE = 3600.0
# As EngineLimits has it; for layers whose engine does not say.
_QUERIES = 8
# A clock that is set back revives nobody who expired longer ago than this; a write for each request is not worth more.
_TELL_TIME = 10.0
# Less is drift between machines on one store, of which there is nothing to tell.
_ODD_CLOCK = 60.0


class Service:
    """The embedded analytics service.

    Parameters
    ----------
    config
        Accounts, keys, limits.
    models
        The data model of each deployment of each account by branch name; ``"main"`` is the branch that is served.
    store
        An open store, or where to open one (then the service closes it).
    clock
        Where time comes from.
    first
        What to answer from at first, where it is more than ``config`` and ``models``.
    source
        Where what comes after it is read from.
    carrier
        Brings words to the other services on the store, where the store itself does not.
    worker
        Which one of several processes behind one port this is.
    colleagues
        The others behind that port.
    """

    def __init__(
        self,
        config: ServiceConfig,
        models: Models,
        store: Store | str | Path = "memory",
        clock: Clock | None = None,
        *,
        first: Made | None = None,
        source: Source | None = None,
        carrier: Carrier | None = None,
        worker: int = 0,
        colleagues: Colleagues | None = None,
    ) -> None:
        self.config = config
        self.colleagues = colleagues or Alone()
        self.clock = SteadyClock(clock or SystemClock())
        self.generations = Generations(first or Made(config, models))
        self.freshness = Freshness(self, source)
        self._store_url = None if isinstance(store, Store) else store
        self.store = store if isinstance(store, Store) else open_store(store)
        self._tenants: dict[int, TenantConfig] = {}
        self._temporary: dict[str, tuple[int, TenantConfig, ApiKey]] = {}
        self.telemetry = Telemetry(self)
        self._desk = self._open_desk()
        self._audit = self._open_audit()
        self.lanes = self._lanes()
        self.admission = Admission(config.open_limit)
        self._background: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self.worker = worker
        self._carrier = carrier
        self.bell = self._bell()
        self.turns = Turns(self)
        self._warming = Warming(self)
        self.started = False
        self._stopped = False
        self._due = math.inf
        self._marked = 0.0

    async def start(self) -> None:
        """Bring the store up to the configuration and begin the background work; once stopped, it may start again."""
        if self.started:
            return
        if self._stopped:
            self._reopen()
        await self._read_clock()
        await self._seed(self.config)
        self.lanes.at_work()
        for work in (self._reap, self._renew, self._warming.run, self.freshness.run, self.bell.run):
            self._in_background(work())
        self.started = True

    async def _read_clock(self) -> None:
        """A clock that was set back while nobody looked revives nobody."""
        seen = await self.write(reach_time, self.now())
        behind = seen - self.now()
        if behind > _ODD_CLOCK:
            _log.warning(
                "this machine's clock is %.0f seconds behind what the state store has seen: time goes on from there, "
                "so that nothing that has expired comes back", behind,
            )  # fmt: skip
        self.clock.reach(seen)
        self._marked = seen

    async def _keep_time(self) -> None:
        """Have the store know how late it is, where something may have expired since it was told."""
        now = self.now()
        if now - self._marked < _TELL_TIME:
            return
        self._marked = now
        try:
            self.clock.reach(await self.note(reach_time, now))
        except ServiceError as error:
            _log.warning("the store could not be told the time: %s", error.message)

    async def renew(self, config: ServiceConfig, models: Models) -> None:
        """:meth:`adopt` another configuration and other models."""
        await self.adopt(Made(config, models))

    async def adopt(self, made: Made) -> None:
        """Answer from this from now on; requests and turns that run end by what they began with.

        Raises
        ------
        ServiceError, ConfigError
            The new configuration does not hold; everything stays as it was.
        """
        await self._seed(made.config)
        before, self.config = self.generations.swap(made), made.config
        self._in_background(self.generations.outlived(before))
        self._warming.stop()
        self._warming = Warming(self)
        self._in_background(self._warming.run())

    @property
    def _sites(self) -> Sites:
        return self.generations.current.sites

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _seed(self, config: ServiceConfig) -> None:
        """Bring the store up to a configuration; its accounts are known from then on."""
        check_accounts(config)
        # All of them before the first is written: one that does not hold leaves the store as it was.
        for tenant in config.tenants:
            check_defaults(tenant)
        tenants: dict[int, TenantConfig] = {}
        for tenant in config.tenants:
            kept = [key.secret() for key in tenant.api_keys if not key.temporary]
            tenant_id = await self.write(seed, tenant, {secret: digest(secret) for secret in kept}, check_typed)
            tenants[tenant_id] = tenant
        # Only added to: a request of an account that is no longer configured may still be under way.
        self._tenants |= tenants
        for tenant_id, tenant in tenants.items():
            self._temporary |= {
                digest(key.secret()): (tenant_id, tenant, key) for key in tenant.api_keys if key.temporary
            }

    async def stop(self) -> None:
        """End turns (their partial answers are kept) and background work, and close what this service opened."""
        # In this order: turns are kept by the store's desk, and whoever closes it first loses their ends.
        await self.turns.stop()
        # So that the store is told how late it is in any case.
        self._marked = 0.0
        await self._keep_time()
        self._warming.stop()
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        self._background.clear()
        await self.generations.close()
        # A query that does not heed its interrupt must not hold up the whole stop.
        self.lanes.close(wait=False)
        self._desk.close()
        if self._audit is not None:
            self._audit.close()
        if self._store_url is not None:
            self.store.close()
        self.started, self._stopped = False, True

    def _reopen(self) -> None:
        if self._store_url is not None:
            self.store = open_store(self._store_url)
        self._desk, self.bell, self._wake = self._open_desk(), self._bell(), asyncio.Event()
        self.turns = Turns(self)
        self.lanes, self.admission = self._lanes(), Admission(self.config.open_limit)
        self._warming = Warming(self)
        self._audit = self._open_audit()
        self._stopped = False

    def _bell(self) -> Bell:
        """What says and hears what the services on one store tell each other."""
        shared = Notices(self.store, self.note) if self.store.dialect == "postgresql" else None
        return Bell(shared or self._carrier or Silence(), self.freshness.ask, self.colleagues.team)

    def _open_desk(self) -> StoreDesk:
        return StoreDesk(self.store, self.config.store_patience, self.telemetry.store)

    def _open_audit(self) -> AuditLog | None:
        folder, days = self.config.audit_log, self.config.audit_days
        return AuditLog(Path(folder), days, self.now, self.telemetry.audit_lost) if folder else None

    def _lanes(self) -> Lanes:
        """As many queries at once as the engines behind the models take."""
        return Lanes(sum(getattr(engine, "concurrent", _QUERIES) for engine in self._sites.engines()) or _QUERIES)

    # --- what handlers need -------------------------------------------------------------------------------------

    def now(self) -> float:
        return self.clock.now()

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """``Store.write`` on a store thread."""
        return await self._desk.write(work, *args, **kwargs)

    async def note(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """``Store.note`` on a store thread."""
        return await self._desk.note(work, *args, **kwargs)

    async def trial(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """``Store.trial`` on a store thread."""
        return await self._desk.trial(work, *args, **kwargs)

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """``Store.read`` on a store thread."""
        return await self._desk.read(work, *args, **kwargs)

    def slot(self) -> asyncio.Semaphore:
        """Room for one write among many that may wait; to be entered."""
        return self._desk.slots

    def takes_writes(self) -> asyncio.Future[None]:
        """Done once the store has begun a write after now and kept it, whoever's it was."""
        return self._desk.sign()

    @property
    def store_silent(self) -> bool:
        """``StoreDesk.silent``."""
        return self._desk.silent

    async def sooner(self, waiting: Coroutine[Any, Any, None]) -> None:
        """Await ``waiting``, but no longer than until the store has taken somebody else's write."""
        ends = [asyncio.ensure_future(waiting), self.takes_writes()]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()

    async def authenticate(self, request: Request, *, tokens: bool = True) -> Caller:
        if self.now() - self._marked >= _TELL_TIME:
            self._in_background(self._keep_time())
        header = next((value for name, value in request.scope["headers"] if name == b"authorization"), None)
        known = caller_by_temporary(header, self._temporary)
        return known if known is not None else await self.read(authenticate, header, self.now(), tokens=tokens)

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
        Unauthorized
            Another account: its keys are others.
        NotFound
            No such account, or no such agent in this one.
        """
        config = self.tenant(caller)
        named = request.path_params["account"]
        if config.name != named:
            if any(other.name == named for other in self._tenants.values()):
                raise Unauthorized("The API key or user token is not valid.")
            raise NotFound("No such account.")
        for agent in config.agents:
            if agent.id == request.path_params["agent"]:
                if agent.deployment is not None:
                    caller.require_deployment(agent.deployment, config.deployments_by_id())
                return agent
        raise NotFound("No such agent in this account.")

    def site(self, caller: Caller, agent: AgentConfig | None = None, *, wanted: str | None = None) -> Site:
        """Where a request is answered: the agent's deployment, the ``wanted`` one, else the first the caller may use.

        Raises
        ------
        Forbidden
            The caller may not use it, or none at all.
        NotFound
            The account has no such deployment.
        """
        known = self.tenant(caller).deployments_by_id()
        named = agent.deployment if agent is not None else None
        if named is None and wanted is not None:
            # Fewer digits than 64 bits have: a longer number would reach the store as an error instead of a 404.
            named = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 19 else -1
        if named is None:
            named = next((number for number in known if caller.may_use(number)), None)
        if named is None:
            raise Forbidden("This key gives no access to any deployment of this account.")
        caller.require_deployment(named, known)
        return Site(caller.account, named)

    async def open(
        self,
        caller: Caller,
        settings: SessionSettings | None,
        agent: AgentConfig | None = None,
        *,
        wanted: str | None = None,
        branch: str = "",
    ) -> Opening:
        """What a caller may reach in one request: the one way to a model and an analyst.

        Parameters
        ----------
        settings
            Whom the request names; the work runs in their place.
        agent, wanted
            Which deployment it is about: the agent's, else the wanted one, else the first the caller may use.
        branch
            A development branch; the caller has the right to it.

        Raises
        ------
        Forbidden, NotFound
            As :meth:`site`; no model there, no such branch.
        """
        site = self.site(caller, agent, wanted=wanted)
        return await self._opened(site, agent, branch, Place(self.lanes, asker_of(caller, settings)))

    async def rehearse(self, tenant_id: int, site: Site, agent: AgentConfig, context: SecurityContext) -> Scope:
        """The scope of a user whom the configuration names, ahead of their first question."""
        place = Place(self.lanes, internal_asker(tenant_id, context.user))
        return (await self._opened(site, agent, "", place)).bind(context)

    def layers(self) -> list[Any]:
        """``Sites.layers``."""
        return self._sites.layers()

    def engines(self) -> list[Any]:
        """``Sites.engines``."""
        return self._sites.engines()

    def sites_of(self, account: str, agent: AgentConfig) -> list[Site]:
        """Where an agent of an account answers."""
        return self._sites.of(account, agent)

    async def _opened(self, site: Site, agent: AgentConfig | None, branch: str, place: Place) -> Opening:
        generation = self.generations.current  # one for all that is opened here, whatever comes meanwhile
        hold, sites = generation.hold(), generation.sites
        if branch:  # files are read, git is asked
            layer = await self.lanes.look_up(place.asker, sites.layer, site, branch)
        else:
            layer = sites.layer(site)
        made = partial(self._analyst, sites, place.asker, site, agent) if agent is not None else None
        return Opening(
            site, branch, place, layer, made, Witness(self.telemetry, self._audit, text=self.config.trace_text), hold
        )

    async def _analyst(self, sites: Sites, asker: Asker, site: Site, agent: AgentConfig) -> Analyst:
        known = sites.made(site, agent)
        return known if known is not None else await self.lanes.look_up(asker, sites.analyst, site, agent)

    def first_lines(self) -> Callable[[], None]:
        """``Lanes.first_lines``."""
        return self.lanes.first_lines()

    @property
    def lasts(self) -> bool:
        """``Store.lasts``."""
        return self.store.lasts

    @property
    def quiet(self) -> bool:
        """``Lanes.quiet``."""
        return self.lanes.quiet

    async def after_first_lines(self) -> None:
        """``Lanes.after_first_lines``."""
        await self.lanes.after_first_lines()

    @contextmanager
    def sharing(self, caller: Caller, settings: SessionSettings | None) -> Iterator[None]:
        """Take a share of the service for whoever asks, while the block runs.

        Raises
        ------
        TooManyRequests, ServiceUnavailable
            The asker's share, or the whole service, is used up.
        """
        with self.admission.entered(asker_of(caller, settings)):
            yield

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
            # Two renewals may fail before anybody takes these turns for dead.
            await self.clock.sleep(LEASE / 3)
            try:
                await self.turns.renew()
            except ServiceError as error:
                _log.warning("leases of running turns could not be renewed: %s", error.message)
