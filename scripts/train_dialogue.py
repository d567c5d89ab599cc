"""Train the choice between a turn's edits and the question it is by itself, and the probability that it is right.

::

    python scripts/train_dialogue.py [--cases DIR] [--out weights.json] [--keep FILE]

Only dialogues over open databases are looked at; folds are by database. Printed are, out-of-fold and behind the
analyst's own answers: *reachable* (a right reading is among them), *chosen* (the first is right), and for several least
probabilities what would be answered right and wrong. How sure an edit is itself is fitted behind gold queries; behind
an answer that may be wrong it is as much less sure. From which probability it is answered is chosen out-of-fold as
well. ``weights.json`` holds its own origin.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import pickle
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.closed_half import is_closed  # noqa: E402
from benchmarks.dialogue_rows import DialogueRow, own_rows, rows_of, stranger_rows  # noqa: E402
from benchmarks.questions import cases_folder  # noqa: E402
from benchmarks.reader_fitting import calibrate, fit_listwise, fold_of, folds_of  # noqa: E402
from svc_notebook.analyst.offline.dialogue.weighing import Anew, Facts, Ranked, evidence, likely  # noqa: E402

SETS = ("everyday", "cosql")
WEIGHTS = ROOT / "src" / "svc_notebook" / "analyst" / "offline" / "dialogue" / "weights.json"
FOLDS = 6
STRENGTH = 3.0
CALM = 10.0  # what draws the weights of the probability to none: its examples are few
PRICE = 1.0  # of an edit that is wrong, where a right one gains 1
EVEN = 0.5  # what is as likely right as not is answered in any case
PEOPLES = 4  # times that a turn as people type them counts: CoSQL's are told to a machine, in whole sentences
LEAST = (0.3, 0.4, 0.5, 0.6, 0.7)
# What fitting starts from and is drawn back to: above that of a question anew, a turn is an edit.
PRIOR = {
    "bias": -0.5, "opens": 3.0, "instead": 2.0, "those": 4.5, "points": 2.5, "short": 1.5, "subject": -4.0,
    "asks": -1.0,
    "alone:unread": 0.7, "unread": -1.5, "cost": -0.5, "eased": 0.25, "older": -4.0, "behind": -0.5, "named": 2.5,
    "weak": -0.3, "value": 1.0, "weak:name": -1.0, "undoes": 2.0,
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Collect, fit, report, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--keep", type=Path, help="a file that labelled turns are kept in, and taken from")
    asked = parser.parse_args(arguments)
    folder = cases_folder(asked.cases) / "questions"
    if not folder.is_dir():
        print(f"no question sets under {folder}: give --cases DIR or SVC_CASES")
        return 1
    rows = _rows(folder, asked.keep)
    judged = out_of_fold(rows)
    figures, least = report(judged)
    prints = {name: hashlib.sha256((folder / name / "dev.jsonl").read_bytes()).hexdigest()[:16] for name in SETS}
    origin = {
        "by": "scripts/train_dialogue.py", "sets": prints, "folds": FOLDS, "strength": STRENGTH, "turns": len(rows),
        "out_of_fold": figures,
    }  # fmt: skip
    rank = {name: value for name, value in _fitted(rows).items() if value}
    told = {"origin": origin, "least": least, "rank": rank, "sure": _calibrated(judged)}
    asked.out.write_text(json.dumps(told, indent=1) + "\n", "utf8")
    return 0


def _rows(folder: Path, keep: Path | None) -> list[DialogueRow]:
    """The labelled turns of all sets; those that are kept are not asked again."""
    rows: list[DialogueRow] = []
    if keep is not None and keep.exists():
        rows = list(pickle.loads(keep.read_bytes()))  # what this script wrote itself
    sys.path.insert(0, str(folder))
    scorer = importlib.import_module("scorelib")
    for name in ("own", "strangers", *SETS):
        if name not in {row.set for row in rows}:
            made = {"own": own_rows, "strangers": stranger_rows}.get(name)
            rows.extend(made(scorer) if made is not None else _set_rows(folder, name, scorer))
            if keep is not None:
                keep.write_bytes(pickle.dumps(rows))
    return rows


def _set_rows(folder: Path, name: str, scorer: ModuleType) -> Iterable[DialogueRow]:
    described = json.loads((folder / name / "models.json").read_text("utf8"))
    by_model: dict[str, list[Any]] = defaultdict(list)
    for case in scorer.load_jsonl(str(folder / name / "dev.jsonl")):
        if not is_closed(case["model"]) and case.get("dialog"):
            by_model[case["model"]].append(case)
    for model, cases in sorted(by_model.items()):
        found = list(rows_of(folder, name, {"name": model, **described[model]}, cases, scorer))
        print(f"{name} {model}: {len(found)} turns, {sum(any(r.labels) for r in found)} reached", flush=True)
        yield from found


@dataclass(frozen=True, slots=True)
class Judged:
    """A row's choice by weights that never saw its database: what its probability is made of, whether it is right."""

    row: DialogueRow
    best: Ranked
    facts: Facts
    right: bool
    sure: float = 0.0

    @property
    def is_edit(self) -> bool:
        return "anew" not in self.best.facts


def standing(row: DialogueRow, weights: Mapping[str, float]) -> Judged:
    """The first reading by these weights."""
    scored = [(sum(weights.get(n, 0.0) * v for n, v in features), at) for at, features in enumerate(row.features)]
    scored.sort(key=lambda item: -item[0])
    readings = [Ranked(None, score, dict(row.features[at]), row.before_sure[at]) for score, at in scored]
    facts = evidence(readings, row.turn, Anew(row.anew_sure))
    return Judged(row, readings[0], facts, row.contained[scored[0][1]])


def out_of_fold(rows: Sequence[DialogueRow]) -> list[Judged]:
    """Each row's choice, and how likely it is, by weights that never saw its database."""
    folds = folds_of(rows, FOLDS)
    chosen: list[Judged] = []
    for fold in range(FOLDS):
        weights = _fitted([row for row in rows if fold_of(row, folds) != fold])
        chosen += [standing(row, weights) for row in rows if fold_of(row, folds) == fold]
    judged: list[Judged] = []
    for fold in range(FOLDS):
        sure = _calibrated([one for one in chosen if fold_of(one.row, folds) != fold])
        mine = [one for one in chosen if fold_of(one.row, folds) == fold]
        judged += [replace(one, sure=likely(sure, one.best, one.facts)) for one in mine]
    return judged


def _fitted(rows: Sequence[DialogueRow]) -> dict[str, float]:
    return fit_listwise([(row.features, row.labels) for row in _weighted(rows)], PRIOR, STRENGTH)


def _weighted(rows: Sequence[DialogueRow]) -> list[DialogueRow]:
    return [row for row in rows for _ in range(1 if row.set == "cosql" else PEOPLES)]


def _calibrated(judged: Sequence[Judged]) -> dict[str, float]:
    known = [one for one in judged if one.row.behind_gold]
    return calibrate([one.facts for one in known], [one.right for one in known], [1.0] * len(known), CALM)


def least_of(judged: Sequence[Judged]) -> float:
    """The probability from which edits are answered: where right ones less the price of wrong ones are most,
    in tenths.
    """
    edits = [(one, PEOPLES if one.row.set in ("everyday", "strangers") else 1) for one in judged if one.is_edit]

    def gain(least: float) -> tuple[float, float]:
        return sum(count * (1.0 if one.right else -PRICE) for one, count in edits if one.sure >= least), least

    return min(EVEN, max((tenth / 10 for tenth in range(1, 10)), key=gain))


def report(judged: Sequence[Judged]) -> tuple[dict[str, Any], float]:
    """Print the figures of each set, and return them with the probability from which edits are answered."""
    least = least_of(judged)
    print(f"edits are answered from {least}")
    figures: dict[str, Any] = {}
    for name in (*SETS, "strangers", "own"):
        for behind_gold in (True, False):
            group = [one for one in judged if one.row.set == name and one.row.behind_gold == behind_gold]
            if group:
                label = f"{name} behind {'gold' if behind_gold else 'own'}"
                figures[label] = _line(label, group)
    return figures, least


def _line(label: str, group: Sequence[Judged]) -> Any:
    count = len(group)
    figures: dict[str, float] = {
        "n": count, "reachable": _share(any(one.row.contained) for one in group),
        "chosen": _share(one.right for one in group),
    }  # fmt: skip
    for least in LEAST:
        taken = [one.right for one in group if one.sure >= least]
        figures[f"right {least}"] = round(sum(taken) / count, 4)
        figures[f"wrong {least}"] = round((len(taken) - sum(taken)) / count, 4)
    print(
        f"{label:24s}",
        " ".join(f"{name} {value if name == 'n' else round(100 * value, 1)}" for name, value in figures.items()),
    )
    return figures


def _share(of: Iterable[bool]) -> float:
    known = list(of)
    return round(sum(known) / max(1, len(known)), 4)


if __name__ == "__main__":
    raise SystemExit(main())
