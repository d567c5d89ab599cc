"""Every function, called with too few, too many, missing or strange arguments: rows, or one of the documented errors."""

from __future__ import annotations

import itertools

import pytest
from sqlglot import exp

from svc_notebook.semantic.compiler.binding.calls import _SPECIAL
from svc_notebook.semantic.compiler.binding.time_calls import NAMED_TIME_CALLS
from svc_notebook.semantic.dialects.duckdb import AGGREGATES, ANONYMOUS, ANONYMOUS_AGGREGATES, FUNCTIONS, WINDOW_ONLY
from svc_notebook.semantic.errors import SemanticError
from svc_notebook.semantic.layer import SemanticLayer

from .shop import OPERATOR

KINDS = {*_SPECIAL, *FUNCTIONS, *AGGREGATES, *WINDOW_ONLY}
NAMES = sorted(
    {name for kind in KINDS if issubclass(kind, exp.Func) for name in kind.sql_names()}
    | {name.upper() for name in (*ANONYMOUS, *ANONYMOUS_AGGREGATES, *NAMED_TIME_CALLS)}
)
ARGUMENTS = ("status", "amount", "placed_at", "'day'", "*", "")


def calls(name: str) -> list[str]:
    few = [arguments for count in range(3) for arguments in itertools.product(ARGUMENTS, repeat=count)]
    more = [
        ("status", "'a'", "'b'"),
        ("amount", "1", "2", "3"),
        ("amount", "", "250", "5"),
        ("placed_at",) * 5,
        ("1",) * 8,
    ]
    return [f"{name}({', '.join(arguments)})" for arguments in few + more]


@pytest.mark.parametrize("name", NAMES)
def test_arguments_of_any_number_and_kind(shop: SemanticLayer, name: str) -> None:
    for call in calls(name):
        for text in (call, f"{call} OVER ()"):
            try:
                shop.explain(OPERATOR, f"SELECT {text} FROM orders")
            except SemanticError:
                continue
            except Exception as error:  # noqa: BLE001 (that is the finding)
                pytest.fail(f"{text}: {error!r}")
