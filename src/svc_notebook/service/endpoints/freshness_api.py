"""What the service answers from: reading it again, asking after it, and its line in ``/readyz``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from ...protocol.errors import BadRequest, ServiceError, ServiceUnavailable
from ...protocol.freshness import Freshness
from ...protocol.spelling import spelled
from ..web.responses import json_response

if TYPE_CHECKING:
    from ..callers.auth import Caller
    from ..runtime import Service

__all__ = ["RELOAD", "STANDING", "freshness", "generation_line", "own_reload", "own_standing", "reload"]

RELOAD, STANDING = "reload", "standing"
"""The words by which the others behind the port are asked."""
_PATIENCE = 120.0
_MOMENT = 3.0
_AS_OF, _HELD_BACK = spelled(Freshness, "as_of"), spelled(Freshness, "held_back")
_UNTOLD = "What has changed cannot be used."


async def reload(service: Service, request: Request) -> Response:
    """``POST /api/v1/reload``: read data, model and configuration again where they have changed."""
    caller = await _administrator(service, request)
    await service.freshness.renew()
    service.bell.ring_reload()
    # Asked after this process has read: what cannot be used is then refused once, by the first.
    for told in await service.colleagues.ask(RELOAD, _PATIENCE):
        if told.said is None:
            raise ServiceUnavailable(f"Worker {told.worker} has not read them again yet; the others have.")
        if told.said:
            raise BadRequest(f"Worker {told.worker}: {told.said}")
    return json_response(await _said(service, caller))


async def own_reload(service: Service) -> str:
    """Have this process read again; what is wrong with it, or ``""``."""
    try:
        await service.freshness.renew()
    except ServiceError as error:
        return error.message
    return ""


async def own_standing(service: Service) -> tuple[str, str]:
    """Of when the data of this process are, and what speaks against newer ones."""
    standing = service.generations.current.standing
    return standing.said, standing.held_back


async def freshness(service: Service, request: Request) -> Response:
    """``GET /api/v1/freshness``."""
    return json_response(await _said(service, await _administrator(service, request)))


def generation_line(service: Service) -> dict[str, int | str | bool]:
    """What anybody may know of the generation: that newer data are held back, not why."""
    current = service.generations.current
    standing = current.standing
    return {"number": current.number, _AS_OF: standing.said, _HELD_BACK: bool(standing.held_back)}


async def _administrator(service: Service, request: Request) -> Caller:
    caller = await service.authenticate(request, tokens=False)
    caller.require_admin()
    return caller


async def _said(service: Service, caller: Caller) -> Freshness:
    """Of all processes behind the port the oldest data, and what speaks against newer ones in any.

    The reason names files and members of any account's model: it is for the first one, whose service it is.
    """
    as_of, why = await own_standing(service)
    for told in await service.colleagues.ask(STANDING, _MOMENT):
        theirs, held_back = told.said or ("", "")
        as_of = min(as_of, theirs or as_of)
        why = why or (f"Worker {told.worker}: {held_back}" if held_back else "")
    operators = caller.account == service.config.tenants[0].name
    number = service.generations.current.number
    return Freshness(number, as_of, why if operators or not why else _UNTOLD)
