"""A session of a Spark Connect server: every setting that a result may depend on pinned, what runs known by its tag."""

from __future__ import annotations

import contextvars
import logging
import socket
import threading
import time
import uuid
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import pyarrow as pa

from ...dialects.spark.names import identifier, literal

__all__ = ["Session", "driver", "errors", "failed_at", "place_of"]

# What decides over results is set, and not taken from whoever set up the server.
_PINNED = {
    "spark.sql.ansi.enabled": "true", "spark.sql.session.timeZone": "UTC", "spark.sql.caseSensitive": "true",
    "spark.sql.decimalOperations.allowPrecisionLoss": "false", "spark.sql.variable.substitute": "false",
    "spark.sql.parser.escapedStringLiterals": "false", "spark.sql.timestampType": "TIMESTAMP_LTZ",
    "spark.sql.groupByOrdinal": "true", "spark.sql.orderByOrdinal": "true", "spark.sql.legacy.sizeOfNull": "false",
    "spark.sql.mapKeyDedupPolicy": "EXCEPTION", "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false", "spark.sql.crossJoin.enabled": "true",
    "spark.connect.progress.reportInterval": "100ms",
}  # fmt: skip
_WAIT, _PORT, _TRIES = 5.0, 15002, 4
_PATIENCE = 2.0
_asking: contextvars.ContextVar[Query | None] = contextvars.ContextVar("svc_spark_asking", default=None)
_ours: contextvars.ContextVar[bool] = contextvars.ContextVar("svc_spark_query", default=False)


def driver() -> Any:
    """Spark's Connect client.

    Raises
    ------
    ValueError
        If it is not installed.
    """
    try:
        with _unwarned():
            from pyspark.sql.connect import session as found
    except ImportError as error:
        raise ValueError(
            f'a Spark server is asked through its client: pip install "svc-notebook[spark]" ({error.name} is missing)'
        ) from None
    return found


def errors() -> tuple[type[Exception], ...]:
    """What the client raises."""
    import grpc
    from pyspark.errors import PySparkException

    return (PySparkException, grpc.RpcError, OSError)


def failed_at(error: BaseException) -> tuple[str, str]:
    """The condition that an error of Spark names, and its SQL state; both empty for any other."""
    told = getattr(error, "getCondition", None), getattr(error, "getSqlState", None)
    return tuple(str((each() if each is not None else None) or "") for each in told)  # type: ignore[return-value]


def place_of(url: str) -> str:
    """Host and port of a ``sc://`` URL, without a token that it may carry."""
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2]


class Session:
    """One session for all queries of an engine; safe to use from many threads."""

    def __init__(self, url: str, files: Mapping[str, str]) -> None:
        # No name of the catalog's can be one of these, nor can a query's own.
        self.views = {name: identifier(f"svc_{uuid.uuid4().hex}_{name}") for name in files}
        self._url, self._files = url, dict(files)
        self._lock = threading.Lock()
        self._running: set[str] = set()
        self._ended = threading.Condition()
        self.closed = False
        self._spark = self._opened()

    def _opened(self) -> Any:
        module = driver()
        _reach(place_of(self._url))
        with _quiet(), _unwarned():
            spark = module.SparkSession.builder.remote(self._url).create()
            from pyspark.sql.connect.client.retries import DefaultPolicy

            spark.registerProgressHandler(_progressed)
            spark.client.set_retry_policies([DefaultPolicy(max_retries=_TRIES, max_backoff=1000)])
            for name, value in _PINNED.items():
                spark.conf.set(name, value)
            for name, path in self._files.items():
                view = self.views[name]
                spark.sql(f"CREATE TEMPORARY VIEW {view} USING parquet OPTIONS (path {literal(path)})")
        return spark

    def again(self) -> None:
        """A new session in place of one that the server has forgotten."""
        with self._lock:
            self._spark = self._opened()

    @contextmanager
    def query(self, sql: str, params: Mapping[str, Any]) -> Iterator[Query]:
        """A query that may be interrupted until the block ends."""
        query = Query(self, self._spark, sql, params)
        with self._ended:
            if self.closed:
                raise ConnectionError("closed")
            self._running.add(query.tag)
        try:
            yield query
        finally:
            with self._ended:
                self._running.discard(query.tag)
                self._ended.notify_all()

    def rows(self, sql: str) -> list[dict[str, Any]]:
        """A query of our own making."""
        with self.query(sql, {}) as query:
            return [row for table in query.tables() for row in table.to_pylist()]

    def columns(self, place: str) -> list[tuple[str, str]]:
        """The columns of a table, and the names of their types."""
        with _quiet():
            return [(each.name, each.dataType.simpleString()) for each in self._spark.table(place).schema.fields]

    def interrupt(self, tag: str) -> None:
        """Ask the server to end what runs under the tag; one that comes when nothing does is lost."""
        with suppress(Exception), _quiet():  # the server may be gone: then nothing runs
            self._spark.interruptTag(tag)

    def close(self) -> None:
        """Interrupt what runs, wait until it has ended, and leave the server."""
        with self._ended:
            self.closed = True
            while self._running:
                for tag in list(self._running):
                    self.interrupt(tag)
                self._ended.wait(0.05)
        with suppress(Exception), _quiet():
            self._spark.stop()


class Query:
    """A query, by the tag under which it runs."""

    def __init__(self, session: Session, spark: Any, sql: str, params: Mapping[str, Any]) -> None:
        self.tag = f"svc-{uuid.uuid4().hex}"
        self._session, self._spark, self._sql, self._params = session, spark, sql, params
        self._at_work = False
        self._wanted: float | None = None

    def begun(self) -> None:
        """Tasks of it are known to the server."""
        self._at_work = True

    def interrupt(self) -> None:
        """End it, once it is at work: while it is planned, the server gives it up and then starts it all the same."""
        self._wanted = self._wanted or time.monotonic()
        if self._at_work or time.monotonic() - self._wanted > _PATIENCE:
            self._session.interrupt(self.tag)

    def tables(self, most: int | None = None) -> Iterator[pa.Table]:
        """Rows as they come, in tables; one without rows, if there are none."""
        with _quiet():
            self._spark.addTag(self.tag)
            before = _asking.set(self)
            try:
                frame = self._spark.sql(self._sql, dict(self._params))
                frame = frame if most is None else frame.limit(most)
                client = self._spark.client  # DataFrame.toArrow() would keep them all
                for part in client.to_table_as_iterator(frame._plan.to_proto(client), {}):
                    if isinstance(part, pa.Table):
                        yield part
            finally:
                _asking.reset(before)
                self._spark.removeTag(self.tag)


def _progressed(stages: Any, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
    """What the client tells, on the thread that asks."""
    query = _asking.get()
    if query is not None and (inflight_tasks or any(stage.num_tasks for stage in stages or ())):
        query.begun()


def _reach(place: str) -> None:
    """The client itself would try for minutes."""
    host, _, port = place.rpartition(":") if ":" in place else (place, "", str(_PORT))
    with socket.create_connection((host.strip("[]"), int(port)), timeout=_WAIT):
        pass


@contextmanager
def _unwarned() -> Iterator[None]:
    """The client warns of pandas 3, which nothing here has it use, and of a setting that is pinned to its default."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"pyspark\.")
        yield


@contextmanager
def _quiet() -> Iterator[None]:
    """The client writes errors to the console, with values of rows that an asker may not see in them."""
    from pyspark.logger import PySparkLogger

    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logger = PySparkLogger.getLogger(name)
        if _unless_ours not in logger.filters:
            logger.addFilter(_unless_ours)
    before = _ours.set(True)
    try:
        yield
    finally:
        _ours.reset(before)


def _unless_ours(record: logging.LogRecord) -> bool:
    return not _ours.get()
