"""YAML that people like to read: one file per cube and view, sections apart, quotes only where needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ... import patterns as re

__all__ = ["flow_text", "model_texts", "plain_text", "to_yaml", "write_model"]

_HEADER = "A first model, made from names and values: read it, correct it, say what things mean."
_PLAIN = re.compile(r"[A-Za-z_][\w ./()'%-]*\Z")
_SPACED = ("joins", "dimensions", "measures", "segments", "hierarchies", "cubes", "views", "access_policy")
# YAML 1.1 takes them for booleans and numbers, and is what most editors and tools read by.
_WORDS_OF_OTHER_PARSERS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"))


def write_model(model: Mapping[str, Any], folder: str | Path, *, header: str = _HEADER) -> list[Path]:
    """Write a model as ``cubes/<name>.yml`` and ``views/<name>.yml``; returns the files.

    Parameters
    ----------
    model
        A model in parsed form, as :func:`scaffold_model` returns it.
    folder
        Where to; made if it is not there. Files of the same names are replaced.
    header
        A comment for the top of each file; "" for none.
    """
    written: list[Path] = []
    for name, text in model_texts(model, header=header).items():
        file = Path(folder) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        written.append(file)
    return written


def model_texts(model: Mapping[str, Any], *, header: str = _HEADER) -> dict[str, str]:
    """What :func:`write_model` writes, by the files' names within the folder."""
    comment = "".join(f"# {line}\n" for line in header.splitlines())
    return {
        f"{section}/{item['name']}.yml": comment + to_yaml({section: [item]})
        for section in ("cubes", "views")
        for item in model.get(section, ())
    }


def to_yaml(model: Mapping[str, Any]) -> str:
    """A model as YAML text."""
    return "\n".join(_mapping(model, 0)) + "\n"


def _mapping(value: Mapping[str, Any], depth: int) -> list[str]:
    lines: list[str] = []
    pad = "  " * depth
    for position, (key, item) in enumerate(value.items()):
        if key in _SPACED and position and isinstance(item, list):
            lines.append("")
        if isinstance(item, Mapping) and item:
            lines += [f"{pad}{plain_text(key)}:", *_mapping(item, depth + 1)]
        elif isinstance(item, list) and item and (all(isinstance(i, (str, int, float)) for i in item)):
            lines += _words(f"{pad}{plain_text(key)}", item, depth)
        elif isinstance(item, list) and item:
            lines += [f"{pad}{plain_text(key)}:", *_items(item, depth + 1, apart=key in _SPACED)]
        else:
            lines.append(f"{pad}{plain_text(key)}: {plain_text(item)}")
    return lines


def _words(head: str, words: list[Any], depth: int) -> list[str]:
    line = f"{head}: [{', '.join(map(flow_text, words))}]"
    return (
        [line] if len(line) <= 110 else [f"{head}:", *(f"{'  ' * (depth + 1)}- {plain_text(word)}" for word in words)]
    )


def _items(items: list[Any], depth: int, *, apart: bool) -> list[str]:
    lines: list[str] = []
    for position, item in enumerate(items):
        if apart and position:
            lines.append("")
        inner = _mapping(item, depth + 1) if isinstance(item, Mapping) and item else [flow_text(item)]
        lines += [f"{'  ' * depth}- {inner[0].lstrip()}", *inner[1:]]
    return lines


def flow_text(value: Any) -> str:
    """A value on one line, in brackets where it is a list or a mapping."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow_text(key)}: {flow_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow_text, value)) + "]"
    text = plain_text(value)
    # In brackets a comma ends the value.
    return _quoted(str(value)) if re.search(r"[,\[\]{}]", text) and text[0] != '"' else text


def plain_text(value: Any) -> str:
    """A scalar as YAML writes it, in quotes only where it needs them."""
    if value is None or value == [] or value == {}:
        return "null" if value is None else "[]" if value == [] else "{}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))  # without a point YAML 1.1 reads 1e-05 as text
    if isinstance(value, int):
        return repr(value)
    text = str(value)
    if (
        _PLAIN.match(text)
        and not text.endswith(" ")
        and " #" not in text
        and text.lower() not in _WORDS_OF_OTHER_PARSERS
    ):
        return text
    return _quoted(text)


def _quoted(text: str) -> str:
    """In double quotes; what does not print is escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    escaped = re.sub(r"\{(?=[{%])", r"\\x7b", escaped)  # two braces would read as a template
    # YAML's own escapes; a no-break space or a mark of direction would not be seen.
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'
