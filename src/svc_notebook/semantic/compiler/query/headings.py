"""What a computed column is called for people, and the member it shows."""

from __future__ import annotations

from sqlglot import exp

from ...model import Dimension, Measure
from ..binding.aggregate_calls import is_aggregate, is_measure, measure_argument
from ..join_tree.entries import Entry
from .scope import Scope

__all__ = ["entry_of", "headed"]

_TITLES: dict[type[exp.Expr], str] = {
    exp.Sum: "Sum of", exp.Avg: "Average", exp.Min: "Lowest", exp.Max: "Highest", exp.Median: "Median",
    exp.Count: "Count of",
}  # fmt: skip


def _lowered(title: str | None) -> str:
    # An acronym keeps its capitals.
    return (title or "") if (title or "")[1:2].isupper() else (title or "")[:1].lower() + (title or "")[1:]


def entry_of(scope: Scope, node: exp.Expr) -> Entry | None:
    """The member a column shows."""
    if is_measure(node):
        node = measure_argument(node) or node
    elif is_aggregate(node) and isinstance(node.this, exp.Column):
        found = (
            scope.entry(node.this.table or None, node.this.name) if not isinstance(node.this.this, exp.Star) else None
        )
        return found if found is not None and not isinstance(found.member, Dimension) else None
    if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
        return scope.entry(node.table or None, node.name)
    return None


def headed(scope: Scope, node: exp.Expr) -> tuple[str | None, Entry | None]:
    """A title for a column computed from one member, and the member whose format it keeps."""
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Star):
        return _count_title(scope), None
    if isinstance(node, exp.Filter) and is_measure(node.this):
        return None, entry_of(scope, node.this)
    entry = entry_of(scope, node.this) if isinstance(node.this, exp.Expr) else None
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Distinct) and len(node.this.expressions) == 1:
        entry = entry_of(scope, node.this.expressions[0])
        return (f"Distinct {_lowered(entry.title)}" if entry and entry.title else None), None
    if entry is None or not entry.title or not isinstance(entry.member, Dimension):
        return None, None
    if isinstance(node, (exp.TimestampTrunc, exp.DateTrunc)):
        return f"{entry.title} ({node.args['unit'].name.lower()})", None
    word = _TITLES.get(type(node))
    return (f"{word} {_lowered(entry.title)}", entry if type(node) is not exp.Count else None) if word else (None, None)


def _count_title(scope: Scope) -> str:
    for relation in scope.relations:
        for name in relation.names():
            entry = relation.entry(name)
            if (
                entry
                and isinstance(entry.member, Measure)
                and entry.member.type == "count"
                and not entry.member.filters
            ):
                return entry.title or "Count"
    return "Count"
