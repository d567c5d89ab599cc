"""What of a model rests on cubes that cannot be read: left out, and told, so that the rest can be asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from .foreign import ForeignCube
from .names import is_identifier
from .problems import Problems, nearest
from .tree import Node

__all__ = ["in_other_files", "without_absent"]

# What these hold makes no row or value of the cube, or is looked at by itself.
_WORDS = ("name", "title", "description", "meta", "pre_aggregations", "drill_members", "joins", "extends")


def without_absent(
    cubes: Mapping[str, Node], views: Mapping[str, Node], foreign: Mapping[str, ForeignCube], problems: Problems
) -> tuple[dict[str, Node], dict[str, Node]]:
    """The cubes and views that stand by themselves, without joins to those of ``foreign`` or of what rests on them.

    A cube is left out as a whole if anything but its joins speaks of such a cube, a view if any of its paths does.
    """
    reasons = {
        name: f"'{name}' is written in {item.language} ({item.source.file}:{item.source.line})"
        if item.language
        else f"'{name}' is in another file"
        for name, item in foreign.items()
        if name not in cubes and name not in views
    }
    kept = {"cube": dict(cubes), "view": dict(views)}
    found = bool(reasons)
    # Again, until nothing more is lost: what rests on a cube that was left out goes with it.
    while found:
        found = False
        for kind, nodes in kept.items():
            for name, node in list(nodes.items()):
                missing = _rests_on(node, kind, reasons)
                if missing is None:
                    continue
                reasons[name] = reasons[missing]
                problems.warning(
                    f"{kind} '{name}' is left out, because {reasons[missing]}, which is not read", node.source
                )
                del nodes[name]
                found = True
    return {name: _unjoined(node, name, reasons, problems) for name, node in kept["cube"].items()}, kept["view"]


def in_other_files(cubes: Mapping[str, Node], views: Mapping[str, Node]) -> dict[str, ForeignCube]:
    """The cubes that a file which is loaded alone joins or shows, and that are not in it; a slip is none of them."""
    named = [
        (name, node.source)
        for owner, cube in cubes.items()
        for name, node in _entries(cube, "joins")
        # A name that is nearly a cube's of this file is a slip, and no cube of another file.
        if nearest(name, [other for other in cubes if other != owner]) is None
    ]
    for view in views.values():
        for cube in view.entries.get("cubes", Node([])).items:
            path = cube.entries.get("join_path", cube.entries.get("joinPath"))
            parts = [name.strip() for name in path.raw.split(".")] if path is not None else []
            named += [(name, cube.source) for name in parts if nearest(name, cubes) is None]
    return {
        name: ForeignCube("cube", "", source)
        for name, source in named
        if is_identifier(name) and name not in cubes and name not in views
    }


def _entries(node: Node, key: str) -> list[tuple[str, Node]]:
    return list(node.entries[key].entries.items()) if key in node.entries else []


def _rests_on(node: Node, kind: str, lost: Mapping[str, str]) -> str | None:
    parent = node.entries.get("extends")
    if parent is not None and parent.raw.strip("{}$ ") in lost:
        return parent.raw.strip("{}$ ")
    entries = [value for key, value in node.entries.items() if key not in _WORDS]
    if kind == "view":
        for cube in node.entries.get("cubes", Node([])).items:
            path = cube.entries.get("join_path", cube.entries.get("joinPath"))
            for name in path.raw.split(".") if path is not None else ():
                if name.strip() in lost:
                    return name.strip()
        entries = [value for key, value in node.entries.items() if key not in (*_WORDS, "cubes")]
    for text in _texts(entries):
        for name in re.findall(r"(?:^|\{\s*)([A-Za-z_]\w*)\s*[.}]", text):
            if name in lost:
                return str(name)
    return None


def _texts(nodes: list[Node]) -> Iterator[str]:
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node.value, dict):
            waiting += [value for key, value in node.value.items() if key not in _WORDS]
        elif isinstance(node.value, list):
            waiting += node.value
        elif isinstance(node.value, str):
            yield node.value


def _unjoined(node: Node, name: str, lost: Mapping[str, str], problems: Problems) -> Node:
    joins = node.entries.get("joins")
    gone = [target for target in joins.entries if target in lost] if joins is not None else []
    if joins is None or not gone:
        return node
    for target in gone:
        problems.warning(
            f"the join of '{name}' to '{target}' is left out, because {lost[target]}, which is not read",
            joins.entries[target].source,
        )
    kept = Node(
        {key: value for key, value in joins.entries.items() if key not in lost}, joins.source,
        key_sources=joins.key_sources,
    )  # fmt: skip
    return Node({**node.entries, "joins": kept}, node.source, node.raw, node.key_sources)
