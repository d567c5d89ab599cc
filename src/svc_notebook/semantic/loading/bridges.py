"""``relationship: many_to_many`` with ``through: bridge``: a step to the cube of the table in between.

The bridge's own joins say how rows meet; the first of them is walked the other way, one to many.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..references import CUBE_NAMES, Reference, substitute
from .fields import snake_case
from .problems import Problems
from .tree import Node

__all__ = ["with_bridges"]

_TO_ONE = {"many_to_one", "belongs_to", "one_to_one", "has_one"}


def with_bridges(cubes: Mapping[str, Node], problems: Problems) -> dict[str, Node]:
    """The cubes, with a join to the bridge in the place of each that leads through one."""
    return {name: _bridged(name, cube, cubes, problems) for name, cube in cubes.items()}


def _bridged(name: str, cube: Node, cubes: Mapping[str, Node], problems: Problems) -> Node:
    joins = cube.entries.get("joins", Node(None))
    through = {target: node for target, node in joins.entries.items() if "through" in node.entries}
    if not through:
        return cube
    kept = {target: node for target, node in joins.entries.items() if target not in through}
    for target, node in through.items():
        bridge = str(node.entries["through"].value).strip()
        sql = _mirrored(name, target, bridge, node, cubes, problems)
        if sql is not None:
            texts = {"name": bridge, "relationship": "one_to_many", "sql": sql}
            made = {key: Node(text, node.source, text) for key, text in texts.items()}
            # A join to the bridge that the author wrote goes before the one that is made.
            kept.setdefault(bridge, Node(made, node.source, key_sources=dict.fromkeys(made, node.source)))
    places = {target: each.source for target, each in kept.items()}
    return Node(
        {**cube.entries, "joins": Node(kept, joins.source, "", places)}, cube.source, cube.raw, cube.key_sources
    )


def _mirrored(
    name: str, target: str, bridge: str, node: Node, cubes: Mapping[str, Node], problems: Problems
) -> str | None:
    """The bridge's join to the cube as seen from the cube; None, and told, if there is none."""
    place = node.entries["through"].source
    if _relationship(node) != "many_to_many":
        problems.error(f"'through' belongs to a join that is many_to_many, as '{target}' is not here", place)
        return None
    if "sql" in node.entries:
        problems.error(f"join '{target}' leads through '{bridge}', whose joins say how; leave sql out", place)
        return None
    known = cubes[bridge].entries.get("joins", Node(None)).entries if bridge in cubes else {}
    # The bridge may join the cube that this one extends, and not this one.
    owner = next((cube for cube in (name, *cubes) if cube in known and _is_from(cubes[cube], target, node)), None)
    for cube in (owner or name, target):
        if cube not in known or _relationship(known[cube]) not in _TO_ONE:
            problems.error(
                f"join '{target}' leads through '{bridge}', which must be a cube that joins both '{name}' and "
                f"'{target}' many_to_one; it does not join '{cube}' so",
                place,
            )
            return None
    text = known[str(owner)].entries.get("sql", Node("")).value
    return _turned(str(text).replace("${", "{"), str(owner), bridge)


def _is_from(cube: Node, target: str, node: Node) -> bool:
    """Whether a cube has this join, itself or by inheritance."""
    joins = cube.entries.get("joins", Node(None)).entries
    return joins.get(target) is node or (target in joins and joins[target].source == node.source)


def _relationship(join: Node) -> str:
    node = join.entries.get("relationship", join.entries.get("type", Node("")))
    return snake_case(str(node.value).strip())


def _turned(sql: str, owner: str, bridge: str) -> str:
    """A condition written in ``bridge``, as it is written in ``owner``."""
    held: list[Reference] = []

    def hold(reference: Reference) -> str:
        held.append(reference)
        return f"svcref{len(held) - 1}x"

    flat = substitute(sql, hold)
    # From the back, so that the places found before stay right.
    for place in sorted(_bare(flat), reverse=True):
        flat = f"{flat[:place]}{{{bridge}}}.{flat[place:]}"
    for number, reference in reversed(list(enumerate(held))):
        flat = flat.replace(f"svcref{number}x", _seen(reference, owner, bridge))
    return flat


def _seen(reference: Reference, owner: str, bridge: str) -> str:
    first, rest = reference.path[0], reference.path[1:]
    if first == owner:
        return f"{{{'.'.join(rest) or 'CUBE'}}}"
    return f"{{{'.'.join((bridge, *(rest if first in CUBE_NAMES else reference.path)))}}}"


def _bare(flat: str) -> list[int]:
    """Where columns stand that no table is named for."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(flat, read="duckdb")
    except (SqlglotError, RecursionError):
        return []
    return [
        column.this.meta["start"]
        for column in tree.find_all(exp.Column)
        if not column.args.get("table") and "start" in column.this.meta and not column.name.startswith("svcref")
    ]
