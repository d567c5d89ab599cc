"""The routes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from .endpoints import (
    access_api,
    chat,
    data_api,
    exchange,
    feedback,
    freshness_api,
    health,
    load_api,
    sessions,
    tenants,
)
from .turns import threads
from .web.door import Door

if TYPE_CHECKING:
    from .runtime import Service

__all__ = ["CHAT", "ROUTES", "create_app"]

Handler = Callable[["Service", Request], Awaitable[Response]]

CHAT = "/api/v1/public/{account}/agents/{agent}/chat"
STREAM = f"{CHAT}/stream-chat-state"
_TENANT = "/api/v1/embed-tenants/{tenant}"


def _late(module: str, name: str) -> Handler:
    """A handler of what is shown in pages, whose modules the first of its requests imports: a notebook has none."""

    async def handle(service: Service, request: Request) -> Response:
        found: Handler = getattr(import_module(f".endpoints.{module}", __package__), name)
        return await found(service, request)

    return handle


ROUTES: list[tuple[str, str, Handler]] = [
    ("POST", "/api/v1/embed/generate-session", sessions.generate_session),
    ("POST", "/api/v1/embed/session/token", exchange.exchange_session),
    ("POST", "/api/v1/embed/session/revoke", exchange.revoke_session),
    ("GET", f"{_TENANT}/groups", tenants.list_groups),
    ("DELETE", f"{_TENANT}/groups/{{id}}", tenants.delete_group),
    ("GET", f"{_TENANT}/user-attributes", tenants.list_attributes),
    ("DELETE", f"{_TENANT}/user-attributes/{{id}}", tenants.delete_attribute),
    ("POST", STREAM, chat.chat),
    ("POST", f"{STREAM}/abort", chat.abort),
    # The address that deployed services answer at beside the specified one; clients try either.
    ("POST", f"{CHAT}/abort", chat.abort),
    ("GET", f"{CHAT}/suggestions", chat.suggestions),
    ("GET", f"{CHAT}/threads", threads.list_threads),
    ("PATCH", f"{CHAT}/threads/{{chat}}", threads.rename_thread),
    ("DELETE", f"{CHAT}/threads/{{chat}}", threads.delete_thread),
    ("PUT", f"{CHAT}/threads/{{chat}}/turns/{{turn}}/feedback", feedback.give_feedback),
    ("POST", "/svc-api/v1/sql", data_api.run_sql),
    ("POST", "/svc-api/v1/sql/explain", data_api.explain_sql),
    ("POST", "/svc-api/v1/access", access_api.access),
    ("POST", "/svc-api/v1/load", load_api.load_json),
    ("GET", "/svc-api/v1/meta", data_api.meta),
    ("POST", "/svc-api/v1/meta", data_api.meta_as),
    ("GET", "/embed/d/{deployment}/chat", _late("embed", "chat_page")),
    ("GET", "/embed/d/{deployment}/app", _late("embed", "app_page")),
    ("GET", "/embed/d/{deployment}/dashboard/{dashboard}", _late("embed", "dashboard_page")),
    ("GET", "/embed/d/{deployment}/dashboard/{dashboard}/tiles", _late("tiles", "dashboard_tiles")),
    ("GET", "/embed/static/{hash}/{name}", _late("embed", "static_file")),
    ("POST", "/api/v1/reload", freshness_api.reload),
    ("GET", "/api/v1/freshness", freshness_api.freshness),
    ("GET", "/openapi.json", _late("openapi", "document")),
    ("GET", "/livez", health.livez),
    ("GET", "/readyz", health.readyz),
    ("GET", "/metrics", health.metrics),
]

ANSWERS: dict[str, Callable[[Service], Awaitable[Any]]] = {
    health.FIGURES: health.own_figures,
    health.READY: health.own_readiness,
    freshness_api.RELOAD: freshness_api.own_reload,
    freshness_api.STANDING: freshness_api.own_standing,
}
"""What a process says when another one behind the same port asks it."""


def create_app(service: Service) -> Starlette:
    """The service as an ASGI application; its lifespan starts and stops the service."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.stop()

    routes = [Route(path, partial(handler, service), methods=[method]) for method, path, handler in ROUTES]
    app = _Application(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Door, body_limit=service.config.body_limit, seen=service.telemetry.request)],
    )
    service.colleagues.answers = {word: partial(answer, service) for word, answer in ANSWERS.items()}
    app.state.reload = service.freshness.ask
    app.state.body_timeout = service.config.body_timeout
    app.router.redirect_slashes = False  # a redirect would lose the body and could carry a key elsewhere
    return app


class _Application(Starlette):
    """Starlette without its own two layers for errors, unless somebody adds a handler: the door answers them all."""

    def build_middleware_stack(self) -> ASGIApp:
        if self.exception_handlers:
            return super().build_middleware_stack()
        app: ASGIApp = self.router
        # As Starlette does: the first that was added is the outermost.
        for layer, args, kwargs in reversed(self.user_middleware):
            app = layer(app, *args, **kwargs)
        return app
