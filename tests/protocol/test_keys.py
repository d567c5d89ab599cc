"""A JSON key is spelled in `protocol/` and nowhere else; what still spells one says why, and nothing joins it."""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
from pathlib import Path

import msgspec
import pytest

import svc_notebook
from svc_notebook import protocol
from svc_notebook.protocol.chat import SessionSettings
from svc_notebook.protocol.spelling import spelled

PACKAGE = Path(svc_notebook.__file__).parent
SAID = {
    "semantic": "the model's own language, which is no wire: { userAttributes.x }, rowLimit of a query",
    "analyst": "tools as a language model is told of them, by the names of the specification",
    "mcp_server.py": "the same tools for other assistants",
    "front": "what goes to the browser, whose modules spell it as well",
    "widgets": "the same",
    "cli": "what a command prints as JSON",
    "results/evidence.py": "what goes to the browser",
    "results/rendering.py": "what goes to the browser",
    "results/tool_calls.py": "a tool's result of any service, read field by field",
}


def models() -> list[type[msgspec.Struct]]:
    modules = [
        importlib.import_module(each.name) for each in pkgutil.walk_packages(protocol.__path__, f"{protocol.__name__}.")
    ]
    return [
        value for module in modules for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__module__ == module.__name__
    ]  # fmt: skip


def keys() -> set[str]:
    """Keys that no Python name is spelled as."""
    return {key for model in models() for key in model.__struct_encode_fields__ if key != key.lower()}


@functools.cache
def spellings() -> dict[str, set[str]]:
    """Modules outside of `protocol` with the keys that are texts of theirs."""
    known, found = keys(), {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        texts = {node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)}
        if not name.startswith("protocol/") and (spelt := {text for text in texts if isinstance(text, str)} & known):
            found[name] = spelt
    return found


def test_keys_are_spelled_in_one_place():
    assert len(keys()) > 40
    assert {name: spelt for name, spelt in spellings().items() if not name.startswith(tuple(SAID))} == {}


def test_what_says_why_it_spells_a_key_does_spell_one():
    assert [place for place in SAID if not any(name.startswith(place) for name in spellings())] == []


def test_a_field_is_spelled_as_it_is_sent():
    assert spelled(SessionSettings, "ephemeral_ttl_seconds") == "ephemeralTtlSeconds"
    assert list(msgspec.to_builtins(SessionSettings(external_id="ana"))) == [spelled(SessionSettings, "external_id")]
    with pytest.raises(ValueError, match="not in"):
        spelled(SessionSettings, "ephemeral")
