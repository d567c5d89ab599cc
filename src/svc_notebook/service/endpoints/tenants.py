"""Embed-tenant admin: list and delete the groups and user attributes of an embed tenant."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from ...protocol.admin import Group, Page, PageInfo, UserAttributeRecord
from ...protocol.errors import NotFound
from ..store.catalog import Entry, delete_entry, embed_scope, page
from ..web.paging import decode_cursor, encode_cursor, read_page
from ..web.responses import empty_response, json_response
from ..web.rules import known_tenant_path

if TYPE_CHECKING:
    from ..callers.auth import Caller
    from ..runtime import Service

__all__ = ["delete_attribute", "delete_group", "list_attributes", "list_groups"]

# Up to 18 digits: fewer than 64 bits have.
_ID = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


def _group(entry: Entry) -> Group:
    return Group(entry.row.id, entry.row.name, entry.row.description, entry.members)


def _attribute(entry: Entry) -> UserAttributeRecord:
    row = entry.row
    return UserAttributeRecord(row.id, row.name, row.type, row.display_name, row.description, row.default_value)


async def list_groups(service: Service, request: Request) -> Response:
    """``GET /api/v1/embed-tenants/{embedTenantName}/groups``."""
    return await _list(service, request, "group", _group)


async def list_attributes(service: Service, request: Request) -> Response:
    """``GET /api/v1/embed-tenants/{embedTenantName}/user-attributes``."""
    return await _list(service, request, "attribute", _attribute)


async def delete_group(service: Service, request: Request) -> Response:
    """``DELETE /api/v1/embed-tenants/{embedTenantName}/groups/{id}``."""
    return await _delete(service, request, "group")


async def delete_attribute(service: Service, request: Request) -> Response:
    """``DELETE /api/v1/embed-tenants/{embedTenantName}/user-attributes/{id}``."""
    return await _delete(service, request, "attribute")


async def _admin(service: Service, request: Request) -> tuple[Caller, int]:
    caller = await service.authenticate(request, tokens=False)
    caller.require_admin()
    name = known_tenant_path(request.path_params["tenant"])
    scope = await service.read(embed_scope, caller.tenant_id, name, create=False)
    if scope is None:
        raise NotFound("No embed tenant of that name.")
    return caller, scope


async def _list(
    service: Service,
    request: Request,
    kind: str,
    record: Callable[[Entry], Group | UserAttributeRecord],
) -> Response:
    caller, scope = await _admin(service, request)
    first, after = read_page(request.query_params)
    # Part of the cursor, so that one of another list or tenant is refused instead of skipping into this one.
    of = f"{kind}/{scope}"
    start = decode_cursor(of, after, int)[0] if after is not None else 0
    found, more, before = await service.read(page, caller.tenant_id, scope, kind, first, start, service.now())
    info = PageInfo(
        has_next_page=more,
        has_previous_page=before,
        start_cursor=encode_cursor(of, found[0].row.id) if found else None,
        end_cursor=encode_cursor(of, found[-1].row.id) if found else None,
    )
    return json_response(Page([record(entry) for entry in found], info))


async def _delete(service: Service, request: Request, kind: str) -> Response:
    caller, scope = await _admin(service, request)
    text = request.path_params["id"]
    if not _ID.fullmatch(text):
        raise NotFound("No such id in this embed tenant.")
    await service.write(delete_entry, caller.tenant_id, scope, kind, int(text), service.now())
    return empty_response()
