"""``svc-notebook mcp``: the two tools for assistants that speak the Model Context Protocol, under one user's rights."""

from __future__ import annotations

import argparse
from typing import Any

from .connection import add_options, open_client, user_fields
from .output import CommandFailed


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "mcp",
        help="offer svcMeta and svcSqlApi to an assistant, as one user",
        description="A Model Context Protocol server on standard input and output. The user is fixed by the options; "
        "no argument of a tool can name another.",
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    try:
        from ..mcp_server import make_server

        with open_client(options) as client:
            make_server(client, **user_fields(options)).run("stdio")
    except ImportError:
        raise CommandFailed("this needs the extra `mcp`: pip install 'svc-notebook[mcp]'") from None
    return 0
