"""Many askers of many rights: two accounts with two deployments each, every row marked with where it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pandas as pd

from svc_notebook.client.engine.asgi import EmbeddedTransport
from svc_notebook.client.engine.lifespan import Lifespan
from svc_notebook.client.engine.portal import engine
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.service.app import create_app
from svc_notebook.service.config import AgentConfig, ApiKey, AttributeDefinition, ServiceConfig, TenantConfig
from svc_notebook.service.deployments.sites import Site
from svc_notebook.service.runtime import Service

CITIES = 30
SITES = [Site("north", 1), Site("north", 2), Site("south", 1), Site("south", 2)]
MODEL: dict[str, Any] = {
    "cubes": [{
        "name": "orders", "sql_table": "orders",
        "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True},
            {"name": "city", "sql": "city", "type": "string"},
            {"name": "status", "sql": "status", "type": "string"},
        ],
        "measures": [{"name": "count", "type": "count"}, {"name": "revenue", "sql": "amount", "type": "sum"}],
        "access_policy": [{
            "group": "*",
            "member_level": {"includes": "*"},
            "row_level": {"filters": [
                {"member": "city", "operator": "equals", "values": ["{ userAttributes.city }"]},
            ]},
        }],
    }],
}  # fmt: skip


def place(site: Site, city: int) -> str:
    """A city as its site alone spells it."""
    return f"{site.account}{site.deployment}town{city:02d}"


def orders(site: Site, rows: int) -> pd.DataFrame:
    return pd.DataFrame({
        "id": range(rows),
        "city": [place(site, n % CITIES) for n in range(rows)],
        "status": ["open", "paid", "sent"] * (rows // 3),
        "amount": [float(n % 97) for n in range(rows)],
    })  # fmt: skip


@dataclass(frozen=True, slots=True)
class Person:
    """An asker at a site, and the cities whose rows they may see."""

    site: Site
    name: str
    cities: frozenset[str]

    @property
    def settings(self) -> dict[str, Any]:
        return {"externalId": self.name, "userAttributes": [{"name": "city", "value": sorted(self.cities)}]}

    def foreign(self, text: str) -> set[str]:
        """What a text says that is not theirs."""
        return set(re.findall(r"(?:north|south)\dtown\d\d", text)) - self.cities


def people(site: Site, count: int, rights: int) -> list[Person]:
    """Askers of a site; every so many share their rights."""

    def seen(right: int) -> frozenset[str]:
        return frozenset(place(site, city) for city in {right % CITIES, (right * 7 + right // CITIES + 1) % CITIES})

    return [Person(site, f"user{number}", seen(number % rights)) for number in range(count)]


@dataclass
class Crowd:
    """The running service, asked over HTTP in this process."""

    service: Service
    http: httpx.Client

    def ask(self, person: Person, question: str) -> str:
        """The stream of an answer in a new thread."""
        agent = f"agent{person.site.deployment}"
        path = f"/api/v1/public/{person.site.account}/agents/{agent}/chat/stream-chat-state"
        return self._post(person, path, {"input": question})

    def query(self, person: Person, sql: str) -> str:
        """The lines of the data API."""
        return self._post(person, "/svc-api/v1/sql", {"query": sql})

    def _post(self, person: Person, path: str, body: dict[str, Any]) -> str:
        key = f"Api-Key {person.site.account}-{person.site.deployment}"
        whole = {**body, "sessionSettings": person.settings}
        response = self.http.post(path, json=whole, headers={"Authorization": key})
        response.raise_for_status()
        text = response.text
        if '"error"' in text:
            raise AssertionError(f"{person.name}: {json.loads(text.splitlines()[-2])}")
        return text


@contextmanager
def crowd(store: str | Path = "memory", rows: int = 3_000) -> Iterator[Crowd]:
    """A service over four models of one shape."""
    layers = {
        site: SemanticLayer(load_model(MODEL), DuckDBEngine.open(data={"orders": orders(site, rows)})) for site in SITES
    }
    tenants = [
        TenantConfig(
            name=account,
            deployments=[1, 2],
            attributes=[AttributeDefinition("city", "string_array")],
            agents=[AgentConfig(f"agent{number}", deployment=number) for number in (1, 2)],
            api_keys=[ApiKey(f"{account}-{number}", name=f"key{number}", deployments=[number]) for number in (1, 2)],
        )
        for account in ("north", "south")
    ]
    service = Service(ServiceConfig(tenants=tenants), {site: {"main": layer} for site, layer in layers.items()}, store)
    app = create_app(service)
    lifespan = Lifespan(app)
    engine().run(lifespan.start())
    try:
        with httpx.Client(base_url="http://svc.local", transport=EmbeddedTransport(app), timeout=120) as http:
            yield Crowd(service, http)
    finally:
        engine().run(lifespan.stop())
        for layer in layers.values():
            layer.close()
