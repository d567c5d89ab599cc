"""A configuration that cannot be used says which key is wrong and what to write instead, and nothing starts."""

from __future__ import annotations

import io
import logging
from pathlib import Path
from typing import Any

import pytest

import svc_notebook as svc
from svc_notebook.cli import main
from svc_notebook.service.config import ConfigError

MODEL = {"cubes": [{"name": "orders", "sql_table": "orders", "measures": [{"name": "count", "type": "count"}]}]}
ORDERS = {"orders": {"id": [1, 2]}}


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"acount": "acme"}, "there is no key 'acount'; did you mean 'account'?"),
        ({"acme": "acme"}, "there is no key 'acme'; there are account, plan, "),
        ({"sesion_ttl": 3}, "did you mean 'session_ttl'?"),
        ({"attributes": {"level": "bool"}}, "attributes.level.type: 'bool' is not one of string, number, string_array"),
        ({"groups": ["a", {"name": "b", "members": []}]}, "groups.[1]: there is no key 'members'; there are name, desc"),
        ({"tenants": [{"account": "a", "pan": 1}]}, "tenants.[0]: there is no key 'pan'; did you mean 'plan'?"),
        ({"session_ttl": "5 min"}, "session_ttl: Expected `float`, got `str`"),
        ({"attributes": {"level": {"type": "number", "default_value": "x"}}}, "which its default_value 'x' does not fit"),
        ({"internal_users": [{"username": "a", "email": "a@x", "groups": ["b"]}]}, "Groups with names b not found"),
        ({"api_keys": [{"name": "backend", "key_env": "NOT_SET_HERE"}]}, "variable NOT_SET_HERE is not set (key backend)"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_sentence(config: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        svc.embedded(model=MODEL, data=ORDERS, config=config)
    assert said in str(caught.value)
    assert "Traceback" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("logging_as_it_was")
def test_serve_says_it_too_and_ends_with_one(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("uvicorn")
    before = logging.getLogger("uvicorn")  # as another server in this process set it up
    before.handlers[:], before.propagate = [logging.StreamHandler(io.StringIO())], False
    (tmp_path / "model.yml").write_text("cubes: [{name: orders, sql_table: orders}]", "utf-8")
    (tmp_path / "service.yml").write_text("api_keys: [{name: backend, key_env: NOT_SET_HERE}]", "utf-8")
    (tmp_path / "orders.csv").write_text("id\n1\n", "utf-8")
    options = ["serve", "--model", str(tmp_path / "model.yml"), "--port", "0"]
    assert main([*options, "--data", f"orders={tmp_path / 'orders.csv'}"]) == 1
    said = capfd.readouterr().err
    assert "the environment variable NOT_SET_HERE is not set (key backend)" in said
    assert "Traceback" not in said


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.duckdb").write_text("no database", "utf-8")
    with pytest.raises(ValueError, match=r"notes.duckdb' cannot be opened as a DuckDB or SQLite database"):
        svc.embedded(model=MODEL, database=tmp_path / "notes.duckdb")


def test_a_choice_in_a_request_names_what_there_is() -> None:
    client = svc.embedded(model=MODEL, data=ORDERS)
    try:
        with pytest.raises(
            svc.errors.BadRequest, match=r"type`\. There are string, number, string_array, number_array\."
        ):
            client.generate_session(
                deployment_id=1, external_id="ana", creator_mode=True, embed_tenant_name="acme-corp",
                user_attribute_definitions=[{"name": "vip", "type": "boolean"}],
            )  # fmt: skip
    finally:
        client.close()
