"""Cubes: ``extends`` first, on the nodes, so that a heir reads like any other cube; then the elements."""

from __future__ import annotations

from collections.abc import Mapping

from ... import patterns as re
from ...records import dataclass
from ..model import Cube, Source
from . import schemas
from .data_files import without_data_files
from .fields import Fields, snake_case
from .filter_params import without_filter_params
from .fragments import SQL_OF, Fragments
from .members import MemberReader
from .names import named_entries
from .problems import Problems, did_you_mean
from .rollups import RollupReader
from .security_context import with_marks
from .translation import DialectError, translated_table
from .tree import Node

__all__ = ["declared", "extended", "read_cube", "sql_of_cubes"]

_SECTIONS = {
    "dimensions": "dimension",
    "measures": "measure",
    "segments": "segment",
    "hierarchies": "hierarchy",
    "joins": "join",
    "pre_aggregations": "rollup",
}
_JOINED_LISTS = ("cubes", "folders", "includes")
_NOT_INHERITED = ("name", "title", "extends")
_ALTERNATIVES = ("sql", "sql_table")
_UNFILLED = re.compile(r"\$?\{[^}]*\}*|\}")
_ASKER = re.compile(r"COMPILE_CONTEXT|security_?context", re.IGNORECASE)
_TABLE = re.compile(r"""(?:[A-Za-z_][\w$]*|"[^"]+"|`[^`]+`)(?:\.(?:[A-Za-z_][\w$]*|"[^"]+"|`[^`]+`)){0,3}""")


def declared(root: Fields, key: str, kind: str, problems: Problems, taken: dict[str, Node]) -> dict[str, Node]:
    """The cubes or views of one document by name; names are unique among all cubes and views."""
    found: dict[str, Node] = {}
    for name, node in named_entries(root.get(key), kind, "the model", problems):
        # named_entries() numbers what has no name: #0.
        if name.startswith("#"):
            problems.error(f"a {kind} has no name", node.source)
            continue
        if name in taken:
            first = taken[name].source
            place = f"{first.file}:{first.line}" if first.line else first.file
            problems.error(f"'{name}' is declared twice, first in {place}", node.source)
            continue
        taken[name] = found[name] = _normalised(node, kind, name, problems)
    return found


def _normalised(node: Node, kind: str, name: str, problems: Problems) -> Node:
    """The element with its keys in snake case and its sections as mappings by name."""
    entries: dict[str, Node] = {}
    sources: dict[str, Source] = {}
    for written, value in node.entries.items():
        key = snake_case(written)
        if key in entries:
            problems.error(
                f"'{written}' says again what line {sources[key].line} says: '{key}'",
                node.key_sources.get(written, value.source),
            )
            continue
        if key in _SECTIONS and value.value is not None:
            by_name = dict(named_entries(value, _SECTIONS[key], f"{kind} '{name}'", problems))
            value = Node(by_name, value.source, key_sources={k: v.source for k, v in by_name.items()})
        entries[key], sources[key] = value, node.key_sources.get(written, value.source)
    return Node(entries, node.source, key_sources=sources)


def extended(nodes: Mapping[str, Node], kind: str, problems: Problems) -> dict[str, Node]:
    """Every element with what it inherits; parents are found by name, chains are followed, cycles are reported."""
    done: dict[str, Node] = {}

    def visit(name: str, trail: tuple[str, ...]) -> Node:
        if name in done:
            return done[name]
        node = nodes[name]
        parent_node = node.entries.get("extends")
        if parent_node is None or parent_node.value is None:
            done[name] = node
            return node
        # {parent} and ${parent}, as older models write it.
        parent = parent_node.raw.strip().strip("{}$ ")
        if parent in (*trail, name):
            problems.error(f"{kind} '{name}' extends itself: {' → '.join((*trail, name, parent))}", parent_node.source)
            return node
        if parent not in nodes:
            problems.error(
                f"'{parent}', which {kind} '{name}' extends, is no {kind}{did_you_mean(parent, nodes)}",
                parent_node.source,
            )
            done[name] = node
            return node
        done[name] = _heir(visit(parent, (*trail, name)), node)
        return done[name]

    return {name: visit(name, ()) for name in nodes}


def _heir(parent: Node, child: Node) -> Node:
    entries = {k: v for k, v in parent.entries.items() if k not in _NOT_INHERITED}
    sources = {k: v for k, v in parent.key_sources.items() if k not in _NOT_INHERITED}
    # A child with a table of its own does not inherit the parent's query, and the other way round.
    if any(key in child.entries for key in _ALTERNATIVES):
        entries = {k: v for k, v in entries.items() if k not in _ALTERNATIVES}
    for key, value in child.entries.items():
        inherited = entries.get(key)
        if inherited is not None and key in _SECTIONS and isinstance(value.value, dict):
            by_name = {**inherited.entries, **value.entries}
            value = Node(by_name, value.source, key_sources={**inherited.key_sources, **value.key_sources})
        elif inherited is not None and key in _JOINED_LISTS and isinstance(value.value, list):
            value = Node([*inherited.items, *value.items], value.source)
        entries[key], sources[key] = value, child.key_sources.get(key, value.source)
    return Node(entries, child.source, key_sources=sources)


@dataclass(frozen=True)
class ReadCube:
    """A cube without its policies, which are read once every cube is known; and the fields it was read from."""

    cube: Cube
    fields: Fields
    hidden: frozenset[str]  # members the model hides in so many words (``public: false``)
    filter_nodes: Mapping[str, Node]  # the filter contexts of its measures, which name members of other cubes


def read_cube(name: str, node: Node, problems: Problems, fragments: Fragments) -> ReadCube:
    """The elements of one cube."""
    fields = Fields(node, schemas.CUBE, problems, name=name)
    reader = MemberReader(name, problems, fragments)
    reader.name_of(fields)
    sections = {key: _section(fields, key) for key in _SECTIONS}
    dimensions = tuple(reader.dimension(key, item) for key, item in sections["dimensions"])
    written, sql_table = fields.text("sql"), fields.text("sql_table")
    if written is not None and sql_table is None and _TABLE.fullmatch(written.strip()):
        written, sql_table = None, written  # a table's name alone
    duckdb = fragments.dialects.of(name) == "duckdb"
    if duckdb and written is not None:
        written = without_data_files(written, fields.where("sql"), problems)
    if duckdb and sql_table is not None:
        sql_table = without_data_files(sql_table, fields.where("sql_table"), problems, alone=True)
    if written is not None:
        written = fragments.plain(name, written)
        written = with_marks(written, fields.where("sql"), problems)
        written, dimensions = without_filter_params(name, written, dimensions, fields.where("sql"), problems)
    sql = fragments.add(name, "", "table", written, fields.where("sql"))
    if sql_table is not None:
        sql_table = _table(name, sql_table, fields, fragments)
    if sql is not None and sql_table is not None:
        problems.error(f"cube '{name}' has both sql and sql_table; keep one", fields.place("sql_table"))
    if sql is None and sql_table is None:
        problems.error(f"cube '{name}' needs sql_table (a table) or sql (a query)", fields.source)
    joins = [reader.join(key, item) for key, item in sections["joins"]]
    if any(join.name == name for join in joins):
        problems.warning(
            f"cube '{name}' joins itself, which is ignored; write a second cube that extends it",
            next(join.source for join in joins if join.name == name),
        )
    measures = tuple(reader.measure(key, item) for key, item in sections["measures"])
    rollups = RollupReader(name, dimensions, measures, problems)
    cube = Cube(
        name=name,
        sql_table=sql_table.strip() if sql_table is not None else None,
        sql=sql,
        public=fields.flag("public", True),
        title=fields.text("title"),
        description=fields.text("description"),
        dimensions=dimensions,
        measures=measures,
        segments=tuple(reader.segment(key, item) for key, item in sections["segments"]),
        hierarchies=tuple(reader.hierarchy(key, item) for key, item in sections["hierarchies"]),
        joins=tuple(join for join in joins if join.name != name),
        calendar=fields.flag("calendar", False),
        rollups=tuple(
            found for key, item in sections["pre_aggregations"] if (found := rollups.rollup(key, item)) is not None
        ),
        meta=fields.meta(),
        source=fields.source,
    )
    # A primary key is private unless it says otherwise, but includes: "*" takes it; what says public: false it leaves
    # out.
    private = {m.name for m in cube.members if not m.public} | {h.name for h in cube.hierarchies if not h.public}
    hidden = {key for section in _SECTIONS for key, item in sections[section] if key in private and _says_public(item)}
    contexts = {key: item.entries["filter"] for key, item in sections["measures"] if _has_value(item, "filter")}
    return ReadCube(cube, fields, frozenset(hidden), contexts)


def _section(fields: Fields, key: str) -> list[tuple[str, Node]]:
    """The elements of a section; a list still, where its key was misspelt."""
    node = fields.get(key)
    if node is None or isinstance(node.value, dict):
        return list(node.entries.items()) if node is not None else []
    return named_entries(node, key.removesuffix("s"), fields.called, fields.problems)


def _table(name: str, written: str, fields: Fields, fragments: Fragments) -> str:
    if (mark := _UNFILLED.search(written)) is not None:
        who = "; who may see which rows is said by an access_policy" if _ASKER.search(written) else ""
        fragments.problems.error(
            f"the table of cube '{name}' holds '{mark[0]}', which nothing fills in; write the table's name{who}",
            fields.where("sql_table"),
            at=mark[0],
        )
        return "unknown"
    try:
        return translated_table(written.strip(), fragments.dialects.of(name))
    except DialectError as error:
        fragments.problems.error(f"the table of cube '{name}' is not readable: {error}", fields.where("sql_table"))
        return written


def _has_value(node: Node, key: str) -> bool:
    return key in node.entries and node.entries[key].value is not None


def _says_public(node: Node) -> bool:
    return any(snake_case(key) in ("public", "shown", "visible") for key in node.entries)


# Cubes within cubes double their text with every level that names another twice.
_MAX_SQL = 200_000


def sql_of_cubes(cubes: Mapping[str, Cube], problems: Problems) -> dict[str, str]:
    """The ``sql`` of every cube that has one, with ``{other.sql()}`` written out as a subquery."""
    done: dict[str, str] = {}

    def visit(name: str, trail: tuple[str, ...]) -> str:
        cube = cubes[name]
        if cube.sql is None:
            return f"SELECT * FROM {cube.sql_table}"
        if name in done:
            return done[name]

        def inner(match: re.Match[str]) -> str:
            other = match[1]
            if other not in cubes:
                problems.error(f"'{other}' is no cube{did_you_mean(other, cubes)}", cube.source, at=match[0])
                return match[0]
            if other in (*trail, name):
                problems.error(
                    f"the sql of '{name}' contains itself: {' → '.join((*trail, name, other))}",
                    cube.source,
                    at=match[0],
                )
                return match[0]
            return f"({visit(other, (*trail, name))})"

        sql = SQL_OF.sub(inner, cube.sql)
        if len(sql) > _MAX_SQL:
            problems.error(f"the sql of '{name}', with that of the cubes in it, is too long", cube.source)
            sql = cube.sql
        done[name] = sql
        return sql

    return {name: visit(name, ()) for name, cube in cubes.items() if cube.sql is not None}
