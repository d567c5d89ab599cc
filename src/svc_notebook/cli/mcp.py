"""``svc-notebook mcp``: the two tools for assistants that speak the Model Context Protocol."""

from __future__ import annotations

import argparse
import os
import secrets
from importlib.util import find_spec
from typing import Any

from .connection import add_options, open_client, user_fields
from .output import CommandFailed, command, note

EXAMPLES = """\
examples:
  svc-notebook mcp --as dana --attribute carrier=DL      the demo, as Dana
  svc-notebook mcp --model model/ --database shop.duckdb
  svc-notebook mcp --as dana --port 8090                 over HTTP on this machine, for those who have its token

in the assistant's configuration:
  {"mcpServers": {"analytics": {"command": "svc-notebook", "args": ["mcp", "--as", "dana"]}}}
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "mcp",
        help="offer the data model to an assistant (Model Context Protocol)",
        description="Serve svcMeta and svcSqlApi over standard input and output, or over HTTP, to an assistant that "
        "speaks the Model Context Protocol, as one user: no argument of a tool can name another.",
        more=EXAMPLES,
    )
    parser.add_argument("--rows", type=int, default=100, help="rows a result carries at most (default: 100)")
    parser.add_argument(
        "--port", type=int,
        help="serve over HTTP on this machine, at http://127.0.0.1:PORT/mcp; the token is SVC_MCP_TOKEN, or printed",
    )  # fmt: skip
    add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if find_spec("mcp") is None:
        raise CommandFailed("this needs the extra `mcp`: pip install 'svc-notebook[mcp]'")
    if options.port is not None and find_spec("uvicorn") is None:
        raise CommandFailed("serving over HTTP needs the extra `server`: pip install 'svc-notebook[server]'")
    from ..mcp_server import http_app, make_server

    user = user_fields(options)
    with open_client(options) as client:
        server = make_server(client, row_cap=options.rows, **user)
        if options.port is None:
            server.run("stdio")
            return 0
        import uvicorn

        token = os.environ.get("SVC_MCP_TOKEN") or secrets.token_urlsafe(24)
        if "SVC_MCP_TOKEN" not in os.environ:
            note(f"token: {token}")
        note(f"http://127.0.0.1:{options.port}/mcp")
        uvicorn.run(http_app(server, token), host="127.0.0.1", port=options.port, log_level="warning")
    return 0
