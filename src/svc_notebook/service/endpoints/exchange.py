"""A session id, once, for a user token; and the end of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from ...protocol.errors import Unauthorized
from ...protocol.sessions import RevokeSessionRequest, SessionTokenRequest, SessionTokenResponse
from ..callers.secrets import digest, is_session_id, new_token
from ..store.sessions import REFUSED, redeem, revoke
from ..web.responses import empty_response, json_response

if TYPE_CHECKING:
    from ..runtime import Service

__all__ = ["exchange_session", "revoke_session"]


async def exchange_session(service: Service, request: Request) -> Response:
    """``POST /api/v1/embed/session/token``; the session id is the credential."""
    body = await service.body(request, SessionTokenRequest)
    if not is_session_id(body.session_id):
        raise Unauthorized(REFUSED)
    # Made here and known to nobody but its holder: the store is given its digest.
    token = new_token()
    await service.write(
        redeem, digest(body.session_id), digest(token), now=service.now(), token_ttl=service.config.token_ttl
    )
    return json_response(SessionTokenResponse(token))


async def revoke_session(service: Service, request: Request) -> Response:
    """``POST /api/v1/embed/session/revoke``; an unknown or ended session is fine."""
    body = await service.body(request, RevokeSessionRequest)
    if is_session_id(body.session_id):
        await service.write(revoke, digest(body.session_id), service.now())
    return empty_response()
