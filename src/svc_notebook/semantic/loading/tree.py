"""YAML as a tree of nodes that know their place, so that every finding can name file, line and column.

Plain scalars follow YAML 1.2: ``yes``, ``no`` and ``on`` are words, dates are text, ``true`` and numbers are values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, TypeAlias

import yaml

from ... import patterns as re
from ...records import dataclass
from ..model import Source
from .problems import Problems
from .unreadable import report_unreadable

__all__ = ["Node", "Scalar", "parse_yaml", "plain_node"]

Scalar: TypeAlias = str | int | float | bool | None
# Some ten times as fast; PyYAML may be built without it.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Aliases of aliases make a file of a kilobyte into billions of nodes.
_MAX_SIZE = 500_000
_MAX_DEPTH = 100


_NOWHERE = Source()


@dataclass(slots=True)
class Node:
    """A scalar, a list of nodes, or a mapping of nodes; ``key_sources`` says where each key stands."""

    value: Scalar | list[Node] | dict[str, Node]
    source: Source = _NOWHERE
    raw: str = ""  # a scalar as written
    key_sources: dict[str, Source] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """What it is, in words for a message."""
        if isinstance(self.value, dict):
            return "a mapping"
        if isinstance(self.value, list):
            return "a list"
        return "nothing" if self.value is None else f"'{self.raw}'"

    @property
    def items(self) -> list[Node]:
        return self.value if isinstance(self.value, list) else []

    @property
    def entries(self) -> dict[str, Node]:
        return self.value if isinstance(self.value, dict) else {}

    def plain(self) -> Any:
        """The value without positions."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


def parse_yaml(text: str, file: str, problems: Problems) -> list[Node]:
    """The documents of a file; what cannot be read is reported, and the documents before it are returned."""
    try:
        # The C loader looks at the first characters here already, and may fail on them.
        loader = _Loader(text)
    except yaml.YAMLError as error:
        report_unreadable(error, text, file, problems)
        return []
    documents: list[Node] = []
    try:
        if _too_deep(text):
            raise RecursionError
        while loader.check_node():
            documents.append(_Converter(file, problems).convert(loader.get_node()))
    except yaml.YAMLError as error:
        report_unreadable(error, text, file, problems)
    except RecursionError:
        problems.error(f"nested too deeply (more than {_MAX_DEPTH} levels)", Source(file, 1, 1))
    finally:
        loader.dispose()
    return documents


def _too_deep(text: str) -> bool:
    # The C parser composes by recursion and would take the process with it; brackets and indents bound its depth.
    depth = deepest = 0
    for match in re.finditer(r"[\[{\]}]", text):
        depth += 1 if match[0] in "[{" else -1
        depth = max(depth, 0)
        deepest = max(deepest, depth)
    dashes = max((len(m[0]) // 2 for m in re.finditer(r"^(?:[ ]*[-?:][ ]+)+", text, re.MULTILINE)), default=0)
    indents = [0]
    for match in re.finditer(r"^( *)[^\s#]", text, re.MULTILINE):
        while indents and indents[-1] >= len(match[1]):
            indents.pop()
        indents.append(len(match[1]))
        deepest = max(deepest, len(indents))
    return max(deepest, dashes) > _MAX_DEPTH


class _Converter:
    def __init__(self, file: str, problems: Problems) -> None:
        self._file = file
        self._problems = problems
        self._done: dict[int, Node] = {}
        self._sizes: dict[int, int] = {}
        self._open: set[int] = set()

    def _at(self, node: yaml.Node) -> Source:
        return Source(self._file, node.start_mark.line + 1, node.start_mark.column + 1)

    def convert(self, node: yaml.Node) -> Node:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        # An alias is the same node again: converted once, however often it is named.
        known = self._done.get(id(node))
        if known is not None:
            return known
        if id(node) in self._open:
            self._problems.error("an alias that contains itself", self._at(node))
            return Node(None, self._at(node))
        self._open.add(id(node))
        self._check_tag(node)
        if isinstance(node, yaml.MappingNode):
            result = self._mapping(node)
        else:
            result = Node([self.convert(item) for item in node.value], self._at(node))
        self._open.discard(id(node))
        size = 1 + sum([self._sizes.get(id(child), 1) for child in _children(result)])
        if size > _MAX_SIZE:
            self._problems.error("the aliases of this document expand to too much", self._at(node))
            return Node(None, self._at(node))
        self._sizes[id(result)] = size
        self._done[id(node)] = result
        return result

    def _scalar(self, node: yaml.ScalarNode) -> Node:
        self._check_tag(node)
        text = node.value
        # A style is a quote: what is quoted is a text.
        return Node(text if node.style else _resolve(text), self._at(node), text)

    def _check_tag(self, node: yaml.Node) -> None:
        if node.tag not in _TAGS:
            message = f"the YAML tag '{node.tag}' is not supported; write the value without it"
            self._problems.error(message, self._at(node))

    def _mapping(self, node: yaml.MappingNode) -> Node:
        entries: dict[str, Node] = {}
        sources: dict[str, Source] = {}
        merged: list[Node] = []
        for key_node, value_node in node.value:
            where = self._at(key_node)
            if not isinstance(key_node, yaml.ScalarNode):
                self._problems.error(
                    "a key must be a word; a value that begins with '{' must be quoted, as in sql: \"{CUBE}.id\"", where
                )
                continue
            key = key_node.value
            if key_node.tag == "tag:yaml.org,2002:merge":
                merged += self._merged(value_node)
                continue
            # YAML's own loader takes the last of two equal keys without a word.
            if key in entries:
                first = sources[key]
                self._problems.error(f"the key '{key}' stands twice, first in line {first.line}", where)
                continue
            entries[key], sources[key] = self.convert(value_node), where
        for other in merged:
            for key, value in other.entries.items():
                # What stands beside << goes before what is merged in.
                entries.setdefault(key, value)
                sources.setdefault(key, other.key_sources[key])
        return Node(entries, self._at(node), key_sources=sources)

    def _merged(self, node: yaml.Node) -> list[Node]:
        value = self.convert(node)
        found = value.items if isinstance(value.value, list) else [value]
        for item in found:
            if not isinstance(item.value, dict):
                self._problems.error("'<<' merges mappings only", item.source)
        return [item for item in found if isinstance(item.value, dict)]


def _children(node: Node) -> Iterable[Node]:
    return node.entries.values() if isinstance(node.value, dict) else node.items


_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ("str", "int", "float", "bool", "null", "map", "seq", "timestamp", "merge", "value")
)
# As JSON's numbers: YAML 1.1 reads 0777 by eights, and 1:30 by sixties. Python reads no more than 4,300 digits.
_INTEGER = re.compile(r"[-+]?[0-9]{1,40}\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_WORDS: Mapping[str, Scalar] = {
    # Without yes, no, on and off, which YAML 1.1 takes for booleans: a country may be NO.
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def _resolve(text: str) -> Scalar:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text):
        return int(text)
    if len(text) <= 400 and _FLOAT.match(text):
        return float(text)
    return text


def plain_node(value: Any, where: str = "", depth: int = 0, problems: Problems | None = None) -> Node:
    """A tree over an already parsed value; its places have no line, only the path in ``file``."""
    source = Source(where)
    if depth > _MAX_DEPTH:
        if problems is not None:
            problems.error(f"nested too deeply (more than {_MAX_DEPTH} levels)", source)
        return Node(None, source)
    if isinstance(value, Mapping):
        entries = {
            str(key): plain_node(item, f"{where}.{key}" if where else str(key), depth + 1, problems)
            for key, item in value.items()
        }
        return Node(entries, source, key_sources={key: entry.source for key, entry in entries.items()})
    if isinstance(value, (list, tuple)):
        return Node([plain_node(item, f"{where}[{i}]", depth + 1, problems) for i, item in enumerate(value)], source)
    if value is None or isinstance(value, (str, int, float, bool)):
        raw = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        return Node(value, source, raw)
    return Node(str(value), source, str(value))
