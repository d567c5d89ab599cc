"""Measures to SQL: as a value of one row, and as an aggregate whose arguments are columns of the rows."""

from __future__ import annotations

from collections.abc import Collection

from .... import patterns as re
from ...dialects.nodes import column as in_relation
from ...dialects.nodes import joined_by, sql, word
from ...errors import InvalidQuery
from ...model import Measure
from ...references import Reference, find_references, substitute
from ..authored.placing import placed
from ..binding.zones import in_zone
from ..join_tree.entries import Entry
from ..join_tree.rows import Told
from ..join_tree.steps import Expr, Path
from ..join_tree.tree import Tree
from ..rollup_tables import HeldMeasure, NotHeld
from ..values import Bound
from .custom_aggregates import among
from .leaves import LeafSpec
from .source import ModelSource

__all__ = ["RAW_COLUMN", "argument", "counts_every_row", "leaf_spec", "local_time", "raw_spec", "row_value"]

# {CUBE}.column is a column of the table, {column} a member: only the first is to become a column of the rows.
RAW_COLUMN = re.compile(r'\{CUBE\}\s*\.\s*("[^"]+"|[A-Za-z_]\w*)')
_RENDER = {
    "sum": "SUM({0})", "avg": "AVG({0})", "min": "MIN({0})", "max": "MAX({0})", "count_distinct": "COUNT(DISTINCT {0})",
    # Asked for approximately, answered exactly: a distinct count that differs by run or engine is no number to quote.
    "count_distinct_approx": "COUNT(DISTINCT {0})",
}  # fmt: skip
# A row that a join repeats changes nothing in these.
REPEATABLE = frozenset({"min", "max", "count_distinct", "count_distinct_approx"})
_CALCULATED = frozenset({"number", "string", "time", "boolean"})


def filters_of(tree: Tree, path: Path, measure: Measure) -> Expr | None:
    """The measure's own filters as one condition."""
    if not measure.filters:
        return None
    parts = [tree.place(path, text) for text in measure.filters]
    return Expr(
        joined_by(" AND ", [p.sql for p in parts]),
        frozenset().union(*(p.paths for p in parts)),
        all(p.safe for p in parts),
    )


def argument(tree: Tree, path: Path, measure: Measure) -> Expr | None:
    """What is aggregated, NULL where the measure's filters do not hold; None for every row of the cube."""
    condition = filters_of(tree, path, measure)
    value = tree.place(path, measure.sql) if measure.sql else None
    if value is None and condition is None:
        return None
    if condition is None:
        return value
    inner = value.sql if value is not None else word("1")
    paths = condition.paths | (value.paths if value is not None else frozenset({path}))
    # CASE and not FILTER: the argument becomes a column of the rows, which measures with other filters share.
    return Expr(sql("CASE WHEN {} THEN {} END", condition.sql, inner), paths)


def counts_every_row(measure: Measure) -> bool:
    return measure.type == "count" and not measure.sql and not measure.filters and measure.rolling_window is None


def leaf_spec(source: ModelSource, path: Path, measure: Measure) -> LeafSpec:
    """A measure that aggregates by itself (not one calculated from others)."""
    key = f"{'.'.join(path)}.{measure.name}"
    if (rolled := source.tree.index.rolled(path[-1])) is not None:
        if (held := rolled.measures.get(measure.name)) is not None:
            return _held(source, path, measure, held)
        if measure.type not in REPEATABLE:
            raise NotHeld(measure.name)
    expr = argument(source.tree, path, measure)
    home = _home(source, path, measure, source.tree.place(path, measure.sql).paths if measure.sql else (path,))
    if measure.type == "count":
        # Elsewhere a LEFT JOIN makes rows in which nothing of the cube is there; only rows of the root are there for
        # sure.
        if expr is None and path == source.tree.root:
            return LeafSpec("COUNT(*)", (), "number", False, path, every_row=True)
        value = source.tree.where_present(path, expr or Expr(word("1"), frozenset({path})))
        return LeafSpec("COUNT({0})", (source.expression(key, value),), "number", False, home)
    if measure.type not in _RENDER or expr is None:
        raise InvalidQuery(f"The measure '{measure.name}' has no SQL to aggregate.")
    # A sum or an average is a number whatever the column's kind; an extreme has the kind of what it is taken of.
    kind = (
        "number"
        if measure.type in ("sum", "avg", "count_distinct", "count_distinct_approx")
        else (source.compilation.index.expression_kind(path[-1], measure.sql or ""))
    )
    column = source.expression(key, source.tree.where_present(path, expr), kind)
    return LeafSpec(_RENDER[measure.type], (column,), kind, measure.type in REPEATABLE, home)


def _held(source: ModelSource, path: Path, measure: Measure, held: HeldMeasure) -> LeafSpec:
    """A measure over the groups of a rollup, which hold what it is over their rows."""
    prefix, node = f"{'.'.join(path)}.{measure.name}", frozenset({path})
    extreme = measure.type in ("min", "max")
    kind = source.compilation.index.expression_kind(path[-1], measure.sql or "") if extreme else "number"
    columns = [Expr(in_relation(source.tree.alias(path), name), node, True) for name in held.columns]
    args = tuple(source.expression(f"{prefix}#{i}", column, kind) for i, column in enumerate(columns))
    return LeafSpec(held.template, args, kind, measure.type in REPEATABLE, path, held=True, counts=held.counts)


def _home(source: ModelSource, path: Path, measure: Measure, read: Collection[Path]) -> Path:
    """The cube whose rows are aggregated: the measure's own, or one below it whose rows its value reads.

    A measure's filters do not count: an order of which some item passes is one order.
    """
    tree = source.tree
    # An item's price times an order's rate has a value for each item, and is summed over items, wherever it was
    # defined.
    if measure.type in REPEATABLE or all(tree.determines(path, other) for other in read):
        return path
    found = next((home for home in read if all(tree.determines(home, other) for other in {path, *read})), None)
    if found is None:
        names = ", ".join(sorted(f"'{other[-1]}'" for other in read))
        raise InvalidQuery(
            f"The measure '{measure.name}' reads {names}, whose rows repeat each other; make it of measures of each."
        )
    return found


def is_calculated(measure: Measure) -> bool:
    return measure.type in _CALCULATED


def is_over_measures(source: ModelSource, measure: Measure) -> bool:
    """Whether the measure is computed from other measures' values and aggregates nothing itself."""
    fragment = source.tree.index.fragment(measure.sql) if measure.sql else None
    if fragment is None:
        return False
    # Over other measures there is one value for each group.
    if measure.multi_stage and not is_calculated(measure):  # an aggregate of one value is that value
        if measure.rolling_window is not None:
            raise InvalidQuery(
                f"'{measure.name}' takes measures together over a rolling window; give the window to the measure "
                "it is made of."
            )
        return True
    return is_calculated(measure) and not fragment.aggregates and measure.rolling_window is None


def raw_spec(source: ModelSource, path: Path, measure: Measure, text: str) -> LeafSpec:
    """An aggregate that a calculated measure holds itself (``text``), its columns becoming columns of the rows."""
    tree = source.tree
    args: list[Bound] = []
    read: set[Path] = set()
    prefix = f"{'.'.join(path)}.{measure.name}:{text}"

    # Not counted among what is read: filters, which choose rows and do not multiply them.
    def column(expr: Expr, *, counts: bool = True) -> str:
        bound = source.expression(f"{prefix}#{len(args)}", expr)
        args.append(bound)
        read.update(expr.paths if counts else ())
        return f"svcarg{len(args) - 1}x"

    def inline(at: Path, text: str, owner: Measure) -> str:
        fragment = tree.index.fragment(text)
        tree.tables |= fragment.tables
        tree.selected |= fragment.tables
        # DuckDB computes in the type of the column: 100 + 100 overflows as TINYINT.
        written = tree.index.widened(at[-1], fragment.text) if fragment.aggregates else fragment.text
        flat = RAW_COLUMN.sub(lambda m: column(Expr(word(f"{tree.alias(at)}.{m[1]}"), frozenset({at}))), written)
        # A COUNT(*) would count the rows that a LEFT JOIN invents.
        if fragment.aggregates and at != tree.root:
            flat = among(flat, column(tree.present(at)))
        if condition := filters_of(tree, at, owner):
            flat = among(flat, column(condition, counts=False))

        def replace(reference: Reference) -> str:
            resolved = tree.resolve(at, reference)
            node = tree.walk(at, resolved.join_path)
            if resolved.member is None:
                raise InvalidQuery(
                    f"The measure '{measure.name}' refers to a column of another cube inside its aggregates."
                )
            member = tree.index.member(node[-1], resolved.member)
            if not isinstance(member, Measure):
                return column(tree.member(node, resolved))
            if is_calculated(member):
                return f"({inline(node, member.sql or '', member)})"
            spec = leaf_spec(source, node, member)
            read.add(spec.home)
            offset = len(args)
            args.extend(spec.args)
            return spec.template.replace("{0}", f"svcarg{offset}x")

        return substitute(flat, replace)

    flat = inline(path, text, measure)
    # The author's own braces are doubled, for the template is filled by format().
    template = re.sub(r"\bsvcarg(\d+)x\b", r"{\1}", flat.replace("{", "{{").replace("}", "}}"))
    return LeafSpec(template, tuple(args), kind_of_measure(measure), False, _home(source, path, measure, read))


def kind_of_measure(measure: Measure) -> str:
    return {"string": "string", "time": "timestamp", "boolean": "boolean"}.get(measure.type, "number")


def local_time(source: ModelSource, path: Path, measure: Measure, value: str) -> str:
    """A measure's value in the query's time zone, if it is a moment, as dimensions are shown in it."""
    text = (measure.sql or "").strip()
    if not text or measure.type not in ("min", "max", "time"):
        return value
    references = find_references(text)
    # A measure that merely names another is in the zone of what that one reads.
    if measure.type == "time" and len(references) == 1 and text == str(references[0]):
        resolved = source.tree.resolve(path, references[0])
        member = source.compilation.index.member(resolved.cube, resolved.member or "")
        if isinstance(member, Measure):
            return local_time(source, source.tree.walk(path, resolved.join_path), member, value)
    kind = source.compilation.index.exact_kind(path[-1], text)
    return in_zone(source.compilation, value, kind)[0] if kind in ("timestamp", "timestamptz") else value


def row_value(source: ModelSource, entry: Entry) -> Bound:
    """A measure over one row alone: what ungrouped queries show."""
    measure = entry.member
    assert isinstance(measure, Measure)
    source.use_measure(entry)
    expr = _row_expr(source, entry.path, measure)

    def value() -> Told:
        masked = source.policy.is_masked(entry.relation, entry.name)
        if masked:
            text = source.policy.mask_sql(entry.path, measure.mask, kind_of_measure(measure))
        else:
            text = local_time(source, entry.path, measure, expr.sql)
        return Told((entry.relation, entry.name), text, masked)

    # A measure's SQL is the author's, and may fail on some row, a hidden one included.
    source.compilation.raising = True
    shown = source.compilation.tell(source.policy.asked, value)
    return source.expression(f"{entry.key}#row", Expr(shown, expr.paths), kind_of_measure(measure))


def _row_expr(source: ModelSource, path: Path, measure: Measure) -> Expr:
    if measure.multi_stage or measure.rolling_window or measure.time_shift:
        raise InvalidQuery(f"The measure '{measure.name}' has no value for a single row; group the query.")
    tree = source.tree
    if not is_calculated(measure):
        expr = argument(tree, path, measure)
        if measure.type != "count":
            assert expr is not None
            return expr
        present = tree.present(path)
        test = present.sql if expr is None else sql("{} AND {} IS NOT NULL", present.sql, expr.sql)
        paths = present.paths | (expr.paths if expr is not None else frozenset())
        return Expr(sql("CASE WHEN {} THEN 1 ELSE 0 END", test), paths)
    fragment = tree.index.fragment(measure.sql or "")
    if fragment.aggregates:
        raise InvalidQuery(f"The measure '{measure.name}' has no value for a single row; group the query.")
    reached: set[Path] = {path}

    def replace(reference: Reference) -> str:
        resolved = tree.resolve(path, reference)
        node = tree.walk(path, resolved.join_path)
        if resolved.member is None:
            reached.add(node)
            return tree.alias(node)
        member = tree.index.member(node[-1], resolved.member)
        inner = _row_expr(source, node, member) if isinstance(member, Measure) else tree.member(node, resolved)
        reached.update(inner.paths)
        return sql("({})", inner.sql)

    return Expr(sql("({})", placed(fragment.text, replace)), frozenset(reached))
