"""Questions by strangers to tables that nobody described, labelled by the SQL that answers them.

They are asked as people ask, over models that are made of the files alone. Only open domains are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa

from .own_questions import Case, IsRight, labelled
from .reader_labels import Row
from .strangers import Said, clock_of, domains, is_one_of, opened, read_domain, rows_of_sql

__all__ = ["STRANGERS", "open_domains", "stranger_rows"]

STRANGERS = "strangers"


def open_domains() -> list[str]:
    """The domains whose questions may be learned from."""
    return [name for name in domains() if not read_domain(name).get("closed")]


def stranger_rows(name: str, weights: Mapping[str, float]) -> list[Row]:
    """The rows of a domain's questions, those that its data cannot answer among them."""
    return list(_rows(name, weights))


def _rows(name: str, weights: Mapping[str, float]) -> Iterator[Row]:
    described = read_domain(name)
    clock = clock_of(described)
    cases: list[Case] = [(str(said["ask"]), _is_right(name, said), clock) for said in described["questions"]]
    with opened(name) as layer:
        yield from labelled(STRANGERS, name, layer, cases, weights)


def _is_right(name: str, said: Said) -> IsRight | None:
    if "sql" not in said:
        return None
    wanted = [rows_of_sql(name, sql) for sql in [said["sql"], *said.get("or", ())]]

    def is_right(table: pa.Table) -> bool:
        columns = [column.to_pylist() for column in table.columns]  # two may be called alike
        return is_one_of([list(row) for row in zip(*columns, strict=True)], wanted, said)

    return is_right
