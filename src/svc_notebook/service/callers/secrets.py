"""Secrets: made from the system's source of randomness, kept as digests, never shown again."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

__all__ = ["digest", "is_session_id", "named_secret", "new_session_id", "new_thread_id", "new_token", "same_digest"]

_SESSION_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


def digest(secret: str | bytes) -> str:
    """SHA-256 of the bytes, so that a key with any characters can be compared."""
    return hashlib.sha256(secret.encode() if isinstance(secret, str) else secret).hexdigest()


def named_secret(name: str) -> str:
    """What the environment variable holds, or else the file that ``NAME_FILE`` names; empty where there is neither.

    The file is read every time: what stands in it may change.

    Raises
    ------
    OSError
        There is no such file, or it cannot be read.
    """
    value, place = os.environ.get(name, ""), os.environ.get(f"{name}_FILE", "")
    return value if value or not place else Path(place).read_text("utf-8").strip()


def same_digest(left: str, right: str) -> bool:
    """Constant-time comparison of two digests."""
    return hmac.compare_digest(left.encode(), right.encode())


def new_session_id() -> str:
    return secrets.token_hex(16)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def new_thread_id() -> str:
    return secrets.token_hex(16)


def is_session_id(text: str) -> bool:
    return _SESSION_ID.fullmatch(text) is not None
