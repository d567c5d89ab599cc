"""Generate Session per call, plain and in creator mode, on both stores, beside plain sqlite3 doing the same work.

On a SQLite file both sides are told by the processor time they take: each commits once, as durably, and how long a disk
takes for that on a busy machine says nothing of either. PostgreSQL works in processes of its own: there the clock counts.
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from svc_notebook.protocol.sessions import GenerateSessionRequest
from svc_notebook.service.callers.auth import Caller
from svc_notebook.service.callers.secrets import digest
from svc_notebook.service.config import AttributeDefinition, GroupSeed, TenantConfig
from svc_notebook.service.endpoints.sessions import apply, check
from svc_notebook.service.store import Store, open_store
from svc_notebook.service.store.accounts import seed
from svc_notebook.service.web.rules import check_typed

from .report import Measurement, print_report

GROUPS, ATTRIBUTES, TENANT = ["g0", "g1", "g2"], ["a0", "a1"], "acme-corp"


def run(quick: bool = False) -> list[Measurement]:
    sizes = [100, 10_000]
    in_a_file = sizes if quick else [*sizes, 1_000_000]
    found: list[Measurement] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="svc-bench-")))
        found += _measured(
            "SQLite file", {size: open_store(folder / f"{size}.sqlite") for size in in_a_file}, folder, quick
        )
        server = _postgres(stack)
        if server is None:
            return [*found, Measurement("PostgreSQL is not installed: skipped", 0.0, "ms")]
        return found + _measured("PostgreSQL", {size: open_store(server.database()) for size in sizes}, folder, quick)


def _measured(kind: str, stores: dict[int, Store], folder: Path, quick: bool) -> list[Measurement]:
    """Median milliseconds a call, sizes and floor in turns, so that a busy machine slows them alike."""
    clock = time.process_time if all(store.path is not None for store in stores.values()) else time.perf_counter
    callers = {size: _prepared(store, size) for size, store in stores.items()}
    floors = {size: _plain_sqlite(store, folder) for size, store in stores.items() if store.path is not None}
    found: list[Measurement] = []
    for mode in ("plain", "creator mode"):
        spent: dict[tuple[str, int], list[float]] = {}
        rng = random.Random(7)
        for turn in range(60 if quick else 250):
            for size, store in stores.items():
                body = _body(f"u{rng.randrange(size)}", creator=mode != "plain")
                for name, work in (
                    ("service", partial(_call, store, callers[size], body)),
                    ("floor", partial(floors[size], callers[size].tenant_id, body) if floors else None),
                ):
                    if work is not None:
                        seconds = _seconds(work, clock)
                        if turn >= 10:
                            spent.setdefault((name, size), []).append(seconds)
        cost = {key: statistics.median(values) * 1000 for key, values in spent.items()}
        for size in stores:
            found += _told(f"{kind}, {size:,} users, {mode}", mode, size, cost)
    for store in stores.values():
        store.close()
    return found


def _told(name: str, mode: str, size: int, cost: dict[tuple[str, int], float]) -> list[Measurement]:
    mine, floor = cost["service", size], cost.get(("floor", size))
    each = "a CPU second" if floor else "a second"
    note = f"{1000 / mine:,.0f} calls {each}" + (f"; plain sqlite3 {1000 / floor:,.0f}" if floor else "")
    found = [Measurement(name, mine, "ms", floor, "plain sqlite3" if floor else "", 5 if floor else None, note=note)]
    if size == 1_000_000:
        found.append(Measurement(f"{name}: growth", mine, "ms", cost["service", 10_000], "at 10,000 users", 1.5))
    return found


def _prepared(store: Store, size: int) -> Caller:
    config = TenantConfig(
        name="bench", user_limit=10_000_000, groups=[GroupSeed(name=name) for name in GROUPS],
        attributes=[AttributeDefinition(name=name, type="string") for name in ATTRIBUTES],
    )  # fmt: skip
    tenant_id = store.write(seed, config, {}, check_typed)
    caller = Caller(tenant_id, "bench", "enterprise", True, True, None)
    _call(store, caller, _body("u0", creator=True))
    store.write(fill, tenant_id, size)
    if store.dialect == "postgresql":  # or the timed calls would share the machine with what it does after a bulk load
        with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
            connection.exec_driver_sql("CHECKPOINT")
    return caller


def _seconds(work: Callable[[], Any], clock: Callable[[], float]) -> float:
    began = clock()
    work()
    return clock() - began


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


def fill(connection: Connection, tenant_id: int, size: int) -> None:
    """Put ``size`` users with two memberships and two values each into both scopes, half of them in each."""
    scope = connection.exec_driver_sql("SELECT id FROM embed_tenants").scalar()
    first = connection.exec_driver_sql("SELECT coalesce(max(id), 0) FROM users").scalar()
    postgres = connection.dialect.name == "postgresql"
    numbers = f"SELECT n FROM generate_series(1, {size}) AS s(n)" if postgres else (
        f"WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {size}) SELECT n FROM s"
    )  # fmt: skip
    scopes = f"CASE n - n / 2 * 2 WHEN 0 THEN 0 ELSE {scope} END"
    users = f"SELECT {first} + n, {tenant_id}, 'external', {scopes}, 'u' || n FROM ({numbers}) t"
    pairs = f"FROM users u JOIN catalog c ON c.scope = u.scope WHERE u.id > {first} AND c.kind ="
    for statement in (
        f"INSERT INTO users (id, tenant_id, kind, scope, name) {users}",
        f"INSERT INTO memberships SELECT u.id, c.id {pairs} 'group' AND c.name IN ('g0', 'g1')",
        f"INSERT INTO user_values SELECT u.id, c.id, '\"x\"' {pairs} 'attribute'",
        f"UPDATE tenants SET user_count = user_count + {size} WHERE id = {tenant_id}",
    ):
        connection.exec_driver_sql(statement)
    if postgres:
        connection.exec_driver_sql("SELECT setval(pg_get_serial_sequence('users', 'id'), (SELECT max(id) FROM users))")


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
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    print_report("sessions", run(options.quick))
