"""The wire reference, from the service's own OpenAPI document."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import Any

from svc_notebook.service.endpoints.openapi import build_document

__all__ = ["endpoints", "schemas"]

KEYS = {"apiKey": "account key", "userToken": "user token"}


@cache
def _document() -> dict[str, Any]:
    return build_document("https://host")


def endpoints() -> str:
    """One section an operation."""
    return "\n\n".join(
        _operation(method, path, operation)
        for path, methods in _document()["paths"].items()
        for method, operation in methods.items()
    )


def schemas() -> str:
    """One section a schema, with every field."""
    return "\n\n".join(
        f"### {_title(schema, name)}\n\n{_description(schema)}{_fields(schema)}"
        for name, schema in sorted(_document()["components"]["schemas"].items())
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    answers = operation["responses"]
    good = next(code for code in answers if code < "300")
    named = " or ".join(KEYS[name] for entry in operation["security"] for name in entry) or "none"
    parts = [
        f"### {operation['summary']}",
        f"```text\n{method.upper()} {path}\n```",
        f"Authentication: {named}.",
    ]
    if body := operation.get("requestBody"):
        parts.append(f"Body: {_type(body['content']['application/json']['schema'])}.")
    if parameters := operation.get("parameters"):
        rows = [
            f"| `{item['name']}` | {item['in']} | {_type(item['schema'])}{_bounds(item['schema'])} "
            f"| {'required' if item.get('required') else 'optional'} |"
            for item in parameters
        ]
        parts.append("| parameter | in | type | |\n|---|---|---|---|\n" + "\n".join(rows))
    parts.append(f"Answers: **{good}**{_content(answers[good])}. {_refusals(answers)}")
    return "\n\n".join(parts)


def _content(answer: dict[str, Any]) -> str:
    said = []
    for kind, content in answer.get("content", {}).items():
        schema = content["schema"]
        said.append(f" `{kind}`: {schema.get('description') or _type(schema)}")
    return ";".join(said) or ", no body"


def _refusals(answers: dict[str, Any]) -> str:
    bad = [code for code in answers if code >= "300"]
    bare = [code for code in bad if "content" not in answers[code]]
    text = "Refusals: " + ", ".join(f"{code} {HTTPStatus(int(code)).phrase}" for code in bad) + "."
    return text + (f" Without a body: {', '.join(bare)}." if bare else "")


def _title(schema: dict[str, Any], name: str) -> str:
    return str(schema.get("title", name))


def _description(schema: dict[str, Any]) -> str:
    text = str(schema.get("description", "")).replace("``", "`")
    return f"{text}\n\n" if text else ""


def _fields(schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    rows = [
        f"| `{name}` | {_type(field)} | {_presence(name, field, required)} |"
        for name, field in schema.get("properties", {}).items()
    ]
    return "| field | type | |\n|---|---|---|\n" + "\n".join(rows)


def _presence(name: str, field: dict[str, Any], required: list[str]) -> str:
    if name in required:
        return "required"
    default = field.get("default")
    return f"default `{default!r}`".replace("False", "false").replace("True", "true") if default else "optional"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        title = _title(_document()["components"]["schemas"][name], name)
        return f"[{title}](#{_anchor(title)})"
    if "anyOf" in schema:
        kinds = [_type(kind) for kind in schema["anyOf"]]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        return "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}" if schema.get("items") else "list"
    return str(schema.get("type", "any"))


def _bounds(schema: dict[str, Any]) -> str:
    said = [f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema]
    said += [f"default {schema['default']}"] if "default" in schema else []
    return f" ({', '.join(said)})" if said else ""


def _anchor(title: str) -> str:
    return "".join(
        character for character in title.lower().replace(" ", "-") if character.isalnum() or character in "-_"
    )
