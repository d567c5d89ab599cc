"""Default deny: a node is refused unless a rule knows its type, and then each of its arguments by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from ..errors import NotAllowed
from .names import fold

__all__ = ["check_args", "check_schema", "instead_of", "refuse", "table_function"]

# What a construct is called, and what to write instead.
_CONSTRUCTS: Mapping[str, tuple[str, str]] = {
    "Array": ("ARRAY[…]", "write IN (…), = ANY (ARRAY[…]) or FROM unnest(ARRAY[…]) AS t(x)"),
    "Bracket": ("x[1]", "write substring(x, 1, 1) for a part of a text, and x[1] for one of a column of lists"),
    "Collate": ("COLLATE", "texts compare by their characters; write lower(x) to ignore case"),
    "CurrentTime": ("CURRENT_TIME", "write CURRENT_TIMESTAMP or CURRENT_DATE"),
    "Distinct": ("DISTINCT here", "write SELECT DISTINCT, or COUNT(DISTINCT x)"),
    "Explode": ("unnest", "write FROM unnest(ARRAY[1, 2]) AS t(x)"),
    "ExplodingGenerateSeries": ("generate_series here", "write FROM generate_series(1, 12) AS g(n)"),
    "JSONValue": ("json_value", "write json_extract_string(x, '$.a')"),
    "Lambda": ("A lambda", "write an expression over columns"),
    "Lateral": ("LATERAL here", "write CROSS JOIN LATERAL (SELECT …) AS x, or LEFT JOIN LATERAL (…) AS x ON TRUE"),
    "National": ("N'…'", "write '…'"),
    "Pivot": ("PIVOT", "write SUM(x) FILTER (WHERE …) for each column"),
    "Unnest": ("UNNEST here", "write FROM unnest(ARRAY[1, 2]) AS t(x) with constant values"),
    "Tuple": ("A row (a, b) here", "compare rows with =, <, IN or IS NOT DISTINCT FROM"),
    "BitwiseAnd": ("&", "write arithmetic"), "BitwiseOr": ("|", "write arithmetic"),
    "BitwiseXor": ("#", "write arithmetic"),
}  # fmt: skip
_ARGUMENTS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("Join", "method"): ("ASOF JOIN", "write JOIN … USING (…), or JOIN … ON …"),
    ("Select", "into"): ("SELECT INTO", "a query only reads"),
    ("Select", "locks"): ("FOR UPDATE", "a query only reads"),
    ("Select", "distribute"): ("DISTRIBUTE BY", "leave it out"),
    ("Table", "sample"): ("TABLESAMPLE", "write ORDER BY and LIMIT"),
    ("Table", "pivots"): ("PIVOT", "write SUM(x) FILTER (WHERE …) for each column"),
    ("Table", "ordinality"): ("WITH ORDINALITY", "write ROW_NUMBER() OVER (ORDER BY …)"),
    ("Unnest", "offset"): ("WITH ORDINALITY", "write ROW_NUMBER() OVER (ORDER BY …)"),
}
_NUMBERS = "write an expression over columns; a query gives the same answer each time"
_SESSION = "a query reads the model alone"
# Functions by the names people write and those the parser gives them.
_FUNCTIONS: Mapping[str, tuple[str, str]] = {
    "rand": ("random", _NUMBERS), "random": ("random", _NUMBERS), "uuid": ("gen_random_uuid", _NUMBERS),
    "current_version": ("version", _SESSION), "current_user": ("current_user", _SESSION),
    "session_user": ("session_user", _SESSION), "current_database": ("current_database", _SESSION),
    "current_schema": ("current_schema", _SESSION), "current_catalog": ("current_catalog", _SESSION),
    "exploding_generate_series": ("generate_series", "write FROM generate_series(1, 12) AS g(n)"),
    "generate_series": ("generate_series", "write FROM generate_series(1, 12) AS g(n)"),
    "range": ("range", "write FROM generate_series(1, 12) AS g(n)"),
    "explode": ("unnest", "write FROM unnest(ARRAY[1, 2]) AS t(x)"),
    "unnest": ("unnest", "write FROM unnest(ARRAY[1, 2]) AS t(x)"),
    "array": ("array", "write IN (…), = ANY (ARRAY[…]) or FROM unnest(ARRAY[…]) AS t(x)"),
    "array_size": ("array_length", "this column holds one value"),
    "get_json_object": ("get_json_object", "write json_extract_string(x, '$.a')"),
    "overlay": ("overlay", "write left(x, 1) || 'new' || substring(x, 4)"),
    "j_s_o_n_array_agg": ("json_agg", "write string_agg(x, ', ' ORDER BY x)"),
    "j_s_o_n_object_agg": ("json_object_agg", "write string_agg(x, ', ' ORDER BY x)"),
    "first": ("first", "write arg_min(x, ordered_by)"), "last": ("last", "write arg_max(x, ordered_by)"),
    "initcap": ("initcap", "write upper(left(x, 1)) || lower(substring(x, 2))"),
    "repeat": ("repeat", "write the text out, or lpad(x, 8, '-')"),
    "format": ("format", "write concat(a, ' ', b)"),
    "chr": ("chr", "write the character in quotes"),
    "to_number": ("to_number", "write CAST(x AS DOUBLE)"),
    "string_to_array": ("string_to_array", "write split_part(x, ',', 1)"),
    "regexp_match": ("regexp_match", "write substring(x FROM 'pattern')"),
    "regexp_split_to_array": ("regexp_split_to_array", "write split_part(x, ',', 1)"),
    "regexp_split_to_table": ("regexp_split_to_table", "write split_part(x, ',', 1)"),
    "collate": ("COLLATE", "texts compare by their characters; write lower(x) to ignore case"),
    "histogram": ("histogram", "write width_bucket(x, 0, 100, 10) in GROUP BY"),
    "make_interval": ("make_interval", "write INTERVAL '3 days'"),
    "clock_timestamp": ("clock_timestamp", "write CURRENT_TIMESTAMP"),
    "getdate": ("getdate", "write CURRENT_TIMESTAMP"),
    "sysdate": ("sysdate", "write CURRENT_TIMESTAMP"),
}  # fmt: skip


def check_args(node: exp.Expr, allowed: Sequence[str]) -> None:
    """Refuse a node with any argument its rule does not name."""
    for name, value in node.args.items():
        # Whatever a new version of the parser puts into a node is refused until a rule names it.
        if name not in allowed and value not in (None, False, []):
            raise refuse(node, name)


def check_schema(node: exp.Column) -> None:
    """The schema before a column's relation: there is one, ``public``."""
    schema = node.args.get("db")
    if schema is not None and fold(schema.name) != "public":
        raise NotAllowed(f"There is no schema '{schema.name[:60]}'; write the relation's name alone.")


def instead_of(function: str) -> NotAllowed | None:
    """The refusal of a function that people know, in the name they know it by."""
    known = _FUNCTIONS.get(function.lower())
    return NotAllowed(f"The function '{known[0]}' is not available; {known[1]}.") if known else None


def table_function(node: exp.Expr) -> NotAllowed:
    """The refusal of a function in FROM, by the name it is written with."""
    named = node.name if isinstance(node, exp.Anonymous) else node.sql_name() if isinstance(node, exp.Func) else ""
    name = named.lower()[:60]
    return instead_of(name) or NotAllowed(
        f"{f'The function {name!r}' if name else 'This'} is not available in FROM; select from a cube, a view, a "
        "subquery or generate_series(…)."
    )


def refuse(node: exp.Expr, argument: str = "") -> NotAllowed:
    kind = type(node).__name__
    known = _ARGUMENTS.get((kind, argument)) or (_CONSTRUCTS.get(kind) if not argument else None)
    if known is not None:
        return NotAllowed(f"{known[0]} is not available in queries over the model; {known[1]}.")
    detail = f" with '{argument.rstrip('_')}'" if argument else ""
    return NotAllowed(f"{kind.upper()}{detail} is not available in queries over the model.")
