"""``svc-notebook serve``: the same service over the network."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import secrets
import signal
import socket
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .connection import pairs
from .logs import FORMATS, configure
from .output import CommandFailed, command, note

if TYPE_CHECKING:
    from ..service.config import ServiceConfig
    from .worker import Line

EXAMPLES = """\
examples:
  svc-notebook serve                                                 the demo, at http://127.0.0.1:8080
  svc-notebook serve --model model/ --database shop.duckdb --store state.sqlite
  svc-notebook serve --model model/ --database postgresql://reader@db/shop
  svc-notebook serve --model model/ --database sc://spark:15002 --data flights=s3a://lake/flights
  svc-notebook serve --model model/ --data orders=orders.csv --host 0.0.0.0 --port 80
  svc-notebook serve --workers 4 --store postgresql+psycopg://svc@db/svc

Ctrl-C ends it: running answers are kept as far as they have come. Changed data, model and configuration are seen by
themselves; SIGHUP, or `client.reload()`, has them read at once. With --workers SIGHUP replaces them in turn: nobody
who asks notices.
"""
_GRACE = 5.0  # so that the application's own 408 comes first


def add(commands: Any) -> None:
    parser = command(
        commands,
        "serve",
        help="serve a data model to a team, over HTTP",
        description="Serve a data model (default: the demo) over HTTP. A `service.yml` beside the model names "
        "accounts, keys, attributes, groups and users; without a key in it, one is made and printed.",
        more=EXAMPLES,
    )
    parser.add_argument("--model", type=Path, help="folder of the data model (default: the demo)")
    parser.add_argument("--database", help="DuckDB file the model is over, or a postgresql:// or sc:// (Spark) URL")
    parser.add_argument(
        "--engine", choices=["duckdb", "postgres", "spark"],
        help="who answers, by default whom --database names; duckdb reads a postgresql:// database into memory",
    )  # fmt: skip
    parser.add_argument("--data", action="append", metavar="NAME=FILE", help="a CSV, Parquet or JSON file (repeatable)")
    parser.add_argument("--config", type=Path, help="service.yml (default: the one beside the model)")
    parser.add_argument("--store", default="memory", help="state: a path, or a database URL (default: memory)")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes that serve the port together (default: 1)"
    )
    parser.add_argument("--worker", help=argparse.SUPPRESS)  # said to the processes that --workers starts
    parser.add_argument(
        "--log-level", default="warning", choices=["critical", "error", "warning", "info", "debug"],
        help="from info on, every request is a line",
    )  # fmt: skip
    parser.add_argument("--log-format", default="text", choices=FORMATS, help="lines for a person, or JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if find_spec("uvicorn") is None:
        raise CommandFailed("serving over the network needs the extra `server`: pip install 'svc-notebook[server]'")
    if options.worker:
        from .worker import run as work

        return work(options.worker)
    from .examination.surroundings import port

    for finding in port(options.port, options.host):
        if finding.level == "problem":
            raise CommandFailed(f"{finding.what}; choose another: {finding.remedy}")
    key = f"svc_{secrets.token_urlsafe(24)}"
    if options.workers != 1:
        return _run_workers(options, key)
    app, lines = make_app(options, key)
    for line in lines:
        note(line)
    server = make_server(app, options, host=options.host, port=options.port)
    _say_where(server)
    return quietly(server.run, server)


def _run_workers(options: argparse.Namespace, key: str) -> int:
    from ..service.store.opening import in_memory

    if options.workers < 1:
        raise CommandFailed("--workers wants the number of processes that serve together: 1 or more")
    if in_memory(options.store):
        raise CommandFailed(
            "--workers wants a store that all of them share, and this one is a process's own memory: add --store "
            "state.sqlite (one machine), or --store postgresql+psycopg://user@host/db"
        )
    if sys.platform == "win32":
        raise CommandFailed("--workers hands a port from process to process, which Windows does not: leave it out")
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((options.host, options.port))
        return asyncio.run(_served(options, listener, key))


async def _served(options: argparse.Namespace, listener: socket.socket, key: str) -> int:
    from .workforce import Workforce

    return await Workforce(options, listener, key).run()


def make_server(app: Any, options: argparse.Namespace, **more: Any) -> Any:
    """The server for an application; everything that is loaded stays."""
    import uvicorn

    from ..service.web.patience import patient_protocol

    configure(options.log_level, options.log_format)
    # The server's own access lines hold query strings, and so names of users: the application writes better ones.
    # Whoever is behind a proxy must not close a connection before it does (60 s): the next request would meet that.
    # asyncio's loop listens as the workers need it; uvloop, which would be taken where there is one, saves nothing here
    # and leaves connections waiting for seconds.
    settings = {"log_config": None, "access_log": False, "timeout_keep_alive": 75, "loop": "asyncio", **more}
    settings["http"] = patient_protocol(app.state.body_timeout + _GRACE)
    # This process serves and nothing else: the collector need not walk what was loaded, which holds everybody up.
    gc.collect()
    gc.freeze()
    return uvicorn.Server(uvicorn.Config(_told(app), timeout_graceful_shutdown=5, **settings))


def quietly(serve: Callable[[], None], server: Any) -> int:
    """Serve to the end; the exit code."""
    try:
        with suppress(KeyboardInterrupt):
            serve()
    except SystemExit:  # it did not start, and has said why
        return 1
    return 0 if server.started else 1


def _say_where(server: Any) -> None:
    """Have the server say which address it took, also where its own line is below the log level: port 0 is any port."""
    bind = server.startup

    async def startup(*given: Any, **named: Any) -> None:
        await bind(*given, **named)
        if server.started and not logging.getLogger("uvicorn.error").isEnabledFor(logging.INFO):
            host, port = server.servers[0].sockets[0].getsockname()[:2]
            note(f"running on http://{f'[{host}]' if ':' in host else host}:{port}")

    server.startup = startup


def _told(app: Any) -> Any:
    """``app``, whose start says in one sentence what is wrong with the configuration, not in a traceback."""
    from ..service.config import ConfigError

    async def called(scope: Any, receive: Any, send: Any) -> None:
        async def said(message: Any) -> None:
            failure = sys.exc_info()[1]
            if message["type"] == "lifespan.startup.failed" and isinstance(failure, ConfigError):
                message = {**message, "message": str(failure)}
            if message["type"] == "lifespan.startup.complete":
                _listen_for_hangup(app.state.reload)
            await send(message)

        await app(scope, receive, said if scope["type"] == "lifespan" else send)

    return called


def _listen_for_hangup(reload: Callable[[], None]) -> None:
    """Read data, model and configuration again on SIGHUP, where there is such a signal."""
    if hasattr(signal, "SIGHUP") and threading.current_thread() is threading.main_thread():
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reload)


def make_app(
    options: argparse.Namespace, key: str, *, workers: int = 1, worker: int = 0, line: Line | None = None
) -> tuple[Any, list[str]]:
    """The ASGI application the options describe, one of so many, and what to tell about it.

    Parameters
    ----------
    key
        The admin key, where the configuration has none.
    worker
        Which one of so many it is.
    line
        Leads to the others.
    """
    from ..demo import data_files, model_folder, service_file
    from ..embedded_data import source_of
    from ..semantic.errors import SemanticError
    from ..semantic.intake.live import is_spark_url, where_it_lies
    from ..semantic.intake.postgres import is_postgres_url
    from ..semantic.snapshot import DataSource
    from ..service.app import create_app
    from ..service.config import ConfigError
    from ..service.operation.portions import engine_portion
    from ..service.runtime import Service
    from ..service.store import StoreBusy, StoreFailed

    if options.model is None and (options.database or options.data):
        raise CommandFailed("--database and --data want a --model (make one with `svc-notebook init`)")
    demo = options.model is None
    folder: Path = options.model or model_folder()
    data: dict[str, Any] = dict(data_files()) if demo else dict(pairs(options.data, "--data"))
    base_url = f"http://{options.host}:{options.port}"
    written = options.config or (service_file() if demo else None)
    if options.engine == "postgres" and not is_postgres_url(options.database):
        raise CommandFailed("--engine postgres wants the database's URL: --database postgresql://role@host/name")
    if (options.engine == "spark") != is_spark_url(options.database) and options.engine is not None:
        raise CommandFailed("--engine spark wants the server's URL, and no other has it: --database sc://host:15002")
    try:
        given = (
            (data, options.database) if options.engine == "duckdb" else where_it_lies(data or None, options.database)
        )
        tables = DataSource(tuple(value for value in given if value), limits=engine_portion(workers))
        source, _ = source_of(folder, tables, (written, key, {}, (), {}, base_url, workers))
    except (SemanticError, ConfigError, OSError, ValueError) as error:
        raise CommandFailed(str(error)) from None
    first = source.first
    try:
        service = Service(
            first.config, first.models, store=options.store, first=first, source=source, carrier=line, worker=worker,
            colleagues=line,
        )  # fmt: skip
    except (StoreFailed, StoreBusy) as error:
        source.close()
        raise CommandFailed(" ".join([error.message, *getattr(error, "__notes__", ())])) from None
    app = create_app(service)
    weakref.finalize(app, source.close)
    return app, _told_of(folder, first.config, key)


def _told_of(folder: Path, config: ServiceConfig, key: str) -> list[str]:
    """Where the agents are, and the key that was made where the configuration has none."""
    lines = [f"serving {folder} at {config.base_url}"]
    if all(each.temporary for each in config.tenants[0].api_keys):
        lines.append(f"no key in the configuration: this admin key lives as long as the server: {key}")
    for tenant in config.tenants:
        for agent in tenant.agents:
            path = f"/api/v1/public/{tenant.name}/agents/{agent.id}/chat/stream-chat-state"
            lines.append(f"Chat API URL of {agent.name!r} in account {tenant.name!r}: {config.base_url}{path}")
    return lines
