"""The page behind an embed URL, for whoever the session was generated for: a chat, a dashboard, or both in an app.

The page exchanges its session id for a user token and speaks to this service alone. What it shows is drawn by the
modules that draw a notebook's widget (:mod:`svc_notebook.front`); they and the chart renderer are files of this
service, named by their contents, so that browsers keep them. A page whose session has ended says so, and tells the page
around it, which can bring another one: see ``static/chat/framed.js``.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ...front.modules import CHAT_STYLE, STATIC, chat_module
from ...front.renderer import packed_renderer, unpacked_renderer
from ...protocol.errors import NotFound, ServiceError, Unauthorized
from ...protocol.sessions import SessionTokenRequest
from ...protocol.spelling import spelled
from ..callers.secrets import digest, is_session_id
from ..config import TenantConfig
from ..store.sessions import REFUSED, open_session

if TYPE_CHECKING:
    from ..runtime import Service

__all__ = ["app_page", "chat_page", "dashboard_page", "static_file"]

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<link rel="stylesheet" href="{style}" nonce="{nonce}">
</head>
<body>
<main></main>
<script type="application/json" id="svc-page">{given}</script>
<script type="module" src="{script}" nonce="{nonce}"></script>
</body>
</html>
"""
# The address holds the content's hash: what is at it never changes.
_FOREVER = "public, max-age=31536000, immutable"


class View(msgspec.Struct, frozen=True):
    """What a page shows; ``dashboards`` are pairs of id and title."""

    title: str
    chat: bool = False
    threads: bool = False
    dashboards: list[tuple[str, str]] = []


async def chat_page(service: Service, request: Request) -> Response:
    """``GET /embed/d/{deploymentId}/chat?session={sessionId}``; ``sessionId`` is understood as well.

    Looking at a page does not use the session: exchanging it does.
    """
    return await _page(service, request, lambda _: View("Chat", chat=True))


async def app_page(service: Service, request: Request) -> Response:
    """``GET /embed/d/{deploymentId}/app``: the chat with the user's threads and the account's dashboards beside it."""
    return await _page(service, request, lambda tenant: View("Analytics", True, True, _titles(tenant)))


async def dashboard_page(service: Service, request: Request) -> Response:
    """``GET /embed/d/{deploymentId}/dashboard/{id}``: one dashboard of the account."""

    def view(tenant: TenantConfig) -> View:
        wanted = request.path_params["dashboard"]
        found = [(name, title) for name, title in _titles(tenant) if name == wanted]
        if not found:
            known = ", ".join(each.id for each in tenant.dashboards) or "none is configured"
            raise NotFound(f"No dashboard of that id in this account ({known}).")
        return View(found[0][1], dashboards=found)

    return await _page(service, request, view)


async def static_file(_service: Service, request: Request) -> Response:
    """``GET /embed/static/{hash}/{name}``: the page's script, its style and the chart renderer."""
    name = request.path_params["name"]
    if name not in _FILES or request.path_params["hash"] != _hash(name):
        raise NotFound("No such file.")
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    headers = {"Cache-Control": _FOREVER, "X-Content-Type-Options": "nosniff"}
    # It lies packed in the wheel, and is sent as it lies.
    if name == "vega.js" and "gzip" in request.headers.get("accept-encoding", ""):
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(packed_renderer(), headers=headers, media_type=kind)
    return Response(_FILES[name](), headers=headers, media_type=kind)


async def _page(service: Service, request: Request, view_of: Callable[[TenantConfig], View]) -> Response:
    try:
        tenant, given = await _opened(service, request, view_of)
    except ServiceError as problem:
        if "text/html" not in request.headers.get("accept", ""):
            raise
        # Whoever may frame a page is asked of the account, which nobody has named: this page holds nothing.
        given = {"problem": problem.message, "expired": isinstance(problem, Unauthorized)}
        return _html("No access", given, problem.status, frames=["*"])
    return _html(given["view"]["title"], given, 200, frames=tenant.frame_ancestors or ["*"])


async def _opened(
    service: Service, request: Request, view_of: Callable[[TenantConfig], View]
) -> tuple[TenantConfig, dict[str, Any]]:
    query = request.query_params
    session_id = query.get("session") or query.get(spelled(SessionTokenRequest, "session_id")) or ""
    row = None
    if is_session_id(session_id):
        row = await service.read(open_session, digest(session_id), service.now())
    if row is None:
        raise Unauthorized(REFUSED)
    tenant = service.tenant_by_id(row.tenant_id)
    agents = [agent for agent in tenant.agents if agent.deployment in {None, row.deployment}]
    if request.path_params["deployment"] != str(row.deployment) or not agents:
        raise NotFound("This session gives no access to that deployment.")
    chat = f"/api/v1/public/{quote(row.name, safe='')}/agents/{quote(agents[0].id, safe='')}/chat"
    embed = f"/embed/d/{row.deployment}"
    view = msgspec.to_builtins(view_of(tenant))
    return tenant, {"session": session_id, "chat": chat, "embed": embed, "view": view, "vega": _url("vega.js")}


def _html(title: str, given: dict[str, Any], status: int, *, frames: list[str]) -> Response:
    nonce = secrets.token_urlsafe(16)
    page = _PAGE.format(
        title=escape(title), nonce=nonce, style=_url("page.css"), script=_url("page.js"), given=_script(given)
    )
    policy = (
        # Charts and tables set styles as attributes, which can carry no nonce.
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; "
        f"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {' '.join(frames)}"
    )
    headers = {
        "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }  # fmt: skip
    return HTMLResponse(page, status, headers=headers)


def _titles(tenant: TenantConfig) -> list[tuple[str, str]]:
    return [(each.id, each.title or each.id) for each in tenant.dashboards]


_FILES: dict[str, Callable[[], bytes]] = {
    "page.js": lambda: chat_module("page").encode(),
    "page.css": lambda: CHAT_STYLE.read_bytes() + b"\n" + (STATIC / "page.css").read_bytes(),
    "vega.js": unpacked_renderer,
}


@cache
def _hash(name: str) -> str:
    return hashlib.sha256(_FILES[name]()).hexdigest()[:16]


def _url(name: str) -> str:
    return f"/embed/static/{_hash(name)}/{name}"


def _script(value: Any) -> str:
    """A value as JSON that cannot end the script it stands in."""
    return json.dumps(value).replace("<", "\\u003c")
