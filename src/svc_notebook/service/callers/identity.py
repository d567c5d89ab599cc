"""From the user a request names to the security context its queries are bound to."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct

from ...protocol.chat import SessionSettings
from ...protocol.errors import BadRequest, Forbidden, NotFound
from ...protocol.spelling import spelled
from ...semantic.context import SecurityContext
from ..store.catalog import entries
from ..store.records import Record
from ..store.scopes import TENANT_WIDE
from ..store.users import (
    find_external,
    find_internal,
    provision,
    rights,
    room_for_one_more,
    set_groups,
    set_values,
    user_by_id,
)  # fmt: skip
from ..web.rules import (
    check_email,
    check_external_id,
    check_internal_id,
    check_name,
    check_typed,
    given,
    one_identity,
    parse_default,
    values_by_name,
)  # fmt: skip
from .auth import Caller

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["MAX_TTL", "Asker", "check_settings", "existing_asker", "foreseen", "known_context", "resolve_asker"]

# Ten years: any later moment is meant as for ever, and could not be told as a date everywhere.
MAX_TTL = 10 * 366 * 86_400.0
_NOBODY = 0
_NONE: Mapping[str, Any] = MappingProxyType({})
_TOKEN_FIELDS = {
    spelled(SessionSettings, name): name for name in ("user_attributes", "groups", "security_context", "roles")
}


class Asker(Struct, frozen=True):
    """The user a request acts for, with words for the evidence strip: ``ana (external), groups: analysts``.

    Without an id it is one who is not there yet.
    """

    user_id: int
    context: SecurityContext
    label: str
    expires_at: float | None = None


def check_settings(caller: Caller, settings: SessionSettings | None) -> None:
    """Everything about ``sessionSettings`` that can be judged without the store.

    Raises
    ------
    BadRequest
        A rule of the specification is broken.
    Forbidden
        A user token comes with settings that only an account key may send.
    """
    if caller.token is not None:
        _check_beside_token(settings)
        return
    if settings is None:
        raise BadRequest("sessionSettings is required: it names the user by externalId or internalId.")
    one_identity(settings.external_id, settings.internal_id)
    if given(settings.internal_id):
        for field, name in _TOKEN_FIELDS.items():
            if given(getattr(settings, name)):
                raise BadRequest(f"{field} must not be sent with internalId: the user's own permissions apply.")
        check_internal_id(str(settings.internal_id))
        return
    check_external_id(str(settings.external_id))
    if given(settings.email):
        check_email(str(settings.email))
    for group in settings.groups or ():
        check_name("groups", group)
    values_by_name(settings.user_attributes or ())
    _ttl(settings, MAX_TTL)


def _check_beside_token(settings: SessionSettings | None) -> None:
    for field, name in _TOKEN_FIELDS.items():
        if settings is not None and given(getattr(settings, name)):
            raise Forbidden(f"{field} comes from the session behind the user token and cannot be sent with it.")


def resolve_asker(
    connection: Connection, caller: Caller, settings: SessionSettings | None, *, now: float, default_ttl: float
) -> Asker:
    """Find the user, or provision the external one, apply what the settings say, and read the rights back.

    Call :func:`check_settings` first. Must run in a writing transaction.
    """
    if caller.token is not None:
        return _from_token(connection, caller.token, settings, now)
    assert settings is not None
    if given(settings.internal_id):
        row = find_internal(connection, caller.tenant_id, email=str(settings.internal_id))
        if row is None:
            raise NotFound("No internal user with that email address.")
        return _asker(connection, row, TENANT_WIDE, row.security_context)
    row = provision(
        connection, caller.tenant_id, TENANT_WIDE, str(settings.external_id), now=now,
        email=str(settings.email) if given(settings.email) else None, ttl=_ttl(settings, default_ttl),
    )  # fmt: skip
    if given(settings.groups):
        set_groups(connection, row.id, caller.tenant_id, TENANT_WIDE, settings.groups or ())
    values = values_by_name(settings.user_attributes or ())
    set_values(connection, row.id, caller.tenant_id, TENANT_WIDE, values, check_typed)
    free = settings.security_context if isinstance(settings.security_context, dict) else None
    return _asker(connection, row, TENANT_WIDE, free)


def foreseen(
    connection: Connection,
    caller: Caller,
    settings: SessionSettings | None,
    external: str | None,
    internal: str | None,
    *,
    now: float,
) -> Asker | None:
    """Who would ask after :func:`resolve_asker`; None where that could refuse. Who is not there yet has the id 0."""
    if caller.token is not None or external is None or settings is None:
        return existing_asker(connection, caller, external, internal, now=now)
    row = find_external(connection, caller.tenant_id, TENANT_WIDE, external, now)
    if row is None and not room_for_one_more(connection, caller.tenant_id):
        return None
    user_id = _NOBODY if row is None else int(row.id)
    groups, attributes = rights(connection, user_id, caller.tenant_id, TENANT_WIDE)
    sent = values_by_name(settings.user_attributes or ())
    types = {item.name: item.type for item in attributes}
    if not types.keys() >= sent.keys():
        return None
    for name, value in sent.items():
        check_typed(name, types[name], value)
    if given(settings.groups):
        groups = sorted(set(settings.groups or ()))
        if len(entries(connection, caller.tenant_id, TENANT_WIDE, "group", groups)) < len(groups):
            return None
    context = SecurityContext(
        user=external, groups=frozenset(groups), user_attributes=_values(attributes, sent),
        security_context=settings.security_context if isinstance(settings.security_context, dict) else {},
    )  # fmt: skip
    return Asker(user_id, context.settled(), _label(external, "external", groups))


def existing_asker(
    connection: Connection, caller: Caller, external_id: str | None, internal_id: str | None, *, now: float
) -> Asker | None:
    """The user a reading request names, or ``None``: nobody is created by reading."""
    if caller.token is not None:
        return _from_token(connection, caller.token, _names(external_id, internal_id), now)
    if internal_id is not None:
        row = find_internal(connection, caller.tenant_id, email=internal_id)
    else:
        row = find_external(connection, caller.tenant_id, TENANT_WIDE, external_id or "", now)
    return None if row is None else _asker(connection, row, TENANT_WIDE, row.security_context)


def known_context(connection: Connection, tenant_id: int, email: str) -> SecurityContext | None:
    """What an internal user may see, or ``None`` where there is no such user."""
    row = find_internal(connection, tenant_id, email=email)
    return None if row is None else _asker(connection, row, TENANT_WIDE, row.security_context).context


def _names(external_id: str | None, internal_id: str | None) -> SessionSettings:
    return SessionSettings(
        external_id=UNSET if external_id is None else external_id,
        internal_id=UNSET if internal_id is None else internal_id,
    )


def _from_token(connection: Connection, token: Record, settings: SessionSettings | None, now: float) -> Asker:
    if settings is not None:
        own = {"external": (token.name, None), "internal": (None, token.email)}[token.kind]
        for sent, mine in zip((settings.external_id, settings.internal_id), own, strict=True):
            if given(sent) and sent != mine:
                raise Forbidden("The user token belongs to another user than the one sessionSettings names.")
    row = user_by_id(connection, token.user_id, now)
    assert row is not None
    scope = token.session_scope if token.creator_mode else TENANT_WIDE
    return _asker(connection, row, scope, token.session_context or row.security_context)


def _asker(connection: Connection, user: Record, scope: int, free: str | Mapping[str, Any] | None) -> Asker:
    groups, attributes = rights(connection, user.id, user.tenant_id, scope)
    context = SecurityContext(
        user=user.email if user.kind == "internal" else user.name,
        groups=frozenset(groups),
        user_attributes=_values(attributes),
        security_context=json.loads(free) if isinstance(free, str) else (free or {}),
        # By kind as well: whatever an external user's row comes to hold, policies apply.
        unrestricted=bool(user.unrestricted) and user.kind == "internal",
    )
    label = "operator" if context.unrestricted else _label(context.user, user.kind, groups)
    return Asker(int(user.id), context.settled(), label, user.expires_at)


def _values(attributes: Sequence[Record], sent: Mapping[str, Any] = _NONE) -> dict[str, Any]:
    """The value of each attribute: what is ``sent`` (None clears it), else what is kept, else its default."""
    values: dict[str, Any] = {}
    for item in attributes:
        kept = None if item.value is None else json.loads(item.value)
        value = sent.get(item.name, kept)
        if value is not None:
            values[item.name] = value
        elif item.default_value is not None:
            values[item.name] = parse_default(item.type, item.default_value)
    return values


def _label(name: str, kind: str, groups: Collection[str]) -> str:
    return f"{name} ({kind})" + (f", groups: {', '.join(sorted(groups))}" if groups else "")


def _ttl(settings: SessionSettings, default: float) -> float | None:
    """Seconds an ephemeral user lives; ``None`` for one that stays."""
    sent = settings.ephemeral_ttl_seconds
    seconds = sent if isinstance(sent, int | float) else None
    if seconds is not None and not 0 < seconds <= MAX_TTL:
        raise BadRequest(f"ephemeralTtlSeconds must be more than 0 and at most {MAX_TTL:.0f} seconds.")
    if settings.is_ephemeral is False:
        return None
    return min(default, MAX_TTL) if seconds is None else float(seconds)
