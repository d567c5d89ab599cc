"""Who asks: the security context every query, search and suggestion is bound to."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Any

from ..records import dataclass

__all__ = ["SecurityContext", "frozen"]

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
    _known: Hashable = field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def operator(cls) -> SecurityContext:
        return cls(unrestricted=True)

    @property
    def known(self) -> Hashable:
        """Everything of the asker that a policy can read, with its types; the name does not count."""
        if self._known is not None:
            return self._known
        if self.unrestricted:
            return "operator"
        return (tuple(sorted(self.groups)), frozen(self.user_attributes), frozen(self.security_context))

    def settled(self) -> SecurityContext:
        """The same, whose values nobody changes from now on: what is :attr:`known` is worked out once."""
        object.__setattr__(self, "_known", self.known)
        return self


def frozen(value: Any) -> Hashable:
    """A value of texts, numbers and collections as something to look up by; equal only to what has the same types."""
    if isinstance(value, Mapping):
        # With types: True equals 1 to Python, and a policy may tell them apart.
        items = [(str(k), type(k).__name__, frozen(v)) for k, v in value.items()]
        return ("map", tuple(sorted(items, key=lambda item: item[:2])))
    if isinstance(value, (list, tuple)):
        return ("list", tuple(frozen(v) for v in value))
    if isinstance(value, (set, frozenset)):
        return ("set", tuple(sorted(map(repr, value))))
    if isinstance(value, int):
        return (type(value).__name__, value)  # long ones have no text
    return (type(value).__name__, repr(value))
