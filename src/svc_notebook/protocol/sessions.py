"""Generate Session and the session exchange: requests and responses as the specification names them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

__all__ = [
    "AttributeType", "AttributeValue", "GenerateSessionRequest", "GenerateSessionResponse",
    "GroupDefinition", "RevokeSessionRequest", "SessionTokenRequest", "SessionTokenResponse", "UserAttribute",
    "UserAttributeDefinition",
]  # fmt: skip

AttributeType = Literal["string", "number", "string_array", "number_array"]
AttributeValue = str | int | float | list[str | int | float] | None


class UserAttribute(msgspec.Struct, rename="camel", frozen=True):
    """One row-level-security value; ``None`` clears the stored value."""

    name: str
    value: AttributeValue


class UserAttributeDefinition(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True):
    """An attribute definition; ``type`` is immutable once the attribute exists."""

    name: str
    type: AttributeType
    display_name: str | None | UnsetType = UNSET
    default_value: str | None | UnsetType = UNSET
    description: str | None | UnsetType = UNSET


class GroupDefinition(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True):
    name: str
    description: str | None | UnsetType = UNSET


class GenerateSessionRequest(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True):
    """Body of ``POST /api/v1/embed/generate-session``. ``UNSET`` means omitted; ``groups: null`` equals omitted."""

    deployment_id: int | float  # a number to the specification: 32.0 is 32
    external_id: str | None | UnsetType = UNSET
    internal_id: str | None | UnsetType = UNSET
    email: str | None | UnsetType = UNSET
    embed_tenant_name: str | None | UnsetType = UNSET
    creator_mode: bool | None | UnsetType = UNSET
    user_attributes: list[UserAttribute] | None | UnsetType = UNSET
    groups: list[str] | None | UnsetType = UNSET
    user_attribute_definitions: list[UserAttributeDefinition] | None | UnsetType = UNSET
    group_definitions: list[GroupDefinition] | None | UnsetType = UNSET
    security_context: dict[str, Any] | None | UnsetType = UNSET


class GenerateSessionResponse(msgspec.Struct, rename="camel", frozen=True):
    session_id: str


class SessionTokenRequest(msgspec.Struct, rename="camel", frozen=True):
    session_id: str


class SessionTokenResponse(msgspec.Struct, rename="camel", frozen=True):
    token: str


class RevokeSessionRequest(msgspec.Struct, rename="camel", frozen=True):
    session_id: str
