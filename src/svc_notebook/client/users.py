"""Who asks: the fields of ``sessionSettings`` as keyword arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

import msgspec
from msgspec import UNSET

from ..protocol.chat import AbortSessionSettings, SessionSettings
from ..protocol.sessions import AttributeValue, UserAttribute
from .errors import ConfigurationError

__all__ = ["Attributes", "User", "UserFields", "attributes"]

Attributes = Mapping[str, AttributeValue] | Sequence[Mapping[str, Any] | UserAttribute]


class UserFields(TypedDict, total=False):
    """Who asks: the keyword arguments of ``chat``, ``sql``, ``explain``, ``meta`` and ``threads``.

    Exactly one of ``external_id`` and ``internal_id`` (an e-mail address), or neither where a user token says it.
    ``user_attributes`` is a mapping ``{name: value}`` or the wire's list of ``{name, value}``.
    """

    external_id: str | None
    internal_id: str | None
    email: str | None
    user_attributes: Attributes | None
    groups: Sequence[str] | None
    security_context: Mapping[str, Any] | None
    is_ephemeral: bool | None
    ephemeral_ttl_seconds: float | None
    timezone: str | None


@dataclass(frozen=True, slots=True)
class User:
    """An asker, as the wire names it in ``sessionSettings``."""

    settings: SessionSettings = field(default_factory=SessionSettings)

    @classmethod
    def of(cls, **fields: Any) -> User:
        """From the keyword arguments of :class:`UserFields`; ``None`` means not given."""
        given = {name: value for name, value in fields.items() if value is not None}
        if unknown := sorted(given.keys() - UserFields.__annotations__.keys()):
            known = ", ".join(UserFields.__annotations__)
            raise TypeError(f"unexpected keyword argument {unknown[0]!r} for a user; there are {known}")
        if "external_id" in given and "internal_id" in given:
            raise ConfigurationError("Name the user by external_id or by internal_id, not by both")
        if "user_attributes" in given:
            given["user_attributes"] = attributes(given["user_attributes"])
        if "groups" in given:
            given["groups"] = list(given["groups"])
        return cls(SessionSettings(**given))

    @property
    def named(self) -> bool:
        return self._id() is not None

    @property
    def only_named(self) -> bool:
        """Whether nothing but the name is given: then a request needs no body."""
        return self.settings == SessionSettings(
            external_id=self.settings.external_id, internal_id=self.settings.internal_id
        )

    @property
    def label(self) -> str:
        """For people: ``ana (external), groups: analysts``."""
        kind = "external" if isinstance(self.settings.external_id, str) else "internal"
        name = f"{self._id()} ({kind})" if self.named else "the key's own user"
        return f"{name}, groups: {', '.join(self.settings.groups)}" if self.settings.groups else name

    @property
    def fields(self) -> dict[str, Any]:
        """The keyword arguments that make this user; plain values."""
        given = {name: getattr(self.settings, name) for name in UserFields.__annotations__}
        found = {name: value for name, value in given.items() if value is not None and value is not UNSET}
        if "user_attributes" in found:
            found["user_attributes"] = {each.name: each.value for each in found["user_attributes"]}
        return found

    @property
    def names(self) -> AbortSessionSettings:
        """Only who it is, without attributes and groups."""
        return AbortSessionSettings(external_id=self.settings.external_id, internal_id=self.settings.internal_id)

    def query(self) -> dict[str, str]:
        """As query parameters of requests without a body."""
        return {name: value for name, value in msgspec.to_builtins(self.names).items() if value is not None}

    def _id(self) -> str | None:
        found = self.settings.external_id or self.settings.internal_id
        return found if isinstance(found, str) else None


def attributes(given: Attributes) -> list[UserAttribute]:
    """``{name: value}`` or the wire's list of ``{name, value}``, as the wire's list."""
    if isinstance(given, Mapping):
        return [UserAttribute(name, _plain(value)) for name, value in given.items()]
    return [item if isinstance(item, UserAttribute) else UserAttribute(item["name"], item["value"]) for item in given]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, (tuple, set, frozenset)) else value
