"""What an embedded service is made of, so that it can be made again from what lies on disk now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from .embedded_config import complete_config, config_file, read_config
from .semantic.layer import Limits, SemanticLayer
from .semantic.learnt import read_learnt
from .semantic.loader import load_model
from .semantic.model import DataModel
from .semantic.standing import Standing
from .service.config import ServiceConfig
from .service.operation.portions import portion

if TYPE_CHECKING:
    from .semantic.engine.base import Engine
    from .semantic.results.kept import KeptResults
    from .service.deployments.sites import Models

__all__ = ["Recipe"]


@dataclass(frozen=True)
class Recipe:
    """What an embedded service's configuration and models are made of, so that they can be made again."""

    model: Any
    config: Any = field(repr=False)
    tables: Engine
    api_key: str = field(repr=False)
    attributes: Mapping[str, Any]
    groups: Sequence[str]
    agent: Mapping[str, Any]
    base_url: str = ""
    workers: int = 1
    kept: KeptResults | None = None

    def parsed(self) -> DataModel:
        """The model, read now."""
        return self.model if isinstance(self.model, DataModel) else load_model(self.model)

    def make(
        self, standing: Standing | None = None, files: Mapping[str, Path] | None = None
    ) -> tuple[ServiceConfig, SemanticLayer, Models]:
        """Read everything; raises ``ModelError`` or ``ConfigError`` for what does not hold.

        Parameters
        ----------
        files
            What the tables were read from, by their names, where each was read from a file of its own.
        """
        model = self.parsed()
        config = complete_config(
            read_config(self.config, self.model), model, self.api_key,
            attributes=self.attributes, groups=self.groups, agent=self.agent,
        )  # fmt: skip
        if self.base_url and config.base_url == ServiceConfig().base_url:  # behind a proxy it says another one
            config = structs.replace(config, base_url=self.base_url)
        config = portion(config, self.workers)
        limits = Limits(max_rows=config.result_rows)
        learnt = read_learnt(Path(self.model), model.version, files) if files and self._is_folder else None
        layer = SemanticLayer(model, self.tables, limits, standing, kept=self.kept, learnt=learnt)
        return config, layer, self._models(config, layer)

    def moved(self, folder: Path) -> Recipe:
        """The same of the model in ``folder``, with the configuration that lies there, if one does."""
        return replace(self, model=folder, config=config_file(folder) or self.config)

    def _models(self, config: ServiceConfig, layer: SemanticLayer) -> Models:
        """The layer with its branches where the model is a folder, and the models that other deployments name."""
        from .service.deployments.branches import Branches
        from .service.deployments.sites import models_of

        def load(folder: Path) -> SemanticLayer:
            return SemanticLayer(
                load_model(folder), self.tables, layer.limits, layer.standing, kept=self.kept, place=str(folder)
            )

        branches = Branches(layer, Path(self.model), load) if self._is_folder else {"main": layer}
        return models_of(config, branches, load)

    @property
    def _is_folder(self) -> bool:
        return isinstance(self.model, (str, Path)) and Path(self.model).is_dir()
