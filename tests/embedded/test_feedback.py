"""Branches of a thread and feedback on its answers, through the client."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.client import errors
from svc_notebook.results.feedback import Feedback

from ..loops import run


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    sales = pd.DataFrame({"region": ["north", "south", "south"], "product": ["a", "a", "b"], "amount": [1.0, 2.0, 4.0]})
    with svc.embedded(sales) as opened:
        yield opened


def test_an_edited_question_branches_and_both_branches_go_on(client: svc.Client) -> None:
    chat = client.chat(external_id="ana")
    first = chat.ask("total amount by region")
    second = chat.ask("only the south")
    instead = chat.ask("by product", after=second.after)
    resumed = chat.ask("as a table", after=second)
    turns = [(first.turn, first.after), (second.turn, second.after), (instead.turn, instead.after)]
    assert turns == [(1, 0), (2, 1), (3, 1)]
    assert (resumed.turn, resumed.after) == (4, 2)
    assert [(past.turn, past.after) for past in client.chat(external_id="ana", chat_id=chat.chat_id).history()] == [
        (1, 0), (2, 1), (3, 1), (4, 2),
    ]  # fmt: skip
    with pytest.raises(errors.BadRequest, match="no turn 9"):
        chat.ask("by product", after=9)


def test_a_verdict_is_kept_with_the_thread(client: svc.Client) -> None:
    chat = client.chat(external_id="bob")
    answer = chat.ask("total amount")
    assert answer.feedback is None
    answer.judge("wrong", why="one row is missing")
    assert answer.feedback == Feedback("wrong", "one row is missing")

    def read_again() -> svc.Answer:
        return client.chat(external_id="bob", chat_id=chat.chat_id).history()[0]

    assert read_again().feedback == answer.feedback
    run(read_again().ajudge("right"))
    assert read_again().feedback == Feedback("right")
    answer.judge(None)
    assert read_again().feedback is answer.feedback is None


def test_a_verdict_that_cannot_be_kept_is_refused_in_words(client: svc.Client) -> None:
    answer = client.chat(external_id="eve").ask("total amount")
    with pytest.raises(ValueError, match="right"):
        answer.judge("good")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="verdict"):
        answer.judge(None, why="so")
    with pytest.raises(ValueError, match="ask again"):
        pickle.loads(pickle.dumps(answer)).judge("right")
