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
from .embedded_config import OPERATOR, complete_config, read_config
from .embedded_life import Life

if TYPE_CHECKING:
    from .semantic.layer import SemanticLayer
    from .semantic.scaffolding.notes import DataNotes
    from .service.config import ServiceConfig
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
        self._clock = clock
        self.transport = EmbeddedTransport(_unborn, portal=self.portal)
        make = partial(_application, config, models, layer, store, clock)
        self._life = Life(self.transport, make, partial(_close, store, layer))
        self.transport.app = self._life.serve

    @property
    def running(self) -> bool:
        """Whether it is at work: started, in this process, on a loop that runs."""
        return self._life.running

    def start(self) -> None:
        """Start the service on the engine; does nothing while it runs."""
        self._life.start()

    def stop(self) -> None:
        """End turns, keeping their partial answers; the store and the engine stay open."""
        self._life.stop()

    def close(self) -> None:
        """Stop, and close the store and the engine; so does freeing the last client, chat and result of it."""
        self._life.close()


def _application(
    config: ServiceConfig, models: Models | None, layer: SemanticLayer, store: Store, clock: Any
) -> ASGIApp:
    from .service.app import create_app
    from .service.runtime import Service
    from .service.sites import first_site

    return create_app(Service(config, models or {first_site(config): {"main": layer}}, store, clock))


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
    """

    def __init__(self, service: EmbeddedService, api_key: str, agent: str, notes: DataNotes | None = None) -> None:
        tenant = service.config.tenants[0]
        base = service.config.base_url
        self.service = service
        self._notes = notes
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
    from .semantic.engine import DuckDBEngine
    from .semantic.layer import SemanticLayer
    from .service.store import open_store

    model, given = model_and_data(model, data, database, sys._getframe(1))
    if model is None and not given.tables and given.database is None:
        raise ConfigurationError("Nothing to ask about: give svc.embedded(df), data= a file or a folder, or model=")
    tables = DuckDBEngine.open(given.database, data=given.tables, limits=limits, remarks=given.remarks)
    try:
        loaded, notes = model_of(model, given, tables)
        api_key = f"local-{secrets.token_urlsafe(24)}"
        spoken = {} if isinstance(analyst, str) and analyst == "offline" else {"analyst": analyst}
        complete = complete_config(
            read_config(config, model), loaded, api_key, attributes=user_attributes, groups=groups, agent=spoken
        )
        layer = SemanticLayer(loaded, tables)
        models = _models(complete, model, layer, tables)
        keeper = open_store(store)
    except BaseException:
        tables.close()
        raise
    service = EmbeddedService(
        complete,
        layer,
        keeper,
        models=models,
        clock=clock,
        portal=portal,
    )
    try:
        service.start()
    except BaseException:
        service.close()
        raise
    return EmbeddedClient(service, api_key, agent or complete.tenants[0].agents[0].id, notes)


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


def _models(config: ServiceConfig, model: Any, layer: SemanticLayer, tables: Any) -> Models:
    """The layer with its branches where the model is a folder, and the models that other deployments name."""
    from .semantic.layer import SemanticLayer
    from .semantic.loader import load_model
    from .service.branches import Branches
    from .service.sites import models_of

    def load(folder: Path) -> SemanticLayer:
        return SemanticLayer(load_model(folder), tables)

    is_folder = isinstance(model, (str, Path)) and Path(model).is_dir()
    return models_of(config, Branches(layer, Path(model), load) if is_folder else {"main": layer}, load)


def _close(store: Store, layer: SemanticLayer) -> None:
    store.close()
    layer.close()
