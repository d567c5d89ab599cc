"""What the service answers from: reading it again, asking after it, and its line in ``/readyz``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from ..protocol.freshness import Freshness
from ..protocol.spelling import spelled
from .responses import json_response

if TYPE_CHECKING:
    from .auth import Caller
    from .runtime import Service

__all__ = ["freshness", "generation_line", "reload"]

_AS_OF, _HELD_BACK = spelled(Freshness, "as_of"), spelled(Freshness, "held_back")
_UNTOLD = "What has changed cannot be used."


async def reload(service: Service, request: Request) -> Response:
    """``POST /api/v1/reload``: read data, model and configuration again where they have changed."""
    caller = await _administrator(service, request)
    await service.freshness.renew()
    service.bell.ring_reload()
    return json_response(_said(service, caller))


async def freshness(service: Service, request: Request) -> Response:
    """``GET /api/v1/freshness``."""
    return json_response(_said(service, await _administrator(service, request)))


def generation_line(service: Service) -> dict[str, int | str | bool]:
    """What anybody may know of the generation: that newer data are held back, not why."""
    current = service.generations.current
    standing = current.standing
    return {"number": current.number, _AS_OF: standing.said, _HELD_BACK: bool(standing.held_back)}


async def _administrator(service: Service, request: Request) -> Caller:
    caller = await service.authenticate(request, tokens=False)
    caller.require_admin()
    return caller


def _said(service: Service, caller: Caller) -> Freshness:
    """The reason names files and members of any account's model: it is for the first one, whose service it is."""
    current = service.generations.current
    why = current.standing.held_back
    operators = caller.account == service.config.tenants[0].name
    return Freshness(current.number, current.standing.said, why if operators or not why else _UNTOLD)
