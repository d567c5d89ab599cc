"""What askers were not served well with: refused, asked back, corrected or marked wrong, grouped by likeness."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any, Literal

from ...analyst.offline.dialogue import hear
from ...analyst.offline.words.text import stem
from ...records import dataclass

__all__ = ["Finding", "Kind", "findings"]

Kind = Literal["wrong", "corrected", "refused", "asked back"]

_ORDER: tuple[Kind, ...] = ("wrong", "corrected", "refused", "asked back")
_ALIKE = 0.5  # the least share of words that two questions of one group have in common
_SMALL = frozenset(
    "a an and are by can did do does for from give how i in is it list many me much of on or please show tell than "
    "that the there to us was we were what which who with you".split()
)


@dataclass
class Finding:
    """Questions that are alike and ended alike, the most frequent wording first; ``why``: what askers said."""

    kind: Kind
    questions: Counter[str] = field(default_factory=Counter)
    answers: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    readings: list[tuple[str, str]] = field(default_factory=list)  # that were offered: in words, and their SQL

    @property
    def question(self) -> str:
        return self.questions.most_common(1)[0][0]

    @property
    def count(self) -> int:
        return sum(self.questions.values())

    @property
    def unknown(self) -> list[str]:
        """The words that were named as unknown, the most frequent first."""
        words = Counter(word for text in self.answers for word in _UNKNOWN.findall(text))
        return [word for word, _ in words.most_common()]

    def as_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "count": self.count, "question": self.question, "questions": list(self.questions),
            "unknown": self.unknown, "why": self.why,
            "readings": [{"question": words, "sql": sql} for words, sql in self.readings],
        }  # fmt: skip


_UNKNOWN = re.compile(r"“([^”]{1,60})”")


def findings(turns: Iterable[Any]) -> list[Finding]:
    """The findings in ``turns`` (rows of the store, in the order of their threads), what weighs most first."""
    groups: list[tuple[frozenset[str], Finding]] = []
    for kind, turn in _noted(list(turns)):
        words = frozenset(stem(w) for w in re.findall(r"\w+", turn.question.lower()) if w not in _SMALL)
        found = next((f for known, f in groups if f.kind == kind and _alike(known, words)), None)
        if found is None:
            found = Finding(kind)
            groups.append((words, found))
        found.questions[turn.question.strip()] += 1
        found.answers.append(turn.answer or "")
        found.readings += [one for one in _offered(turn) if one not in found.readings]
        if turn.verdict_why and turn.verdict_why not in found.why:
            found.why.append(turn.verdict_why)
    return sorted((f for _, f in groups), key=lambda f: (_ORDER.index(f.kind), -f.count, f.question))


def _noted(turns: Sequence[Any]) -> Iterable[tuple[Kind, Any]]:
    place = {(turn.thread_id, turn.number): turn for turn in turns}
    corrected = set()
    for turn in turns:
        if "correct" in hear(turn.question).acts:
            before = turn.number - 1 if turn.after is None else turn.after
            if (turn.thread_id, before) in place:
                corrected.add((turn.thread_id, before))
    for key, turn in place.items():
        outcome = json.loads(turn.memory).get("outcome") if turn.memory else None
        if turn.verdict == "wrong":
            yield "wrong", turn
        elif key in corrected:
            yield "corrected", turn
        elif outcome == "refused":
            yield "refused", turn
        elif outcome == "asked_back":
            yield "asked back", turn


def _offered(turn: Any) -> list[tuple[str, str]]:
    """The readings a turn was offered, or answered by."""
    memory = json.loads(turn.memory) if turn.memory else {}
    choices = [(one.get("question", ""), one.get("sql", "")) for one in memory.get("choices") or []]
    return [(words, sql) for words, sql in choices if words and sql]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if not one or not other:
        return one == other
    return len(one & other) / len(one | other) >= _ALIKE
