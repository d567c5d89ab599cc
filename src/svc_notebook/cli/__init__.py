"""The command line: ``svc-notebook lab | serve | hub | ask | sql | access | validate | init | doctor | eval | mcp``.

Exit codes: 0 done; 1 it did not work (the message says why); 2 the command line was not understood; 130 interrupted.
Each command is one module with ``add`` (its options) and ``run`` (what it does, returning the exit code); whatever is
heavy is imported in ``run``, so that ``--help`` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

try:
    from . import access, ask, completion, doctor, evaluate, hub, init, lab, mcp, review, serve, sql, store, validate
    from .output import CommandFailed, fail
except KeyboardInterrupt:  # Ctrl-C before there is anything that could answer it: no traceback of imports
    print("interrupted", file=sys.stderr)
    sys.exit(130)

__all__ = ["main", "make_parser"]

EPILOG = """\
examples:
  svc-notebook lab                                      open the first notebook
  svc-notebook ask "flights per month by origin"        one question, here in the terminal
  svc-notebook sql "SELECT airline, MEASURE(count) FROM flights GROUP BY 1"
  svc-notebook init orders.csv customers.parquet        a first data model over your own files
  svc-notebook validate model/                          every problem, with file and line
  svc-notebook serve --model model/ --database shop.duckdb

exit codes: 0 done, 1 it did not work, 2 command line not understood, 130 interrupted
"""
COMMANDS = (lab, ask, sql, access, init, validate, serve, hub, mcp, evaluate, review, store, doctor, completion)


def make_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = argparse.ArgumentParser(
        prog="svc-notebook",
        description="Conversational, governed analytics: in the notebook, in the terminal, as a service.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    try:
        return _run(argv)
    except CommandFailed as error:
        return fail(str(error))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `svc-notebook sql … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(argv: Sequence[str] | None) -> int:
    parser = make_parser()
    options = parser.parse_args(argv)
    if options.version:
        from importlib.metadata import version

        print(version("svc-notebook"))
        return 0
    if options.command is None:
        parser.print_help()
        return 2
    code: int = options.run(options)
    return code
