"""The page behind an embed URL: a chat for whoever the session was generated for.

The page exchanges its session id for a user token and speaks to the Chat API like any client. It loads nothing else:
one document, its own style and script under a nonce, text never read as markup.
"""

from __future__ import annotations

import json
import secrets
from functools import cache
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ..protocol.errors import NotFound, Unauthorized
from .secrets import digest, is_session_id
from .store.sessions import open_session

if TYPE_CHECKING:
    from .runtime import Service

__all__ = ["embed"]


async def embed(service: Service, request: Request) -> Response:
    """``GET /embed/d/{deploymentId}/chat?session={sessionId}``; ``sessionId`` is understood as well.

    Looking at the page does not use the session: exchanging it does.
    """
    query = request.query_params
    session_id = query.get("session") or query.get("sessionId") or ""
    row = None
    if is_session_id(session_id):
        row = await service.read(open_session, digest(session_id), service.now())
    if row is None:
        raise Unauthorized("This session id is unknown, expired, revoked or has been used: generate a new session.")
    agents = service.tenant_by_id(row.tenant_id).agents
    fitting = [agent for agent in agents if agent.deployment in {None, row.deployment}]
    if request.path_params["deployment"] != str(row.deployment) or not fitting:
        raise NotFound("This session gives no access to that deployment.")
    nonce = secrets.token_urlsafe(16)
    chat_url = f"/api/v1/public/{row.name}/agents/{fitting[0].id}/chat/stream-chat-state"
    page = _template().substitute(nonce=nonce, chat_url=_script(chat_url), session_id=_script(session_id))
    policy = f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'"
    headers = {
        "Content-Security-Policy": f"{policy}; base-uri 'none'; form-action 'none'",
        "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
    }  # fmt: skip
    return HTMLResponse(page, headers=headers)


@cache
def _template() -> Template:
    return Template(files(__package__).joinpath("embed_page.html").read_text("utf-8"))


def _script(text: str) -> str:
    """A JavaScript string that cannot end the script it stands in."""
    return json.dumps(text).replace("<", "\\u003c")
