"""The page behind an embed URL, for whoever the session was generated for: a chat, a dashboard, or both in an app.

The page exchanges its session id for a user token and speaks to the Chat API and the data API like any client. It loads
nothing else: one document, its own style and script under a nonce, text never read as markup.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ..protocol.errors import NotFound, Unauthorized
from .config import Dashboard, TenantConfig
from .secrets import digest, is_session_id
from .store.sessions import open_session

if TYPE_CHECKING:
    from .runtime import Service

__all__ = ["app_page", "chat_page", "dashboard_page"]


async def chat_page(service: Service, request: Request) -> Response:
    """``GET /embed/d/{deploymentId}/chat?session={sessionId}``; ``sessionId`` is understood as well.

    Looking at a page does not use the session: exchanging it does.
    """
    return await _page(service, request, lambda _: View("Chat", chat=True))


async def app_page(service: Service, request: Request) -> Response:
    """``GET /embed/d/{deploymentId}/app``: the chat with the user's threads and the account's dashboards beside it."""
    return await _page(service, request, lambda tenant: View("Analytics", True, True, tenant.dashboards))


async def dashboard_page(service: Service, request: Request) -> Response:
    """``GET /embed/d/{deploymentId}/dashboard/{id}``: one dashboard of the account."""

    def view(tenant: TenantConfig) -> View:
        wanted = [each for each in tenant.dashboards if each.id == request.path_params["dashboard"]]
        if not wanted:
            known = ", ".join(each.id for each in tenant.dashboards) or "none is configured"
            raise NotFound(f"No dashboard of that id in this account ({known}).")
        return View(wanted[0].title or wanted[0].id, dashboards=wanted)

    return await _page(service, request, view)


class View(msgspec.Struct, frozen=True):
    """What a page shows."""

    title: str
    chat: bool = False
    threads: bool = False
    dashboards: list[Dashboard] = []


async def _page(service: Service, request: Request, view_of: Callable[[TenantConfig], View]) -> Response:
    query = request.query_params
    session_id = query.get("session") or query.get("sessionId") or ""
    row = None
    if is_session_id(session_id):
        row = await service.read(open_session, digest(session_id), service.now())
    if row is None:
        raise Unauthorized("This session id is unknown, expired, revoked or has been used: generate a new session.")
    tenant = service.tenant_by_id(row.tenant_id)
    agents = [agent for agent in tenant.agents if agent.deployment in {None, row.deployment}]
    if request.path_params["deployment"] != str(row.deployment) or not agents:
        raise NotFound("This session gives no access to that deployment.")
    view = view_of(tenant)
    nonce = secrets.token_urlsafe(16)
    chat = f"/api/v1/public/{quote(row.name, safe='')}/agents/{quote(agents[0].id, safe='')}/chat"
    page = _template().substitute(
        nonce=nonce, chat=_script(chat), session_id=_script(session_id), view=_script(msgspec.to_builtins(view)),
        title=escape(view.title),
    )  # fmt: skip
    policy = f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'"
    headers = {
        "Content-Security-Policy": f"{policy}; base-uri 'none'; form-action 'none'",
        "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
    }  # fmt: skip
    return HTMLResponse(page, headers=headers)


@cache
def _template() -> Template:
    return Template(files(__package__).joinpath("embed_page.html").read_text("utf-8"))


def _script(value: Any) -> str:
    """A value as JavaScript that cannot end the script it stands in."""
    return json.dumps(value).replace("<", "\\u003c")
