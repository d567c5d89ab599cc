"""Where a request to an application of this process goes: what ASGI wants to know of its URL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import unquote, urlencode

from msgspec import Struct
from msgspec.structs import replace

from .library import httpx

__all__ = ["Target", "target_of"]

# As the requests of this client are; all else is read by the HTTP library.
_PLAIN = re.compile(r"(https?)://([a-z0-9.-]+)(?::(\d{1,5}))?((?:/(?!\.)(?:[\w.~-]|%[0-9A-F]{2})*)*)", re.ASCII)
_USUAL = {"http": 80, "https": 443}


class Target(Struct, frozen=True):
    """A URL by httpx's names for its parts."""

    scheme: str
    host: str
    port: int | None
    path: str
    raw_path: bytes
    query: bytes = b""

    @property
    def netloc(self) -> bytes:
        """The header ``Host``."""
        return (self.host if self.port is None else f"{self.host}:{self.port}").encode()


def target_of(url: str, params: Mapping[str, str]) -> Any:
    """A URL with parameters: a :class:`Target` where it is plain, else a ``URL`` of httpx."""
    found = _target(url)
    if not params:
        return found
    if not isinstance(found, Target):
        return found.copy_merge_params(params)
    query = urlencode(params).encode()
    return replace(found, query=query, raw_path=found.raw_path + b"?" + query)


@lru_cache(64)  # few are asked often
def _target(url: str) -> Any:
    plain = _PLAIN.fullmatch(url)
    if plain is None:
        return httpx.URL(url)
    scheme, host, port, path = plain.groups()
    number = None if port is None or int(port) == _USUAL[scheme] else int(port)
    return Target(scheme, host, number, unquote(path or "/"), (path or "/").encode())
