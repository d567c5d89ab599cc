"""Rows taken together before they are joined: what leads to one row of another cube, as one row with its aggregates.

A question about a cube and one that its rows lead to (items and their orders) reads the first once: its aggregates by
the key that leads there, joined to the other, of which each row is then there once. That is less than a pass for each.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import duckdb as say
from ...dialects.nodes import clause, from_, rows, run, select, sql, word
from ...dialects.nodes import column as in_relation
from ..join_tree.steps import Path
from .leaves import Grouping, Leaf, LeafSpec
from .source import ModelSource

__all__ = ["can_be_taken", "joined_last", "taken_ahead"]

# Not COUNT(DISTINCT …): a value that stands in two parts would be counted twice. Not AVG: parts of different sizes do
# not weigh alike.
_COUNTED = ("COUNT(*)", "COUNT({0})")
_AGAIN = {"SUM({0})": "SUM({})", "MIN({0})": "MIN({})", "MAX({0})": "MAX({})"}
"""What takes aggregates of parts together."""


def can_be_taken(source: ModelSource, home: Path | None, leaves: Sequence[Leaf]) -> bool:
    """Whether aggregates over the rows of the root can be computed of parts, and read nothing at ``home``."""
    if home is None or not leaves:
        return False
    return all(
        leaf.home == source.tree.root
        and isinstance(leaf.spec, LeafSpec)
        and not (leaf.shifts or leaf.rolling or leaf.only or leaf.spec.held)
        and _is_of_parts(leaf)
        and all(path[: len(home)] != home for path in source.paths_of(leaf.uses))
        for leaf in leaves
    )


def taken_ahead(
    source: ModelSource, grouping: Grouping, home: Path | None, ahead: Sequence[Leaf], there: Sequence[Leaf]
) -> str | None:
    """The keys, the aggregates of the root's rows and those of ``home``'s; None where a row might be found twice."""
    assert home is not None
    # A name of the model has no #, so these columns hide none of its own.
    names = {f"{leaf.name}#ahead": leaf for leaf in ahead}
    taken = {
        name: (leaf.spec.template, leaf.spec.args) for name, leaf in names.items() if isinstance(leaf.spec, LeafSpec)
    }
    uses = frozenset().union(*(key.uses for key in grouping.keys), *(leaf.uses for leaf in there))
    found = source.led(uses, home, taken)
    if found is None:
        return None
    keys = [sql(f"{{}} AS k{i}", key.sql) for i, key in enumerate(grouping.keys)]
    values = [
        sql(f"{{}} AS {leaf.name}", _again(leaf, in_relation(source.alias, name))) for name, leaf in names.items()
    ]
    values += [sql(f"{{}} AS {leaf.name}", leaf.render(leaf.args)) for leaf in there]
    # By number: the key's expression would be written, and evaluated, a second time.
    by = clause(f" GROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}")
    return select([*keys, *values], run(from_(found), by))


def joined_last(source: ModelSource, grouping: Grouping, home: Path, leaves: Sequence[Leaf]) -> str | None:
    """Aggregates over the rows of ``home`` by keys of other cubes: what leads where is told apart before the join.

    None where a key is more than a column, so that two values of the column may be in one group.
    """
    columns = {source.column_of(use).sql for key in grouping.keys for use in key.uses if use[0] == source.alias}
    # Sets of values are told apart before the join; of an expression two values may be one group, whose rows would then
    # be counted twice.
    if not grouping.keys or any(key.sql not in columns for key in grouping.keys):
        return None
    return _in_bits(source, grouping, home, leaves) or taken_ahead(source, grouping, home, (), leaves)


def _in_bits(source: ModelSource, grouping: Grouping, home: Path, leaves: Sequence[Leaf]) -> str | None:
    """The same with a row for each set of values that led to a row of ``home``, taken apart when all are together."""
    if len(grouping.keys) != 1 or not all(_is_of_parts(leaf) for leaf in leaves):
        return None
    found = source.led_in_bits(frozenset().union(grouping.keys[0].uses, *(leaf.uses for leaf in leaves)), home)
    if found is None:
        return None
    led, values = found
    sets = [sql(f"{{}} AS {name}", in_relation(source.alias, f"#{name}")) for name in ("part", "bits")]
    taken = [sql(f"{{}} AS {leaf.name}", leaf.render(leaf.args)) for leaf in leaves]
    parts = select([*sets, *taken], run(from_(led), clause(" GROUP BY 1, 2")))
    among = say.has_bit(word("svc_sets.bits"), word("svc_numbered.bit"))
    form = "({}) AS svc_sets LEFT JOIN {} ON svc_sets.part = svc_numbered.part AND {}"
    again = [sql(f"{{}} AS {leaf.name}", _again(leaf, word(f"svc_sets.{leaf.name}"))) for leaf in leaves]
    whole = run(from_(rows(form, parts, values, among)), clause(" GROUP BY 1"))
    return select([word("svc_numbered.value AS k0"), *again], whole)


def _is_of_parts(leaf: Leaf) -> bool:
    spec = leaf.spec
    return isinstance(spec, LeafSpec) and (spec.template in _AGAIN or spec.template in _COUNTED)


def _again(leaf: Leaf, column: str) -> str:
    assert isinstance(leaf.spec, LeafSpec)
    if leaf.spec.template in _COUNTED:
        # A sum of BIGINT is HUGEINT in DuckDB; a count is to stay what it is without parts.
        return say.cast(sql("SUM({})", column), say.WHOLE)
    return sql(_AGAIN[leaf.spec.template], column)
