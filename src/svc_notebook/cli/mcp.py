"""``svc-notebook mcp``: the two tools for assistants that speak the Model Context Protocol."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import Any

from .connection import add_options, open_client, user_fields
from .output import CommandFailed, command

EXAMPLES = """\
examples:
  svc-notebook mcp --as dana --attribute carrier=DL      the demo, as Dana
  svc-notebook mcp --model model/ --database shop.duckdb

in the assistant's configuration:
  {"mcpServers": {"analytics": {"command": "svc-notebook", "args": ["mcp", "--as", "dana"]}}}
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "mcp",
        help="offer the data model to an assistant (Model Context Protocol)",
        description="Serve svcMeta and svcSqlApi over standard input and output to an assistant that speaks the Model "
        "Context Protocol, as one user: no argument of a tool can name another.",
        more=EXAMPLES,
    )
    parser.add_argument("--rows", type=int, default=100, help="rows a result carries at most (default: 100)")
    add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if find_spec("mcp") is None:
        raise CommandFailed("this needs the extra `mcp`: pip install 'svc-notebook[mcp]'")
    from ..mcp_server import make_server

    user = user_fields(options)
    with open_client(options) as client:
        make_server(client, row_cap=options.rows, **user).run("stdio")
    return 0
