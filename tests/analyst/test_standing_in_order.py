"""Groups ranked by a number, rows from the oldest to the newest: in that order, and all of them."""

from __future__ import annotations

import pytest

from svc_notebook.analyst.offline.words.standing_in_order import in_order


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("kilns from oldest to newest", "kilns, oldest first"),
        ("list the kilns, from the newest to the oldest.", "list the kilns, newest first."),
        ("potters ranked by number of mugs", "number of mugs by potters, highest first"),
        ("Rank our potters by average price in 2024?", "average price in 2024 by potters, highest first"),
        ("kilns sorted by total firings last year", "total firings last year by kilns, highest first"),
    ],
)
def test_an_order_is_said_behind_what_stands_in_it(said: str, meant: str) -> None:
    assert in_order(said) == meant
    assert in_order(in_order(said)) == in_order(said)


@pytest.mark.parametrize(
    "said",
    [
        "trains from Brest to Budapest",
        "number of mugs by potter",
        "potters by number of mugs",
        "potters ranked by number of mugs in ascending order",
        "glazed mugs ranked by total price",
        "mugs ordered by customers",
    ],
)
def test_what_says_no_such_order_stays(said: str) -> None:
    assert in_order(said) == said
