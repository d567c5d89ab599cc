"""``svc-notebook access``: what somebody sees of the data model, and which policy says so."""

from __future__ import annotations

import argparse
from typing import Any

from .connection import add_options, open_client, user_fields
from .output import CommandFailed, command, print_json

EXAMPLES = """\
examples:
  svc-notebook access flights --as dana --attribute carrier=DL
  svc-notebook access --model model/ --database shop.duckdb --as kim --group sales
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "access",
        help="what somebody sees of the data model, and why",
        description="Say of every cube and view (or of those that are named) whether somebody sees it, how many of its "
        "rows, which members are masked and hidden, and what each policy says to them. For a service on the network it "
        "takes an account key with admin access.",
        more=EXAMPLES,
    )
    parser.add_argument("relation", nargs="*", help="cubes and views (default: all that may be queried)")
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    import msgspec

    from ..client.errors import SvcError

    user = user_fields(options)
    try:
        with open_client(options) as client:
            told = client.access(*options.relation, **user)
    except SvcError as error:
        raise CommandFailed(error.message) from None
    if options.json:
        print_json(msgspec.to_builtins(told))
    else:
        print(told)
    return 0
