"""Generate Session: validate the body whole, then apply it in one transaction."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from ...protocol.errors import BadRequest, Forbidden, NotFound
from ...protocol.sessions import GenerateSessionRequest, GenerateSessionResponse
from ...protocol.spelling import spelled
from ...records import dataclass
from ..callers.auth import Caller
from ..callers.secrets import digest, new_session_id
from ..store.catalog import define, embed_scope
from ..store.scopes import TENANT_WIDE
from ..store.sessions import add_session
from ..store.users import find_internal, provision, set_groups, set_values
from ..web.responses import json_response
from ..web.rules import (
    check_email,
    check_external_id,
    check_internal_id,
    check_name,
    check_tenant_name,
    check_text,
    check_typed,
    given,
    no_duplicates,
    one_identity,
    values_by_name,
)  # fmt: skip

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..runtime import Service

__all__ = ["Plan", "apply", "check", "generate_session"]

_NOT_WITH_INTERNAL = (
    "groups", "user_attributes", "group_definitions", "user_attribute_definitions", "security_context", "email",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """A valid request, with every ``null`` and default settled. ``groups`` is ``None`` to keep memberships."""

    deployment: int
    external_id: str | None
    internal_id: str | None
    email: str | None
    embed_tenant: str | None
    creator_mode: bool
    values: dict[str, Any] = field(default_factory=dict)
    groups: list[str] | None = None
    attribute_definitions: list[dict[str, Any]] = field(default_factory=list)
    group_definitions: list[dict[str, Any]] = field(default_factory=list)
    security_context: dict[str, Any] | None = None


async def generate_session(service: Service, request: Request) -> Response:
    """``POST /api/v1/embed/generate-session``."""
    caller = await service.authenticate(request, tokens=False)
    caller.require_embedding()
    plan = check(await service.body(request, GenerateSessionRequest))
    if plan.creator_mode and not caller.use_creator_mode:
        raise Forbidden("creatorMode needs the useCreatorMode flag, which is off for this account.")
    caller.require_deployment(plan.deployment, service.tenant(caller).deployments_by_id())
    session_id = new_session_id()
    now = service.now()
    await service.write(apply, caller, plan, digest(session_id), now=now, expires_at=now + service.config.session_ttl)
    return json_response(GenerateSessionResponse(session_id))


def check(body: GenerateSessionRequest) -> Plan:
    """The request as a plan.

    Raises
    ------
    BadRequest
        One of the specification's rules about the body is broken.
    """
    one_identity(body.external_id, body.internal_id)
    if given(body.internal_id):
        _check_internal(body)
    else:
        check_external_id(str(body.external_id))
        if given(body.email):
            check_email(str(body.email))
    # null too: unlike elsewhere it does not equal leaving the name out, which would provision into another scope.
    if body.embed_tenant_name is not UNSET:
        check_tenant_name(body.embed_tenant_name)
    group_definitions = _definitions(body, "group_definitions")
    attribute_definitions = _definitions(body, "user_attribute_definitions")
    for name in body.groups or ():
        check_name("groups", name)
    return Plan(
        deployment=_deployment(body.deployment_id),
        external_id=_or_none(body.external_id),
        internal_id=_or_none(body.internal_id),
        email=_or_none(body.email),
        embed_tenant=_or_none(body.embed_tenant_name),
        creator_mode=body.creator_mode is True,
        values=values_by_name(body.user_attributes or ()),
        groups=_or_none(body.groups),
        attribute_definitions=attribute_definitions,
        group_definitions=group_definitions,
        security_context=_or_none(body.security_context),
    )


def _deployment(number: float) -> int:
    # JSON has one kind of number: 1.0 is a whole one, and is sent by languages without integers.
    if number != int(number):
        raise BadRequest("deploymentId must be a whole number.")
    return int(number)


def _check_internal(body: GenerateSessionRequest) -> None:
    check_internal_id(str(body.internal_id))
    for own in _NOT_WITH_INTERNAL:
        if given(getattr(body, own)):
            name = spelled(GenerateSessionRequest, own)
            raise BadRequest(f"{name} must not be sent with internalId: the user's own permissions apply.")


def _definitions(body: GenerateSessionRequest, field: str) -> list[dict[str, Any]]:
    items, what = getattr(body, field), spelled(GenerateSessionRequest, field)
    if not given(items):
        return []
    if body.creator_mode is not True:
        raise BadRequest(f"{what} requires creatorMode: true.")
    if not given(body.embed_tenant_name):
        raise BadRequest(f"{what} requires embedTenantName.")
    definitions = [{name: _or_none(getattr(item, name)) for name in item.__struct_fields__} for item in items]
    for definition in definitions:
        check_name(what, definition["name"])
        for name, value in definition.items():
            check_text(f"{what}: {name}", value)
    no_duplicates(what, (definition["name"] for definition in definitions))
    return definitions


def apply(
    connection: Connection, caller: Caller, plan: Plan, session_digest: str, *, now: float, expires_at: float
) -> None:
    """User, definitions, memberships, values, session: in this order, in the caller's transaction."""
    tenant_id = caller.tenant_id
    embed = TENANT_WIDE
    if plan.embed_tenant is not None:
        scope = embed_scope(connection, tenant_id, plan.embed_tenant, create=True)
        assert scope is not None
        embed = scope
    names = embed if plan.creator_mode else TENANT_WIDE
    if plan.internal_id is not None:
        row = find_internal(connection, tenant_id, username=plan.internal_id)
        if row is None:
            raise NotFound(f"No internal user {plan.internal_id!r} in this account.")
        user_id = int(row.id)
    else:
        assert plan.external_id is not None
        user_id = int(provision(connection, tenant_id, embed, plan.external_id, now=now, email=plan.email).id)
    define(connection, tenant_id, names, "group", plan.group_definitions)
    define(connection, tenant_id, names, "attribute", plan.attribute_definitions)
    if plan.groups is not None:
        set_groups(connection, user_id, tenant_id, names, plan.groups)
    set_values(connection, user_id, tenant_id, names, plan.values, check_typed)
    add_session(
        connection, session_digest, user_id=user_id, deployment=plan.deployment, scope=names,
        creator_mode=plan.creator_mode, security_context=plan.security_context, expires_at=expires_at,
    )  # fmt: skip


def _or_none(value: Any) -> Any:
    return None if value is UNSET else value
