"""What the asker of a turn thinks of its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from ...protocol.chat import FeedbackRequest
from ...protocol.errors import BadRequest, NotFound
from ..store.feedback import set_feedback
from ..turns.threads import own_thread, owner_of
from ..web.responses import empty_response
from ..web.rules import check_text

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..runtime import Service

__all__ = ["give_feedback"]

_WHY = 2_000


async def give_feedback(service: Service, request: Request) -> Response:
    """``PUT …/chat/threads/{chatId}/turns/{turn}/feedback``: ``{"verdict", "why"}``, null takes it back."""
    caller, room, asker = await owner_of(service, request)
    body = await service.body(request, FeedbackRequest)
    why = _why(body)
    turn = request.path_params["turn"]

    def keep(connection: Connection) -> None:
        thread = own_thread(connection, caller, asker, request.path_params["chat"], room=room)
        # Fewer digits than a 32-bit number has; a longer one is no turn, and PostgreSQL would refuse it.
        known = turn.isdecimal() and len(turn) < 10
        if not known or not set_feedback(connection, thread.id, int(turn), body.verdict, why, service.now()):
            raise NotFound(f"This thread has no turn {turn[:20]}.")

    await service.write(keep)
    return empty_response()


def _why(body: FeedbackRequest) -> str | None:
    why = body.why.strip() if isinstance(body.why, str) else ""
    check_text("why", why)
    if why and body.verdict is None:
        raise BadRequest("why needs a verdict: right or wrong.")
    if len(why) > _WHY:
        raise BadRequest(f"why has more than {_WHY:,} characters.")
    return why or None
