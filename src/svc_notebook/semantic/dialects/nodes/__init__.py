"""SQL as it is made: the text that DuckDB runs, and the tree that other dialects are lowered from.

A piece of SQL is a form of ours over other pieces. A form is read once in a process; the tree of a piece is that
reading with the trees of its parts in their places. So nothing that was put together is read again.
"""

from .forms import (
    NOTHING,
    ONE,
    among,
    among_words,
    clause,
    distinct,
    formed,
    formed_item,
    holes,
    item,
    joined_by,
    query,
    rows,
    sql,
    statement,
    where,
    word,
)
from .parts import (
    column,
    ended,
    exchanged,
    from_,
    is_read_so,
    late,
    literal,
    name,
    named,
    number,
    retold,
    run,
    select,
)
from .piece import Clauses, Sql, Tree, tree_of

__all__ = [
    "NOTHING", "ONE", "Clauses", "Sql", "Tree", "among", "among_words", "clause", "column", "distinct",
    "ended", "exchanged", "formed", "formed_item", "from_", "holes", "is_read_so", "item", "joined_by", "late",
    "literal", "name", "named", "number", "query", "retold", "rows", "run", "select", "sql", "statement", "tree_of",
    "where", "word",
]  # fmt: skip
