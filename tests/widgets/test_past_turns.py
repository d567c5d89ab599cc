"""Long conversations: the newest turns are ready, the older ones when asked for; pictures only when they are pictures."""

from __future__ import annotations

import base64

import pytest

from svc_notebook.front import past_turns
from svc_notebook.front.past_turns import PAGE, PastTurns
from svc_notebook.widgets.pictures import Pictures

from .acted_chat import ActedAnswer

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 40).decode()


def test_four_thousand_turns_are_made_ready_a_page_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    real = past_turns.turn_payload
    monkeypatch.setattr(past_turns, "turn_payload", lambda n, answer, **_: made.append(n) or real(n, answer))
    past = PastTurns([ActedAnswer(f"question {n}", "x", status="complete") for n in range(1, 4_001)])
    assert len(past) == 4_000
    assert len(made) == PAGE
    turns, left = past.page()
    assert ([turn["n"] for turn in turns], left) == (list(range(3_971, 4_001)), 3_970)
    assert turns[-1]["question"] == "question 4000"
    older, left = past.page(before=3_971)
    assert ([older[0]["n"], older[-1]["n"]], left) == ([3_941, 3_970], 3_940)
    assert len(made) == 2 * PAGE
    past.append({"n": 4_001})
    assert past.page()[0][-1] == {"n": 4_001}
    assert len(past.page()[0]) == PAGE


@pytest.mark.parametrize(("before", "numbers"), [(1, []), (2, [1]), (0, []), (-5, []), (99, [1, 2, 3])])
def test_pages_at_the_edges(before: int, numbers: list[int]) -> None:
    past = PastTurns([ActedAnswer(str(n), status="complete") for n in range(3)])
    turns, left = past.page(before)
    assert [turn["n"] for turn in turns] == numbers
    assert left == 0


def test_only_small_png_files_are_pictures() -> None:
    pictures = Pictures()
    assert pictures.take("r-1", PNG)
    assert not pictures.take("r-1", PNG), "it is there already"
    svg = base64.b64encode(b"<svg onload=alert(1)>").decode()
    for uuid, png in [
        ("a", svg),
        ("b", "not base64"),
        ("c", PNG * 5_000),
        ("", PNG),
        (None, PNG),
        ("d", None),
        ("e", 3),
    ]:
        assert not pictures.take(uuid, png)
    assert pictures.of("r-1") == PNG
    assert pictures.of("a") == ""
    for number in range(250):
        pictures.take(f"n-{number}", PNG)
    assert pictures.of("r-1") == "", "the oldest go"
