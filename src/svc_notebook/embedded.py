"""The service inside this process: the one module that knows both ends.

:func:`embedded` puts a data model, an engine, an analyst and a store together, starts the service on the engine
thread and returns a client that reaches it through :class:`~svc_notebook.client.asgi.EmbeddedTransport`. No port is
opened. :func:`demo` does it with the flights that come with the package.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .client.asgi import ASGIApp, EmbeddedTransport
from .client.client import Client
from .client.errors import ConfigurationError
from .client.portal import Portal, engine
from .embedded_config import OPERATOR
from .embedded_life import Life

if TYPE_CHECKING:
    from .embedded_model import ModelDraft
    from .embedded_recipe import Recipe
    from .semantic.layer import SemanticLayer
    from .semantic.scaffolding.notes import DataNotes
    from .service.config import ServiceConfig
    from .service.runtime import Service
    from .service.sites import Models
    from .service.store import Store

__all__ = ["EmbeddedClient", "EmbeddedService", "EmbeddedTransport", "demo", "embedded"]


class EmbeddedService:
    """A service and its application on the engine's loop; can be started again after it was stopped.

    Parameters
    ----------
    config
        Accounts, keys, lifetimes.
    layer
        The data model over its engine.
    store
        Where state is kept; it outlives a restart.
    models
        The data model of each deployment by branch name; only the layer, for the first one, unless given.
    clock
        Where time comes from.
    """

    def __init__(
        self,
        config: ServiceConfig,
        layer: SemanticLayer,
        store: Store,
        *,
        models: Models | None = None,
        clock: Any = None,
        portal: Portal | None = None,
    ) -> None:
        self.config = config
        self.layer = layer
        self._models = models
        self.store = store
        self.portal = portal or engine()
        self.transport = EmbeddedTransport(_unborn, portal=self.portal)
        self._application = _Application(config, self._all(), store, clock)
        self._life = Life(self.transport, self._application.make, partial(_close, store, layer))
        self.transport.app = self._life.serve

    @property
    def running(self) -> bool:
        """Whether it is at work: started, in this process, on a loop that runs."""
        return self._life.running

    def start(self) -> None:
        """Start the service on the engine; does nothing while it runs."""
        self._life.start()

    def renew(self, config: ServiceConfig, layer: SemanticLayer, models: Models | None = None) -> None:
        """Answer by another configuration and model over the same engine; turns that run end by what they began with.

        Raises
        ------
        ServiceError
            The configuration does not hold; everything stays as it was.
        """
        before = self.config, self.layer, self._models
        self.config, self.layer, self._models = config, layer, models
        try:
            self._application.renew(config, self._all(), self.portal if self.running else None)
        except BaseException:
            self.config, self.layer, self._models = before
            raise

    def _all(self) -> Models:
        from .service.sites import first_site

        return self._models or {first_site(self.config): {"main": self.layer}}

    def stop(self) -> None:
        """End turns, keeping their partial answers; the store and the engine stay open."""
        self._life.stop()

    def close(self) -> None:
        """Stop, and close the store and the engine; so does freeing the last client, chat and result of it."""
        self._life.close()


class _Application:
    """Makes the application, as often as it is started; holds no transport."""

    def __init__(self, config: ServiceConfig, models: Models, store: Store, clock: Any) -> None:
        self._config, self._models, self._store, self._clock = config, models, store, clock
        self._service: Service | None = None

    def make(self) -> ASGIApp:
        from .service.app import create_app
        from .service.runtime import Service

        self._service = Service(self._config, self._models, self._store, self._clock)
        return create_app(self._service)

    def renew(self, config: ServiceConfig, models: Models, portal: Portal | None) -> None:
        """Use others from now on; with a ``portal`` also in the service that runs on it."""
        if portal is not None and self._service is not None:
            portal.run(self._service.renew(config, models))
        self._config, self._models = config, models


async def _unborn(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("a transport gets its application before anything is sent through it")


class EmbeddedClient(Client):
    """A :class:`Client` whose service runs in this process; asks as the operator unless told otherwise.

    Close it, or use it as a context manager, to stop the service; the interpreter's exit does it too.

    Attributes
    ----------
    notes
        How the data were read and, where the model was made from them, what was taken for what:
        ``print(client.notes)``.
    recipe
        What the model and the configuration are read from; ``None`` for a client that was put together by hand.
    """

    def __init__(
        self,
        service: EmbeddedService,
        api_key: str,
        agent: str,
        notes: DataNotes | None = None,
        recipe: Recipe | None = None,
    ) -> None:
        tenant = service.config.tenants[0]
        base = service.config.base_url
        self.service = service
        self._notes = notes
        self._agent = agent
        self.recipe = recipe
        super().__init__(
            base,
            api_key,
            chat_api_url=f"{base}/api/v1/public/{tenant.name}/agents/{agent}/chat/stream-chat-state",
            transport=service.transport,
            default_user={"internal_id": OPERATOR.email},
            portal=service.portal,
        )

    def __repr__(self) -> str:
        state = "running" if self.service.running else "stopped"
        return f"<{type(self).__name__} {self.base_url}, {state}>"

    @property
    def notes(self) -> DataNotes:
        from .semantic.scaffolding.notes import DataNotes

        return self._notes or DataNotes()

    @property
    def transport(self) -> EmbeddedTransport:
        """For an httpx client of your own, sync or async: ``httpx.Client(transport=client.transport)``."""
        return self.service.transport

    def restart(self) -> EmbeddedClient:
        """Stop the service and start it again over the same store, model and data; also after a fork."""
        self.service.stop()
        self.service.start()
        return self

    def reload(self, model: str | Path | None = None) -> EmbeddedClient:
        """Read the model and the configuration again and answer by them from now on.

        Turns that run end by what they began with. The data stay as they are.

        Parameters
        ----------
        model
            Where the model lies from now on; as a rule where it was.

        Raises
        ------
        ModelError
            The model does not hold; the service goes on with the one it has.
        """
        if self.recipe is None:
            raise ConfigurationError(
                "This client was not made by svc.embedded() or svc.demo(): there is nothing to read"
            )
        recipe = self.recipe if model is None else self.recipe.moved(Path(model))
        self.service.renew(*recipe.make())
        self.recipe = recipe
        return self

    def edit_model(self, folder: str | Path | None = None) -> ModelDraft:
        """The model to be edited as data: titles, synonyms, units, what is hidden, certified questions.

        Parameters
        ----------
        folder
            Where it is written; as a rule where it lies, and ``"model"`` in the working folder for a model that was
            made from the data or came with a package.

        Raises
        ------
        ConfigurationError
            The model was handed over as an object and lies nowhere.
        """
        from .embedded_model import ModelDraft

        if self.recipe is None:
            raise ConfigurationError(
                "This client was not made by svc.embedded() or svc.demo(): it has no model to edit"
            )
        return ModelDraft(self, self.recipe, self._agent, folder)

    def close(self) -> None:
        """Stop the service and close its store and engine. Twice does nothing more."""
        if self.service.running:
            super().close()
        self.service.close()


def embedded(
    model: Any = None,
    *,
    database: str | Path | None = None,
    data: Any = None,
    store: str | Path = "memory",
    user_attributes: Mapping[str, Any] | None = None,
    groups: Sequence[str] | None = None,
    analyst: Any = "offline",
    config: str | Path | Mapping[str, Any] | ServiceConfig | None = None,
    agent: str | None = None,
    limits: Any = None,
    clock: Any = None,
    portal: Portal | None = None,
) -> EmbeddedClient:
    """A service of your own data inside this process, and the client to it: ``svc.embedded(df)`` is enough.

    Parameters
    ----------
    model
        The data model: a folder or file of YAML, or its parsed form. Without one, one is made from the tables, and what
        is not a model here is taken as ``data``.
    database
        A DuckDB file, opened read-only; an SQLite file or a ``postgresql://`` URL, whose tables are read into memory.
    data
        A data frame (pandas, Polars, whatever speaks Arrow), an Arrow table, a mapping of tables by name or of columns,
        a list of rows, tables or files, a file (CSV, Parquet, JSON, Excel, DuckDB, SQLite), a folder of them, an open
        DuckDB or SQLite connection, or a ``postgresql://`` URL. A single data frame is called what the caller's
        variable is called.
    store
        Where users, sessions and threads are kept: ``"memory"``, an SQLite file, or a PostgreSQL URL.
    user_attributes
        Definitions of tenant-wide user attributes: ``{"carrier": "string_array"}``. Those that the model's policies
        refer to exist in any case.
    groups
        Names of tenant-wide groups; those that the model's policies name exist in any case.
    analyst
        Who answers: ``"offline"``, ``"anthropic:…"``, ``"openai:…"``, ``"ollama:…"``, ``"https://host/v1#model"``, or
        an analyst object.
    config
        A ``service.yml``, its parsed form, or a ``ServiceConfig``; by default the one beside the model.
    agent
        Which agent of the configuration the client's chat is with; the first by default.
    limits
        The engine's limits, an ``EngineLimits``.
    clock
        Where the service's time comes from (tests).
    portal
        The engine thread (tests).

    Raises
    ------
    ConfigurationError
        When there is neither a model nor data nor a database.
    ValueError
        When the data are none of what is read; the message says what to give instead.
    ModelError
        When the model does not hold; it lists every problem.
    """
    from .embedded_data import model_and_data, model_of
    from .embedded_recipe import Recipe
    from .semantic.engine import DuckDBEngine
    from .service.store import open_store

    model, given = model_and_data(model, data, database, sys._getframe(1))
    if model is None and not given.tables and given.database is None:
        raise ConfigurationError("Nothing to ask about: give svc.embedded(df), data= a file or a folder, or model=")
    tables = DuckDBEngine.open(given.database, data=given.tables, limits=limits, remarks=given.remarks)
    try:
        parsed, notes = model_of(model, given, tables)
        spoken = {} if isinstance(analyst, str) and analyst == "offline" else {"analyst": analyst}
        api_key = f"local-{secrets.token_urlsafe(24)}"
        recipe = Recipe(parsed, config, tables, api_key, user_attributes or {}, tuple(groups or ()), spoken)
        complete, layer, models = recipe.make()
        keeper = open_store(store)
    except BaseException:
        tables.close()
        raise
    service = EmbeddedService(complete, layer, keeper, models=models, clock=clock, portal=portal)
    try:
        service.start()
    except BaseException:
        service.close()
        raise
    return EmbeddedClient(service, api_key, agent or complete.tenants[0].agents[0].id, notes, recipe)


def demo(**options: Any) -> EmbeddedClient:
    """The demo: every flight that left New York City in 2013, with policies by airline and airport.

    ``client.chat()`` is the operator, who sees every row; ``client.chat(external_id="delta",
    groups=["airlines"], user_attributes={"carrier": ["DL"]})`` is somebody at Delta.

    Parameters
    ----------
    **options
        As for :func:`embedded`: ``analyst``, ``store``, ``limits``, …
    """
    from .demo import data_files, model_folder, service_file

    given = {"model": model_folder(), "data": data_files(), "config": service_file()}
    return embedded(**{**given, **options})


def _close(store: Store, layer: SemanticLayer) -> None:
    store.close()
    layer.close()
