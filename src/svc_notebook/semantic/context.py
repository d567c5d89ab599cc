"""Who asks: the security context every query, search and suggestion is bound to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

__all__ = ["SecurityContext"]

_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SecurityContext:
    """The asker, resolved by the service before anything is compiled.

    Attributes
    ----------
    user
        A name for messages and the evidence strip (``"ana"``, ``"ivy@example.com"``).
    groups
        Group names as the model's policies spell them.
    user_attributes
        Row-level-security values by attribute name: str, int, float, or a list of those. A missing or null one denies.
    security_context
        The free-form object passed by the embedder; policies read ``{ securityContext.a.b }``.
    unrestricted
        The operator: policies do not apply. Never set for an end user.
    """

    user: str = "operator"
    groups: frozenset[str] = frozenset()
    user_attributes: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    security_context: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    unrestricted: bool = False

    @classmethod
    def operator(cls) -> SecurityContext:
        return cls(unrestricted=True)
