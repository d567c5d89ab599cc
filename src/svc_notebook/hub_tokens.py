"""User tokens for whoever works on a JupyterHub: a small service beside the Hub, which holds the account's key.

A notebook server shows the token that the Hub gave it; the Hub says whose that is; the analytics service is asked for a
session of that user, and the user token of that session is the answer. Nobody names themselves, and no notebook server
ever holds the key.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route

from .client import errors as client_errors
from .client.client import AsyncClient
from .client.wire.requests import Request
from .client.wire.transport import Http
from .protocol.errors import BadRequest, Forbidden, ServiceError, ServiceUnavailable, Unauthorized
from .protocol.sessions import SessionTokenResponse

__all__ = ["HubPlace", "Kind", "TokenService", "hub_app"]

Kind = Literal["external", "internal"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HubPlace:
    """What a Hub tells a service that it manages.

    Parameters
    ----------
    api_url
        Root of the Hub's own API.
    name
        What the Hub calls this service: a user's token must give access to it.
    prefix
        The path below which the Hub passes requests on to it.
    """

    api_url: str
    name: str
    prefix: str

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> HubPlace:
        """From the environment that a Hub starts its services in.

        Raises
        ------
        KeyError
            With the name of the variable that is not there.
        """
        return cls(
            environment["JUPYTERHUB_API_URL"].rstrip("/"),
            environment["JUPYTERHUB_SERVICE_NAME"],
            f"{environment['JUPYTERHUB_SERVICE_PREFIX'].rstrip('/')}/",
        )

    @property
    def scopes(self) -> frozenset[str]:
        """Each of them is access to this service."""
        return frozenset({"access:services", f"access:services!service={self.name}"})


class _Model(msgspec.Struct):
    """Whose token it is, as the Hub says."""

    name: str
    kind: str = "user"
    scopes: list[str] = msgspec.field(default_factory=list)
    groups: list[str] | None = None


@dataclass(frozen=True)
class TokenService:
    """Mints user tokens.

    Parameters
    ----------
    hub
        Which Hub is asked whose token it is.
    client
        The analytics service, with the account's key.
    deployment_id
        The deployment that the tokens are for.
    kind
        Whether the Hub's names are external ids, made on first use, or usernames of the service's internal users.
    groups
        Whether external users are members of just the groups that the Hub has them in. They must exist in the service.
    """

    hub: HubPlace
    client: AsyncClient
    deployment_id: int = 1
    kind: Kind = "external"
    groups: bool = False
    http: Http = field(default_factory=lambda: Http(timeout=20))

    async def token_for(self, authorization: str) -> str:
        """The user token of whoever shows this ``Authorization`` header.

        Raises
        ------
        ServiceError
            When it is nobody's, nobody's who may use this service, or when the Hub or the service cannot be asked.
        """
        user = await self._whose(authorization)
        if self.groups and user.groups is None:
            raise Forbidden("The Hub does not say which groups the user is in: add the scope read:users:groups!user.")
        groups = sorted(user.groups or ()) if self.groups else None
        try:
            session = await self.client.generate_session(
                deployment_id=self.deployment_id,
                external_id=user.name if self.kind == "external" else None,
                internal_id=user.name if self.kind == "internal" else None,
                groups=groups,
            )
            token = await session.token()
        except client_errors.BadRequest as error:
            raise BadRequest(f"The analytics service does not take {user.name!r}: {error.message}") from error
        except client_errors.SvcError as error:
            logger.error("no token for %s: %s", user.name, error)
            said = f"The Hub's service {self.hub.name!r} got no token for {user.name}: its log says why."
            raise ServiceUnavailable(said) from error
        logger.info("a token for %s", user.name)
        return token

    async def _whose(self, authorization: str) -> _Model:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() not in {"token", "bearer"} or not token.strip():
            raise Unauthorized("Send the token that the Hub gave you: Authorization: token $JUPYTERHUB_API_TOKEN.")
        headers = {"Accept": "application/json", "Authorization": f"token {token.strip()}"}
        try:
            reply = await self.http.send(Request("GET", f"{self.hub.api_url}/user", headers))
        except client_errors.SvcError as error:
            logger.error("the Hub cannot be asked: %s", error)
            raise ServiceUnavailable("The Hub cannot be asked whose token this is.", retry_after=5) from error
        if reply.status in {401, 403, 404}:
            raise Unauthorized("The Hub knows no such token: it may have ended, or the server was stopped.")
        try:
            user = msgspec.json.decode(reply.body, type=_Model)
        except msgspec.DecodeError as error:
            logger.error("the Hub answered %s: %s", reply.status, error)
            raise ServiceUnavailable("The Hub's answer cannot be read.", retry_after=5) from error
        if user.kind != "user":
            raise Forbidden("This is the token of a service; user tokens are for people.")
        if not self.hub.scopes.intersection(user.scopes):
            raise Forbidden(
                f"{user.name} may not use the service {self.hub.name!r}: give the role `user`, and "
                f"Spawner.server_token_scopes, the scope access:services!service={self.hub.name}."
            )
        return user


def hub_app(service: TokenService) -> Starlette:
    """The service over HTTP: ``POST {prefix}token`` answers ``{"token": …}``, or the one error body."""

    async def token(request: HttpRequest) -> Response:
        try:
            got = await service.token_for(request.headers.get("authorization", ""))
        except ServiceError as error:
            more = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
            return _json(error.body(), error.status, more)
        return _json(SessionTokenResponse(got), 200, {"Cache-Control": "no-store"})

    async def live(_: HttpRequest) -> Response:
        return _json({"status": "ok"}, 200, {})

    prefix = service.hub.prefix
    return Starlette(routes=[Route(f"{prefix}token", token, methods=["POST"]), Route(prefix, live)])


def _json(body: object, status: int, headers: Mapping[str, str]) -> Response:
    return Response(msgspec.json.encode(body), status, dict(headers), "application/json")
