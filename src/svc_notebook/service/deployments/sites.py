"""What each deployment of an account is served by: its data model with its branches, its agents' analysts.

Everything that reads a model or asks an analyst goes through a :class:`Site`, and a site is had for a caller alone
(:meth:`~svc_notebook.service.runtime.Service.site`), so nothing of one deployment or account is reached from another,
whatever it is called.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...protocol.errors import NotFound, ServiceError
from ..config import AgentConfig, Deployment, ServiceConfig
from .branches import Branches

if TYPE_CHECKING:
    from ...analyst.base import Analyst
    from ...semantic.layer import SemanticLayer

__all__ = ["Models", "Site", "Sites", "first_site", "models_of"]


class Site(NamedTuple):
    """A deployment of an account."""

    account: str
    deployment: int


class AgentUnavailable(ServiceError):
    """The agent wants something that is not here: an extra, a key. Asking again changes nothing."""

    status = 501


Models = Mapping[Site, "Mapping[str, SemanticLayer]"]
"""The data model of each site by branch name; ``"main"`` is the branch that is served."""


def first_site(config: ServiceConfig) -> Site:
    """The first deployment of the first account."""
    return next(_sites(config))[0]


def models_of(
    config: ServiceConfig, first: Mapping[str, SemanticLayer], load: Callable[[Path], SemanticLayer]
) -> dict[Site, Mapping[str, SemanticLayer]]:
    """``first`` for the first site, and for every other one the folder that its ``model`` names.

    Parameters
    ----------
    first
        The data model by branch name.
    load
        Makes a layer from a folder of model files.
    """
    named = {site: Path(deployment.model) for site, deployment in _sites(config) if deployment.model}
    return {first_site(config): first, **{site: Branches(load(path), path, load) for site, path in named.items()}}


def _sites(config: ServiceConfig) -> Iterator[tuple[Site, Deployment]]:
    for tenant in config.tenants:
        for deployment in tenant.deployments_by_id().values():
            yield Site(tenant.name, deployment.id), deployment


class Sites:
    """The models and analysts of a service.

    Parameters
    ----------
    models
        A site without one answers that it has none.
    """

    def __init__(self, config: ServiceConfig, models: Models) -> None:
        self._deployments = dict(_sites(config))
        self._models = dict(models)
        self._analysts: dict[tuple[Site, str], Analyst] = {}
        self._making = threading.Lock()

    def of(self, account: str, agent: AgentConfig) -> list[Site]:
        """Where an agent of an account answers."""
        own = (site for site in self._deployments if site.account == account and site in self._models)
        return [site for site in own if agent.deployment in {None, site.deployment}]

    def layer(self, site: Site, branch: str = "") -> SemanticLayer:
        """The site's data model, or one of the branches its deployment lists; ``""`` is the one that is served.

        Raises
        ------
        NotFound
            The site has no model; the deployment lists no such branch, or there is none: the same words.
        """
        branches = self._models.get(site)
        if branches is None:
            raise NotFound(f"Deployment {site.deployment} of this account has no data model.")
        if not branch or branch in self._deployments[site].branches:
            try:  # not get(): branches are loaded when they are asked for
                return branches[branch or "main"]
            except KeyError:
                pass
        raise NotFound(f"No branch {branch[:80]!r} here: omit activeBranchName for the default branch.")

    def made(self, site: Site, agent: AgentConfig) -> Analyst | None:
        """Who answers for an agent at a site, if that has been made; waits for nobody."""
        return self._analysts.get((site, agent.id))

    def analyst(self, site: Site, agent: AgentConfig) -> Analyst:
        """Who answers for an agent at a site; made when first needed.

        Raises
        ------
        AgentUnavailable
            The analyst cannot be made here; the message says what is missing.
        """
        with self._making:
            known = self._analysts.get((site, agent.id))
            if known is None:
                known = self._analysts[site, agent.id] = _made(agent)
            return known

    def layers(self) -> list[SemanticLayer]:
        """The models that are served."""
        return [layer for branches in self._models.values() if (layer := branches.get("main")) is not None]

    def engines(self) -> list[Any]:
        """The engines behind the models that are served, each once."""
        found = (getattr(layer, "engine", None) for layer in self.layers())
        return list({id(engine): engine for engine in found if engine is not None}.values())

    async def close(self) -> None:
        """Let the analysts close what they hold."""
        for analyst in self._analysts.values():
            if (close := getattr(analyst, "aclose", None)) is not None:
                await close()


def _made(agent: AgentConfig) -> Analyst:
    from ...analyst.errors import AnalystUnavailable
    from ...analyst.registry import make_analyst

    try:
        return make_analyst(
            agent.analyst, instructions=agent.instructions, certified=agent.certified_queries, options=agent.options
        )
    except AnalystUnavailable as error:
        raise AgentUnavailable(f"Agent {agent.id}: {error}") from None
