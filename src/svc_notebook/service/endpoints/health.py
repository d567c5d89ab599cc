"""What those ask who run the service: is it alive, does it take work, what are its figures. Nobody is named."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from ...protocol.errors import NotFound, ServiceError, Unauthorized
from ...protocol.freshness import Readiness
from ...semantic.context import SecurityContext
from ...semantic.errors import SemanticError
from ..callers.secrets import digest, named_secret
from ..operation.metrics import CONTENT_TYPE, Moment
from ..store.marks import latest_time
from ..web.responses import json_response
from .freshness_api import generation_line

if TYPE_CHECKING:
    from ..runtime import Service

__all__ = ["CHECKS", "FIGURES", "READY", "livez", "metrics", "own_figures", "own_readiness", "readyz"]

FIGURES, READY = "figures", "ready"
"""The words by which the others behind the port are asked."""

_log = logging.getLogger(__name__)
_PATIENCE = 2.0
_MORE = 3.0
"""Seconds that another process may take to answer, beyond what its checks take."""
_SILENT = "does not answer"
_STATUS = {True: "ready", False: "not ready"}
_ABSENT = {"svc_workers_silent": [((), 1.0)]}


async def livez(service: Service, _request: Request) -> Response:
    """``GET /livez``: the process answers, of several which one; nothing else is asked."""
    which = {"worker": service.worker} if service.worker else {}
    return json_response({"status": "alive", **which})


async def readyz(service: Service, _request: Request) -> Response:
    """``GET /readyz``: 200 when store, data model and engine can be used, else 503; each with what is wrong.

    Of several processes all are asked. One that cannot be used speaks against all, since it takes connections as they
    do; one that does not answer takes none.
    """
    own, others = await asyncio.gather(own_readiness(service), service.colleagues.ask(READY, _PATIENCE + _MORE))
    workers = {str(told.worker): told.said or {"status": _SILENT} for told in others}
    if service.worker:
        workers[str(service.worker)] = own
    checks: dict[str, str] = dict(own["checks"])
    for worker, said in sorted(workers.items()):
        for name, found in said.get("checks", {}).items():
            if found != "ok" and checks.get(name) == "ok":
                checks[name] = f"worker {worker}: {found}"
    ready = all(found == "ok" for found in checks.values())
    body = Readiness(_STATUS[ready], own["generation"], checks, dict(sorted(workers.items())))
    return json_response(body, 200 if ready else 503, {} if ready else {"Retry-After": "2"})


async def own_readiness(service: Service) -> dict[str, Any]:
    """What this process is ready for."""
    names = list(CHECKS)
    found = await asyncio.gather(*(_checked(name, CHECKS[name](service)) for name in names))
    ready = all(said == "ok" for said in found)
    checks = dict(zip(names, found, strict=True))
    return {"status": _STATUS[ready], "generation": generation_line(service), "checks": checks}


async def metrics(service: Service, request: Request) -> Response:
    """``GET /metrics``: the service's figures as Prometheus reads them, of all processes behind the port."""
    _may_read(service, request)
    others = await service.colleagues.ask(FIGURES, _MORE)
    moments = [Moment(*told.said) if told.said else Moment("", _ABSENT) for told in others]
    return Response(service.telemetry.metrics.text(moments, _name(service)), media_type=CONTENT_TYPE)


async def own_figures(service: Service) -> tuple[str, Mapping[str, Any]]:
    """What the gauges of this process show."""
    moment = service.telemetry.metrics.moment(_name(service))
    return moment.worker, moment.shown


def _name(service: Service) -> str:
    """Which worker this is; where another one has its place already, that is told with it."""
    return f"{service.worker}{' leaving' if service.colleagues.leaving else ''}" if service.worker else ""


def _may_read(service: Service, request: Request) -> None:
    config = service.config
    if config.metrics == "open":
        return
    try:
        wanted = named_secret(config.metrics_key_env) if config.metrics == "key" else ""
    except (OSError, UnicodeDecodeError) as error:
        _log.warning("the file that %s_FILE names cannot be read: %s", config.metrics_key_env, error)
        wanted = ""
    if not wanted:
        # As if there were none: whether figures are kept is nobody's business who has no key.
        raise NotFound("No such path.")
    scheme, _, sent = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(digest(sent), digest(wanted)):
        raise Unauthorized("The figures want 'Authorization: Bearer' with the key that the service was given for them.")


async def _checked(name: str, check: Awaitable[None]) -> str:
    try:
        async with asyncio.timeout(_PATIENCE):
            await check
    except TimeoutError:
        said = _SILENT
    except ServiceError as error:
        said = error.message
    except SemanticError as error:
        _log.warning("not ready: %s: %s", name, error)
        said = "cannot be used; the log says why"
    else:
        return "ok"
    return said


async def _store(service: Service) -> None:
    await service.read(latest_time)


async def _model(service: Service) -> None:
    for layer in service.layers():
        await asyncio.to_thread(layer.catalog, SecurityContext.operator())


async def _engine(service: Service) -> None:
    for engine in service.engines():
        await asyncio.to_thread(engine.execute, "SELECT 1 AS one", {}, timeout=_PATIENCE, max_rows=1)


CHECKS: dict[str, Callable[[Service], Awaitable[None]]] = {"store": _store, "model": _model, "engine": _engine}
"""What must hold before work is taken, by name; each raises where it does not."""
