"""``svc-notebook hub``: user tokens for whoever works on a JupyterHub."""

from __future__ import annotations

import argparse
import os
from importlib.util import find_spec
from typing import Any, get_args
from urllib.parse import urlsplit

from .logs import configure
from .output import CommandFailed, command

EXAMPLES = """\
examples:
  svc-notebook hub --url https://analytics.example.com                    its people are external users
  svc-notebook hub --url https://analytics.example.com --users internal   they are users of the service already

A JupyterHub starts it, as one of c.JupyterHub.services with a url and, in its environment, SVC_API_KEY_FILE. What a
Hub needs besides is in docs/recipes/jupyterhub_config.py. In a notebook there, svc.Client() is whoever works there.
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "hub",
        help="mint user tokens for the people of a JupyterHub",
        description="A service that a JupyterHub starts: whoever shows it the token of their notebook server gets a "
        "user token of the analytics service, as the user that the Hub says they are. The account's key stays here.",
        more=EXAMPLES,
    )
    parser.add_argument("--url", required=True, help="base URL of the analytics service")
    parser.add_argument("--deployment", type=int, default=1, metavar="ID", help="that the tokens are for (default: 1)")
    parser.add_argument(
        "--users", default="external", choices=("external", "internal"),
        help="what the Hub's names are to the service: external ids, made on first use, or its own users' names",
    )  # fmt: skip
    parser.add_argument("--groups", action="store_true", help="have external users be in their groups of the Hub")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if find_spec("uvicorn") is None:
        raise CommandFailed("serving over the network needs the extra `server`: pip install 'svc-notebook[server]'")
    import uvicorn

    from ..client.client import AsyncClient
    from ..client.errors import ConfigurationError
    from ..hub_tokens import HubPlace, Kind, TokenService, hub_app
    from ..service.callers.secrets import named_secret

    if options.groups and options.users == "internal":
        raise CommandFailed("--groups is for external users: internal ones bring groups of their own")
    try:
        place = HubPlace.of(os.environ)
        address = urlsplit(os.environ["JUPYTERHUB_SERVICE_URL"])
    except KeyError as missing:
        raise CommandFailed(
            f"{missing.args[0]} is not set: a JupyterHub starts this command (c.JupyterHub.services, with a url)"
        ) from None
    try:
        key = named_secret("SVC_API_KEY")
    except OSError as error:
        raise CommandFailed(f"SVC_API_KEY_FILE: {error}") from None
    if not key:
        raise CommandFailed(
            "the account key is missing: set SVC_API_KEY or SVC_API_KEY_FILE for this service of the Hub"
        )
    try:
        client = AsyncClient(options.url, key)
    except ConfigurationError as error:
        raise CommandFailed(str(error)) from None
    assert options.users in get_args(Kind)
    app = hub_app(TokenService(place, client, options.deployment, options.users, options.groups))
    configure("info", "text")
    uvicorn.run(app, host=address.hostname or "127.0.0.1", port=address.port or 80, log_config=None, access_log=False)
    return 0
