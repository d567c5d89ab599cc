"""Files that a model's SQL reads by name: each stands for the table of that name in the database that is opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ... import patterns as re
from ..model import Source
from .problems import Problems

__all__ = ["without_data_files"]

_READERS = re.compile(r"read_(?:csv|csv_auto|parquet|json|json_auto|ndjson|ndjson_auto)", re.IGNORECASE)
_LIKELY = re.compile(r"(?:^|\bfrom|\bjoin)\s*(?:'|read_\w+\s*\()", re.IGNORECASE)


def without_data_files(sql: str, source: Source, problems: Problems, *, alone: bool = False) -> str:
    """SQL in which ``'s3://shop/users.csv'`` and ``read_parquet('orders/*.parquet')`` are the tables users and orders.

    ``alone``: the text is a table's name rather than a query.
    """
    if _LIKELY.search(sql) is None:
        return sql
    pieces: list[str] = []
    at = 0
    for start, end, path in _files(f"FROM {sql}" if alone else sql):
        name = _name(path)
        problems.info(
            f"'{path}' is not opened: it stands for the table '{name}' of the database the model is opened with", source
        )
        quoted = '"' + name.replace('"', '""') + '"'
        if alone:
            return quoted
        pieces += [sql[at:start], quoted]
        at = end
    return "".join([*pieces, sql[at:]])


def _files(sql: str) -> Iterator[tuple[int, int, str]]:
    """Where each file that rows come from begins and ends, and its path."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        tokens: Sequence[Any] = sqlglot.tokenize(sql, read="duckdb")
    except (SqlglotError, ValueError):
        return
    for i, token in enumerate(tokens[:-1]):
        if token.token_type.name not in ("FROM", "JOIN"):
            continue
        first = tokens[i + 1]
        if first.token_type.name == "STRING":
            yield first.start, first.end + 1, first.text
        elif _READERS.fullmatch(first.text) is not None:
            # The first one: options of these readers hold no calls.
            closing = next((t for t in tokens[i + 2 :] if t.token_type.name == "R_PAREN"), None)
            path = next((t for t in tokens[i + 2 :] if t.token_type.name == "STRING"), None)
            if closing is not None and path is not None:
                yield first.start, closing.end + 1, path.text


def _name(path: str) -> str:
    """``users`` of ``s3://shop/users.csv.gz``, ``orders`` of ``orders/year=*/*.parquet``."""
    # The last part that is no pattern and no partition: folders of parts are named by the folder.
    parts = [part for part in re.split(r"[/\\]", path) if part and "*" not in part.split(".")[0] and "=" not in part]
    return parts[-1].split(".")[0] if parts else path
