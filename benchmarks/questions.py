"""The public question sets, asked of the offline analyst: how much is right, and how much is wrong without a word.

::

    python -m benchmarks.questions [SET ...] [--cases DIR] [--split dev] [--by KEY] [--out DIR] [--fails N] [--jobs N]

Each set's tables are asked over the model that ``svc-notebook init`` writes for them (:mod:`.question_models`), and every
question goes through the same analyst, semantic layer and engine as a user's does. A case with several ``turns`` is asked
as a conversation; ``as_of`` is the clock. Scores come from the scorer that lies beside the cases.

Open and closed databases are reported apart (:mod:`.closed_half`); of closed ones only figures are printed, and no
prediction, score or failure is written anywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

from svc_notebook.analyst.base import Analyst
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext

from .closed_half import is_closed
from .question_models import build_layer, same_database
from .question_predictions import Conversations, median_ms

SETS = ("nlv", "nvbench", "defog", "acme", "nl4dv_conv", "spider_train", "cosql", "everyday")
HALVES = ("open", "closed")
_AS_FILES = frozenset({"everyday"})
_FIGURES = (
    "answered", "result", "chart", "contains", "right", "right_answerable", "silently_wrong", "wrong_told",
    "refused_answerable", "offered", "kept_quiet", "dialogs",
)  # fmt: skip
_HEADS = (
    "n", "answ", "result", "chart", "contain", "right", "r_answ", "silent", "told", "refused", "offered", "quiet",
    "dialogs", "of answ", "ms",
)  # fmt: skip

Case = Mapping[str, Any]
Prediction = dict[str, Any]


def cases_folder(given: str | None) -> Path:
    """Where the cases lie: ``--cases``, ``SVC_CASES``, or beside the project."""
    return Path(given or os.environ.get("SVC_CASES") or Path(__file__).resolve().parents[1].parent / "shared" / "cases")


def load_scorer(folder: Path) -> ModuleType:
    """The scorer beside the cases."""
    if str(folder / "questions") not in sys.path:
        sys.path.insert(0, str(folder / "questions"))
    return importlib.import_module("score")


def by_database(folder: Path, sets: Iterable[str], split: str, limit: int | None) -> list[list[tuple[str, Case]]]:
    """The cases of all sets in groups that ask the same database; ``limit`` of each database and set."""
    scorer = load_scorer(folder)
    groups: dict[str, list[tuple[str, Case]]] = defaultdict(list)
    for name in sets:
        described = scorer.models(name)
        taken: dict[str, int] = defaultdict(int)
        for case in scorer.load_cases(name, split):
            taken[case["model"]] += 1
            if limit is None or taken[case["model"]] <= limit:
                key = same_database(folder / "questions" / name, described[case["model"]])
                groups[f"{name in _AS_FILES} {key}"].append((name, case))
    return sorted(groups.values(), key=len, reverse=True)


def ask(folder: Path, group: Sequence[tuple[str, Case]], analyst: str) -> list[tuple[str, Prediction]]:
    """All cases of one database over one layer, each with the name of its set."""
    name, first = group[0]
    described = load_scorer(folder).models(name)[first["model"]]
    layer = build_layer(folder / "questions" / name, described, as_files=name in _AS_FILES)
    try:
        load_metadata(Toolbox(layer, SecurityContext.operator()))
        conversations = Conversations(layer, _analyst(analyst))
        return [(name, asyncio.run(conversations.predict(case))) for name, case in group]
    finally:
        layer.close()


def _analyst(path: str) -> Analyst:
    module, _, name = path.partition(":")
    analyst: Analyst = getattr(importlib.import_module(module), name)()
    return analyst


def run(folder: Path, options: argparse.Namespace) -> dict[str, list[Prediction]]:
    """Predictions by set."""
    groups = by_database(folder, options.sets, options.split, options.limit)
    found: dict[str, list[Prediction]] = {name: [] for name in options.sets}
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for asked in pool.map(ask, [folder] * len(groups), groups, [options.analyst] * len(groups)):
            for name, prediction in asked:
                found[name].append(prediction)
    return found


def report(folder: Path, name: str, predictions: list[Prediction], options: argparse.Namespace) -> None:
    """Print the figures of one set, half by half; write and show what is open."""
    scorer = load_scorer(folder)
    given = {p["id"]: p for p in predictions}
    scored = [s for s in scorer.score(name, options.split, predictions) if s["case"]["id"] in given]
    halves = {half: [s for s in scored if is_closed(s["case"]["model"]) == (half == "closed")] for half in HALVES}
    for half, part in halves.items():
        if part:
            figures = scorer.S.summarize(part, _key(options.by) if options.by else None)
            for label, line in figures.items():
                times = [given[s["case"]["id"]] for s in part]
                print(_line(f"{name} {half}" if label == "ALL" else f"  {label}", line, median_ms(times)))
    shown = halves["open"]
    if options.out:
        _write(options.out / f"{name}.jsonl", (given[s["case"]["id"]] for s in shown))
        _write(options.out / f"{name}.scores.jsonl", ({"id": s["case"]["id"], **s["m"]} for s in shown))
    for s in [s for s in shown if not _is_right(s["m"])][: options.fails]:
        print("    fails:", s["case"]["id"], "|".join(s["case"].get("turns") or [s["case"]["utterance"]]))


def _key(by: str) -> Any:
    def of(case: Case) -> str:
        value = case.get(by, (case.get("notes") or {}).get(by))
        return ",".join(value) if isinstance(value, list) else str(value)

    return of


def _is_right(scores: Mapping[str, Any]) -> bool:
    return bool(next((scores[key] for key in ("right", "chart", "result") if scores.get(key) is not None), 0))


def _line(label: str, line: Mapping[str, Any], median: float) -> str:
    of_answered = next((line[key] for key in ("prec_right", "prec_chart", "prec_result") if key in line), "-")
    cells = [str(line["n"]), *(str(line.get(key, "-")).split()[0] for key in _FIGURES), of_answered, f"{median:.0f}"]
    return f"{label:22s}" + "".join(f"{cell:>8s}" for cell in cells)


def _write(file: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line, default=str) + "\n" for line in lines), encoding="utf8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.questions", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("sets", nargs="*", help=f"of {', '.join(SETS)} (default: all)")
    parser.add_argument("--cases", help="folder of the cases (default: SVC_CASES, or beside the project)")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--by", help="figures by a key of the cases or their notes (intent, hardness, variant, model)")
    parser.add_argument("--out", type=Path, help="folder for predictions and scores, of open databases only")
    parser.add_argument("--fails", type=int, default=0, help="show so many failures of open databases")
    parser.add_argument("--limit", type=int, help="so many cases of each database and set")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--analyst", default="svc_notebook.analyst.offline:OfflineAnalyst", help="module:class")
    options = parser.parse_args(arguments)
    options.sets = options.sets or list(SETS)
    folder = cases_folder(options.cases)
    if not (folder / "questions").is_dir():
        print(f"no question sets under {folder}: give --cases DIR or SVC_CASES")
        return 0
    print(f"{'per cent':22s}" + "".join(f"{head:>8s}" for head in _HEADS))
    for name, predictions in run(folder, options).items():
        report(folder, name, predictions, options)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
