from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ..service.conftest import postgres
from .spark_server import SparkServer, missing, server

__all__ = ["postgres", "spark"]


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkServer]:
    """A Spark Connect server in one process, with 1 GB; that of ``$SPARK_REMOTE``, if there is one on this machine."""
    if os.environ.get("SPARK_REMOTE"):
        yield SparkServer(os.environ["SPARK_REMOTE"])
        return
    if reason := missing():
        pytest.skip(reason)
    with server() as running:
        yield running
