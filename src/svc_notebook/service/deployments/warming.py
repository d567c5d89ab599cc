"""What the first question would wait for, done in the background: the analysts, and what they know of the data.

An analyst that prepares itself by asking the data (``warm``) does so under the rights of users the configuration names,
so that nothing is known before it may be. Whoever asks meanwhile waits only for a preparation that is theirs too, and
after the first user's the others' begin only while nobody's turn runs.
"""

from __future__ import annotations

import asyncio
import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ...cancellation import CancellationToken, Cancelled
from ...protocol.errors import ServiceError
from ...semantic.context import SecurityContext
from ...semantic.errors import SemanticError
from ..callers.identity import known_context

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..config import AgentConfig
    from ..runtime import Service
    from .sites import Site

__all__ = ["Warming"]

_log = logging.getLogger(__name__)
_NOBODY = SecurityContext(user="")
_MOST = 4  # users of one account whose sight is prepared
_PAUSE = 3.0
"""Seconds without a turn before the next user's sight is prepared."""
_LATE = (
    "pyarrow.compute", "svc_notebook.front.thread_view", "svc_notebook.service.endpoints.embed",
    "svc_notebook.service.endpoints.tiles",
)  # fmt: skip
"""What the first answer does without; it is loaded before a later one would wait for it."""


class Warming:
    """The work of one service's start; :meth:`stop` ends it where it stands."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._cancel = CancellationToken()

    def stop(self) -> None:
        self._cancel.cancel("the service stops")

    async def run(self) -> None:
        """Make every analyst, let each prepare itself, then load what later questions may need."""
        if await self._prepared():  # nothing is held of the data here while it waits for a pause
            await self._unasked()
            for module in _LATE:
                await asyncio.to_thread(import_module, module)

    async def _prepared(self) -> bool:
        """Whether all were prepared: false where the service stopped meanwhile."""
        made: list[tuple[int, Site, AgentConfig]] = []
        for tenant_id, tenant in self._service.tenants():
            for agent in tenant.agents:
                try:
                    for site in self._service.sites_of(tenant.name, agent):
                        await (await self._service.rehearse(tenant_id, site, agent, _NOBODY)).analyst()
                        made.append((tenant_id, site, agent))
                except ServiceError as error:  # said again, to the asker, when the agent is asked
                    _log.warning("%s", error.message)
        for tenant_id, site, agent in made:
            try:
                users = await self._service.read(_contexts, tenant_id, self._service.tenant_by_id(tenant_id))
                for place, context in enumerate(users):
                    if place:
                        await self._unasked()
                    scope = await self._service.rehearse(tenant_id, site, agent, context)
                    if (warm := getattr(await scope.analyst(), "warm", None)) is not None:
                        await warm(scope.toolbox(cancel=self._cancel))
            except Cancelled:
                return False
            except (ServiceError, SemanticError) as error:  # the first question meets it again and says so
                _log.info("the data could not be looked at ahead of the first question: %s", error)
        return True

    async def _unasked(self) -> None:
        """Wait until nobody has a turn: what is not asked yet must not slow down what is."""
        await asyncio.sleep(_PAUSE)
        while len(self._service.turns):  # noqa: ASYNC110 (no hurry: an event for it would cost every turn)
            await asyncio.sleep(_PAUSE)


def _contexts(connection: Connection, tenant_id: int, tenant: Any) -> list[SecurityContext]:
    """The rights of the first users an account names, those first that see everything."""
    users = sorted(tenant.internal_users, key=lambda user: not user.unrestricted)[:_MOST]
    found = (known_context(connection, tenant_id, user.email) for user in users)
    return [context for context in found if context is not None]
