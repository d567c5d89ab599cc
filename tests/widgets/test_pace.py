"""What a growing answer costs on its way to the browser, by a clock of the test's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.front.live_turn import LiveTurn
from svc_notebook.front.pace import Pace
from svc_notebook.front.payloads import turn_payload

from .acted_chat import ActedAnswer

ENVELOPE = 600  # bytes of a Jupyter message around its content
FLUSH = 1 / 30
TOKENS = 3_000


def tokens(kind: str) -> Iterator[str]:
    """Words of an answer: plain ones, or with headings, lists and stress in every other paragraph."""
    words = cycle(["flights", "from", "Newark", "were", "later", "than", "those", "of", "spring", "by"])
    for number in range(TOKENS):
        word = next(words) + " "
        if kind == "formatted" and number % 240 == 120:
            word = "\n\n## Carriers\n\n- **United** "
        elif kind == "formatted" and 120 < number % 240 < 200 and number % 20 == 0:
            word = "\n- **Delta** "
        elif number % 80 == 79:
            word = "\n\n" + word
        yield word


class Road:
    """Tells a browser about tokens that come at a rate, as the widget's worker and the service's stream do."""

    def __init__(self, kind: str, rate: float) -> None:
        self.now = 0.0
        self.sent: list[tuple[float, dict]] = []
        self.live = LiveTurn(1, "how late?", clock=lambda: self.now)
        answer, flushed = ActedAnswer("how late?"), float("-inf")
        for number, token in enumerate(islice(tokens(kind), TOKENS)):
            arrives = number / rate
            while (due := self.live.due) is not None and max(due, flushed + FLUSH) < arrives:
                flushed = self.now = max(due, flushed + FLUSH)
                self.say(answer)
            self.now, answer = arrives, replace(answer, text=answer.text + token)
            if arrives >= flushed + FLUSH:
                flushed = arrives
                self.say(answer)
        self.whole = turn_payload(1, replace(answer, status="complete"))
        self.say(answer, last=True)
        self.sent.append((self.now, {"t": "turn", "turn": self.live.finished(self.whole), "chat_id": "c" * 32}))

    def say(self, answer: ActedAnswer, last: bool = False) -> None:
        before = len(self.sent)
        self.sent += [(self.now, message) for message in self.live.news(answer, last=last)]
        assert last or len(self.sent) > before or self.live.due is None or self.live.due > self.now

    @property
    def bytes(self) -> int:
        return sum(len(json.dumps(message)) + ENVELOPE for _, message in self.sent)

    def shown(self) -> str:
        """The text as a browser puts it together."""
        text = ""
        for _, message in self.sent:
            if message["t"] == "d":
                assert message["off"] == len(text)
                text += message["d"]
        return text


@pytest.mark.parametrize("kind", ["plain", "formatted"])
@pytest.mark.parametrize("rate", [0.5, 5, 50, 500])
def test_three_thousand_tokens_cost_sixty_kilobytes_at_most(kind: str, rate: float) -> None:
    road = Road(kind, rate)
    assert road.shown() == road.whole["text"]
    assert road.bytes <= 60_000, (len(road.sent), road.bytes)
    told = road.sent[-1][1]["turn"]
    assert (told["html"], told["text"], told["chars"]) == (None, None, len(road.whole["text"]))


@pytest.mark.parametrize("rate", [1, 50, 500])
def test_the_first_word_goes_out_at_once_and_text_never_lags_far_behind(rate: float) -> None:
    road = Road("plain", rate)
    assert road.sent[0][0] < 0.05
    times = [at for at, message in road.sent if message["t"] == "d"]
    if rate >= 50:
        assert max(b - a for a, b in pairwise(times)) < 4


@given(st.lists(st.tuples(st.floats(0, 2), st.integers(1, 400)), max_size=60))
def test_what_waits_always_has_a_time_while_the_turn_is_quiet(steps: list[tuple[float, int]]) -> None:
    pace, now, waiting, quiets = Pace(), 0.0, 0, 0
    for pause, grown in steps:
        now, waiting = now + pause, waiting + grown
        if pace.grown(waiting, now):
            pace.sent(now)
            waiting = 0
        elif pace.due() is not None:
            now = max(now, pace.due() or 0)
            assert pace.grown(waiting, now)
            pace.sent(now)
            quiets, waiting = quiets + 1, 0
    assert waiting < 1_400
