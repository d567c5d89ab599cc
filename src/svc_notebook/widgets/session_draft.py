"""A session form's values: made into a request, checked field by field, written as Python and as curl.

The request is checked by the protocol's own model and by those rules of Generate Session that can be told without
asking the service; the service has the last word.
"""

from __future__ import annotations

import json
import pprint
import re
import shlex
from collections.abc import Mapping
from typing import Any

import msgspec

from ..protocol.sessions import GenerateSessionRequest

__all__ = ["as_curl", "as_python", "check", "client_arguments", "request_body"]

_TENANT = re.compile(r"[a-z][a-z0-9-]{3,34}[a-z0-9]")


def request_body(values: Mapping[str, Any]) -> dict[str, Any]:
    """The request's JSON as the form's values say; raises ``ValueError`` for a context that is not JSON."""
    body: dict[str, Any] = {"deploymentId": _number(values.get("deployment", 1))}
    external = values.get("kind", "external") == "external"
    body["externalId" if external else "internalId"] = str(values.get("user", ""))
    if external:
        if values.get("email"):
            body["email"] = values["email"]
        if values.get("groups_mode") == "replace":
            body["groups"] = [name for name in values.get("groups", []) if name]
        elif values.get("groups_mode") == "clear":
            body["groups"] = []
        if attributes := [_attribute(row) for row in values.get("attributes", []) if row.get("name")]:
            body["userAttributes"] = attributes
        if str(values.get("context") or "").strip():
            body["securityContext"] = json.loads(values["context"])
    if values.get("tenant"):
        body["embedTenantName"] = values["tenant"]
    if values.get("creator"):
        body["creatorMode"] = True
        if groups := [_filled(row) for row in values.get("group_definitions", []) if row.get("name")]:
            body["groupDefinitions"] = groups
        if definitions := [_filled(row) for row in values.get("attribute_definitions", []) if row.get("name")]:
            body["userAttributeDefinitions"] = definitions
    return body


def _filled(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value not in ("", None)}


def _number(text: Any) -> Any:
    try:
        return int(str(text))
    except ValueError:
        return text


def _attribute(row: Mapping[str, Any]) -> dict[str, Any]:
    kind, text = row.get("type", "string"), str(row.get("value", ""))
    value: Any = text
    if kind == "null":
        value = None
    elif kind == "number":
        value = _decimal(text)
    elif kind.endswith("_array"):
        parts = [part.strip() for part in text.split(",") if part.strip()]
        value = [_decimal(part) for part in parts] if kind == "number_array" else parts
    return {"name": row["name"], "value": value}


def _decimal(text: str) -> int | float:
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None
    return int(number) if number.is_integer() else number


def check(values: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong, by field of the form; empty when the request may be sent."""
    errors: dict[str, str] = {}
    user = str(values.get("user", ""))
    if not user:
        errors["user"] = "Who is the session for?"
    elif values.get("kind", "external") == "external" and (user != user.strip().lower() or re.search(r"\s", user)):
        errors["user"] = f"Lower-case and without spaces, for example {''.join(user.split()).lower()!r}"
    tenant = values.get("tenant") or ""
    if tenant and not _TENANT.fullmatch(tenant):
        errors["tenant"] = "5 to 36 of a-z, 0-9 and -, starting with a letter, ending with a letter or digit"
    if not isinstance(_number(values.get("deployment", 1)), int):
        errors["deployment"] = "A whole number"
    _check_creator(values, errors)
    for field in ("attributes", "group_definitions", "attribute_definitions"):
        names = [row.get("name") for row in values.get(field, []) if row.get("name")]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            errors[field] = f"Twice the same name: {', '.join(twice)}"
    for row in values.get("attributes", []):
        try:
            _attribute({"name": "x", **row})
        except ValueError as problem:
            errors.setdefault("attributes", str(problem))
    if not errors:
        try:
            body = request_body(values)
            if not isinstance(body.get("securityContext", {}), dict):
                raise ValueError("a JSON object")
            msgspec.convert(body, GenerateSessionRequest)
        except msgspec.ValidationError as problem:
            errors["form"] = str(problem)
        except ValueError:
            errors["context"] = 'A JSON object, for example {"plan": "gold"}'
    return errors


def _check_creator(values: Mapping[str, Any], errors: dict[str, str]) -> None:
    defines = any(
        row.get("name") for key in ("group_definitions", "attribute_definitions") for row in values.get(key, [])
    )
    if values.get("creator") and defines and not values.get("tenant"):
        errors["tenant"] = "Definitions belong to an embed tenant: name it"
    if values.get("creator") and defines and values.get("kind") == "internal":
        errors["form"] = "Definitions go with an external user"


def client_arguments(body: Mapping[str, Any]) -> dict[str, Any]:
    """The request as arguments of ``Client.generate_session``."""
    arguments = {re.sub(r"[A-Z]", lambda m: "_" + m[0].lower(), key): value for key, value in body.items()}
    if "user_attributes" in arguments:
        arguments["user_attributes"] = {row["name"]: row["value"] for row in arguments["user_attributes"]}
    return arguments


def as_python(body: Mapping[str, Any]) -> str:
    """The call that does the same."""
    lines = [
        f"    {name}={pprint.pformat(value, width=90, sort_dicts=False)},".replace("\n", "\n    ")
        for name, value in client_arguments(body).items()
    ]
    return "\n".join(["session = client.generate_session(", *lines, ")"])


def as_curl(body: Mapping[str, Any], base_url: str) -> str:
    """The request on the command line; the key stays in the environment."""
    data = json.dumps(body, ensure_ascii=False, indent=2)
    return (
        f"curl -X POST {shlex.quote(base_url.rstrip('/') + '/api/v1/embed/generate-session')} \\\n"
        "  -H 'Content-Type: application/json' \\\n"
        '  -H "Authorization: Api-Key ${SVC_API_KEY:?}" \\\n'
        f"  --data {shlex.quote(data)}"
    )
