"""Who sees what, and why: for administrators; it names what the user may not know, so a user token never opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from ...protocol.access import AccessRequest, AccessResponse, PolicyVerdict, RelationAccess
from ...protocol.chat import SessionSettings
from ...protocol.errors import NotFound
from ..web.responses import json_response
from .data_api import data_body, opened, settings_of

if TYPE_CHECKING:
    from ...semantic.policies import access_report as report
    from ..runtime import Service

__all__ = ["access"]


async def access(service: Service, request: Request) -> Response:
    """``POST /svc-api/v1/access``: what a user sees of the model, and which policy says so."""
    caller = await service.authenticate(request)
    caller.require_key()
    caller.require_admin()
    body = await data_body(service, request, AccessRequest)
    settings = body.session_settings if isinstance(body.session_settings, SessionSettings) else UNSET
    try:
        with service.sharing(caller, settings_of(body)):
            asker, scope = await opened(service, caller, request, settings, create=True, trial=True)
            found = await scope.access_report(body.relations)
    except KeyError as error:
        raise NotFound(f"There is no cube and no view {error}.") from None
    return json_response(
        AccessResponse(
            user=asker.label,
            groups=sorted(asker.context.groups),
            attributes={name: _said(value) for name, value in sorted(asker.context.user_attributes.items())},
            relations=[_relation(item) for item in found],
        )
    )


def _relation(item: report.RelationAccess) -> RelationAccess:
    policies = [PolicyVerdict(p.place, p.relation, list(p.groups), p.applies, p.why, p.rows) for p in item.policies]
    return RelationAccess(
        item.name, item.kind, item.visible, item.why, item.rows, item.total, list(item.shown), list(item.masked),
        list(item.hidden), policies, list(item.notes),
    )  # fmt: skip


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
