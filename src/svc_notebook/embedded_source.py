"""What a service is made from (data, model, configuration), read as often as it changes.

The one place that knows both the files and what is made of them; ``serve`` and :func:`svc_notebook.embedded` share it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .embedded_config import config_file
from .semantic.errors import ModelError
from .semantic.fitting import misfits
from .semantic.intake.stamps import Stamp, stamp_of
from .semantic.results.kept import KeptResults
from .semantic.snapshot import DataSource, Snapshot
from .semantic.standing import Standing
from .service.deployments.generations import Made

if TYPE_CHECKING:
    from .embedded_recipe import Recipe
    from .semantic.layer import SemanticLayer
    from .semantic.model import DataModel
    from .service.config import ServiceConfig

__all__ = ["LiveSource"]

_YAML = (".yml", ".yaml")
# Files that change while they are read are read again; whoever writes longer is told.
_TRIES = 3


class LiveSource:
    """Data, model and configuration as they lie there now.

    Parameters
    ----------
    data
        What the tables are read from.
    snapshot
        The data as they were read at first.
    recipe
        What else the service is made of; its tables are the snapshot's.
    scaffold
        Makes the model from a snapshot, where nobody has written one.

    Attributes
    ----------
    first
        What is answered from at first.
    kept
        Results, of every generation.
    """

    def __init__(
        self,
        data: DataSource,
        snapshot: Snapshot,
        recipe: Recipe,
        scaffold: Callable[[Snapshot], Any] | None = None,
    ) -> None:
        self.kept = KeptResults()
        self.recipe = replace(recipe, kept=self.kept)
        self._data = data.kept()
        self._snapshot = snapshot
        self._let_go = snapshot.hold()
        self._scaffold = scaffold
        self._moved: Recipe | None = None
        self._model: DataModel | None = None
        self._config: ServiceConfig | None = None
        self._making = threading.Lock()
        self.first = self._first()

    def _first(self) -> Made:
        """What is answered from at first; what of the model does not fit the data is left to be told when asked for."""
        standing = Standing(self._snapshot.as_of)
        before = self._written(self.recipe)
        self._config, layer, models = self.recipe.make(standing, self._data.files)
        self.kept.limit(self._config.kept_memory, self._config.kept_disk)
        self._model = layer.model
        named = {entry.path: entry for entry in (*self._written(self.recipe), *before)}  # as they were when read
        stamp = self._snapshot.stamp, tuple(sorted(named.values()))
        return Made(self._config, models, standing, stamp, self._snapshot.hold())

    def stamp(self) -> tuple[Stamp, Stamp]:
        """See :meth:`Source.stamp`."""
        return self._data.stamp(), self._written(self._moved or self.recipe)

    def make(self, *, reread: bool = False) -> Made:
        """See :meth:`Source.make`."""
        with self._making:
            for _ in range(_TRIES):
                before = self.stamp()
                made, layer, recipe, snapshot = self._make(reread)
                if self.stamp() == before:
                    break
                made.close()
            else:
                raise ValueError("the data or the model are being written all the time: no one state could be read")
            self.recipe, self._moved = recipe, None
            self._model, self._config = layer.model, made.config
            self.kept.limit(made.config.kept_memory, made.config.kept_disk)
            if snapshot is not self._snapshot:
                self._let_go()
                self._snapshot, self._let_go = snapshot, snapshot.hold()
            return replace(made, stamp=before)

    def move(self, model: Path | None) -> None:
        """Have the model read from another place from the next :meth:`make` on, if that comes about."""
        self._moved = None if model is None else self.recipe.moved(model)

    def close(self) -> None:
        """Close the data, whoever still asks them."""
        self._let_go()
        self._snapshot.engine.close()
        self.kept.close()

    def __reduce__(self) -> Any:
        raise TypeError("a service of this process holds live connections and cannot be pickled")

    def _make(self, reread: bool) -> tuple[Made, SemanticLayer, Recipe, Snapshot]:
        old = self._snapshot
        fresh = self._data.stamp() != old.stamp or (reread and self._data.unseen)
        snapshot = self._data.read() if fresh else old
        let_go = snapshot.hold()
        try:
            recipe = self._recipe(snapshot)
            standing = Standing(snapshot.as_of)
            config, layer, models = recipe.make(standing, self._data.files)
            self._check_fit(layer)
        except BaseException:
            let_go()
            raise
        return Made(config, models, standing, None, let_go), layer, recipe, snapshot

    def _recipe(self, snapshot: Snapshot) -> Recipe:
        recipe = replace(self._moved or self.recipe, tables=snapshot.engine)
        if self._scaffold is None or self._moved is not None or snapshot is self._snapshot:
            return recipe
        # The same columns: other rows make no other model, and members keep the names that threads know.
        if snapshot.engine.describe() == self._snapshot.engine.describe():
            return recipe
        return replace(recipe, model=self._scaffold(snapshot))

    def _check_fit(self, layer: SemanticLayer) -> None:
        """What has changed must not take away what could be asked before.

        Raises
        ------
        ModelError
            The model does not fit the data any more.
        """
        found = misfits(layer.model, layer.engine)
        if not found or self._model is None:
            return
        known = {problem.message for problem in misfits(self._model, self._snapshot.engine)}
        if worse := [problem for problem in found if problem.message not in known]:
            raise ModelError(worse)

    def _written(self, recipe: Recipe) -> Stamp:
        """The stamp of the files of the models and of the configuration."""
        paths = [Path(recipe.model)] if isinstance(recipe.model, (str, Path)) else []
        tenants = self._config.tenants if self._config is not None else []
        paths += [Path(each.model) for tenant in tenants for each in tenant.deployments_by_id().values() if each.model]
        if isinstance(recipe.config, (str, Path)):
            paths.append(Path(recipe.config))
        elif recipe.config is None and isinstance(recipe.model, (str, Path)):
            paths += filter(None, [config_file(Path(recipe.model))])
        return stamp_of(paths, suffixes=_YAML)
