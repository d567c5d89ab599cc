"""Who sees what, and why: the answer to an administrator who asks about somebody."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from .chat import SessionSettings
from .data import DataRequest

__all__ = ["AccessRequest", "AccessResponse", "PolicyVerdict", "RelationAccess"]


class AccessRequest(DataRequest, frozen=True, kw_only=True):
    """Body of ``POST /svc-api/v1/access``: whom, and which cubes and views (all of them where it is left out)."""

    session_settings: SessionSettings | None | UnsetType = UNSET
    relations: list[str] = msgspec.field(default_factory=list)


class PolicyVerdict(msgspec.Struct, rename="camel", frozen=True):
    """One policy: where it stands, whose it is, whom it is for, whether it applies and why, its rows in words."""

    place: str
    relation: str
    groups: list[str]
    applies: bool
    why: str
    rows: str


class RelationAccess(msgspec.Struct, rename="camel", frozen=True):
    """One cube or view. ``rows`` of ``total`` are theirs; null where that cannot be counted."""

    name: str
    kind: str
    visible: bool
    why: str
    rows: int | None
    total: int | None
    shown: list[str]
    masked: list[str]
    hidden: list[str]
    policies: list[PolicyVerdict]
    notes: list[str]


class AccessResponse(msgspec.Struct, rename="camel", frozen=True):
    """What ``user`` sees: groups and attributes as the policies read them, then cube by cube."""

    user: str
    groups: list[str]
    attributes: dict[str, str]
    relations: list[RelationAccess]
