"""Two accounts with two deployments each, whose names, numbers, agents and users look alike; every site has rows of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pyarrow as pa

from svc_notebook.service.app import create_app
from svc_notebook.service.clock import ManualClock
from svc_notebook.service.config import (
    AgentConfig,
    ApiKey,
    AttributeDefinition,
    Dashboard,
    Deployment,
    GroupSeed,
    InternalUser,
    ServiceConfig,
    TenantConfig,
    Tile,
)
from svc_notebook.service.deployments.sites import Site
from svc_notebook.service.runtime import Service

from .service_world import Answered, OrdersLayer, ScriptedAnalyst, headers

SITES = [Site("acme", 1), Site("acme", 11), Site("acme:1", 1), Site("acme:1", 2)]
CERTIFIED = "What is certified here?"


def mark(site: Site, branch: str = "") -> str:
    """What every row of a site says, and no other site's."""
    return f"<<{site.account}|{site.deployment}|{branch}>>"


def marks(text: str) -> set[str]:
    """Whose rows, words or queries a text holds."""
    return set(re.findall(r"<<[^<>]*>>", text))


class SiteLayer(OrdersLayer):
    """Understands also what JSON queries are put into, as far as their members go."""

    def _compiled(self, ctx: Any, sql: str) -> Answered:
        if "GROUP BY" not in sql and "LIMIT" not in sql:
            return super()._compiled(ctx, sql)
        found = super()._compiled(ctx, "SELECT status FROM orders")
        found.sql = sql
        return found


def layer_of(site: Site, branch: str = "") -> OrdersLayer:
    said = mark(site, branch)
    return SiteLayer(
        pa.table({
            "id": pa.array([1, 2], pa.int64()), "region": ["EMEA", "APAC"],
            "status": [f"{said}EMEA", f"{said}APAC"], "amount": [1.0, 2.0],
        })
    )  # fmt: skip


def account(name: str, first: int, second: int) -> TenantConfig:
    def key(kind: str, **rights: Any) -> ApiKey:
        return ApiKey(f"{name} {kind}", name=kind, **rights)

    return TenantConfig(
        name=name,
        deployments=[Deployment(first, branches=["dev"]), second],
        attributes=[AttributeDefinition("region", "string_array")],
        groups=[GroupSeed("analysts")],
        dashboards=[
            Dashboard(f"board{more}", [Tile(f"<<{name}>>", "SELECT status FROM orders")], f"<<{name}>>")
            for more in ("", f" of {name}")
        ],
        internal_users=[InternalUser("ivy", "ivy@example.com", user_attributes={"region": ["APAC"]})],
        agents=[
            AgentConfig(
                "data-analyst", analyst=ScriptedAnalyst(),
                certified_queries=[{"question": CERTIFIED, "sql": "SELECT status FROM orders", "title": f"<<{name}>>"}],
            ),
            AgentConfig("only-first", analyst=ScriptedAnalyst(), deployment=first),
        ],
        api_keys=[
            key("admin", admin=True, branches=True), key("basic"), key("first", admin=True, deployments=[first]),
            key("second", admin=True, branches=True, deployments=[second]),
        ],
    )  # fmt: skip


@dataclass
class Accounts:
    """The running service, asked over HTTP."""

    service: Service
    http: httpx.Client
    tokens: dict[tuple[Site, str], str] = field(default_factory=dict)

    def key(self, site: Site) -> str:
        """An admin key for this site alone."""
        first = next(iter(self.service.config.tenants[0].deployments_by_id()))
        for tenant in self.service.config.tenants:
            if tenant.name == site.account:
                first = next(iter(tenant.deployments_by_id()))
        return f"Api-Key {site.account} {'first' if site.deployment == first else 'second'}"

    def token(self, site: Site, user: str = "ana") -> str:
        """A user token of the site; every site has a user of this name, who may see EMEA."""
        if (site, user) not in self.tokens:
            region = [{"name": "region", "value": ["EMEA"]}]
            body = {"deploymentId": site.deployment, "externalId": user, "userAttributes": region}
            session = self.post("/api/v1/embed/generate-session", body, self.key(site)).json()["sessionId"]
            answer = self.post("/api/v1/embed/session/token", {"sessionId": session}, None)
            self.tokens[site, user] = f"Bearer {answer.json()['token']}"
        return self.tokens[site, user]

    def post(self, path: str, body: Any, key: str | None) -> httpx.Response:
        return self.http.post(path, json=body, headers=headers(key))

    def chat(self, account: str, body: dict[str, Any], key: str, agent: str = "data-analyst") -> httpx.Response:
        return self.post(f"/api/v1/public/{account}/agents/{agent}/chat/stream-chat-state", body, key)


@contextmanager
def accounts() -> Iterator[Accounts]:
    """The service in this process."""
    from svc_notebook.client.engine.asgi import EmbeddedTransport
    from svc_notebook.client.engine.lifespan import Lifespan
    from svc_notebook.client.engine.portal import engine

    config = ServiceConfig(tenants=[account("acme", 1, 11), account("acme:1", 1, 2)])
    models = {site: {"main": layer_of(site), "dev": layer_of(site, "dev")} for site in SITES}
    service = Service(config, models, "memory", ManualClock())
    app = create_app(service)
    lifespan = Lifespan(app)
    engine().run(lifespan.start())
    try:
        with httpx.Client(base_url="http://svc.local", transport=EmbeddedTransport(app), timeout=60) as http:
            yield Accounts(service, http)
    finally:
        engine().run(lifespan.stop())
