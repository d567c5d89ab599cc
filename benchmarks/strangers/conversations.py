"""Conversations of strangers over tables that nobody described: ``conversations.yml`` beside a domain's questions.

It lists dialogues, a dialogue its turns, each described as a question is. What a turn follows are the analyst's own
answers, right or wrong. Of domains that are ``closed`` only figures are printed.

::

    python -m benchmarks.strangers.conversations [DOMAIN …] [--fails] [--jobs N]
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

from svc_notebook.analyst.offline import OfflineAnalyst

from ..question_predictions import Conversations
from . import FOLDER, Outcome, Said, clock_of, domains, is_drawn, opened, outcome_of, read_domain, read_yaml
from .__main__ import VERDICTS, failures, line

__all__ = ["TurnOutcome", "dialogues", "figures", "held", "turn_outcomes", "turns_of_all"]

FILE = "conversations.yml"
_LATE = 6  # turns from here on are counted together
_GOOD = ("right", "kept quiet")


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """How one turn came out, and its place in its dialogue, from one."""

    place: int
    outcome: Outcome


def held() -> list[str]:
    """Every domain with conversations."""
    return [name for name in domains() if (FOLDER / name / FILE).exists()]


def dialogues(name: str) -> list[list[Said]]:
    """The dialogues of a domain."""
    kept: list[Any] = read_yaml(FOLDER / name / FILE)["conversations"]
    return [list(one["turns"]) if isinstance(one, dict) else list(one) for one in kept]


def turn_outcomes(name: str, every: int = 1) -> list[list[TurnOutcome]]:
    """Every dialogue of a domain, or one of so many, each in a thread of its own."""
    return turns_of_all(name, [one for one in dialogues(name) if is_drawn(one[0]["ask"], every)])


def turns_of_all(name: str, asked: Iterable[Sequence[Said]]) -> list[list[TurnOutcome]]:
    """Every turn of dialogues over a domain, each dialogue in a thread of its own."""
    clock = clock_of(read_domain(name))
    with opened(name) as layer:
        return [list(_asked(name, Conversations(layer, OfflineAnalyst()), said, clock)) for said in asked]


def _asked(name: str, asking: Conversations, dialogue: Sequence[Said], clock: str) -> Iterator[TurnOutcome]:
    turns = [str(said["ask"]) for said in dialogue]
    for place, said in enumerate(dialogue, 1):
        case = {"id": place, "turns": turns[:place], "as_of": clock}
        outcome = outcome_of(name, said, asyncio.run(asking.predict(case)))
        yield TurnOutcome(place, replace(outcome, question=" | ".join(turns[:place])))


def figures(label: str, found: Iterable[Sequence[TurnOutcome]]) -> list[str]:
    """The figures of some dialogues: all turns, those that follow one, each place, and whole dialogues."""
    asked = list(found)
    turns = [turn for dialogue in asked for turn in dialogue]
    rows = [line(label, _counts(turns)), line("  follow-ups", _counts(turn for turn in turns if turn.place > 1))]
    for place in sorted({min(turn.place, _LATE) for turn in turns}):
        head = f"  turn {place}{'+' if place == _LATE else ''}"
        rows.append(line(head, _counts(turn for turn in turns if min(turn.place, _LATE) == place)))
    whole = sum(all(turn.outcome.verdict in _GOOD for turn in dialogue) for dialogue in asked)
    return [*rows, f"  {whole} of {len(asked)} conversations are right in every turn"]


def _counts(turns: Iterable[TurnOutcome]) -> Counter[str]:
    return Counter(turn.outcome.verdict for turn in turns)


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask the conversations of every domain that is named, or of all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strangers.conversations", description="dialogues")
    parser.add_argument("names", nargs="*", metavar="DOMAIN")
    parser.add_argument("--fails", action="store_true", help="show what did not come out right, of open domains")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    names = options.names or held()
    halves: dict[bool, list[list[TurnOutcome]]] = {False: [], True: []}
    print(f"{'':20s}" + "".join(f"{head:>11s}" for head in ("n", *VERDICTS, "of answered")))
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for name, found in zip(names, pool.map(turn_outcomes, names), strict=True):
            closed = bool(read_domain(name).get("closed"))
            halves[closed] += found
            turns = [turn for dialogue in found for turn in dialogue]
            shown = failures([turn.outcome for turn in turns], closed=closed, asked=options.fails)
            print("\n".join([line(name, _counts(turns)), *shown]), flush=True)
    for closed, found in halves.items():
        if found:
            print("\n".join(figures("all closed" if closed else "all open", found)))


if __name__ == "__main__":
    main()
