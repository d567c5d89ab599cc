"""Choices through the whole service: in the stream, in a replay, in Python and in the terminal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import svc_notebook as svc
from svc_notebook.cli import ask as cli


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    with svc.demo() as opened:
        yield opened


def test_an_answer_offers_its_readings_and_one_is_asked(client: svc.Client) -> None:
    chat = client.chat(external_id="ana")
    answer = chat.ask("average delay by airline")
    assert [str(choice) for choice in answer.choices] == [
        "Average departure delay by airline", "Average arrival delay by airline",
    ]  # fmt: skip
    taken = chat.ask(answer.choices[1].question, reading=answer.choices[1].reading)
    assert "avg_arrival_delay" in (taken.sql or "") and taken.choices == []
    assert "avg_arrival_delay" in (chat.ask("average delay by origin").sql or "")
    replayed = client.chat(external_id="ana", chat_id=chat.chat_id).history()[0]
    assert replayed.choices == answer.choices


def test_a_refusal_says_so_in_the_state(client: svc.Client) -> None:
    chat = client.chat(external_id="bea")
    refused = chat.ask("florbs by zork")
    assert refused.snapshot.state["outcome"] == "refused"
    assert "outcome" not in chat.ask("flights by origin").snapshot.state
    assert refused.choices == []


def test_who_sits_at_a_terminal_chooses_by_number(client: svc.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = client.chat(external_id="cem").ask("average delay by airline")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: "2")
    assert cli._taken(answer) == "2"
    monkeypatch.setattr("builtins.input", lambda prompt: "9")
    assert cli._taken(answer) == ""


def test_minutes_are_not_compared_with_the_hour_of_the_day() -> None:
    with svc.demo() as client:
        asked = client.chat().ask("percentage of flights delayed more than 30 minutes per airline")
    assert '"departure_delay" > 30' in (asked.sql or "")
    assert not [choice for choice in asked.choices if "hour" in choice.question.lower()]
