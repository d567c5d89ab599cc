"""SQL is made of pieces that know their trees: what was put together is not read again, and each place that reads is known."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import sqlglot

from svc_notebook import semantic
from svc_notebook.semantic.compiler.compile import finished
from svc_notebook.semantic.compiler.join_tree.probes import indexed
from svc_notebook.semantic.dialects import nodes
from svc_notebook.semantic.dialects.nodes import statement, tree_of
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.layer import SemanticLayer

from ..soundness.grammar import Grammar
from ..soundness.worlds import build_full, shapes
from .shop import OPERATOR, open_shop, user
from .test_golden import GOLDEN, POLICY, read

ROOT = Path(semantic.__file__).parent
READERS = {
    "compiler/query/text.py": "what was asked, once",
    "dialects/nodes/filling.py": "a form of ours, and a fragment of the model's author, once in a process",
    "dialects/nodes/parts.py": "the proven text, that another engine's tree is the same statement: a second look",
    "compiler/authored/fragments.py": "a fragment of the model's author, once for a model",
    "compiler/plan/custom_aggregates.py": "the same, into its aggregates",
    "compiler/authored/divisions.py": "the same, for its divisions",
    "compiler/authored/middles.py": "the same, for its medians",
    "loading/bridges.py": "the model's author, as it is loaded",
    "loading/data_files.py": "the model's author, as it is loaded",
    "loading/filter_params.py": "the model's author, as it is loaded",
    "loading/readable.py": "the model's author, as it is loaded",
    "loading/translation.py": "the model's author in the dialect of another database, as it is loaded; refused where in doubt",
    "fitting/joins.py": "the model's author, as a model is checked against its data",
    "fitting/tables.py": "the model's author, as a model is checked against its data",
    "compiler/query/left_over.py": "what was asked, once more for whoever says it over",
    "information_schema.py": "what was asked of information_schema, which a throwaway database answers",
    "engine/postgres/engine.py": "the finished text, for the tables in it: a second look that knows nothing of the compiler",
    "engine/spark/engine.py": "the finished text, for the tables in it: a second look that knows nothing of the compiler",
}


def readers(source: str) -> Iterator[str]:
    """Calls that read a text as SQL, or write a tree out as another dialect's."""
    for node in ast.walk(ast.parse(source)):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if called.removeprefix("sqlglot.") in (
            "parse_one",
            "parse",
            "transpile",
            "tokenize",
            "maybe_parse",
            "parse_query",
        ) or called.endswith((".tokenize", ".parse_into", ".transpile")):
            yield called


def test_whoever_reads_sql_is_known() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): set(readers(path.read_text("utf-8"))) for path in sorted(ROOT.rglob("*.py"))
    }
    found["compiler/compile.py"] -= {"parse_query"}  # what was asked
    assert {name for name, calls in found.items() if calls} == set(READERS)
    assert not [name for name, calls in found.items() if any("transpile" in call for call in calls)]


def test_the_count_sees_them() -> None:
    assert list(readers("import sqlglot\nx = sqlglot.parse_one(a)\nTokenizer().tokenize(b)\nq = parse_query(c)"))[
        0:1
    ] == ["sqlglot.parse_one"]
    assert len(list(readers("sqlglot.transpile(a)\nd.tokenize(b)"))) == 2


# --- the tree is that of the text -----------------------------------------------------------------------------------


def made(layer: SemanticLayer, ctx: Any, asked: list[str]) -> int:
    """How many of the queries were compiled; of each its tree is what a parser reads in its text."""
    index, compiled = indexed(layer.model, layer.engine), 0
    for sql in asked:
        with suppress(QueryError):
            _, text, _ = finished(index, ctx, sql, "UTC", {})
            assert tree_of(text) == sqlglot.parse_one(str(text), read="duckdb"), sql
            compiled += 1
    return compiled


@pytest.mark.parametrize("name", ["operator", "policy"])
def test_of_golden_queries(name: str) -> None:
    layer = open_shop({"orders": [POLICY]} if name == "policy" else None)
    asked = [sql for sql, _ in read(GOLDEN / f"{name}.sql")[1]]
    assert made(layer, user(status=["paid"]) if name == "policy" else OPERATOR, asked) == len(asked)
    layer.close()


def test_of_drawn_queries_under_policies(tmp_path: Path) -> None:
    from svc_notebook.semantic.engine import DuckDBEngine
    from svc_notebook.semantic.loader import load_model

    engine = DuckDBEngine.open(build_full(tmp_path / "full.duckdb", hidden_rows=5))
    compiled = 0
    for number, shape in enumerate(shapes()):
        layer = SemanticLayer(load_model(shape.policed_model()), engine)
        compiled += made(
            layer, shape.context, [Grammar(seed, depth=2).query() for seed in range(number * 40, number * 40 + 40)]
        )
    engine.close()
    assert compiled > 80


def test_while_a_query_is_compiled_only_what_was_asked_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = open_shop({"orders": [POLICY]})
    asked = [sql for sql, _ in read(GOLDEN / "policy.sql")[1]]
    for sql in asked:
        tree_of(finished(indexed(layer.model, layer.engine), user(status=["paid"]), sql, "UTC", {})[1])
    index, seen = indexed(layer.model, layer.engine), Counter[str]()
    for sql in asked:  # its fragments are read, and what is written where policy and question name unlike values
        tree_of(finished(index, user(status=["done"]), sql, "UTC", {})[1])
    parse = sqlglot.parser.Parser.parse

    def counted(self: Any, *args: Any, **options: Any) -> Any:
        seen["read"] += 1
        return parse(self, *args, **options)

    monkeypatch.setattr(sqlglot.parser.Parser, "parse", counted)
    for sql in asked:
        assert tree_of(finished(index, user(status=["open"]), sql, "UTC", {})[1]) is not None
    assert seen["read"] == len(asked)
    layer.close()


def test_a_text_alone_has_no_tree() -> None:
    with pytest.raises(TypeError, match="a text alone"):
        tree_of("SELECT 1")
    with pytest.raises(TypeError, match="a text alone"):
        tree_of(nodes.sql("({} + 1)", "x"))
    with pytest.raises(ValueError, match="Not every part"):
        tree_of(nodes.sql("1", nodes.word("x")))
    assert tree_of(statement("SELECT '{}' AS x")) == sqlglot.parse_one("SELECT '{}' AS x", read="duckdb")
