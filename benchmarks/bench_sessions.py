"""Generate Session per call, plain and in creator mode, on both stores, beside plain sqlite3 doing the same work.

``python -m benchmarks.bench_sessions --large`` adds a million stored users.
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from svc_notebook.protocol.sessions import GenerateSessionRequest
from svc_notebook.service.auth import Caller
from svc_notebook.service.config import AttributeDefinition, GroupSeed, TenantConfig
from svc_notebook.service.rules import check_typed
from svc_notebook.service.secrets import digest
from svc_notebook.service.sessions import apply, check
from svc_notebook.service.store import Store, open_store
from svc_notebook.service.store.accounts import seed

from .report import Measurement, print_report

GROUPS, ATTRIBUTES, TENANT = ["g0", "g1", "g2"], ["a0", "a1"], "acme-corp"


def run(quick: bool = False, large: bool = False) -> list[Measurement]:
    sizes = [100, 10_000] + ([1_000_000] if large else [])
    calls = 150 if quick else 400
    found: list[Measurement] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="svc-bench-")))
        servers = _postgres(stack)
        for kind in ("SQLite file", "PostgreSQL"):
            costs: dict[tuple[str, int], float] = {}
            for size in sizes:
                if kind == "SQLite file":
                    store = open_store(folder / f"state-{size}.sqlite")
                elif servers is not None:
                    store = open_store(servers.database())
                else:
                    found.append(Measurement("PostgreSQL is not installed: skipped", 0.0, "calls/s"))
                    break
                found += _measure(store, kind, size, calls, costs, folder)
                store.close()
    return found


def _measure(
    store: Store, kind: str, size: int, calls: int, costs: dict[tuple[str, int], float], folder: Path
) -> list[Measurement]:
    config = TenantConfig(
        name="bench", user_limit=10_000_000, groups=[GroupSeed(name=name) for name in GROUPS],
        attributes=[AttributeDefinition(name=name, type="string") for name in ATTRIBUTES],
    )  # fmt: skip
    tenant_id = store.write(seed, config, {}, check_typed)
    caller = Caller(tenant_id, "bench", "enterprise", True, True, None)
    _call(store, caller, _body("u0", creator=True))
    fill(store, tenant_id, size)
    found = []
    plain_sqlite = _plain_sqlite(store, folder) if store.path else None
    for mode in ("plain", "creator mode"):
        rng = random.Random(7)
        bodies = [_body(f"u{rng.randrange(size)}", creator=mode != "plain") for _ in range(calls)]
        for body in bodies[:20]:
            _call(store, caller, body)
        cost = _seconds(lambda body: _call(store, caller, body), bodies)
        costs[mode, size] = cost
        floor = _seconds(lambda body: plain_sqlite(tenant_id, body), bodies) if plain_sqlite else None
        name = f"{kind}, {size:,} users, {mode}"
        note = f"{1 / cost:,.0f} calls/s" + (f"; plain sqlite3 {1 / floor:,.0f}/s" if floor else "")
        found.append(
            Measurement(name, cost * 1000, "ms", floor and floor * 1000, "plain sqlite3" if floor else "", note=note)
        )
        if mode != "plain" and size == 10_000:
            found.append(Measurement(f"{name}: at least 100 calls/s", cost * 1000, "ms", 10.0, "10 ms", 1.0))
        if size == 1_000_000:
            less = costs[mode, 10_000]
            found.append(Measurement(f"{name} against 10,000 users", cost * 1000, "ms", less * 1000, "at 10,000", 3.0))
    return found


def _seconds(work: Callable[[Any], Any], bodies: list[Any]) -> float:
    began = time.perf_counter()
    for body in bodies:
        work(body)
    return (time.perf_counter() - began) / len(bodies)


def _body(user: str, *, creator: bool) -> GenerateSessionRequest:
    raw: dict[str, Any] = {
        "deploymentId": 1, "externalId": user, "groups": random.sample(GROUPS, 2),
        "userAttributes": [{"name": name, "value": secrets.token_hex(4)} for name in ATTRIBUTES],
    }  # fmt: skip
    if creator:
        raw |= {
            "creatorMode": True, "embedTenantName": TENANT,
            "groupDefinitions": [{"name": name, "description": "d"} for name in GROUPS],
            "userAttributeDefinitions": [{"name": name, "type": "string"} for name in ATTRIBUTES],
        }  # fmt: skip
    import msgspec

    return msgspec.convert(raw, GenerateSessionRequest)


def _call(store: Store, caller: Caller, body: GenerateSessionRequest) -> None:
    session_id = secrets.token_hex(16)
    store.write(apply, caller, check(body), digest(session_id), now=time.time(), expires_at=time.time() + 300)


# --- filling -----------------------------------------------------------------------------------------------------


def fill(store: Store, tenant_id: int, size: int) -> None:
    """Put ``size`` users with two memberships and two values each into both scopes, half of them in each."""

    def work(connection: Any) -> None:
        scopes = [0, connection.exec_driver_sql("SELECT id FROM embed_tenants").scalar()]
        entries = connection.exec_driver_sql("SELECT id, scope, kind FROM catalog ORDER BY id").all()
        first = connection.exec_driver_sql("SELECT coalesce(max(id), 0) + 1 FROM users").scalar()
        mark = "?" if store.dialect == "sqlite" else "%s"
        users, members, values = [], [], []
        for index in range(size):
            scope, key = scopes[index % 2], first + index
            mine = [entry for entry in entries if entry.scope == scope]
            users.append((key, tenant_id, "external", scope, f"u{index + 1}"))
            members += [(key, entry.id) for entry in mine if entry.kind == "group"][:2]
            values += [(key, entry.id, '"x"') for entry in mine if entry.kind == "attribute"]
        cursor = connection.connection.cursor()
        for table, columns, rows in (
            ("users", "id, tenant_id, kind, scope, name", users), ("memberships", "user_id, group_id", members),
            ("user_values", "user_id, attribute_id, value", values),
        ):  # fmt: skip
            _insert(cursor, store.dialect, table, columns, rows, mark)
        if store.dialect == "postgresql":
            connection.exec_driver_sql(
                "SELECT setval(pg_get_serial_sequence('users', 'id'), (SELECT max(id) FROM users))"
            )
        connection.exec_driver_sql(f"UPDATE tenants SET user_count = user_count + {size} WHERE id = {tenant_id}")

    store.write(work)
    if store.dialect == "postgresql":
        with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("ANALYZE")


def _insert(cursor: Any, dialect: str, table: str, columns: str, rows: list[Any], mark: str) -> None:
    if dialect == "postgresql":
        with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        return
    marks = ", ".join([mark] * len(rows[0]))
    cursor.executemany(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", rows)


# --- the floor ---------------------------------------------------------------------------------------------------


def _plain_sqlite(store: Store, folder: Path) -> Callable[[int, GenerateSessionRequest], None]:
    """The same reading and writing, by hand, over a copy of the same file with the same durability."""
    assert store.path is not None
    copy = folder / f"plain-{store.path.name}"
    base = sqlite3.connect(copy, isolation_level=None)
    source = sqlite3.connect(store.path)
    source.backup(base)
    source.close()
    base.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;")

    def call(tenant_id: int, body: GenerateSessionRequest) -> None:
        creator = body.creator_mode is True
        base.execute("BEGIN IMMEDIATE")
        scope = 0
        if creator:
            scope = base.execute(
                "SELECT id FROM embed_tenants WHERE tenant_id = ? AND name = ?", (tenant_id, TENANT)
            ).fetchone()[0]
        who = (tenant_id, "external", scope, body.external_id)
        row = base.execute(
            "SELECT id FROM users WHERE tenant_id = ? AND kind = ? AND scope = ? AND name = ?", who
        ).fetchone()
        if row is None:
            base.execute("UPDATE tenants SET user_count = user_count + 1 WHERE id = ?", (tenant_id,))
            row = base.execute(
                "INSERT INTO users (tenant_id, kind, scope, name) VALUES (?, ?, ?, ?) RETURNING id", who
            ).fetchone()
        user = row[0]
        if creator:
            for kind, names in (("group", GROUPS), ("attribute", ATTRIBUTES)):
                for name in names:
                    base.execute("SELECT * FROM catalog WHERE tenant_id = ? AND scope = ? AND kind = ? AND name = ?",
                                 (tenant_id, scope, kind, name)).fetchone()  # fmt: skip
        wanted = list(body.groups or ())
        found = base.execute("SELECT id FROM catalog WHERE tenant_id = ? AND scope = ? AND kind = 'group' AND name IN (?, ?)",
                             (tenant_id, scope, *wanted)).fetchall()  # fmt: skip
        base.execute("DELETE FROM memberships WHERE user_id = ?", (user,))
        base.executemany(
            "INSERT INTO memberships (user_id, group_id) VALUES (?, ?)", [(user, item[0]) for item in found]
        )
        for value in body.user_attributes or ():
            key = base.execute("SELECT id FROM catalog WHERE tenant_id = ? AND scope = ? AND kind = 'attribute' AND name = ?",
                               (tenant_id, scope, value.name)).fetchone()[0]  # fmt: skip
            base.execute("INSERT INTO user_values VALUES (?, ?, ?) ON CONFLICT (user_id, attribute_id) DO UPDATE SET value = excluded.value",
                         (user, key, json.dumps(value.value)))  # fmt: skip
        base.execute(
            "INSERT INTO sessions (digest, user_id, deployment, scope, creator_mode, expires_at) VALUES (?, ?, 1, ?, ?, ?)",
            (digest(secrets.token_hex(16)), user, scope, creator, time.time() + 300),
        )
        base.execute("COMMIT")

    return call


def _postgres(stack: ExitStack) -> Any:
    """The tests' own server, where PostgreSQL is installed."""
    try:
        from tests.service.postgres_server import find_programs, server
    except ImportError:
        return None
    programs = find_programs()
    return None if programs is None else stack.enter_context(server(programs))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also with 1,000,000 stored users")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    print_report("sessions", run(options.quick, options.large))
