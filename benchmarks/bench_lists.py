"""Lists and definitions in the store: a page of groups beside few and many users, a thousand definitions at once."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert

from svc_notebook.service.config import GroupSeed, TenantConfig
from svc_notebook.service.store import Store, open_store
from svc_notebook.service.store.accounts import seed
from svc_notebook.service.store.catalog import count_members, define, entries, page
from svc_notebook.service.store.schema import memberships, users
from svc_notebook.service.web.rules import check_typed

from .bench_sessions import _postgres
from .report import Measurement

GROUPS = 200


def filled(store: Store, size: int) -> int:
    """An account with so many users, each in one of its groups."""
    tenant = TenantConfig(groups=[GroupSeed(f"g{n}") for n in range(GROUPS)], user_limit=size + 10)
    tenant_id = store.write(seed, tenant, {}, check_typed)

    def fill(connection: Connection) -> None:
        ids = [row.id for row in entries(connection, tenant_id, 0, "group", [f"g{n}" for n in range(GROUPS)]).values()]
        people = [
            {"id": 1000 + n, "tenant_id": tenant_id, "kind": "external", "scope": 0, "name": f"u{n}"}
            for n in range(size)
        ]
        connection.execute(insert(users), people)
        connection.execute(
            insert(memberships), [{"user_id": 1000 + n, "group_id": ids[n % GROUPS]} for n in range(size)]
        )
        count_members(connection, ids, size // GROUPS)

    store.write(fill)
    return tenant_id


def seconds(work: Callable[[], object], rounds: int) -> float:
    spent = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return statistics.median(spent)


def defined(store: Store, tenant_id: int, count: int, rounds: int) -> float:
    """Seconds to define so many attributes, each time with something new to say."""

    def work(turn: int) -> None:
        rows: list[dict[str, Any]] = [
            {"name": f"a{n}", "type": "string", "display_name": f"title {turn}"} for n in range(count)
        ]
        store.write(define, tenant_id, 0, "attribute", rows)

    turns = iter(range(1_000_000))
    return seconds(lambda: work(next(turns)), rounds)


def run(*, quick: bool = False) -> list[Measurement]:
    few, many, rounds = 1_000, 20_000 if quick else 100_000, 9
    found: list[Measurement] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="svc-bench-")))
        server = _postgres(stack)
        for kind in ("SQLite file", "PostgreSQL"):
            if kind == "PostgreSQL" and server is None:
                found.append(Measurement("PostgreSQL is not installed: skipped", 0.0, "ms"))
                continue
            cost = {}
            for size in (few, many):
                store = open_store(folder / f"{size}.sqlite" if kind == "SQLite file" else server.database())
                tenant_id = filled(store, size)
                cost[size] = (
                    seconds(lambda s=store, t=tenant_id: s.read(page, t, 0, "group", 100, 0, 0.0), rounds) * 1e3
                )
                if size == few:
                    one, thousand = (defined(store, tenant_id, n, rounds) * 1e3 for n in (1, 1_000))
                store.close()
            found += [
                Measurement(f"{kind}: a page of groups, {many:,} users", cost[many], "ms", cost[few],
                            f"{few:,} users", 1.5),
                Measurement(f"{kind}: 1,000 definitions", thousand, "ms", one, "one definition"),
            ]  # fmt: skip
    return found
