"""The service inside this process: the one module that knows both ends.

:func:`embedded` puts a data model, an engine, an analyst and a store together, starts the service on the engine
thread and returns a client that reaches it through :class:`~svc_notebook.client.engine.asgi.EmbeddedTransport`. No port
is opened. :func:`demo` does it with the flights that come with the package.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .client.client import Client
from .client.engine.asgi import ASGIApp, EmbeddedTransport
from .client.engine.portal import Portal, engine
from .client.errors import ConfigurationError
from .collecting import uncollected
from .embedded_config import OPERATOR
from .embedded_life import Life
from .protocol.freshness import Freshness

if TYPE_CHECKING:
    from .embedded_model import ModelDraft
    from .embedded_recipe import Recipe
    from .embedded_review import Review
    from .embedded_source import LiveSource
    from .semantic.layer import SemanticLayer
    from .semantic.scaffolding.notes import DataNotes
    from .service.config import ServiceConfig
    from .service.deployments.generations import Made
    from .service.runtime import Service
    from .service.store import Store

__all__ = ["EmbeddedClient", "EmbeddedService", "EmbeddedTransport", "demo", "embedded"]


class EmbeddedService:
    """A service and its application on the engine's loop; can be started again after it was stopped.

    Parameters
    ----------
    source
        What it answers from, and where what comes after is read from.
    store
        Where state is kept; it outlives a restart.
    clock
        Where time comes from.
    """

    def __init__(self, source: LiveSource, store: Store, *, clock: Any = None, portal: Portal | None = None) -> None:
        self.source = source
        self.store = store
        self.portal = portal or engine()
        # Made before its application, which is made again at each start while clients keep this transport.
        self.transport = EmbeddedTransport(_unborn, portal=self.portal)
        self._application = _Application(source, store, clock)
        self._life = Life(self.transport, self._application.make, partial(_close, store, source))
        self.transport.app = self._life.serve

    @property
    def config(self) -> ServiceConfig:
        """Accounts, keys, lifetimes."""
        return self._application.made.config

    @property
    def layer(self) -> SemanticLayer:
        """The data model of the first deployment over its engine."""
        from .service.deployments.sites import first_site

        return self._application.made.models[first_site(self.config)]["main"]

    @property
    def running(self) -> bool:
        """Whether it is at work: started, in this process, on a loop that runs."""
        return self._life.running

    def start(self) -> None:
        """Start the service on the engine; does nothing while it runs."""
        self._life.start()

    @property
    def freshness(self) -> Freshness:
        """What it answers from."""
        return self._application.freshness

    def reload(self) -> None:
        """Answer from what the source holds now; turns that run end by what they began with.

        Raises
        ------
        ModelError, ValueError, ServiceError
            It cannot be used; everything stays as it was.
        """
        self._application.reload(self.portal if self.running else None)

    def stop(self) -> None:
        """End turns, keeping their partial answers; the store and the engine stay open."""
        self._life.stop()

    def close(self) -> None:
        """Stop, and close the store and the engine; so does freeing the last client, chat and result of it."""
        self._life.close()


class _Application:
    """Makes the application, as often as it is started; holds no transport."""

    def __init__(self, source: LiveSource, store: Store, clock: Any) -> None:
        self._source, self._store, self._clock = source, store, clock
        self._made = source.first
        self._service: Service | None = None

    @property
    def made(self) -> Made:
        """What is answered from."""
        return self._made if self._service is None else self._service.generations.current.made

    @property
    def freshness(self) -> Freshness:
        number = 1 if self._service is None else self._service.generations.current.number
        return Freshness(number, self.made.standing.said, self.made.standing.held_back)

    def make(self) -> ASGIApp:
        # Imported here: a client of a service elsewhere never needs it, and `import svc_notebook` stays next to free.
        from .service.app import create_app
        from .service.runtime import Service

        made = self.made
        service = Service(made.config, made.models, self._store, self._clock, first=made, source=self._source)
        self._service = service
        return create_app(service)

    def reload(self, portal: Portal | None) -> None:
        """Use what the source holds now; with a ``portal`` in the service that runs on it."""
        from .protocol.errors import ServiceError

        if portal is None or self._service is None:
            made, self._service = self._source.make(reread=True), None
            self._made = made
            return
        try:
            portal.run(self._service.freshness.renew())
        except ServiceError as error:  # in process it is told as what it is
            raise (error.__cause__ or error).with_traceback(None) from None


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

    def __init__(
        self,
        service: EmbeddedService,
        api_key: str,
        agent: str,
        notes: DataNotes | None = None,
    ) -> None:
        tenant = service.config.tenants[0]
        base = service.config.base_url
        self.service = service
        self._notes = notes
        self._agent = agent
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
    def recipe(self) -> Recipe:
        """What the model and the configuration are read from."""
        return self.service.source.recipe

    @property
    def transport(self) -> EmbeddedTransport:
        """For an httpx client of your own, sync or async: ``httpx.Client(transport=client.transport)``."""
        return self.service.transport

    def restart(self) -> EmbeddedClient:
        """Stop the service and start it again over the same store, model and data; also after a fork."""
        self.service.stop()
        self.service.start()
        return self

    def reload(self, model: str | Path | None = None) -> Freshness:
        """Read data, model and configuration again where they have changed, and answer by them from now on.

        Turns that run end by what they began with. Files are looked after without being asked, every
        ``reload_interval`` seconds of the configuration; this does it now, and says what is wrong with them.

        Parameters
        ----------
        model
            Where the model lies from now on; as a rule where it was.

        Returns
        -------
        Freshness
            As :meth:`Client.reload`.

        Raises
        ------
        ModelError, ValueError
            The model does not hold or does not fit the data, or the data cannot be read; the service goes on with what
            it has.
        """
        source = self.service.source
        if model is not None:
            source.move(Path(model))
        try:
            self.service.reload()
        finally:
            source.move(None)
        return self.service.freshness

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

        return ModelDraft(self, self.recipe, self._agent, folder)

    def review(
        self, *, days: float | None = None, folder: str | Path | None = None, cases: str | Path | None = None
    ) -> Review:
        """What askers were not served well with, and what it teaches.

        Parameters
        ----------
        days
            Only of the last so many days.
        folder
            Where the model is written, as for :meth:`edit_model`.
        cases
            The YAML list that cases for ``svc-notebook eval`` are appended to; ``questions.yml`` beside that folder.
        """
        from .embedded_review import Review

        return Review(self, self.service.store, self.edit_model(folder), days, cases)

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
        A DuckDB file, opened read-only; an SQLite file, read into memory; or the ``postgresql://`` URL of a database
        that is asked where it lies and is all the data there are (without a model its tables are read into memory); or
        the ``sc://`` URL of a Spark Connect server, which is asked by a model, its ``data`` folders of Parquet files as
        the server finds them (``{"flights": "s3a://lake/flights"}``).
    data
        A data frame (pandas, Polars, whatever speaks Arrow), an Arrow table, a mapping of tables by name or of columns,
        a list of rows, tables or files, a file (CSV, Parquet, JSON, Excel, DuckDB, SQLite), a folder of them, an open
        DuckDB or SQLite connection, or a ``postgresql://`` URL, whose tables are read into memory. A single data frame
        is called what the caller's variable is called.
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

    Examples
    --------
    >>> import pandas as pd
    >>> sales = pd.DataFrame({"country": ["ES", "FR", "ES"], "price_eur": [10.0, 20.0, 5.0]})
    >>> shop = svc.embedded(sales)
    >>> shop.chat().ask("average price by country").df["country"].tolist()
    ['ES', 'FR']
    >>> shop.close()
    """
    # Imports and models make many objects and no garbage: to look for some delays the first answer.
    with uncollected():
        from .embedded_data import model_and_data, source_of
        from .service.store import open_store

    # The caller's variables: a data frame has no name of its own, and is called what it is called there.
    frame = sys._getframe(1)
    model, data_source = model_and_data(model, data, database, frame, limits)
    if model is None and not any(_holds_something(value) for value in data_source.values):
        raise ConfigurationError("Nothing to ask about: give svc.embedded(df), data= a file or a folder, or model=")
    # New in each process and never stored: a key of this client alone.
    api_key = f"local-{secrets.token_urlsafe(24)}"
    spoken = {} if isinstance(analyst, str) and analyst == "offline" else {"analyst": analyst}
    settings = (config, api_key, user_attributes or {}, tuple(groups or ()), spoken)
    with uncollected():
        source, notes = source_of(model, data_source, settings)
    try:
        keeper = open_store(store)
    except BaseException:
        source.close()
        raise
    service = EmbeddedService(source, keeper, clock=clock, portal=portal)
    try:
        with uncollected():
            service.start()
    except BaseException:
        service.close()
        raise
    return EmbeddedClient(service, api_key, agent or service.config.tenants[0].agents[0].id, notes)


def demo(**options: Any) -> EmbeddedClient:
    """The demo: every flight that left New York City in 2013, with policies by airline and airport.

    ``client.chat()`` is the operator, who sees every row; ``client.chat(external_id="delta",
    groups=["airlines"], user_attributes={"carrier": ["DL"]})`` is somebody at Delta.

    Parameters
    ----------
    **options
        As for :func:`embedded`: ``analyst``, ``store``, ``limits``, …

    Examples
    --------
    >>> client = svc.demo()
    >>> print(client.chat().ask("how many flights were there?").text)
    **336,776 flights**. Scheduled departure runs from 1 January 2013 to 31 December 2013.
    """
    from .demo import data_files, model_folder, service_file

    given = {"model": model_folder(), "data": data_files(), "config": service_file()}
    return embedded(**{**given, **options})


def _holds_something(value: Any) -> bool:
    return bool(value) if isinstance(value, dict) else True


def _close(store: Store, source: LiveSource) -> None:
    store.close()
    source.close()
