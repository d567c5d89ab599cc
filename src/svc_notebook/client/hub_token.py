"""Who works on a JupyterHub is who the Hub says: their user token comes from a service beside it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..protocol.sessions import SessionTokenResponse
from .errors import ConfigurationError
from .wire.replies import decode
from .wire.requests import Request
from .wire.tokens import TokenGetter
from .wire.transport import Http

__all__ = ["HUB_TOKEN", "TOKEN_URL", "token_of_the_hub"]

TOKEN_URL = "SVC_TOKEN_URL"  # noqa: S105  # a name
"""The environment's name for where tokens are minted (``svc-notebook hub``)."""
HUB_TOKEN = "JUPYTERHUB_API_TOKEN"  # noqa: S105  # a name
"""What a Hub gives to each server that it starts, and by which it knows whose that is."""


def token_of_the_hub(environment: Mapping[str, str] = os.environ) -> TokenGetter | None:
    """How whoever works on a JupyterHub gets their token; None elsewhere.

    Raises
    ------
    ConfigurationError
        When the address is there and the Hub's own token is not.
    """
    url = environment.get(TOKEN_URL)
    if not url:
        return None
    if not environment.get(HUB_TOKEN):
        raise ConfigurationError(f"{TOKEN_URL} is set and {HUB_TOKEN} is not: no JupyterHub started this server")
    headers = {"Accept": "application/json", "Authorization": f"token {environment[HUB_TOKEN]}"}

    async def get() -> str:
        http = Http()
        try:
            reply = await http.send(Request("POST", url, headers, b"", repeatable=True))
        finally:
            await http.close()
        return decode(reply, SessionTokenResponse).token

    return get
