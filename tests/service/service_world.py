"""A small world for tests of the service: a data model of one table, an analyst that follows a script, a real server."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import uvicorn

from svc_notebook.analyst.base import (
    AnswerDelta,
    AnswerDone,
    Event,
    Thinking,
    ToolFinished,
    ToolStarted,
    Turn,
    Usage,
    Working,
)  # fmt: skip
from svc_notebook.protocol.tools import META_TOOL, SQL_TOOL, MetaInput, SqlInput, dump
from svc_notebook.semantic.catalog import Catalog, Member, Relation
from svc_notebook.semantic.errors import SqlSyntaxError, UnknownMember
from svc_notebook.service.app import create_app
from svc_notebook.service.clock import ManualClock
from svc_notebook.service.config import (
    AgentConfig,
    ApiKey,
    AttributeDefinition,
    Deployment,
    GroupSeed,
    InternalUser,
    ServiceConfig,
    TenantConfig,
)  # fmt: skip
from svc_notebook.service.deployments.sites import Site
from svc_notebook.service.runtime import Service

ADMIN, BASIC, OTHER = "test-admin-key", "test-basic-key", "other-account-key"
CHAT = "/api/v1/public/acme/agents/data-analyst/chat/stream-chat-state"
CANARY = "CANARY"

ORDERS = pa.table(
    {
        "id": pa.array([1, 2, 3, 4], pa.int64()),
        "region": ["EMEA", "EMEA", "APAC", "APAC"],
        "status": ["open", "paid", "open", CANARY],
        "amount": [10.0, 20.5, 30.0, 777777.77],
    }
)


# --- the data model -----------------------------------------------------------------------------------------------


@dataclass
class ResultColumn:
    name: str
    member: str | None
    title: str
    format: str | None = None
    currency: str | None = None
    kind: str = "string"


@dataclass
class AppliedFilter:
    cube: str
    filter: str
    reason: str | None = None
    told: Any = None


@dataclass
class Answered:
    table: pa.Table
    columns: tuple[ResultColumn, ...]
    sql: str
    compiled_sql: str
    params: dict[str, Any] = field(default_factory=dict)
    row_filters: tuple[AppliedFilter, ...] = ()
    notes: tuple[str, ...] = ()
    elapsed: float = 0.0
    as_of: str = ""
    truncated: bool = False
    kept: bool = False


class OrdersLayer:
    """The faces of a semantic layer that the service uses, over one table whose rows belong to regions."""

    def __init__(self, table: pa.Table = ORDERS) -> None:
        self.table = table
        self.stands_for = type("Model", (), {})()
        self.running = 0
        self.before_query: Callable[[Any], None] | None = None

    def catalog(self, ctx: Any) -> Catalog:
        members = {
            name: Member("orders", name, "dimension", "number" if name in {"id", "amount"} else "string", name.title())
            for name in self.table.column_names
        }
        return Catalog({"orders": Relation("orders", "view", "Orders", members)}, "1")

    def seen(self, ctx: Any) -> tuple[bytes, Catalog]:
        """Everybody sees the same of it."""
        return b"orders", self.catalog(ctx)

    def remember(self, uuid: str, result: Any) -> None:
        """Nothing is kept here."""

    def search(self, ctx: Any, query: str, limit: int = 8) -> list[tuple[Relation, list[Member]]]:
        return [(relation, list(relation.members.values())) for relation in self.catalog(ctx).relations.values()]

    def query(self, ctx: Any, sql: str, *, timezone: str = "UTC", parameters: Any = None, cancel: Any = None,
              max_rows: int | None = None, uuid: str = "") -> Answered:  # fmt: skip
        self.running += 1
        try:
            if self.before_query is not None:
                self.before_query(cancel)
            compiled = self._compiled(ctx, sql)
        finally:
            self.running -= 1
        return compiled

    def explain(self, ctx: Any, sql: str, *, timezone: str = "UTC") -> Answered:
        compiled = self._compiled(ctx, sql)
        compiled.sql = compiled.compiled_sql
        return compiled

    compile = explain

    def at_hand(self, *asked: Any, **options: Any) -> None:
        """Nothing is kept here."""

    def compiled(self, ctx: Any, sql: str, *, timezone: str = "UTC") -> bool:
        return False  # nothing is kept here

    def schema(self, ctx: Any, sql: str, *, timezone: str = "UTC") -> pa.Schema:
        return self._compiled(ctx, sql).table.schema

    def values(self, ctx: Any, member: str, *, limit: int = 1000, cancel: Any = None) -> list[Any]:
        return self._compiled(ctx, "SELECT * FROM orders").table[member.split(".")[-1]].unique().to_pylist()

    def access_report(self, ctx: Any, names: Sequence[str] = ()) -> list[Any]:
        if unknown := set(names) - {"orders"}:
            raise KeyError(unknown.pop())
        return []

    def close(self) -> None: ...

    def _compiled(self, ctx: Any, sql: str) -> Answered:
        asked = re.fullmatch(r"\s*select\s+(.+?)\s+from\s+([\w.]+)\s*;?\s*", sql, re.IGNORECASE | re.DOTALL)
        if asked is None:
            raise SqlSyntaxError("Only SELECT … FROM … is understood here.")
        if asked[2] != "orders":
            raise UnknownMember(f"Unknown relation {asked[2]!r}.", suggestions=("orders",))
        names = self.table.column_names if asked[1].strip() == "*" else [n.strip() for n in asked[1].split(",")]
        for name in names:
            if name not in self.table.column_names:
                raise UnknownMember(f"Unknown member {name!r} of orders.")
        table, filters, notes = self.table, (), ()
        if not ctx.unrestricted:
            allowed = ctx.user_attributes.get("region")
            if allowed is None:
                table = table.slice(0, 0)
                notes = ("user attribute 'region' is not set: no rows",)
            else:
                table = table.filter(pc.is_in(table["region"], pa.array(allowed, pa.string())))
            filters = (AppliedFilter("orders", "region IN (?)", "userAttributes.region"),)
        columns = tuple(ResultColumn(name, f"orders.{name}", name.title()) for name in names)
        return Answered(table.select(names), columns, sql, f"{sql} WHERE region IN (?)", {"p1": "EMEA"}, filters, notes)


# --- the analyst --------------------------------------------------------------------------------------------------

Script = Callable[[Turn, Any, Any], AsyncIterator[Event]]


class Gate:
    """Opened once, from any thread; awaited on any loop."""

    def __init__(self) -> None:
        self._future: Future[None] = Future()

    def open(self) -> None:
        if not self._future.done():
            self._future.set_result(None)

    async def passed(self) -> None:
        await asyncio.shield(asyncio.wrap_future(self._future))

    def wait(self, timeout: float = 60) -> None:
        self._future.result(timeout)


class ScriptedAnalyst:
    """Follows the script written for a question; without one it looks at the metadata, runs one query and answers."""

    name = "scripted"

    def __init__(self) -> None:
        self.scripts: dict[str, Script] = {}
        self.turns: list[Turn] = []

    def on(self, question: str) -> Callable[[Script], Script]:
        def keep(script: Script) -> Script:
            self.scripts[question] = script
            return script

        return keep

    async def answer(self, turn: Turn, toolbox: Any, cancel: Any) -> AsyncIterator[Event]:
        self.turns.append(turn)
        async for event in self.scripts.get(turn.question, look_and_answer)(turn, toolbox, cancel):
            yield event

    async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
        return ["How many orders are there?"][:limit]


async def look_and_answer(turn: Turn, toolbox: Any, cancel: Any) -> AsyncIterator[Event]:
    yield Thinking("Let me look ")
    yield Thinking("at the data.")
    yield Working("Searching.")
    wanted = dump(MetaInput(turn.question))
    yield ToolStarted("t1", META_TOOL, wanted)
    yield ToolFinished("t1", META_TOOL, wanted, dump(await toolbox.meta(MetaInput(turn.question))))
    _, found, sql = turn.question.partition("Run: ")
    sql = sql if found else "SELECT * FROM orders"
    asked = SqlInput(sql_query=sql, query_title="Orders", user_request=turn.question)
    yield ToolStarted("t2", SQL_TOOL, dump(asked))
    result = await toolbox.sql_api(asked)
    yield ToolFinished("t2", SQL_TOOL, dump(asked), dump(result))
    rows = getattr(result, "total_rows", "no")
    yield AnswerDelta("There are ")
    yield AnswerDelta(f"{rows} rows.")
    yield AnswerDone(f"There are {rows} rows.", ("And by status?",), {"rows": rows})
    yield Usage({"models": ["scripted"], "llmCalls": 1, "inputTokens": 3, "outputTokens": 5, "totalTokens": 8})


# --- service and server -------------------------------------------------------------------------------------------


def make_config(**changes: Any) -> ServiceConfig:
    """Two accounts; the first has the catalogs, keys and users the tests speak of. ``tenant_…`` changes that account."""
    tenant = TenantConfig(
        name="acme",
        plan="Enterprise",
        deployments=[Deployment(32, branches=["dev", "gone", "0a1b2c3d"]), 33],
        attributes=[
            AttributeDefinition("region", "string_array"),
            AttributeDefinition("city", "string"),
            AttributeDefinition("max_amount", "number"),
            AttributeDefinition("levels", "number_array"),
        ],
        groups=[GroupSeed("analysts"), GroupSeed("managers")],
        internal_users=[InternalUser("ivy", "ivy@example.com", ["managers"], {"region": ["APAC"]})],
        agents=[AgentConfig(), AgentConfig(id="sales", deployment=32)],
        api_keys=[
            ApiKey(ADMIN, admin=True, branches=True),
            ApiKey(BASIC),
            ApiKey("scoped-key", admin=True, deployments=[33]),
            ApiKey("branches-33-key", branches=True, deployments=[33]),
        ],
    )
    own = {name.removeprefix("tenant_"): changes.pop(name) for name in list(changes) if name.startswith("tenant_")}
    other = TenantConfig(name="globex", deployments=[7], api_keys=[ApiKey(OTHER, admin=True)])
    return ServiceConfig(tenants=[msgspec.structs.replace(tenant, **own), other], **changes)


def make_service(config: ServiceConfig, analyst: Any, layer: Any, store: Any, clock: Any) -> Service:
    """One layer behind every deployment of every account, with one analyst."""
    for tenant in config.tenants:
        tenant.agents[:] = [msgspec.structs.replace(agent, analyst=analyst) for agent in tenant.agents]
    branches = {"main": layer, "dev": layer, "unlisted": layer}
    sites = [Site(tenant.name, number) for tenant in config.tenants for number in tenant.deployments_by_id()]
    return Service(config, dict.fromkeys(sites, branches), store, clock)


@dataclass
class World:
    """A running service, its clock and its analyst, and a client that speaks to it."""

    service: Service
    clock: ManualClock
    analyst: ScriptedAnalyst
    layer: OrdersLayer
    http: httpx.Client

    def post(self, path: str, body: Any, key: str | None = ADMIN, **options: Any) -> httpx.Response:
        return self.http.post(path, json=body, headers=headers(key), **options)

    def session(self, **body: Any) -> httpx.Response:
        return self.post("/api/v1/embed/generate-session", {"deploymentId": 32, **body})

    def creator(self, external_id: str = "user-1", tenant: str = "acme-corp", **body: Any) -> httpx.Response:
        return self.session(externalId=external_id, creatorMode=True, embedTenantName=tenant, **body)

    def token(self, **body: Any) -> str:
        session_id = self.session(**body).json()["sessionId"]
        return str(self.post("/api/v1/embed/session/token", {"sessionId": session_id}, None).json()["token"])

    def get(self, path: str, key: str | None = ADMIN) -> httpx.Response:
        return self.http.get(path, headers=headers(key))

    def delete(self, path: str, key: str | None = ADMIN) -> httpx.Response:
        return self.http.delete(path, headers=headers(key))

    def listed(self, what: str = "groups", tenant: str = "acme-corp") -> dict[str, Any]:
        items = self.get(f"/api/v1/embed-tenants/{tenant}/{what}").json()["items"]
        return {item["name"]: item for item in items}

    def chat(self, body: Any = None, *, key: str | None = ADMIN, **fields: Any) -> httpx.Response:
        settings = {"sessionSettings": {"externalId": "user-1"}} if body is None else {}
        return self.post(CHAT, {**settings, **(body or {}), **fields}, key)

    def ask(self, text: str, user: str = "user-1", key: str | None = ADMIN, **fields: Any) -> list[dict[str, Any]]:
        settings = fields.pop("settings", {})
        body = {"input": text, "sessionSettings": {"externalId": user, **settings}, **fields}
        response = self.post(CHAT, body, key)
        assert response.status_code == 200, response.text
        return lines(response.content)

    @contextmanager
    def streaming(self, text: str | None, user: str = "user-1", **fields: Any) -> Iterator[Stream]:
        body = {"sessionSettings": {"externalId": user}, **fields} | ({"input": text} if text is not None else {})
        with self.http.stream("POST", CHAT, json=body, headers=headers(ADMIN)) as response:
            assert response.status_code == 200, response.read()
            yield Stream(response)

    def abort(self, chat_id: Any, user: Any = "user-1", key: str | None = ADMIN) -> httpx.Response:
        return self.post(f"{CHAT}/abort", {"chatId": chat_id, "sessionSettings": {"externalId": user}}, key)

    def state(self) -> str:
        return self.service.store.state_hash()


class Stream:
    """Frames one by one."""

    def __init__(self, response: httpx.Response) -> None:
        self._frames = self._read(response)
        self.chat_id = self.next()["state"]["chatId"]

    @staticmethod
    def _read(response: httpx.Response) -> Iterator[dict[str, Any]]:
        rest = b""
        for chunk in response.iter_raw():
            *whole, rest = (rest + chunk).split(b"\n")
            yield from map(json.loads, whole)
        assert rest == b""

    def next(self) -> dict[str, Any]:
        return next(self._frames)

    def until(self, wanted: Callable[[dict[str, Any]], Any]) -> list[dict[str, Any]]:
        frames = []
        for frame in self._frames:
            frames.append(frame)
            if wanted(frame):
                return frames
        raise AssertionError(f"the stream ended after {frames[-3:]}")

    def rest(self) -> list[dict[str, Any]]:
        return list(self._frames)


@contextmanager
def held_back(w: World, named: str) -> Iterator[tuple[Gate, Gate]]:
    """The service's look-ups and changes called ``named`` say that they have come, and wait until they may go on."""
    come, go = Gate(), Gate()
    real = {"read": w.service.read, "write": w.service.write}

    def held(kind: str) -> Any:
        async def call(work: Any, *args: Any, **kwargs: Any) -> Any:
            if getattr(work, "__name__", "") == named:
                come.open()
                await go.passed()
            return await real[kind](work, *args, **kwargs)

        return call

    for kind in real:
        setattr(w.service, kind, held(kind))
    try:
        yield come, go
    finally:
        go.open()
        for kind in real:
            delattr(w.service, kind)


def eventually(condition: Callable[[], object], timeout: float = 60.0) -> None:
    """Wait for another thread to get there; fails when it does not."""
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.002)


def headers(key: str | None) -> dict[str, str]:
    if key is None:
        return {}
    return {"Authorization": key if " " in key else f"Api-Key {key}"}


def lines(content: bytes) -> list[dict[str, Any]]:
    assert content.endswith(b"\n")
    return [json.loads(line) for line in content[:-1].split(b"\n")]


def final_text(frames: list[dict[str, Any]]) -> str:
    pieces: list[str] = []
    for frame in frames:
        if frame.get("graphPath", [""])[0] == "final":
            if not frame["isDelta"]:
                pieces.clear()
            pieces.append(frame["content"])
    return "".join(pieces)


def tool_results(frames: list[Mapping[str, Any]], suffix: str = "SqlApi") -> list[dict[str, Any]]:
    return [
        json.loads(frame["toolCall"]["result"])
        for frame in frames
        if frame.get("toolCall", {}).get("name", "").endswith(suffix) and "result" in frame["toolCall"]
    ]


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """``app`` on a socket; the URL. Connections made before it is ready wait in the socket's queue."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sets TCP_NODELAY by it
    listener.bind(("127.0.0.1", 0))
    listener.listen(256)
    config = uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive()


@contextmanager
def world(
    store: Any = "memory", clock: ManualClock | None = None, analyst: ScriptedAnalyst | None = None, **config: Any
) -> Iterator[World]:
    """A service on a socket, once it has started: its store holds what the configuration declares."""
    clock, analyst, layer = clock or ManualClock(), analyst or ScriptedAnalyst(), OrdersLayer()
    service = make_service(make_config(**config), analyst, layer, store, clock)
    with serving(create_app(service)) as url, httpx.Client(base_url=url, timeout=60) as http:
        assert http.get("/livez").status_code == 200
        yield World(service, clock, analyst, layer, http)


@contextmanager
def embedded_world(
    store: Any = "memory", clock: ManualClock | None = None, analyst: ScriptedAnalyst | None = None, **config: Any
) -> Iterator[World]:
    """The same service in this process, reached through the embedded transport."""
    from svc_notebook.client.engine.asgi import EmbeddedTransport
    from svc_notebook.client.engine.lifespan import Lifespan
    from svc_notebook.client.engine.portal import engine

    clock, analyst, layer = clock or ManualClock(), analyst or ScriptedAnalyst(), OrdersLayer()
    service = make_service(make_config(**config), analyst, layer, store, clock)
    app = create_app(service)
    lifespan = Lifespan(app)
    engine().run(lifespan.start())
    try:
        with httpx.Client(base_url="http://svc.local", transport=EmbeddedTransport(app), timeout=60) as http:
            yield World(service, clock, analyst, layer, http)
    finally:
        engine().run(lifespan.stop())
