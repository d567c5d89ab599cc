"""What a request may say: the specification's rules about single values, each with its message."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec import UNSET

from ... import patterns as re
from ...protocol.chat import SessionSettings
from ...protocol.errors import BadRequest, NotFound
from ...protocol.sessions import UserAttribute
from ...protocol.spelling import spelled
from ..config import ConfigError, ServiceConfig, TenantConfig

__all__ = [
    "check_accounts", "check_defaults", "check_email", "check_external_id", "check_internal_id", "check_name",
    "check_tenant_name", "check_text", "check_timezone", "check_typed", "given", "known_tenant_path", "no_duplicates",
    "one_identity", "parse_default", "values_by_name",
]  # fmt: skip

_TENANT_NAME = re.compile(r"[a-z][a-z0-9-]{3,34}[a-z0-9]", re.ASCII)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_TIMEZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+\-]*(/[A-Za-z0-9_+\-]+)*", re.ASCII)
_EXAMPLES = {"string": '"EMEA"', "number": "5", "string_array": '["EMEA"]', "number_array": "[5]"}
# Of the longest e-mail address: 64 characters, the @, and 255. People are often known by theirs.
_LONGEST_NAME = 320
_MAX_INT = 2**63


def given(value: Any) -> bool:
    """Whether a field was sent: ``null`` equals omitted."""
    return value is not UNSET and value is not None


def one_identity(external_id: Any, internal_id: Any) -> None:
    if given(external_id) and given(internal_id):
        raise BadRequest("Send either externalId or internalId, not both.")
    if not given(external_id) and not given(internal_id):
        raise BadRequest("One of externalId and internalId is required.")


def check_external_id(value: str) -> str:
    folded = "".join(value.strip().lower().split())
    if value != folded or not folded:
        hint = f" Write {folded!r}." if folded and folded == folded.lower() else ""
        raise BadRequest(f"externalId must be lowercase, trimmed and without spaces, and not empty.{hint}")
    _printable(spelled(SessionSettings, "external_id"), value)
    return value


def check_internal_id(value: str) -> str:
    if not value.strip():
        raise BadRequest("internalId must not be empty.")
    _printable(spelled(SessionSettings, "internal_id"), value)
    return value


def check_email(value: str) -> str:
    if len(value) > _LONGEST_NAME or not _EMAIL.fullmatch(value):
        raise BadRequest("email must be an email address such as ana@example.com.")
    _printable("email", value)
    return value


def check_tenant_name(value: str | None) -> str:
    if value is None or not _TENANT_NAME.fullmatch(value):
        raise BadRequest(
            "embedTenantName must have 5 to 36 characters of a-z, 0-9 and -, start with a letter and end with a letter "
            "or a digit."
        )
    return value


def known_tenant_path(value: str) -> str:
    """The same rule for a name in a path, where what cannot exist is not found."""
    if not _TENANT_NAME.fullmatch(value):
        raise NotFound("No embed tenant of that name.")
    return value


def check_name(what: str, value: str) -> str:
    """The name of a group or an attribute."""
    if not value or value != value.strip():
        raise BadRequest(f"{what}: a name must not be empty, and must not begin or end with a blank.")
    _printable(what, value)
    return value


def check_text(what: str, value: Any) -> None:
    """Free text: anything but U+0000, which not every store can hold."""
    if given(value) and "\0" in value:
        raise BadRequest(f"{what} must not hold the character U+0000.")


def check_timezone(value: Any) -> str:
    """A time zone name; ``UTC`` when none was sent."""
    if not given(value):
        return "UTC"
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        # ZoneInfo opens a file of this name: only what can be the name of a zone gets there.
        if not _TIMEZONE.fullmatch(value):
            raise ZoneInfoNotFoundError
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadRequest(f"timezone: {value!r} is not a time zone name such as Europe/Berlin.") from None
    return str(value)


def no_duplicates(what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BadRequest(f"Duplicate name {name!r} in {what}.")
        seen.add(name)


def values_by_name(items: Iterable[UserAttribute]) -> dict[str, Any]:
    listed, what = list(items), spelled(SessionSettings, "user_attributes")
    for item in listed:
        check_name(what, item.name)
    no_duplicates(what, (item.name for item in listed))
    return {item.name: item.value for item in listed}


def check_typed(name: str, kind: str, value: Any) -> None:
    """``value`` must be of the definition's type; ``None`` clears and always fits.

    Raises
    ------
    BadRequest
        Names the attribute, the type it has, and what such a value looks like.
    """
    if value is None:
        return
    fits = _string if kind.startswith("string") else _number
    good = all(map(fits, value)) if kind.endswith("_array") and isinstance(value, list) else (
        fits(value) if not kind.endswith("_array") else False
    )  # fmt: skip
    if not good:
        raise BadRequest(
            f"User attribute {name!r} has type {kind}: send a value like {_EXAMPLES[kind]}, or null to clear it."
        )


def parse_default(kind: str, text: str) -> Any:
    """The value that a definition's ``defaultValue`` text stands for; ``None`` (which denies) when it fits no value."""
    import json

    if kind == "string":
        return text
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    if kind.endswith("_array") and not isinstance(value, list):
        value = [text if kind == "string_array" else value]
    try:
        check_typed("", kind, value)
    except BadRequest:
        return None
    return value


def check_accounts(config: ServiceConfig) -> None:
    """Nothing that tells accounts, deployments, agents or keys apart may stand twice, or name what is not there.

    Raises
    ------
    ConfigError
        Says what and where; of a key its name alone.
    """
    _once("account", (tenant.name for tenant in config.tenants))
    seen: dict[str, str] = {}
    for tenant in config.tenants:
        numbers = [item if isinstance(item, int) else item.id for item in tenant.deployments]
        _once(f"account {tenant.name}: deployment", numbers)
        _once(f"account {tenant.name}: agent", (agent.id for agent in tenant.agents))
        for agent in tenant.agents:
            if agent.deployment is not None and agent.deployment not in numbers:
                raise ConfigError(f"account {tenant.name}: agent {agent.id}: there is no deployment {agent.deployment}")
        for key in tenant.api_keys:
            if (other := seen.setdefault(key.secret(), tenant.name)) != tenant.name:
                raise ConfigError(f"the key {key.name!r} of account {tenant.name} opens account {other} as well")


def _once(what: str, names: Iterable[str | int]) -> None:
    counted = Counter(names)
    if twice := [name for name, count in counted.items() if count > 1]:
        raise ConfigError(f"{what} {twice[0]} stands twice")


def check_defaults(account: TenantConfig) -> None:
    """Every ``default_value`` of an account's attributes must be a value of its type.

    Raises
    ------
    ConfigError
        Names the attribute and what such a value looks like.
    """
    for attribute in account.attributes:
        text, kind = attribute.default_value, attribute.type
        if text is not None and parse_default(kind, text) is None:
            raise ConfigError(
                f"account {account.name}: attribute {attribute.name!r} has type {kind}, which its default_value "
                f"{text!r} does not fit: write one like {_EXAMPLES[kind]!r}, or leave it out."
            )


def _string(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    # bool is an int to Python, and no number in JSON.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else -_MAX_INT <= value < _MAX_INT


def _printable(what: str, value: str) -> None:
    if len(value) > _LONGEST_NAME or any(ord(char) < 32 or ord(char) == 127 for char in value):
        raise BadRequest(f"{what}: at most {_LONGEST_NAME} characters, without control characters.")
