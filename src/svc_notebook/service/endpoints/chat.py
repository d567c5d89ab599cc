"""The Chat API: ask, replay, follow, abort, suggestions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from ...protocol.chat import AbortRequest, ChatRequest, SessionSettings, SuggestionsResponse
from ...protocol.errors import BadRequest, Conflict, Forbidden, NotFound, ServiceError
from ...protocol.ndjson import CONTENT_TYPE, encode_line
from ...semantic.context import SecurityContext
from ..callers.auth import Caller
from ..callers.identity import check_settings, existing_asker
from ..callers.secrets import new_thread_id
from ..config import Deployment
from ..turns.asking import Asking
from ..turns.frames import cutoff_frame, error_frame, usage_frame
from ..turns.readings import sent_reading
from ..turns.replay import replay
from ..turns.threads import Room, known_thread, named_user, query_user, room_of
from ..turns.turn_opening import OpenedTurn
from ..turns.turns import RunningTurn
from ..web.responses import empty_response, json_response
from ..web.rules import check_external_id, check_internal_id, check_text, check_timezone, given, one_identity
from ..web.streaming import LineStream
from .view_stream import VIEW_TYPE, ViewLoader, view_of, viewed, wants_view

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ...front.thread_view import ThreadView
    from ..runtime import Service

__all__ = ["abort", "chat", "suggestions"]


async def chat(service: Service, request: Request) -> Response:
    """``POST {chat_api_url}``: a new turn with ``input``, else the state of the thread ``chatId``."""
    caller = await service.authenticate(request)
    agent = service.agent(caller, request)
    caller.require_embedding()
    body = await service.body(request, ChatRequest)
    # Refused, not passed over: an answer that has not seen them would look like one that has.
    if body.images or body.attachments:
        raise BadRequest("Images and attachments are not read here: put what they say into input, as text.")
    settings = body.session_settings if isinstance(body.session_settings, SessionSettings) else None
    check_settings(caller, settings)
    timezone = check_timezone(settings.timezone if settings else UNSET)
    chat_id = _chat_id(body.chat_id)
    room = room_of(service, caller, agent)
    branch = _branch(caller, service.tenant(caller).deployments_by_id()[room.deployment], body)
    opening = await service.open(caller, settings, agent, branch=branch)
    reading = sent_reading(body)
    if not given(body.input):
        if chat_id is None:
            raise BadRequest("Send input to ask something, or chatId to replay a thread.")
        await service.turns.opened(chat_id)
        found = await replay(service, caller, settings, chat_id=chat_id, room=room)
        if not wants_view(request):
            return _stream(service, found)
        asker = await service.read(existing_asker, caller, *named_user(settings), now=service.now())
        loader = ViewLoader(opening.bind(asker.context), timezone) if asker is not None else None
        return _viewed(
            service, found, view_of(request, asked=False, thinking=_thinking(service, caller), loader=loader)
        )
    question = _question(service, str(body.input))
    await opening.ready()

    asking = Asking(
        service, caller, settings, opening, room, chat_id or new_thread_id(), chat_id is None, _after(body, chat_id),
        question, reading, timezone,
    )  # fmt: skip
    await service.turns.opened(asking.chat_id)
    first_line = service.first_lines()
    page = wants_view(request)
    try:
        beginning = asking.begun()
        label = None if page else await asking.foreseen(beginning)  # a page reads the status
        if label is not None:
            return _stream(service, _ahead(asking.chat_id, label, beginning, first_line))
        # Shielded: a client that leaves now cancels this request, not the turn that is being kept.
        turn, opened = await asyncio.shield(beginning)
    # A 200 with an error in it, as deployed services answer; pages read the status instead.
    except Conflict as conflict:
        first_line()
        if page:
            raise
        return _stream(service, _refused(conflict.message))
    except BaseException:
        first_line()
        raise
    lines = _live(turn, opened.asker.label, first_line)
    if not page:
        return _stream(service, lines)
    loader = ViewLoader(opening.bind(opened.asker.context), timezone)
    return _viewed(service, lines, view_of(request, asked=True, thinking=_thinking(service, caller), loader=loader))


def _thinking(service: Service, caller: Caller) -> bool:
    return service.tenant(caller).development_mode


def _viewed(service: Service, lines: AsyncGenerator[bytes, None], view: ThreadView) -> Response:
    return LineStream(viewed(lines, view), stall_limit=service.config.stall_limit, media_type=VIEW_TYPE)


def _chat_id(value: Any) -> str | None:
    if not given(value):
        return None
    if not value:
        raise BadRequest("chatId must not be empty: omit it for a new thread.")
    return str(value)


def _after(body: ChatRequest, chat_id: str | None) -> int | None:
    """Number of the turn that the question follows; None for the newest."""
    if not given(body.after):
        return None
    if not isinstance(body.after, int) or body.after < 0:
        raise BadRequest("after must be the number of a turn of the thread, or 0 to begin anew.")
    if chat_id is None:
        raise BadRequest("after needs chatId: a new thread has no turns to follow.")
    return body.after


def _question(service: Service, text: str) -> str:
    if not text.strip():
        raise BadRequest("input must not be empty.")
    check_text("input", text)
    if len(text) > service.config.input_limit:
        raise BadRequest(f"input has more than {service.config.input_limit:,} characters.")
    return text


def _branch(caller: Caller, deployment: Deployment, body: ChatRequest) -> str:
    """The development branch to use; ``""`` is the branch that is served.

    Raises
    ------
    BadRequest
        ``isDefaultBranch`` does not fit the name.
    Forbidden
        A user token, or a key without the right.
    """
    if not given(body.active_branch_name):
        if body.is_default_branch is False:
            raise BadRequest("isDefaultBranch: false needs activeBranchName.")
        return ""
    name = str(body.active_branch_name)
    if body.is_default_branch is True:
        if name != deployment.default_branch:
            raise BadRequest(f"isDefaultBranch: {name[:80]!r} is not the default branch: omit it, or activeBranchName.")
        return ""
    caller.require_branches()
    if not name:
        raise BadRequest("activeBranchName must not be empty: omit it for the default branch.")
    return name


def _stream(service: Service, lines: AsyncGenerator[bytes, None]) -> Response:
    return LineStream(lines, stall_limit=service.config.stall_limit, media_type=CONTENT_TYPE)


async def _live(turn: RunningTurn, user: str, sent: Callable[[], None]) -> AsyncGenerator[bytes, None]:
    yield encode_line(cutoff_frame(turn.chat_id, True, user))
    sent()
    async for lines in turn.follow():
        yield lines


async def _ahead(
    chat_id: str, user: str, beginning: asyncio.Task[tuple[RunningTurn, OpenedTurn]], sent: Callable[[], None]
) -> AsyncGenerator[bytes, None]:
    """A turn's lines where the first one leaves before the turn has begun."""
    yield encode_line(cutoff_frame(chat_id, True, user))
    sent()
    try:
        turn, _ = await asyncio.shield(beginning)
    except ServiceError as error:
        yield encode_line(error_frame(error.message)) + encode_line(usage_frame({}))
        return
    async for lines in turn.follow():
        yield lines


async def _refused(message: str) -> AsyncGenerator[bytes, None]:
    yield encode_line(error_frame(message)) + encode_line(usage_frame({}))


async def abort(service: Service, request: Request) -> Response:
    """``POST {chat_api_url}/abort``: 204, 403 not the owner's, 404 unknown; never a body."""
    caller = await service.authenticate(request)
    agent = service.agent(caller, request)
    body = await service.body(request, AbortRequest)
    meant = service.turns.meant(body.chat_id)  # before anything is awaited: the next turn is not meant
    named = body.session_settings if given(body.session_settings) else None
    settings = SessionSettings(
        external_id=getattr(named, "external_id", UNSET), internal_id=getattr(named, "internal_id", UNSET)
    )
    if caller.token is None:
        one_identity(settings.external_id, settings.internal_id)
        if given(settings.external_id):
            check_external_id(str(settings.external_id))
        else:
            check_internal_id(str(settings.internal_id))
    await service.turns.opened(body.chat_id)
    try:
        await service.read(_owned, caller, settings, body.chat_id, room_of(service, caller, agent), service.now())
    except NotFound:
        return empty_response(404)
    except Forbidden:
        return empty_response(403)
    await service.turns.abort(body.chat_id, meant)
    return empty_response()


def _owned(
    connection: Connection, caller: Caller, settings: SessionSettings, chat_id: str, room: Room, now: float
) -> None:
    thread = known_thread(connection, caller, chat_id, room=room)
    asker = existing_asker(connection, caller, *named_user(settings), now=now)
    if asker is None or asker.user_id != thread.user_id:
        raise Forbidden("This thread belongs to another user.")


async def suggestions(service: Service, request: Request) -> Response:
    """``GET …/chat/suggestions``: questions this user could start with."""
    caller = await service.authenticate(request)
    agent = service.agent(caller, request)
    settings = query_user(caller, request)
    external, internal = named_user(settings)
    asker = await service.read(existing_asker, caller, external, internal, now=service.now())
    # Who is not known yet has no rights, but may still be told what can be asked.
    context = asker.context if asker is not None else SecurityContext(user=external or internal or "")
    with service.sharing(caller, settings):
        scope = (await service.open(caller, settings, agent)).bind(context)
        analyst = await scope.analyst()
        return json_response(
            SuggestionsResponse(await analyst.suggestions(scope.toolbox(row_cap=service.config.row_cap)))
        )
