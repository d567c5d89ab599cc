"""Widgets: chat, session form, tenants, data model, review, results, two users side by side. Names resolve lazily."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["ChatWidget", "CompareUsers", "ModelEditor", "ResultView", "ReviewPanel", "SessionForm", "TenantAdmin"]

_HOMES = {
    "ChatWidget": ".chat",
    "CompareUsers": ".compare_users",
    "ModelEditor": ".model_editor",
    "ResultView": ".result_view",
    "ReviewPanel": ".review_panel",
    "SessionForm": ".session_form",
    "TenantAdmin": ".tenant_admin",
}


# Lazily: anywidget and what it brings take longer to import than all the rest.
def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
