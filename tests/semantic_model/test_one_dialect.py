"""DuckDB's own words stand in its folder: what the compiler writes itself is the algebra that any SQL has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from svc_notebook import semantic

ROOT = Path(semantic.__file__).parent
WRITERS = sorted([*(ROOT / "compiler").rglob("*.py"), ROOT / "policies" / "row_filters.py", ROOT / "value_sets.py"])
MESSAGES = {"refusals.py", "text.py"}  # what an asker may write instead
_COMMON = frozenset(
    "count sum avg min max coalesce nullif exists grouping in and or on over as values not any all when rank".split()
)
_CALL = re.compile(r"\b([A-Za-z_][\w]*)\(")
_WORDS = re.compile(
    r"\bTRY\b|\bTRY_CAST\b|\bAS (?:VARCHAR|DOUBLE|BIGINT|INTEGER|HUGEINT|TIMESTAMP|DATE|DECIMAL|BOOLEAN)\b|::|"
    r"\bINTERVAL \(|\b(?:TIMESTAMP|DATE) '|\bOFFSET 0\b|\bQUALIFY \b|\bMATERIALIZED\b|\bDISTINCT ON\b|\blambda [a-z]:"
)


def duckdb_words(source: str) -> Iterator[tuple[int, str]]:
    """The line and the word of everything in a module's texts that is DuckDB's own.

    Not what is said to people (what is raised, documented, or told to be written), nor what is searched for.
    """
    tree = ast.parse(source)
    aside = {id(inner) for node in ast.walk(tree) for inner in _aside(node)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in aside else None
        if isinstance(text, str) and not _HINT.match(text):
            calls = (call[1] for call in _CALL.finditer(text) if call[1].lower() not in _COMMON)
            for word in (*calls, *(word[0] for word in _WORDS.finditer(text))):
                yield node.lineno, word  # type: ignore[attr-defined]


def _aside(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Raise | ast.Assert):
        yield from ast.walk(node)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if ast.unparse(node.func) in ("re.compile", "re.search", "re.match", "re.fullmatch", "re.sub"):
            yield from ast.walk(node)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith(_TELLING):
        yield from ast.walk(node)


_HINT = re.compile(r"(?:write|cast to) ")
_TELLING = ("InvalidQuery", "NotAllowed", "TooComplex", "SqlSyntaxError")


def test_duckdbs_own_words_stand_in_its_folder() -> None:
    found = [
        f"{path.name}:{line} {word}"
        for path in WRITERS
        if path.name not in MESSAGES
        for line, word in duckdb_words(path.read_text("utf-8"))
    ]
    assert not found, "say it in semantic/dialects/duckdb:\n" + "\n".join(found)


def test_the_count_sees_them() -> None:
    said = "x = f\"CAST(date_trunc('month', {a}) AS TIMESTAMP) + INTERVAL (1) DAY\""
    assert [word for _, word in duckdb_words(said)] == ["CAST", "date_trunc", "AS TIMESTAMP", "INTERVAL ("]
    assert not list(duckdb_words('"""date_trunc(a)"""\nraise InvalidQuery("write strftime(a)")'))
    assert len(list(duckdb_words((ROOT / "dialects/duckdb/functions.py").read_text("utf-8")))) > 50
