"""YAML text with single values changed; comments, order and layout of everything else stay as they are.

The text is cut where the parser says a value begins and ends. What has been written is parsed again and compared with
what was meant, so a layout that is not understood leads to a refusal and never to another meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import yaml

from ..scaffolding.writing import flow_text, plain_text, to_yaml

__all__ = ["CannotEdit", "Path", "changed", "removed"]

Path: TypeAlias = Sequence[str | int]


class CannotEdit(ValueError):
    """The value stands in a way that is not edited here; the message says where, to be written by hand."""


def changed(text: str, path: Path, value: Any) -> str:
    """``text`` with ``value`` at ``path``; mappings on the way that are not there are made.

    Parameters
    ----------
    path
        Keys and list positions, beginning with the number of the document: ``(0, "cubes", 0, "title")``. One past the
        end of a list appends.
    value
        A scalar, or lists and mappings of them.

    Raises
    ------
    CannotEdit
        The place cannot be changed without touching what stands around it.
    """
    node, rest = _nearest(text, path)
    if not rest:
        edited = _replaced(text, node, value)
    else:
        for key in reversed(rest[1:]):
            value = {key: value} if isinstance(key, str) else [value]
        edited = _added(text, node, rest[0], value)
    # What the edit should come to, as data: the edited text is read again and compared with it.
    meant = _documents(text)
    _put(meant, list(path), _at(path, value, rest))
    return _checked(text, edited, meant, path)


def removed(text: str, path: Path) -> str:
    """``text`` without the key at ``path``, and without mappings that become empty by it; as it is if it has none."""
    node, rest = _nearest(text, path)
    if rest:
        return text
    owner, _ = _nearest(text, path[:-1])
    # The last key of a mapping takes the mapping with it, or "meta:" would be left with nothing.
    if isinstance(owner, yaml.MappingNode) and len(owner.value) == 1 and len(path) > 2 and isinstance(path[-2], str):
        return removed(text, path[:-1])
    meant = _documents(text)
    del _found(meant, path[:-1])[path[-1]]
    return _checked(text, _without(text, owner, node), meant, path)


def _documents(text: str) -> list[Any]:
    return [_unshared(document) for document in yaml.safe_load_all(text)]


def _unshared(value: Any) -> Any:
    """A copy in which what several places refer to stands at each."""
    if isinstance(value, dict):
        return {key: _unshared(item) for key, item in value.items()}
    return [_unshared(item) for item in value] if isinstance(value, list) else value


def _at(path: Path, value: Any, rest: Path) -> Any:
    """What is put at the whole path, of what was put at the first part of it that was missing."""
    for key in rest[1:]:
        value = value[key] if isinstance(key, str) else value[0]
    return value


def _found(documents: Any, path: Path) -> Any:
    for key in path:
        documents = documents[key]
    return documents


def _put(documents: Any, path: list[str | int], value: Any) -> None:
    here = documents
    for key, after in pairwise(path):
        if isinstance(key, str) and here.get(key) is None:
            here[key] = [] if isinstance(after, int) else {}
        here = here[key]
    if isinstance(here, list) and path[-1] == len(here):
        here.append(value)
    else:
        here[path[-1]] = value


def _checked(before: str, after: str, meant: list[Any], path: Path) -> str:
    try:
        right = _documents(after) == meant
    except yaml.YAMLError:
        right = False
    if not right:
        raise CannotEdit(
            f"{'.'.join(map(str, path[1:]))} is written in a way that is not edited here; change it by hand"
        )
    return after


def _nearest(text: str, path: Path) -> tuple[yaml.Node, Path]:
    """The deepest node on the way to ``path``, and what is left of the path below it."""
    documents = list(yaml.compose_all(text, yaml.SafeLoader))
    number = path[0]
    if not isinstance(number, int) or number >= len(documents) or documents[number] is None:
        raise CannotEdit("the file has no such document")
    node: yaml.Node = documents[number]
    for position, key in enumerate(path[1:], 1):
        below = _below(node, key)
        if below is None:
            return node, path[position:]
        node = below
    return node, ()


def _below(node: yaml.Node, key: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for name, value in node.value if name.value == key), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        found: yaml.Node = node.value[key]
        return found
    return None


def _end(text: str, node: yaml.Node) -> int:
    """Where the last character of a node stands; a block's own mark is where the next thing begins."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        # PyYAML ends a block where the next token begins, behind the comments that belong to that.
        return _end(text, last[1] if isinstance(last, tuple) else last)
    end: int = node.end_mark.index
    # A literal block ends with its line break.
    return len(text[:end].rstrip()) if isinstance(node, yaml.ScalarNode) and node.style in {"|", ">"} else end


def _line_end(text: str, index: int) -> int:
    end = text.find("\n", index)
    return len(text) if end < 0 else end


def _replaced(text: str, node: yaml.Node, value: Any) -> str:
    start, end = node.start_mark.index, _end(text, node)
    written = flow_text(value)
    if isinstance(node, yaml.ScalarNode) and start == end:  # "key:" alone
        written = " " + written
    elif isinstance(node, yaml.CollectionNode) and not node.flow_style:  # up to the line of its key
        start = len(text[:start].rstrip(" -\n"))
        written = " " + written
    return text[:start] + written + text[end:]


def _added(text: str, node: yaml.Node, key: str | int, value: Any) -> str:
    if isinstance(node, yaml.ScalarNode) and node.value in {"", "null", "~"}:
        return _replaced(text, node, {key: value} if isinstance(key, str) else [value])
    if not isinstance(node, yaml.CollectionNode) or isinstance(key, int) != isinstance(node, yaml.SequenceNode):
        raise CannotEdit(f"line {node.start_mark.line + 1}: there is no place for '{key}'")
    written = flow_text(value) if isinstance(key, int) else f"{plain_text(key)}: {flow_text(value)}"
    if node.flow_style or not node.value:
        inside = len(text[: node.end_mark.index - 1].rstrip())
        return text[:inside] + (", " if node.value else "") + written + text[node.end_mark.index - 1 :]
    if isinstance(key, int):
        return _appended(text, node, value)
    column = node.value[0][0].start_mark.column
    if _spread(value):
        lines = [" " * column + line for line in to_yaml({key: value}).splitlines()]
        where = _line_end(text, _end(text, node))
        return text[:where] + "\n\n" + "\n".join(lines) + text[where:]
    after = _last_plain(node)
    where = _line_end(text, _end(text, after))
    return f"{text[:where]}\n{' ' * column}{written}{text[where:]}"


def _spread(value: Any) -> bool:
    """Whether a value is read better over several lines than in brackets."""
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _last_plain(node: yaml.CollectionNode) -> yaml.Node:
    """The last value before the first that spreads over lines of its own: names and titles stand above lists."""
    last: yaml.Node = node.value[0][1]
    for _, value in node.value[1:]:
        if isinstance(value, yaml.CollectionNode) and not value.flow_style:
            break
        last = value
    return last


def _appended(text: str, node: yaml.CollectionNode, value: Any) -> str:
    """One more item of a block list, laid out over lines where it is a mapping."""
    column = node.start_mark.column
    where = _line_end(text, _end(text, node))
    if not isinstance(value, dict):
        return f"{text[:where]}\n{' ' * column}- {flow_text(value)}{text[where:]}"
    first, *others = to_yaml(value).splitlines()
    lines = [f"{' ' * column}- {first}", *(f"{' ' * (column + 2)}{line}" for line in others)]
    return text[:where] + "\n" + "\n".join(lines) + text[where:]


def _without(text: str, owner: yaml.Node, node: yaml.Node) -> str:
    if isinstance(owner, yaml.SequenceNode):
        position = next(i for i, item in enumerate(owner.value) if item is node or _same(item, node))
        pairs = [(item, item) for item in owner.value]
    else:
        assert isinstance(owner, yaml.MappingNode)
        pairs = list(owner.value)
        position = next(i for i, (_, item) in enumerate(pairs) if _same(item, node))
    start, end = pairs[position][0].start_mark.index, _end(text, pairs[position][1])
    if owner.flow_style:
        if position + 1 < len(pairs):
            return text[:start] + text[pairs[position + 1][0].start_mark.index :]
        begin = _end(text, pairs[position - 1][1]) if position else start
        return text[:begin] + text[end:]
    if position == 0 and isinstance(owner, yaml.MappingNode) and len(pairs) > 1:  # it stands behind a dash
        return text[:start] + text[pairs[1][0].start_mark.index :]
    begin = text.rfind("\n", 0, start) + 1
    return text[:begin] + text[_line_end(text, end) + 1 :]


def _same(one: yaml.Node, other: yaml.Node) -> bool:
    # The text was composed twice, so the nodes are others.
    return bool(one.start_mark.index == other.start_mark.index and one.end_mark.index == other.end_mark.index)
