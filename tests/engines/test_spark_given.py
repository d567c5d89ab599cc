"""What is said of a Spark server that is not there, or not given as it should be; no server is needed for it."""

from __future__ import annotations

import importlib.util
import socket
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import svc_notebook as svc
from svc_notebook.cli import main

from .test_embedded import MODEL


def test_a_server_is_asked_by_a_model() -> None:
    with pytest.raises(ValueError, match="by a model"):
        svc.embedded("sc://localhost")
    with pytest.raises(ValueError, match="by a model"):
        svc.embedded(database="sc://localhost")


def test_beside_it_are_folders() -> None:
    with pytest.raises(ValueError, match="folders of Parquet files"):
        svc.embedded(MODEL, database="sc://localhost", data={"orders": {"a": [1]}})


def test_a_client_that_is_missing_is_a_sentence(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql.connect", None)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(ValueError, match=r"svc-notebook\[spark\]"):
        svc.embedded(MODEL, database="sc://localhost")


@pytest.mark.skipif(importlib.util.find_spec("pyspark") is None, reason="Spark's client is not installed")
def test_a_server_that_does_not_answer_is_a_sentence_and_its_token_is_not_told() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(ValueError, match=f"no Spark Connect server answers at 127.0.0.1:{port}") as told:
        svc.embedded(MODEL, database=f"sc://127.0.0.1:{port}/;token=secret")
    assert "secret" not in str(told.value)


def test_the_command_line_says_what_goes_together(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "orders.yml").write_text(yaml.safe_dump(MODEL))
    for engine, url in (("spark", "postgresql://db/shop"), ("duckdb", "sc://localhost")):
        assert main(["serve", "--model", str(tmp_path), "--engine", engine, "--database", url]) != 0
        assert "--database sc://host:15002" in capsys.readouterr().err
