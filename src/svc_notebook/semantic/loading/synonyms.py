"""A word written into a model's YAML, line by line: comments, order and spelling of everything else stay."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from ... import patterns as re

__all__ = ["CannotEdit", "add_default", "add_synonym", "with_synonym"]

_PLAIN = re.compile(r"[A-Za-z][\w -]*")


class CannotEdit(ValueError):
    """The file does not hold what was to be changed; the message says what was looked for."""


def add_synonym(model: Path, path: str, word: str) -> Path:
    """Write ``word`` as a synonym of the member ``cube.member`` into the model's files; returns the file.

    Raises
    ------
    CannotEdit
        No file defines the member, or it has the synonym already.
    """
    return _add(model, path, word, "synonyms")


def add_default(model: Path, path: str, word: str) -> Path:
    """Write that ``word`` means ``cube.member`` where several could be meant; returns the file.

    Raises
    ------
    CannotEdit
        No file defines the member, or it says so already.
    """
    return _add(model, path, word, "default_for")


def _add(model: Path, path: str, word: str, key: str) -> Path:
    files = [model] if model.is_file() else sorted([*model.rglob("*.yml"), *model.rglob("*.yaml")])
    for file in files:
        text = file.read_text(encoding="utf8")
        changed = with_synonym(text, path, word, key)
        if changed is not None:
            file.write_text(changed, encoding="utf8")
            return file
    raise CannotEdit(f"No file under {model} defines '{path}'; name it as cube.member, as the model does.")


def with_synonym(text: str, path: str, word: str, key: str = "synonyms") -> str | None:
    """The text of a model file with the word under ``meta``, or None where it does not define the member."""
    relation, _, name = path.partition(".")
    member = _member(yaml.compose(text), relation, name)
    if member is None:
        return None
    lines = text.splitlines(keepends=True)
    plain = _PLAIN.fullmatch(word) and yaml.safe_load(word) == word  # "no" and "on" are no texts in YAML
    written = word if plain else json.dumps(word, ensure_ascii=False)
    meta = _value(member, "meta")
    known = _value(meta, key) if isinstance(meta, yaml.MappingNode) else None
    if isinstance(known, yaml.SequenceNode):
        if word.lower() in (str(item.value).lower() for item in known.value):
            raise CannotEdit(f"'{path}' has '{word}' among its {key} already.")
        return _appended(lines, known, written)
    if isinstance(meta, yaml.MappingNode):
        return _beside(lines, meta, f"{key}: [{written}]")
    return _beside(lines, member, f"meta: {{{key}: [{written}]}}")


def _appended(lines: list[str], known: yaml.SequenceNode, written: str) -> str:
    if known.flow_style:
        line, column = known.end_mark.line, known.end_mark.column - 1
        comma = ", " if known.value else ""
        lines[line] = f"{lines[line][:column].rstrip()}{comma}{written}{lines[line][column:]}"
        return "".join(lines)
    last = known.value[-1]
    # The items stand where the last one's dash does.
    dash = lines[last.start_mark.line].index("-")
    lines.insert(last.end_mark.line + 1, f"{' ' * dash}- {written}\n")
    return "".join(lines)


def _beside(lines: list[str], node: yaml.MappingNode, entry: str) -> str:
    """A further entry of a mapping, behind its first."""
    first, value = node.value[0]
    if node.flow_style:
        line, column = node.end_mark.line, node.end_mark.column - 1
        lines[line] = f"{lines[line][:column].rstrip()}, {entry}{lines[line][column:]}"
        return "".join(lines)
    if not lines[value.end_mark.line].endswith("\n"):
        lines[value.end_mark.line] += "\n"
    lines.insert(value.end_mark.line + 1, f"{' ' * first.start_mark.column}{entry}\n")
    return "".join(lines)


def _member(root: yaml.Node | None, relation: str, name: str) -> yaml.MappingNode | None:
    for kind in ("cubes", "views"):
        for cube in _items(_value(root, kind)):
            if _text(cube, "name") != relation:
                continue
            for part in ("measures", "dimensions", "segments"):
                for member in _items(_value(cube, part)):
                    if _text(member, "name") == name and isinstance(member, yaml.MappingNode):
                        return member
    return None


def _items(node: yaml.Node | None) -> list[yaml.Node]:
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for name, value in node.value if name.value == key), None)


def _text(node: yaml.Node, key: str) -> str:
    value = _value(node, key)
    return str(value.value) if isinstance(value, yaml.ScalarNode) else ""
