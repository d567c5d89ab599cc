"""``svc-notebook sql``: SQL over the data model, under the user's policies."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from .connection import add_options, open_client, user_fields
from .output import CommandFailed, command, print_json

FORMATS = ("table", "csv", "json")


EXAMPLES = """\
examples:
  svc-notebook sql "SELECT airline, MEASURE(count) FROM flights GROUP BY 1"
  svc-notebook sql "SELECT MEASURE(count) FROM flights" --as dana --attribute carrier=DL --explain
  svc-notebook sql - --format csv < query.sql > rows.csv
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "sql",
        help="run SQL over the data model, under a user's policies",
        description="Run SQL over the data model: SELECT airline, MEASURE(count) FROM flights GROUP BY 1. "
        "With --explain: the SQL the engine would run, and the row filters applied, with their reasons.",
        more=EXAMPLES,
    )
    parser.add_argument("query", help="the SQL, or - to read it from standard input")
    parser.add_argument("--format", choices=FORMATS, default="table", help="how rows are printed (default: table)")
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="the same as --format json")
    parser.add_argument("--explain", action="store_true", help="do not run it; show what would be run, and why")
    add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..client.errors import SvcError

    query = sys.stdin.read() if options.query == "-" else options.query
    user = user_fields(options)
    try:
        with open_client(options) as client:
            if options.explain:
                return _explain(client.explain(query, **user), options)
            frame = client.sql(query, **user)
    except SvcError as error:
        raise CommandFailed(error.message) from None
    if options.format == "csv":
        frame.to_csv(sys.stdout, index=False)
    elif options.format == "json":
        print(frame.to_json(orient="records", date_format="iso", indent=2))
    else:
        print(frame.to_string(index=False, max_rows=None if len(frame) <= 1000 else 1000))
    return 0


def _explain(explanation: Any, options: argparse.Namespace) -> int:
    import msgspec

    if options.format == "json":
        print_json(msgspec.to_builtins(explanation))
        return 0
    print(explanation.sql)
    for row_filter in explanation.row_filters:
        print(f"-- rows of {row_filter.cube}: {row_filter.filter} ({row_filter.reason})")
    for text in explanation.notes:
        print(f"-- {text}")
    return 0
