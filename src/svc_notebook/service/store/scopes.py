"""Where the names of groups and attributes hold: in one embed tenant, or in all of an account."""

from __future__ import annotations

__all__ = ["TENANT_WIDE"]

TENANT_WIDE = 0
"""The scope of what holds in all of an account; others are ids of embed tenants."""
