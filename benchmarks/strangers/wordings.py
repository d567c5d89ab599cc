"""What strangers ask in other words: ``wordings.yml`` beside a domain's questions.

``questions`` maps a question to three other wordings of it: typed in a hurry, spoken, turned into another frame.
``conversations`` lists, for each dialogue of ``conversations.yml``, two other wordings of each turn that follows.
Each is right when the query of what it words answers it. The wordings of every third question, and dialogue,
are closed: of them only figures are printed.

::

    python -m benchmarks.strangers.wordings [DOMAIN …] [--fails] [--jobs N]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any
from zlib import crc32

from . import FOLDER, Outcome, Said, asked, clock_of, domains, is_drawn, opened, read_domain, read_yaml
from .__main__ import VERDICTS, failures, line
from .conversations import dialogues, held, turns_of_all

__all__ = ["STYLES", "Reworded", "is_closed", "reworded_in", "reworded_turns", "wording_outcomes"]

FILE = "wordings.yml"
STYLES = ("typed", "spoken", "turned")
FOLLOWING = "follow-ups"
_CLOSED_OF = 3  # the wordings of one question in so many are closed


@dataclass(frozen=True, slots=True)
class Reworded:
    """How one other wording came out."""

    style: str
    closed: bool
    outcome: Outcome


def reworded_in() -> list[str]:
    """Every domain with other wordings."""
    return [name for name in domains() if (FOLDER / name / FILE).exists()]


def is_closed(question: str) -> bool:
    """Whether the other wordings of a question are closed."""
    return crc32(question.encode()) % _CLOSED_OF == 0


def wording_outcomes(name: str, *, closed_too: bool = True, style: str | None = None, every: int = 1) -> list[Reworded]:
    """Every other wording of a domain's questions, or of one of so many, each asked in a thread of its own."""
    described = read_domain(name)
    clock = clock_of(described)
    with opened(name) as layer:
        return [
            Reworded(kind, closed, asked(name, layer, {**said, "ask": wording}, clock))
            for said in described["questions"]
            if (closed := is_closed(said["ask"])) <= closed_too and is_drawn(said["ask"], every)
            for kind, wording in zip(STYLES, _wordings(name)["questions"].get(said["ask"], ()), strict=False)
            if style in (None, kind)
        ]


def reworded_turns(name: str, *, closed_too: bool = True, every: int = 1) -> list[Reworded]:
    """Every turn that follows one, in dialogues (or one of so many) whose later turns are all in other words."""
    worded = (
        []
        if name not in held()
        else [
            (is_closed(dialogue[0]["ask"]), [dialogue[0], *map(_worded, dialogue[1:], version)])
            for dialogue, wordings in zip(dialogues(name), _wordings(name).get("conversations", ()), strict=True)
            for version in zip(*wordings, strict=True)
        ]
    )
    asked = [
        (closed, dialogue)
        for closed, dialogue in worded
        if closed <= closed_too and is_drawn(dialogue[0]["ask"], every)
    ]
    found = turns_of_all(name, [dialogue for _, dialogue in asked])
    return [
        Reworded(FOLLOWING, closed, turn.outcome)
        for (closed, _), turns in zip(asked, found, strict=True)
        for turn in turns[1:]
    ]


def _worded(said: Said, wording: str) -> Said:
    return {**said, "ask": wording}


def _wordings(name: str) -> dict[str, Any]:
    return dict(read_yaml(FOLDER / name / FILE))


def _all_of(name: str, style: str | None, closed_too: bool) -> list[Reworded]:
    found = [] if style == FOLLOWING else wording_outcomes(name, closed_too=closed_too, style=style)
    return found + ([] if style not in (None, FOLLOWING) else reworded_turns(name, closed_too=closed_too))


def _figures(label: str, found: Iterable[Reworded]) -> Iterator[str]:
    """All wordings of a half, and each style of them."""
    kept = list(found)
    if kept:
        yield line(label, Counter(one.outcome.verdict for one in kept))
    for style in (*STYLES, FOLLOWING) if kept else ():
        yield line(f"  {style}", Counter(one.outcome.verdict for one in kept if one.style == style))


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask the other wordings of every domain that is named, or of all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strangers.wordings", description="other wordings")
    parser.add_argument("names", nargs="*", metavar="DOMAIN")
    parser.add_argument("--fails", action="store_true", help="show what did not come out right, of open questions")
    parser.add_argument("--style", choices=(*STYLES, FOLLOWING), help="only wordings of this kind")
    parser.add_argument("--open", action="store_true", help="leave the closed ones alone")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    names = options.names or reworded_in()
    everything: list[Reworded] = []
    print(f"{'':20s}" + "".join(f"{head:>11s}" for head in ("n", *VERDICTS, "of answered")))
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for name, found in zip(
            names, pool.map(partial(_all_of, style=options.style, closed_too=not options.open), names), strict=True
        ):
            everything += found
            shown = [one.outcome for one in found if not one.closed]
            print(line(name, Counter(one.outcome.verdict for one in found)))
            print("\n".join(failures(shown, closed=False, asked=options.fails)), flush=True)
    for closed in (False, True):
        half = (one for one in everything if one.closed == closed)
        print("\n".join(_figures("all closed" if closed else "all open", half)))


if __name__ == "__main__":
    main()
