"""On whose behalf a request runs: whoever shares a place in the lanes with whom depends on it."""

from __future__ import annotations

from ...lanes import Asker
from ...protocol.chat import SessionSettings
from ..store.scopes import TENANT_WIDE
from .auth import Caller

__all__ = ["asker_of", "internal_asker"]


def asker_of(caller: Caller, settings: SessionSettings | None) -> Asker:
    """The account, and the user as far as the request itself tells: behind the token, or by the name it gives.

    Whether a user comes with a token or is named beside a key: it is one user, with one share.
    """
    token = caller.token
    if token is not None:
        internal = token.kind == "internal"
        name = (token.email or "") if internal else token.name
        return Asker(caller.tenant_id, _user(internal, name, token.scope))
    if settings is not None and isinstance(settings.internal_id, str):
        return internal_asker(caller.tenant_id, settings.internal_id)
    external = settings.external_id if settings is not None else None
    return Asker(caller.tenant_id, _user(False, external if isinstance(external, str) else ""))


def internal_asker(tenant_id: int, email: str) -> Asker:
    """An internal user of the account."""
    return Asker(tenant_id, _user(True, email))


def _user(internal: bool, name: str, scope: int = TENANT_WIDE) -> tuple[bool, int, str]:
    # External names are lower case by rule; e-mail addresses are compared without it.
    return internal, scope, name.lower() if internal else name
