"""How commands speak: results on standard output, everything else on standard error; help that ends with examples."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from typing import Any

__all__ = ["CommandFailed", "command", "fail", "note", "print_json"]


class CommandFailed(Exception):
    """A command could not do its work; the message says why and what to do next."""


def command(commands: Any, name: str, *, help: str, description: str, more: str) -> argparse.ArgumentParser:  # noqa: A002
    """A command's parser. ``more`` stands below the options as it is written: examples, exit codes of its own."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help,
        description=textwrap.fill(description, 100),
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def fail(message: str) -> int:
    print(f"svc-notebook: {message}", file=sys.stderr)
    return 1


def note(message: str) -> None:
    """Progress and remarks, kept out of what is piped on."""
    print(message, file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False, default=str))
