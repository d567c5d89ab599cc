"""The model put together: a cube per table, joins, cubes for further roles, a view per table that refers to others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import Any

from ...records import dataclass
from .answers import name_answers
from .clocks import with_clocks
from .elements import MadeDimension, Names, column_sql, dimension, measures, without_date, without_units
from .facts import derived, facts_of
from .found import FoundJoin
from .headers import header_of
from .joins import find_joins
from .keys import Keys, find_keys
from .lateness import late
from .notes import DataNotes
from .people import doer, has_names, is_of_people
from .profile import TableProfile, profile_table
from .reading import Looker
from .signed import in_and_out
from .tables import Database, Table
from .taken import note_cube
from .words import Vocabulary, identifier, plural, singular

__all__ = ["assemble"]

# Three steps away members describe little of the row, and views grow by every step.
_DEPTH = 3


@dataclass
class _Cube:
    """A cube in the making; ``role_of`` is the cube it repeats under another name."""

    name: str
    table: Table
    dimensions: list[MadeDimension]
    measures: list[dict[str, Any]]
    title: str
    joins: list[dict[str, Any]] = field(default_factory=list)
    role_of: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    repeats_joins: bool = False  # whether the cube it repeats has joins, which it must not take over
    sql: str = ""  # its rows, where they are more than those of its table
    kind_of: str | None = None  # the cube whose rows its own are, as a professor is a person
    made_of: str | None = None  # the cube of whose rows its own are made, as a receipt of its lines


def assemble(
    database: Database,
    looker: Looker | None,
    *,
    views: bool,
    remarks: list[str] | None = None,
    notes: DataNotes | None = None,
) -> dict[str, Any]:
    """The model of a database, in the form YAML would be parsed to."""
    profiles = {
        t.name: profile_table(looker, t) if looker is not None else TableProfile(0, {}) for t in database.tables
    }
    columns = [column.name for table in database.tables for column in table.columns]
    vocabulary = Vocabulary([t.name.rpartition(".")[2] for t in database.tables], columns)
    keys = find_keys(database, profiles, vocabulary, looker)
    joins = find_joins(database, profiles, keys, vocabulary, looker)
    together = {join.one: join.one_columns for join in joins if len(join.one_columns) > 1 and join.one not in keys}
    # Columns that a join of several compares are a key of their table, if it has no other.
    keys = {**keys, **together}
    cubes = _cubes(database, profiles, keys, joins, vocabulary, looker)
    for join in joins:
        _inherit(join, cubes, keys, vocabulary)
    # What names say goes first; what only values say gets a role of its own where the cube is reached already.
    for join in sorted(joins, key=lambda join: join.by_values):
        _join(join, cubes, vocabulary)
    belonging: list[str] = []
    for table in database.tables:
        taken = {column for join in joins if join.many == table.name for column in join.many_columns}
        belonging += _apart(_of_table(cubes, table.name), profiles, taken, cubes, vocabulary, looker)
    if remarks is not None:
        remarks += [remark for cube in cubes.values() if (remark := _left_out(cube))]
    if notes is not None:
        for cube in cubes.values():
            if cube.role_of is None:
                note_cube(cube.name, cube.dimensions, profiles[cube.table.name], notes)
        declared = {(join.from_table, join.from_columns) for join in database.joins}
        notes.joins += [*(_said(join, declared) for join in joins), *belonging]
    for cube in cubes.values():
        # After all joins are known: a role that extended the cube would follow its joins, and a second way would lead
        # anywhere.
        cube.repeats_joins = cube.role_of is not None and bool(cubes[cube.role_of].joins)
    model: dict[str, Any] = {"cubes": [_yaml(cube) for cube in cubes.values()]}
    made = [view for cube in list(cubes.values()) if (view := _view(cube, cubes)) is not None] if views else []
    return {**model, "views": made} if made else model


def _cubes(
    database: Database,
    profiles: Mapping[str, TableProfile],
    keys: Keys,
    joins: list[FoundJoin],
    vocabulary: Vocabulary,
    looker: Looker | None,
) -> dict[str, _Cube]:
    referring = {(join.many, column) for join in joins for column in join.many_columns}
    cube_names = Names()
    cubes: dict[str, _Cube] = {}
    for table in database.tables:
        names = Names()
        bare = table.name.rpartition(".")[2]
        made = [
            item
            for column in table.columns
            if (
                item := dimension(
                    column,
                    profiles[table.name].columns.get(column.name),
                    column.name in keys.get(table.name, ()),
                    (table.name, column.name) in referring,
                    vocabulary,
                    names,
                )
            )
            is not None
        ]
        without_units(made, vocabulary)
        made = with_clocks(made, table.name, profiles[table.name], looker)
        name = cube_names.give(identifier(bare, f"table_{cube_names.given + 1}"))
        title = table.label[:1].upper() + table.label[1:] if table.label else vocabulary.title(bare)
        if not table.label and vocabulary.thing(bare) != " ".join(vocabulary.words(bare)):
            title = vocabulary.title(vocabulary.thing(bare))
        title = without_date(title) if len(database.tables) == 1 and not table.label else title
        made += [
            *derived(made, profiles[table.name], names, looker, table.name),
            *late(made, names, profiles[table.name]),
        ]
        if looker is not None:
            name_answers(made, table.name, profiles[table.name], vocabulary, looker)
            made += in_and_out(made, names, looker, looker.place(table.name))
        counted = measures(table, profiles[table.name], made, vocabulary, names)
        cubes[name] = _Cube(name, table, made, counted, title, meta=facts_of(bare, made, counted, vocabulary))
    return cubes


def _said(join: FoundJoin, declared: set[tuple[str, tuple[str, ...]]]) -> str:
    how = "declared" if (join.many, join.many_columns) in declared else "found by names and values"
    ends = (f"{join.many}.{'+'.join(join.many_columns)}", f"{join.one}.{'+'.join(join.one_columns)}")
    return f"{ends[0]} refers to {ends[1]} ({join.relationship.replace('_', ' ')}, {how})"


def _left_out(cube: _Cube) -> str:
    """The columns without a dimension, with their types."""
    made = {item.column.name for item in cube.dimensions}
    missing = [f"{c.name} ({c.physical.partition('(')[0]})" for c in cube.table.columns if c.name not in made]
    if not missing or cube.role_of is not None:
        return ""
    more = "" if len(missing) <= 5 else f" and {len(missing) - 5} more"
    return (
        f"{cube.name}: no dimensions for {', '.join(missing[:5])}{more}; a dimension holds one value and a plain name"
    )


def _of_table(cubes: Mapping[str, _Cube], table: str) -> _Cube:
    return next(cube for cube in cubes.values() if cube.table.name == table and cube.role_of is None)


def _apart(
    lines: _Cube,
    profiles: dict[str, TableProfile],
    taken: Collection[str],
    cubes: dict[str, _Cube],
    vocabulary: Vocabulary,
    looker: Looker | None,
) -> list[str]:
    """A cube of what the rows of a table belong to, such as the receipts of receipt lines; the join in words."""
    profile = profiles[lines.table.name]
    header = header_of(lines.table, lines.dimensions, profile, taken, vocabulary, looker)
    if header is None or header.things in cubes:
        return []
    columns = tuple(dim.column for dim in header.dimensions)
    table = Table(header.things, columns, (header.key.column.name,), label=header.things.replace("_", " "))
    names = Names()
    made = [replace(dim, yaml={**dim.yaml, "name": names.give(dim.yaml["name"])}) for dim in header.dimensions]
    known = {column.name: profile.columns[column.name] for column in columns}
    profiles[table.name] = TableProfile(known[header.key.column.name].distinct, known)
    counted = measures(table, profiles[table.name], made, vocabulary, names)
    title = table.label[:1].upper() + table.label[1:] if table.label else table.name
    key = header.key.yaml["name"]
    facts = {"label": key, **facts_of(table.name, made, counted, vocabulary)}
    cube = _Cube(header.things, table, made, counted, title, meta=facts)
    cube.made_of = lines.name
    cube.sql = header.sql.format(table=_table_name(lines.table.name))
    cubes[cube.name] = cube
    lines.dimensions[:] = [header.key if dim.column is header.key.column else dim for dim in lines.dimensions]
    on = f"{{CUBE.{key}}} = {{{cube.name}.{key}}}"
    lines.joins.append({"name": cube.name, "relationship": "many_to_one", "sql": on})
    return [f"{lines.name}.{key} refers to {cube.name}.{key} (many to one, made of the rows that have one of it)"]


def _inherit(join: FoundJoin, cubes: Mapping[str, _Cube], keys: Keys, vocabulary: Vocabulary) -> None:
    """Professors that are people, each one of them, know what is known of people: their names, births, countries."""
    child, parent = _of_table(cubes, join.many), _of_table(cubes, join.one)
    alike = (
        join.relationship == "one_to_one" and keys.get(join.many) == join.many_columns and len(join.one_columns) == 1
    )
    # One step only: who is made of two tables already is not made of three.
    if not alike or child.sql or parent.sql or has_names(child.table, vocabulary):
        return
    if not (is_of_people(parent.table, vocabulary) and has_names(parent.table, vocabulary)):
        return
    own = {column.name.lower() for column in child.table.columns}
    named = {item.yaml["name"] for item in child.dimensions} | {item["name"] for item in child.measures}
    more = [
        item for item in parent.dimensions
        if not item.yaml.get("primary_key") and item.yaml.get("public", True) and item.column.name.lower() not in own
        and item.yaml["name"] not in named
    ]  # fmt: skip
    for item in more:
        told = {**item.yaml, "meta": {**item.yaml.get("meta", {}), "inherited": parent.name}}
        child.dimensions.append(replace(item, yaml=told))
    columns = ", ".join(f"p.{_quoted_column(name)}" for name in dict.fromkeys(item.column.name for item in more))
    on = f"p.{_quoted_column(join.one_columns[0])} = c.{_quoted_column(join.many_columns[0])}"
    tables = f"{_table_name(child.table.name)} AS c LEFT JOIN {_table_name(parent.table.name)} AS p ON {on}"
    child.sql, child.kind_of = f"SELECT c.*, {columns} FROM {tables}", parent.name
    about = singular(vocabulary.words(parent.table.name.rpartition(".")[2])[-1])
    if said := child.meta.get("synonyms"):  # a driver is an employee, and employees are more than drivers
        kept = [word for word in said if singular(word) != about]
        child.meta = {k: v for k, v in child.meta.items() if k != "synonyms"} | ({"synonyms": kept} if kept else {})
    if "label" in parent.meta and any(item.yaml["name"] == parent.meta["label"] for item in more):
        child.meta = {**child.meta, "label": parent.meta["label"]}


def _quoted_column(name: str) -> str:
    plain = column_sql(name)
    return _quoted(name) if plain.startswith("{") else plain


def _join(join: FoundJoin, cubes: dict[str, _Cube], vocabulary: Vocabulary) -> None:
    """Declare a join; a second one to the same cube, or one to itself, goes to a cube of its own for that role."""
    many, one = _of_table(cubes, join.many), _of_table(cubes, join.one)
    reached = join.by_values and any(path[-1] == one.name for path in _walk(many, cubes))
    if one is many or reached or any(known["name"] == one.name for known in many.joins):
        one = _role(join, one, many, cubes, vocabulary)
    sql = " AND ".join(
        f"{_end('CUBE', many, here)} = {_end(one.name, one, there)}"
        for here, there in zip(join.many_columns, join.one_columns, strict=True)
    )
    many.joins.append({"name": one.name, "relationship": join.relationship, "sql": sql})


def _end(written: str, cube: _Cube, column: str) -> str:
    made = next((d for d in cube.dimensions if d.column.name == column), None)
    if made is not None:
        return f"{{{written}.{made.yaml['name']}}}"
    plain = column_sql(column)
    return plain.replace("{CUBE}", f"{{{written}}}") if plain.startswith("{") else f"{{{written}}}.{plain}"


def _role(join: FoundJoin, one: _Cube, many: _Cube, cubes: dict[str, _Cube], vocabulary: Vocabulary) -> _Cube:
    words = vocabulary.words(join.many_columns[0])
    kept = words[:-1] if len(words) > 1 else words
    if one is many and words[-1] == "by" and kept != words:
        kept = [*kept[:-1], doer(kept[-1])]  # the trained are the others
    about = [singular(word) for word in vocabulary.words(one.table.name.rpartition(".")[2])]
    phrase = kept if singular(kept[-1]) == about[-1] else [*kept, *about]
    wanted = identifier("_".join([*phrase[:-1], plural(phrase[-1])]))
    name = wanted if wanted not in cubes else identifier(f"{many.name}_{wanted}")
    number = 2
    while name in cubes:
        name, number = f"{wanted}_{number}", number + 1
    title = " ".join([*phrase[:-1], plural(phrase[-1])])
    cubes[name] = _Cube(name, one.table, one.dimensions, one.measures, title[0].upper() + title[1:], role_of=one.name)
    cubes[name].sql = one.sql
    return cubes[name]


def _yaml(cube: _Cube) -> dict[str, Any]:
    if cube.role_of is not None and not cube.repeats_joins:
        return {
            "name": cube.name, "extends": cube.role_of, "title": cube.title,
            "description": f"{cube.role_of} in another role",
        }  # fmt: skip
    made: dict[str, Any] = {"name": cube.name}
    made |= {"sql": cube.sql} if cube.sql else {"sql_table": _table_name(cube.table.name)}
    if cube.title.lower() != cube.name.replace("_", " "):
        made["title"] = cube.title
    if cube.role_of is not None:
        made["description"] = f"{cube.role_of} in another role"
    elif cube.made_of is not None:
        made["description"] = f"Made of the rows of {cube.made_of}: a policy of {cube.made_of} belongs here as well"
    elif cube.table.description:
        made["description"] = cube.table.description
    if cube.meta and cube.role_of is None:
        made["meta"] = cube.meta
    if cube.joins:
        made["joins"] = cube.joins
    made["dimensions"] = [item.yaml for item in cube.dimensions]
    made["measures"] = cube.measures
    return made


def _table_name(name: str) -> str:
    parts = [
        # Capitals are quoted: some engines fold a bare name to small letters.
        part if part.isidentifier() and part.islower() and column_sql(part) == part else _quoted(part)
        for part in name.split(".")
    ]
    return ".".join(parts)


def _quoted(part: str) -> str:
    return '"' + part.replace('"', '""') + '"'


# --- views ------------------------------------------------------------------------------------------------------------


def _view(root: _Cube, cubes: Mapping[str, _Cube]) -> dict[str, Any] | None:
    """Everything of a cube that refers to others, with the describing members of those."""
    walked = _walk(root, cubes)
    if len(walked) == 1 or root.role_of is not None:
        return None
    entries: list[dict[str, Any]] = [{"join_path": root.name, "includes": "*"}]
    shown = {item.yaml["name"] for item in root.dimensions} | {item["name"] for item in root.measures}
    ends = [path[-1] for path in walked]
    for path in walked[1:]:
        cube = cubes[path[-1]]
        wanted = [d.yaml["name"] for d in cube.dimensions if not d.key and d.yaml.get("public", True)]
        wanted = wanted or [d.yaml["name"] for d in cube.dimensions]
        alias = cube.name if ends.count(cube.name) == 1 else "_".join(path[1:])
        if not shown.isdisjoint(wanted) or ends.count(cube.name) > 1:
            entry = {"join_path": ".".join(path), "prefix": True}
            prefix = _without_echo(
                identifier("_".join([*alias.split("_")[:-1], singular(alias.split("_")[-1])])), wanted
            )
            if any(f"{prefix}_{name}" in shown for name in wanted):
                prefix = alias
            entry |= {"alias": prefix} if prefix != cube.name else {}
            shown |= {f"{prefix}_{name}" for name in wanted}
        else:
            entry = {"join_path": ".".join(path)}
            shown |= set(wanted)
        entries.append({**entry, "includes": wanted})
    name = f"{root.name}_overview"
    return {"name": name, "title": f"{root.title} with details", "cubes": entries} if name not in cubes else None


def _without_echo(prefix: str, names: list[str]) -> str:
    """``away`` for ``away_team``, where the names say ``team`` themselves: ``away_team_name``."""
    first, _, last = prefix.rpartition("_")
    return first if first and any(name.startswith(f"{last}_") for name in names) else prefix


def _walk(root: _Cube, cubes: Mapping[str, _Cube]) -> list[tuple[str, ...]]:
    """The join paths from a cube along references to one, each cube once per way, circles left out."""
    found: list[tuple[str, ...]] = [(root.name,)]
    reached: set[str] = {root.name}
    waiting: list[tuple[str, ...]] = [(root.name,)]
    while waiting:
        path = waiting.pop(0)
        for join in cubes[path[-1]].joins:
            target = str(join["name"])
            # A professor's own person is in the cube of professors already.
            if target in reached or len(path) > _DEPTH or cubes[path[-1]].kind_of == target:
                continue
            if cubes[target].made_of == path[-1]:
                continue  # whose members are there already
            reached.add(target)
            found.append((*path, target))
            waiting.append((*path, target))
    return found
