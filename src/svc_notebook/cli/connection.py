"""Which service a command talks to, and as whom: the options that ``ask`` and ``sql`` share."""

from __future__ import annotations

import argparse
import os
from typing import Any

from .output import CommandFailed

__all__ = ["add_options", "open_client", "user_fields"]


def add_options(parser: argparse.ArgumentParser) -> None:
    service = parser.add_argument_group("service (default: the demo, in this process)")
    service.add_argument("--url", help="base URL of a service on the network")
    service.add_argument("--api-key", help="its account key (default: $SVC_API_KEY)")
    service.add_argument("--chat-url", help="its Chat API URL, from the agent's settings")
    service.add_argument("--model", metavar="DIR", help="your own data model (default: one made from --data)")
    service.add_argument(
        "--database", metavar="FILE", help="DuckDB file the model is over, or a postgresql:// or sc:// URL"
    )
    service.add_argument(
        "--data", action="append", metavar="NAME=FILE", help="CSV, Parquet or JSON file it is over (repeatable)"
    )
    user = parser.add_argument_group("user (default: the operator, who sees everything)")
    user.add_argument("--as", dest="external_id", metavar="ID", help="an external user")
    user.add_argument("--internal", dest="internal_id", metavar="EMAIL", help="an internal user")
    user.add_argument(
        "--attribute",
        action="append",
        metavar="NAME[:TYPE]=VALUE",
        help="user attribute: carrier=DL,UA or max_price:number=9.5 (default type: string_array; repeatable)",
    )
    user.add_argument("--group", action="append", help="group of the user (repeatable)")


def pairs(items: list[str] | None, option: str) -> dict[str, str]:
    """``["a=1", "b=2"]`` as a mapping."""
    found = {}
    for item in items or ():
        name, equals, value = item.partition("=")
        if not equals or not name:
            raise CommandFailed(f"{option} {item!r}: write NAME=VALUE")
        found[name] = value
    return found


def open_client(options: argparse.Namespace) -> Any:
    """The client that the options describe."""
    import svc_notebook as svc

    if options.url or options.chat_url:
        key = options.api_key or os.environ.get("SVC_API_KEY")
        if not key:
            raise CommandFailed("a service on the network needs its account key: --api-key, or set SVC_API_KEY")
        return svc.Client(options.url, api_key=key, chat_api_url=options.chat_url)
    if options.model or options.database or options.data:
        data = pairs(options.data, "--data")
        return _embedded(model=options.model, database=options.database, data=data or None)
    return svc.demo()


def _embedded(**options: Any) -> Any:
    import svc_notebook as svc

    from ..semantic.errors import SemanticError

    try:
        return svc.embedded(**options)
    except (SemanticError, ValueError, OSError) as error:
        raise CommandFailed(str(error)) from None


def user_fields(options: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments that name the user; empty for the operator."""
    fields: dict[str, Any] = {"external_id": options.external_id, "internal_id": options.internal_id}
    attributes = dict(attribute(name, value) for name, value in pairs(options.attribute, "--attribute").items())
    if (attributes or options.group) and not options.external_id:
        raise CommandFailed("--attribute and --group describe an external user: name one with --as")
    if attributes:
        fields["user_attributes"] = attributes
    if options.group:
        fields["groups"] = options.group
    return {name: value for name, value in fields.items() if value is not None}


def attribute(name: str, value: str) -> tuple[str, Any]:
    """``("carrier", "DL,UA")`` as ``("carrier", ["DL", "UA"])``; the name may carry one of the four types."""
    name, _, kind = name.partition(":")
    kind = kind or "string_array"
    if kind not in ("string", "number", "string_array", "number_array"):
        raise CommandFailed(f"--attribute {name}:{kind}: a type is string, number, string_array or number_array")
    try:
        items = [float(item) if kind.startswith("number") else item for item in value.split(",") if item]
        return name, items if kind.endswith("array") else float(value) if kind == "number" else value
    except ValueError:
        raise CommandFailed(f"--attribute {name}:{kind}={value}: not a number") from None
