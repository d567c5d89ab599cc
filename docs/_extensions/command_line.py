"""The command line as a page, from the parser that reads it."""

from __future__ import annotations

import argparse
import re

from svc_notebook.cli import make_parser

__all__ = ["commands"]


def commands() -> str:
    """One section a command: what it does, how it is written, its options; options that several share stand once."""
    subparsers = next(action for action in make_parser()._actions if isinstance(action, argparse._SubParsersAction))
    shared: dict[str, str] = {}
    sections = [_section(name, parser, shared) for name, parser in subparsers.choices.items()]
    return "\n\n".join(
        [
            *sections,
            "## Which service, as whom",
            *(f"**{_capital(title)}**\n\n{table}" for title, table in shared.items()),
        ]
    )


def _section(name: str, parser: argparse.ArgumentParser, shared: dict[str, str]) -> str:
    parser.prog = f"svc-notebook {name}"
    parser.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=72)  # type: ignore[assignment]
    usage = parser.format_usage().removeprefix("usage: ").rstrip()
    parts = [f"## {name}", _said(parser.description or ""), f"```none\n{usage}\n```"]
    own, others = [], []
    for group in parser._action_groups:
        rows = [
            _row(action)
            for action in group._group_actions
            if action.help != argparse.SUPPRESS and action.dest != "help"
        ]
        if rows and group.title in ("positional arguments", "options"):
            own += rows
        elif rows:
            shared[str(group.title)] = _table(rows)
            others.append(str(group.title).partition(" ")[0])
    if own:
        parts.append(_table(own))
    if others:
        parts.append(f"Also the options that say [which {', as which '.join(others)}](#which-service-as-whom).")
    if parser.epilog:
        parts.append(f"```none\n{parser.epilog.rstrip()}\n```")
    return "\n\n".join(parts)


def _table(rows: list[str]) -> str:
    return "| option | |\n|---|---|\n" + "\n".join(rows)


def _row(action: argparse.Action) -> str:
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    takes = f" {value}" if action.nargs != 0 else ""
    written = ", ".join(f"`{flag}{takes}`" for flag in action.option_strings) or f"`{action.dest}`"
    said = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
    if action.choices and not said:
        said = ", ".join(map(str, action.choices))
    return f"| {_cell(written)} | {_cell(_said(said))} |"


def _said(text: str) -> str:
    """Help as Markdown: options and metavariables are code."""
    return re.sub(r"(?<![\w`-])(--?[a-z][\w-]*|\$[A-Z_]+)(?![\w`])", r"`\1`", text).replace("  ", " ")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
