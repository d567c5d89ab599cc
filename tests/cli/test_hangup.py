"""A server reads its files again when it gets SIGHUP."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import svc_notebook as svc

MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    measures: [{name: number, type: count}]
"""


def number(client: svc.Client) -> int:
    return int(client.sql("SELECT MEASURE(number) AS n FROM orders").n[0])


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no such signal here")
@pytest.mark.parametrize("level", ["info", "warning"])
def test_hangup_has_the_files_read_again(tmp_path: Path, level: str) -> None:
    """And at any log level the server says which address it took."""
    pytest.importorskip("uvicorn")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "orders.yml").write_text(MODEL)
    (tmp_path / "service.yml").write_text("reload_interval: 3600\n")
    data, log = tmp_path / "orders.csv", tmp_path / "log"
    data.write_text("id\n1\n2\n")
    command = [sys.executable, "-m", "svc_notebook.cli", "serve", "--port", "0", "--log-level", level]
    with log.open("w") as out:
        server = subprocess.Popen(
            [*command, "--model", str(tmp_path / "model"), "--data", f"orders={data}"], stderr=out, stdout=out
        )
    try:
        end = time.monotonic() + 90
        while not (address := re.search(r"running on (http://[\d.:]+)", said := log.read_text())):
            assert server.poll() is None and time.monotonic() < end, said
            time.sleep(0.1)
        key = re.search(r"server: (svc_\S+)", said)
        assert key is not None
        with svc.Client(address[1], key[1]) as client:
            assert number(client) == 2
            data.write_text("id\n1\n2\n3\n")
            server.send_signal(signal.SIGHUP)
            while number(client) != 3:
                assert server.poll() is None and time.monotonic() < end, log.read_text()
                time.sleep(0.05)
            assert client.freshness().generation == 2
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)
