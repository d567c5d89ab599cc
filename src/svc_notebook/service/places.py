"""On whose behalf a request runs: whoever shares a place in the lanes with whom depends on it."""

from __future__ import annotations

from ..lanes import Asker
from ..protocol.chat import SessionSettings
from .auth import Caller

__all__ = ["asker_of"]


def asker_of(caller: Caller, settings: SessionSettings | None) -> Asker:
    """The account, and the user as far as the request itself tells: behind the token, or by the name it gives."""
    if caller.token is not None:
        return Asker(caller.tenant_id, int(caller.token.user_id))
    names = (settings.external_id, settings.internal_id) if settings is not None else ()
    return Asker(caller.tenant_id, next((name for name in names if isinstance(name, str)), ""))
