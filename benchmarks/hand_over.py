"""How often a sure reading is right, and what handing such questions to the reader saves: `options: {hand_over: …}`.

Run: ``python -m benchmarks.hand_over [--cases DIR] [--error 0.1] [--jobs N]``. Every question of the everyday set is
asked of the offline analyst, which also says how sure it is; it counts as handed over from a confidence on, as
:class:`~svc_notebook.analyst.llm.agent.LanguageModelAnalyst` decides it. In the model's place is a stand-in: it is wrong
in ``--error`` of the questions, drawn by a seed; that rate is stated, not measured, and nothing is claimed of any model.
What a turn of it takes is measured: the analyst asks it over HTTP, once for each database, with its whole prompt.

Of closed databases (:mod:`.closed_half`) only figures are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from svc_notebook.analyst.base import Event, Turn, Usage
from svc_notebook.analyst.llm import LanguageModelAnalyst
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.layer import SemanticLayer

from .closed_half import is_closed
from .question_models import build_layer
from .question_predictions import Conversations
from .questions import Case, _is_right, by_database, cases_folder, load_scorer

SET = "everyday"
BOUNDS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
WANTED = 0.95


@dataclass(frozen=True)
class Asked:
    """One case: its prediction, how sure the reader was (0: it would not have been alone), and tokens of a model's turn."""

    prediction: dict[str, Any]
    sure: float
    tokens: int


class Telling(OfflineAnalyst):
    """Remembers how sure it was of each question."""

    def __init__(self) -> None:
        super().__init__()
        self.sure: dict[str, float] = {}

    async def answer(self, turn: Turn, toolbox: Toolbox, cancel: Any) -> AsyncIterator[Event]:
        draft = await self.draft(turn, toolbox)
        sure = draft.confidence if draft is not None and draft.sql and len(draft.options) < 2 else 0.0
        self.sure.setdefault(turn.question, sure)  # a reading that was offered is asked behind it
        async for event in super().answer(turn, toolbox, cancel):
            yield event


def ask(folder: Path, group: Sequence[tuple[str, Case]]) -> list[Asked]:
    """All cases of one database."""
    described = load_scorer(folder).models(SET)[group[0][1]["model"]]
    layer = build_layer(folder / "questions" / SET, described, as_files=True)
    try:
        load_metadata(Toolbox(layer, SecurityContext.operator()))
        return asyncio.run(_ask(layer, [case for _, case in group]))
    finally:
        layer.close()


async def _ask(layer: SemanticLayer, cases: Sequence[Case]) -> list[Asked]:
    tokens = await tokens_of_a_turn(layer, str(cases[0]["utterance"]))
    found = []
    for case in cases:
        analyst = Telling()
        prediction = await Conversations(layer, analyst).predict(case)
        last = (case.get("turns") or [case["utterance"]])[-1]
        found.append(Asked(prediction, analyst.sure.get(last, 0.0), tokens))
    return found


async def tokens_of_a_turn(layer: SemanticLayer, question: str) -> int:
    """What a model that runs one query and answers in a sentence is sent and sends, estimated from the characters."""
    from tests.llm.provider import Call, Provider, Text, Uses

    relation = next(iter(Toolbox(layer, SecurityContext.operator()).catalog.relations))
    query = Call("svcSqlApi", {"sqlQuery": f'SELECT * FROM "{relation}" LIMIT 5', "queryTitle": "Rows"})
    script = [[query, Uses(None)], [Text("That is what there is."), Uses(None)]]
    with Provider(lambda index, _: script[min(index, 1)]) as provider:
        model = LanguageModelAnalyst(f"{provider.url}/v1#m", api_key="none", check=False)
        toolbox = Toolbox(layer, SecurityContext.operator())
        events = [event async for event in model.answer(Turn(question), toolbox, toolbox.cancel)]
        await model.aclose()
    return sum(int(event.usage.get("totalTokens", 0)) for event in events if isinstance(event, Usage))


def report(scored: Sequence[tuple[bool, Asked, str]], error: float, half: str) -> None:
    """A line for each bound: what was handed over, how much of that was right, and what both together gave and took."""
    modelled = {name: random.Random(name).random() >= error for _, _, name in scored}
    for bound in (*BOUNDS, None):
        handed = [right for right, asked, _ in scored if bound is not None and asked.sure >= bound]
        kept = [(modelled[name], asked) for _, asked, name in scored if bound is None or asked.sure < bound]
        right = (sum(handed) + sum(right for right, _ in kept)) / len(scored)
        thousands = sum(asked.tokens for _, asked in kept) / len(scored) / 1000
        precision = f"{100 * sum(handed) / len(handed):8.1f}" if handed else f"{'-':>8s}"
        print(
            f"{half:8s}{'never' if bound is None else bound:>8}{100 * len(handed) / len(scored):12.1f}{precision}"
            f"{100 * right:10.1f}{thousands:12.2f}"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hand_over", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--cases", help="folder of the cases (default: SVC_CASES, or beside the project)")
    parser.add_argument("--error", type=float, default=0.1, help="how often the stand-in is wrong (default: 0.1)")
    parser.add_argument("--limit", type=int, help="so many cases of each database")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    folder = cases_folder(options.cases)
    if not (folder / "questions").is_dir():
        print(f"no question sets under {folder}: give --cases DIR or SVC_CASES")
        return 0
    groups = by_database(folder, [SET], "dev", options.limit)
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        asked = [one for each in pool.map(ask, [folder] * len(groups), groups) for one in each]
    by_case = {one.prediction["id"]: one for one in asked}
    scored = load_scorer(folder).score(SET, "dev", [one.prediction for one in asked])
    found = [(_is_right(s["m"]), by_case[s["case"]["id"]], s["case"]) for s in scored if s["case"]["id"] in by_case]
    print(f"a stand-in that is wrong in {options.error:.0%}")
    print(f"{'half':8s}{'from':>8s}{'handed over':>12s}{'right':>8s}{'together':>10s}{'1000 tokens':>12s}")
    for half in ("open", "closed"):
        part = [
            (right, one, str(case["id"]))
            for right, one, case in found
            if is_closed(case["model"]) == (half == "closed")
        ]
        if part:
            report(part, options.error, half)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
