"""Tables that are written by hand hold every field of what they describe."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from svc_notebook.analyst.errors import AnalystUnavailable
from svc_notebook.analyst.llm.settings import checked_settings
from svc_notebook.cli import make_parser
from svc_notebook.protocol import chat, sessions, tools
from svc_notebook.semantic.engine import EngineLimits
from svc_notebook.service import config
from svc_notebook.service.endpoints.openapi import build_document

CONFIGURED = [
    config.ServiceConfig, config.TenantConfig, config.AgentConfig, config.ApiKey, config.AttributeDefinition, config.GroupSeed,
    config.InternalUser, config.Dashboard, config.Tile,
]  # fmt: skip
ON_THE_WIRE = [
    chat.Message,
    chat.ToolCall,
    sessions.GenerateSessionRequest,
    tools.SqlInput,
    tools.MetaInput,
    tools.MetaResult,
]
SAID_ELSEWHERE = {"name": "account"}  # an account's name stands under `account`


@pytest.mark.parametrize("struct", CONFIGURED, ids=lambda struct: struct.__name__)
def test_every_setting_is_described(root: Path, struct: type):
    text = (root / "docs/service.md").read_text("utf-8")
    missing = [
        name
        for name in struct.__struct_fields__
        if not re.search(rf"\b{name}\b", text) and SAID_ELSEWHERE.get(name, name) not in text
    ]
    assert missing == []


def test_every_limit_of_the_engine_is_described(root: Path):
    text = (root / "docs/service.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", text, re.MULTILINE))
    for field in dataclasses.fields(EngineLimits):
        default = (
            {"spill": "none"}.get(field.name, "all")
            if field.default is None
            else f"{field.default:g}"
            if isinstance(field.default, float)
            else str(field.default)
        )
        assert told[field.name] == default


def test_the_defaults_of_the_service_are_those(root: Path):
    told = dict(
        re.findall(r"^\| `(\w+)` \| (\d+|true|false) \|", (root / "docs/service.md").read_text("utf-8"), re.MULTILINE)
    )
    made = config.ServiceConfig()
    numbers = {
        name: getattr(made, name) for name in made.__struct_fields__ if isinstance(getattr(made, name), int | float)
    }
    assert {name: float(json.loads(told[name])) for name in numbers} == numbers


@pytest.mark.parametrize("struct", ON_THE_WIRE, ids=lambda struct: struct.__name__)
def test_every_field_on_the_wire_is_described(root: Path, struct: type):
    text = (root / "docs/wire.md").read_text("utf-8")
    assert [name for name in struct.__struct_encode_fields__ if f"`{name}`" not in text] == []


def test_what_a_state_holds_is_in_its_table(root: Path):
    _, table = (root / "docs/wire.md").read_text("utf-8").split("| on | `state` holds |")
    table = table.partition("\n\n")[0]
    assert [name for name in chat.FrameState.__struct_encode_fields__ if f"`{name}`" not in table] == []
    last = next(line for line in table.splitlines() if line.startswith("| `__state__`"))
    assert "`outcome`" in last and "`outcomeDetail`" in last


@pytest.mark.parametrize("setting", ["cache", "thinking"])
def test_every_word_of_a_models_setting_is_described(root: Path, setting: str):
    with pytest.raises(AnalystUnavailable) as refused:
        checked_settings({setting: "none such"})
    words = str(refused.value).partition("write ")[2].replace(" or one of", ",").split(", ")
    (told,) = re.findall(rf"`{setting}` \(([^)]*)\)", (root / "docs/language-model.md").read_text("utf-8"))
    assert words and [word for word in words if f"`{word}`" not in told] == []


def test_every_endpoint_and_command_is_on_its_page(root: Path):
    pytest.importorskip("sphinx", reason="the site is built with the extra `docs`")
    site_parts = root / "docs" / "_extensions"
    import sys

    sys.path.insert(0, str(site_parts))
    try:
        from command_line import commands
        from endpoints import endpoints, schemas
    finally:
        sys.path.remove(str(site_parts))
    document = build_document("https://host")
    page = endpoints()
    for path, methods in document["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path}\n" in page
    fields = schemas()
    for name, schema in document["components"]["schemas"].items():
        section = fields.partition(f"### {schema.get('title', name)}\n")[2].partition("\n### ")[0]
        assert [field for field in schema.get("properties", {}) if f"| `{field}` |" not in section] == [], name
    text = commands()
    for action in make_parser()._subparsers._group_actions[0].choices.items():
        name, parser = action
        assert f"## {name}\n" in text
        flags = [flag for option in parser._actions for flag in option.option_strings if flag.startswith("--")]
        assert [flag for flag in flags if flag != "--help" and flag not in text] == []
    assert "SUPPRESS" not in text
