"""How elements and members are named: sections as lists or mappings, members with or without their cube."""

from __future__ import annotations

from ... import patterns as re
from .problems import Problems
from .tree import Node

__all__ = ["is_identifier", "member_name", "named_entries"]

# \Z and not $: a name must not end in a line break.
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_REFERENCE_NAME = re.compile(r"\A\{?\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}?((?:\.[A-Za-z_]\w*)*)\Z")


def is_identifier(name: str) -> bool:
    return _IDENTIFIER.match(name) is not None


def member_name(text: str, own: str = "") -> str:
    """A member named by ``x``, ``CUBE.x``, ``{CUBE}.x``, ``{CUBE.x}`` or ``cube.x``, without its own cube's name."""
    match = _REFERENCE_NAME.match(text.strip().removeprefix("$"))
    path = (match[1] + match[2]).split(".") if match is not None else [text.strip()]
    return ".".join(path[1:] if len(path) > 1 and path[0] in ("CUBE", "TABLE", own) else path)


def named_entries(node: Node | None, kind: str, owner: str, problems: Problems) -> list[tuple[str, Node]]:
    """The entries of a section, a list with names or a mapping by name; duplicates are reported."""
    if node is None:
        return []
    found: dict[str, Node] = {}
    if isinstance(node.value, dict):
        for name, item in node.value.items():
            if isinstance(item.value, dict):
                where = node.key_sources.get(name, item.source)
                entries = {"name": Node(name, where, name), **{k: v for k, v in item.value.items() if k != "name"}}
                found[name] = Node(entries, where, key_sources={"name": where, **item.key_sources})
            else:
                problems.error(f"{kind} '{name}' of {owner} must be a mapping, not {item.kind}", item.source)
        return list(found.items())
    if not isinstance(node.value, list):
        problems.error(f"the {kind} list of {owner} must be a list, not {node.kind}", node.source)
        return []
    for position, item in enumerate(node.value):
        if not isinstance(item.value, dict):
            problems.error(
                f"an entry of the {kind} list of {owner} must be a mapping with a name, not {item.kind}", item.source
            )
            continue
        name_node = item.entries.get("name")
        name = name_node.raw.strip() if name_node is not None and not isinstance(name_node.value, (dict, list)) else ""
        if name and name in found:
            first = found[name].source
            problems.error(f"{kind} '{name}' of {owner} is declared twice, first in line {first.line}", item.source)
            continue
        # # stands in no name; the reader of the element says that there is none.
        found[name or f"#{position}"] = item
    return list(found.items())
