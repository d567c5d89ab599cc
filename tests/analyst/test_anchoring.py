"""Where the clauses of a reading stand in the question."""

from __future__ import annotations

import datetime as dt

import pytest

from svc_notebook.analyst.offline.forms import Compare, Filter, Form, Member, Role, Value
from svc_notebook.analyst.readings.anchoring import anchored
from svc_notebook.semantic.catalog import Catalog

MAY = dt.date(2024, 5, 1)


@pytest.mark.parametrize(
    ("question", "value", "said"),
    [
        ("orders over 20", 20, "20"),
        ("orders over 200 or 20", 20, "20"),
        ("orders over 200", 20, ""),
        ("a2 20a 20_ _20", 20, ""),
        ("more than 1.5 kg", 1.5, "1.5"),
        ("a share of 3", 3.0, "3"),
        ("those of NEW YORK", "new york", "NEW YORK"),
        ("those of York", "New York", "York"),
        ("what #1 did", "#1", "#1"),
        ("İn İstanbul: open", "open", "open"),
        ("in May", MAY, "May"),
        ("since 2024-05-01", MAY, "2024-05-01"),
        ("in 2024", MAY, "2024"),
        ("in 20245 maybe", MAY, ""),
        ("", "", ""),
        ("two  spaces", "  ", ""),
    ],
)
def test_a_value_is_said_where_it_stands_by_itself(question: str, value: object, said: str) -> None:
    condition = Compare(Member("o.m"), ">", Value(value))  # type: ignore[arg-type]
    [found] = anchored(Form(Role("o"), where=(Filter(condition),)), question, Catalog({}, "1")).where
    assert (found.anchor.origin, found.anchor.words) == (("said", said) if said else ("assumed", ""))
    assert question[found.anchor.start : found.anchor.end] == said
