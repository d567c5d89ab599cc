"""Whatever phrase bounds a number, it does so wherever a bound may stand: of rows, of some rows, of sums, of shares."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest
from carers import joined_tables, tables

import svc_notebook as svc
from svc_notebook.analyst.offline.lexicon import bounding
from svc_notebook.analyst.offline.lexicon.bounds import bound_at

SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}
TREATMENTS = joined_tables()
PHRASES = {
    " ".join(words): sign for words, sign in bounding().items() if words[-1] != "of"
}  # "with a maximum of" is one
PER_CARER = TREATMENTS.groupby("carer")
MISSED = TREATMENTS[TREATMENTS.outcome == "missed"].groupby("carer").size()

FRAMES: dict[str, pd.Series] = {
    "carers with {} {} treatments": PER_CARER.size(),
    "which carers gave {} {} treatments?": PER_CARER.size(),
    "carers with {} {} missed treatments": MISSED,
    "which carers missed {} {} treatments?": MISSED,
    "carers who had missed {} {} treatments": MISSED,
    "carers whose treatments add up to {} {}": PER_CARER.charge.sum(),
    "carers with a total charge {} {}": PER_CARER.charge.sum(),
    "carers with an average charge {} {}": PER_CARER.charge.mean(),
    "carers who gave treatments {} {} times": PER_CARER.size(),
    "carers who gave missed treatments {} {} times": MISSED,
}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(tables()) as opened:
        yield opened


def drawn(seed: str, many: int) -> list[tuple[str, Callable[[Any, float], Any]]]:
    return [(phrase, SIGNS[sign]) for phrase, sign in random.Random(seed).sample(sorted(PHRASES.items()), many)]


@pytest.mark.parametrize("frame", FRAMES)
def test_every_phrase_bounds_groups(client: Any, frame: str) -> None:
    of = FRAMES[frame]
    bound = int(of.median())  # some are on it, or near it: "at least" and "more than" part
    for phrase, is_so in drawn(frame, 14):
        answer = client.chat().ask(frame.format(phrase, bound))
        assert answer.result is not None, (phrase, answer.text)
        assert sorted(answer.result.load_all().iloc[:, 0]) == sorted(of[is_so(of, bound)].index), (phrase, answer.text)


def test_every_phrase_bounds_rows(client: Any) -> None:
    for phrase, is_so in drawn("rows", 14):
        answer = client.chat().ask(f"how many treatments have a charge {phrase} 50")
        assert answer.result.load_all().iloc[0, 0] == is_so(TREATMENTS.charge, 50).sum(), answer.text


@pytest.mark.parametrize("seed", ["first", "second"])
def test_every_phrase_bounds_shares(client: Any, seed: str) -> None:
    """None is left out on the way: *at least* is no *more than*, and what cannot be a share's bound is refused."""
    share = PER_CARER.at_home.mean()
    for phrase, is_so in drawn(seed, 8):
        answer = client.chat().ask(f"carers where {phrase} 30 % of treatments are at home")
        if is_so is operator.eq:
            assert answer.result is None, answer.text
        else:
            assert sorted(answer.result.load_all().iloc[:, 0]) == sorted(share[is_so(share, 0.3)].index), phrase


@pytest.mark.parametrize(
    "question",
    ["carers with both missed and refused treatments more than 3 times",
     "carers who had more than 3 of both missed and refused treatments"],
)  # fmt: skip
def test_a_bound_of_each_of_both_is_none_of_the_two_together(client: Any, question: str) -> None:
    answer = client.chat().ask(question)
    each = TREATMENTS.groupby(["carer", "outcome"]).size().unstack()[["missed", "refused"]]
    wanted = sorted(each[(each > 3).all(axis=1)].index)
    assert wanted != sorted(each[each.sum(axis=1) > 3].index)
    assert answer.result is None or sorted(answer.result.load_all().iloc[:, 0]) == wanted, answer.text


def test_the_longest_phrase_counts() -> None:
    assert bound_at(["no", "more", "than", "3"], 0) == (3, "<=")
    assert bound_at(["no", "more", "than", "3"], 1) == (2, ">")
    assert bound_at(["not", "less", "than", "3"], 0) == (3, ">=")
    assert bound_at(["3", "or", "more"], 1) == (0, "")
