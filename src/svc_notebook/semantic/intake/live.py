"""Databases that are asked where they lie: nothing of them is read into memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from ...records import dataclass
from .postgres import is_postgres_url

__all__ = ["LiveDatabase", "SparkServer", "is_spark_url", "where_it_lies"]


@dataclass(frozen=True)
class LiveDatabase:
    """A PostgreSQL database."""

    url: str = field(repr=False)


@dataclass(frozen=True)
class SparkServer(LiveDatabase):
    """A Spark Connect server; ``files`` are folders of Parquet files as it knows them, by the names of tables."""

    files: Mapping[str, str] = field(default_factory=dict)


def is_spark_url(value: object) -> bool:
    """Whether a value is the URL of a Spark Connect server."""
    return isinstance(value, str) and value.startswith("sc://")


def where_it_lies(data: Any, database: Any) -> tuple[Any, ...]:
    """What is read, without what is None: a database by its URL is asked where it lies, anything else is as it is.

    Raises
    ------
    ValueError
        If what is given beside a Spark server are no folders of files that it could read.
    """
    if is_spark_url(database):
        return (SparkServer(database, _folders(data)),)
    lying = LiveDatabase(database) if is_postgres_url(database) else database
    return tuple(value for value in (data, lying) if value is not None)


def _folders(data: Any) -> dict[str, str]:
    if data is None:
        return {}
    if not isinstance(data, Mapping) or not all(isinstance(value, (str, Path)) for value in data.values()):
        raise ValueError(
            "beside a Spark server, data= names folders of Parquet files where the server finds them: "
            "data={'flights': 's3a://lake/flights'}"
        )
    return {str(name): _path(value) for name, value in data.items()}


def _path(value: str | Path) -> str:
    return str(Path(value).expanduser().absolute()) if isinstance(value, Path) else value
