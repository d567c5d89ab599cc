"""What an embed tenant holds: its groups and user attributes, to look through and to delete."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..front.modules import joined
from ..results.markdown import plain_text
from .base import STATIC, MessageWidget

if TYPE_CHECKING:
    from ..client.client import Client

__all__ = ["TenantAdmin"]


class TenantAdmin(MessageWidget):
    """Groups and user attributes of an embed tenant.

    Parameters
    ----------
    client : Client
        With a key that has admin access.
    tenant : str
        The tenant to start with.

    Examples
    --------
    >>> svc.TenantAdmin(client, "acme-travel").close()
    """

    _esm = joined(STATIC / "panels" / "widget.js")
    _css = STATIC / "panels.css"

    def __init__(self, client: Client, tenant: str = "") -> None:
        self.client = client
        self._tenant = tenant
        super().__init__(kind="tenant")

    def do_sync(self, _message: Mapping[str, Any]) -> None:
        """Tell a new view which tenant is shown."""
        self.tell({"t": "start", "tenant": self._tenant})
        if self._tenant:
            self._list()

    def do_load(self, message: Mapping[str, Any]) -> None:
        """Show another tenant."""
        self._tenant = str(message.get("tenant", "")).strip()
        self._list()

    def do_delete(self, message: Mapping[str, Any]) -> None:
        """Delete one record; a refusal is explained and the lists stay."""
        tenant = self.client.tenant(self._tenant)
        record = message["record"]
        if message.get("what") == "group":
            tenant.delete_group(record)
        else:
            tenant.delete_user_attribute(record)
        self._list(done=f"Deleted {message.get('name', '')}.")

    def _list(self, done: str = "") -> None:
        tenant = self.client.tenant(self._tenant)
        groups = [
            {"id": g.id, "cells": [plain_text(g.name), plain_text(g.description or ""), str(g.user_count)]}
            for g in tenant.groups()
        ]
        attributes = [
            {
                "id": a.id,
                "cells": [
                    plain_text(str(part))
                    for part in (a.name, a.type, a.display_name or "", a.default_value or "", a.description or "")
                ],
            }
            for a in tenant.user_attributes()
        ]
        self.tell({"t": "listed", "tenant": self._tenant, "groups": groups, "attributes": attributes, "done": done})
