"""Where the account key comes from when it is not given: the environment, then the keyring if one is installed."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from .errors import ConfigurationError

__all__ = ["ENVIRONMENT", "KEYRING_SERVICE", "find_key"]

ENVIRONMENT = "SVC_API_KEY"
KEYRING_SERVICE = "svc_notebook"


def find_key(base_url: str) -> str:
    """The account key for a service.

    Raises
    ------
    ConfigurationError
        When there is none; says the three ways to give one.
    """
    key = os.environ.get(ENVIRONMENT, "").strip() or _from_keyring(base_url)
    if not key:
        raise ConfigurationError(
            f"No key for {base_url}: give api_key=, set {ENVIRONMENT}, or store one with "
            f"keyring.set_password({KEYRING_SERVICE!r}, {base_url!r}, key)"
        )
    return key


def _from_keyring(base_url: str) -> str | None:
    try:
        keyring: Any = import_module("keyring")
    except ImportError:
        return None
    try:
        found: str | None = keyring.get_password(KEYRING_SERVICE, base_url)
    except keyring.errors.KeyringError:  # no usable backend on this machine
        return None
    return found
