"""A Spark Connect server of the tests' own: one process, or a standalone master with two workers beside it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["SparkServer", "missing", "server", "written"]

_PATIENCE = 180.0
_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
_SETTINGS = {
    "spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
    "spark.connect.grpc.binding.address": "127.0.0.1", "spark.sql.shuffle.partitions": "4",
}  # fmt: skip


class SparkServer:
    """A running server; ``url`` is where it is asked, ``process`` what a test may stop."""

    def __init__(self, url: str, process: subprocess.Popen[bytes] | None = None) -> None:
        self.url, self.process = url, process


def home() -> Path | None:
    """The folder of a Spark distribution: ``$SPARK_HOME``, or what the package ``pyspark`` brings."""
    spec = importlib.util.find_spec("pyspark")
    brought = [Path(place) for place in (spec.submodule_search_locations or ())] if spec is not None else []
    named = [Path(os.environ["SPARK_HOME"])] if os.environ.get("SPARK_HOME") else []
    return next((each for each in [*named, *brought] if list(each.glob("jars/spark-connect_*.jar"))), None)


def missing() -> str:
    """What there is not, as a sentence; ``""`` if a server can be started."""
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        return "Java is not installed (17 or newer)"
    if importlib.util.find_spec("pyspark") is None or importlib.util.find_spec("grpc") is None:
        return 'Spark\'s client is not installed (pip install "svc-notebook[spark]")'
    if home() is None:
        return "Spark is not here: set SPARK_HOME to a distribution, or pip install pyspark"
    return ""


@contextmanager
def server(*, workers: int = 0, cores: int = 2, memory: str = "1g") -> Iterator[SparkServer]:
    """A server on a free port; with ``workers``, on a standalone master and so many workers of one core each."""
    distribution = home()
    assert distribution is not None
    with tempfile.TemporaryDirectory(prefix="svc-spark-") as folder, ExitStack() as running:
        port, master = _free(), f"local[{cores}]"
        if workers:
            at = _free()
            master = f"spark://127.0.0.1:{at}"
            names = ["--host", "127.0.0.1"]
            _begun(running, distribution, folder, "master", ["org.apache.spark.deploy.master.Master", *names, "--port", str(at), "--webui-port", str(_free())], at)  # fmt: skip
            for number in range(workers):
                own = _free()
                _begun(running, distribution, folder, f"worker{number}", [
                    "org.apache.spark.deploy.worker.Worker", *names, "--port", str(own), "--cores", "1", "--memory", memory,
                    "--webui-port", str(_free()), "--work-dir", f"{folder}/work{number}", master,
                ], own)  # fmt: skip
        settings = _SETTINGS | {
            "spark.connect.grpc.binding.port": str(port), "spark.sql.warehouse.dir": f"{folder}/warehouse",
            "spark.executor.memory": memory,
        }  # fmt: skip
        options = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
        command = ["org.apache.spark.deploy.SparkSubmit", "--master", master, "--driver-memory", memory, *options, "--class", _SERVER, "spark-internal"]  # fmt: skip
        process = _begun(running, distribution, folder, "server", command, port)
        yield SparkServer(f"sc://127.0.0.1:{port}", process)


def written(folder: Path, tables: Mapping[str, Any]) -> dict[str, str]:
    """The tables as folders of Parquet files, by their names."""
    places = {}
    for name, table in tables.items():
        place = folder / name
        place.mkdir(parents=True)
        pq.write_table(table if isinstance(table, pa.Table) else pa.table(table), place / "part-0.parquet")
        places[name] = str(place)
    return places


def _begun(
    running: ExitStack, distribution: Path, folder: str, name: str, command: Sequence[str], port: int
) -> subprocess.Popen[bytes]:
    """A process of the distribution's, once it listens; it ends with the block."""
    log = Path(folder) / f"{name}.log"
    environment = os.environ | {"SPARK_HOME": str(distribution), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1",
                                "SPARK_DAEMON_MEMORY": "512m"}  # fmt: skip
    environment.pop("SPARK_REMOTE", None)  # a server is a client of no other
    with log.open("wb") as out:
        process = subprocess.Popen(
            [distribution / "bin" / "spark-class", *command], cwd=folder, env=environment, stdout=out,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
    running.callback(_end, process)
    until = time.monotonic() + _PATIENCE
    while not _listens(port):
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"Spark's {name} did not start:\n{log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.1)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0
