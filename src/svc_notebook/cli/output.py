"""How commands speak: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from typing import Any

__all__ = ["CommandFailed", "fail", "note", "print_json"]


class CommandFailed(Exception):
    """A command could not do its work; the message says why and what to do next."""


def fail(message: str) -> int:
    print(f"svc-notebook: {message}", file=sys.stderr)
    return 1


def note(message: str) -> None:
    """Progress and remarks, kept out of what is piped on."""
    print(message, file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False, default=str))
