"""``split: true`` at a cube of a view: its members make a view of their own, ``<view>_<alias or cube>``."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..model import Source
from .problems import Problems
from .tree import Node

__all__ = ["with_splits"]

_GOVERNING = ("access_policy", "default_filters")
_SHOWING = ("measures", "dimensions", "includes")


def with_splits(views: Mapping[str, Node], taken: Collection[str], problems: Problems) -> dict[str, Node]:
    """The views, and those that are split off; one of which nothing is left is gone.

    What governs a view is written in names that its parts do not have, so that one with rules is not split.
    """
    found: dict[str, Node] = {}
    for name, view in views.items():
        cubes = view.entries.get("cubes", Node(None))
        entries = [item for item in cubes.items if _is_split(item)]
        kept = [item for item in cubes.items if not _is_split(item)]
        if not entries:
            found[name] = view
            continue
        _refuse_rules(name, view, problems)
        # Of a view all of whose entries are split off nothing is left to show.
        if kept or any(key in view.entries for key in _SHOWING):
            found[name] = Node({**view.entries, "cubes": Node(kept, cubes.source)}, view.source, "", view.key_sources)
        for part, items in _parts(name, entries).items():
            if part in taken or part in found:
                problems.error(
                    f"'split' of view '{name}' makes a view '{part}', and there is one; give the entry an alias",
                    items[0].source,
                )
                continue
            found[part] = _part(part, view, items)
    return found


def _is_split(entry: Node) -> bool:
    """Whether an entry says so; what is neither true nor false is told where the entry is read."""
    node = entry.entries.get("split")
    return node is not None and str(node.value).strip().lower() in ("true", "yes", "on")


def _parts(view: str, entries: list[Node]) -> dict[str, list[Node]]:
    parts: dict[str, list[Node]] = {}
    for entry in entries:
        alias, path = entry.entries.get("alias"), entry.entries.get("join_path")
        called = str((alias or path or Node("")).value).strip("{}$ ").rpartition(".")[2]
        parts.setdefault(f"{view}_{called}", []).append(entry)
    return parts


def _part(name: str, view: Node, items: list[Node]) -> Node:
    source = items[0].source
    entries = {"name": Node(name, source, name), "cubes": Node(items, source)}
    if "public" in view.entries:
        entries["public"] = view.entries["public"]
    return Node(entries, source, key_sources=dict.fromkeys(entries, source))


def _refuse_rules(name: str, view: Node, problems: Problems) -> None:
    for key in _GOVERNING:
        if key in view.entries:
            place: Source = view.key_sources.get(key, view.source)
            problems.error(
                f"view '{name}' has '{key}', which does not say what holds for what 'split' takes out of it; "
                "write a second view with rules of its own",
                place,
            )
