"""Train the reader's ranking and calibration on the public question sets, and print what it reaches out-of-fold.

::

    python scripts/train_reader.py [SET ...] [--cases DIR] [--most N] [--seeds N] [--composing] [--out weights.json]
                                    [--keep FILE] [--rows FILE]

Only open databases are looked at. Folds are by database. Our own questions, which the rules were written beside, teach
how likely an answer is, not which reading comes first. The figures of each set, fold and kind of question:
*reachable* (a right reading competes), *chosen* (the first is right), what the rules get right alone,
and what is *answered* (right, silently wrong, wrong but told); of questions that nothing can answer, how many are.
The weights by which forms are composed come first (``--composing``); what competes is then composed by them, in a
second run. ``weights.json`` holds its own origin: fingerprints of the data and the figures. The package needs none of
the sets to run.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import pickle
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.closed_half import is_closed  # noqa: E402
from benchmarks.own_questions import OWN, own_rows  # noqa: E402
from benchmarks.questions import cases_folder  # noqa: E402
from benchmarks.reader_fitting import (  # noqa: E402
    Decided,
    calibrated,
    contenders,
    counted,
    decided,
    fit_composing,
    fit_standing,
    fold_of,
    folds_of,
)
from benchmarks.reader_labels import Known, Labeller, Row  # noqa: E402
from benchmarks.reader_negatives import NEGATIVES  # noqa: E402
from benchmarks.reader_prior import prior  # noqa: E402
from benchmarks.reader_strangers import open_domains, stranger_rows  # noqa: E402

SETS = ("everyday", "spider_train", "cosql", "defog")
WEIGHTS = ROOT / "src" / "svc_notebook" / "analyst" / "offline" / "ranking" / "weights.json"
LARGE, FEW = "spider_train", 30  # its questions must not drown those of people
FOLDS = 6
# What a wrong answer costs where a right one gains 1: silently wrong, by a form (nobody wrote a rule for it), by the
# rules, and told what it leaves out. A wrong one that the right reading is shown beside gains OFFERED. What is not
# answered is asked back or refused, and gains nothing.
PRICES = {"least": 2.0, "least_known": 1.0, "least_told": 0.4}
OFFERED = 0.3
EVEN = 0.5
_HEADS = ("reachable", "chosen", "rules", "answered", "right", "silently wrong", "wrong but told", "offered")

Least = dict[str, float]  # the least probabilities that are answered: whole readings, and those that leave words out
Weights = dict[str, float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Collect, fit, report, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--cases")
    parser.add_argument("--most", type=int, default=100, help=f"questions of one database of a set, {FEW} of {LARGE}")
    parser.add_argument("--seeds", type=int, default=10, help="variations of each database")
    parser.add_argument("--composing", action="store_true", help="fit the weights that forms are composed by as well")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--keep", type=Path, help="a file that labels are kept in, and taken from")
    parser.add_argument("--rows", type=Path, help="a file that what was labelled is kept in, to be fitted again")
    asked = parser.parse_args(arguments)
    folder = cases_folder(asked.cases) / "questions"
    if not folder.is_dir():
        print(f"no question sets under {folder}: give --cases DIR or SVC_CASES")
        return 1
    shipped = json.loads(WEIGHTS.read_text("utf8"))["weights"]
    rows = pickle.loads(asked.rows.read_bytes()) if asked.rows and asked.rows.exists() else _collected(folder, asked)
    if asked.rows:
        asked.rows.write_bytes(pickle.dumps(rows))
    asked.out.write_text(json.dumps(_trained(rows, shipped, folder, asked), indent=1) + "\n", "utf8")
    return 0


def _collected(folder: Path, asked: argparse.Namespace) -> list[Row]:
    """What competes for every question, labelled: the databases one after another in as many processes as cores."""
    shipped, known = json.loads(WEIGHTS.read_text("utf8"))["weights"], _kept(asked.keep)
    tasks = [task for name in asked.sets for task in _databases(folder, name, asked, shipped, known)]
    rows: list[Row] = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        own = pool.submit(_own, shipped)
        strange = [pool.submit(stranger_rows, name, shipped) for name in open_domains()]
        for labelled in pool.map(_labelled, tasks):
            rows.extend(labelled.rows)
            known.update(labelled.known)
            print(labelled.line, flush=True)
            if asked.keep:
                asked.keep.write_bytes(pickle.dumps(known))
        return [*rows, *own.result(), *(row for each in strange for row in each.result())]


def _kept(file: Path | None) -> Known:
    if file is None or not file.exists():
        return {}
    return dict(pickle.loads(file.read_bytes()))  # what this script wrote itself


@dataclass(frozen=True)
class _Task:
    """The questions of one database, to be labelled in a process of its own."""

    folder: Path
    set: str
    described: Mapping[str, Any]
    by_model: Mapping[str, Sequence[Mapping[str, Any]]]
    most: int
    seeds: int
    weights: Mapping[str, float]
    known: Known


@dataclass(frozen=True)
class _Labelled:
    rows: Sequence[Row]
    known: Known
    line: str


def _databases(
    folder: Path, name: str, asked: argparse.Namespace, weights: Mapping[str, float], known: Known
) -> Iterable[_Task]:
    """The open databases of a set."""
    described = json.loads((folder / name / "models.json").read_text("utf8"))
    by_model: dict[str, list[Any]] = defaultdict(list)
    for case in _scorer(folder).load_jsonl(str(folder / name / "dev.jsonl")):
        if not is_closed(case["model"]):
            by_model[case["model"]].append(case)
    most = min(asked.most, FEW) if name == LARGE else asked.most
    for model in sorted(by_model):
        mine = {key: value for key, value in known.items() if key[0] == name and key[1].startswith(f"{model}:")}
        yield _Task(folder, name, {"name": model, **described[model]}, by_model, most, asked.seeds, weights, mine)


def _labelled(task: _Task) -> _Labelled:
    started = time.perf_counter()
    scorer, variations = _scorer(task.folder), importlib.import_module("variations")
    labeller = Labeller(task.folder, task.set, scorer, variations, task.seeds, task.weights, task.known)
    rows = list(labeller.database(task.described, task.by_model, task.most))
    reached, taken = sum(any(row.told) for row in rows), time.perf_counter() - started
    line = f"{task.set} {task.described['name']}: {len(rows)} questions, {reached} reached, {taken:.0f} s"
    return _Labelled(rows, task.known, line)


def _own(weights: Mapping[str, float]) -> list[Row]:
    return list(own_rows(weights))


def _scorer(folder: Path) -> ModuleType:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    return importlib.import_module("scorelib")


def report(rows: Sequence[Row], start: Weights) -> tuple[list[Decided], dict[str, Any], Least]:
    """Print the figures of models that never saw a question's database; what stood for choice so, the figures of each
    set, and the least probabilities that are answered.
    """
    folds = folds_of(rows, FOLDS)
    public = [row for row in rows if row.set != OWN]
    fitted = [fit_standing([r for r in public if fold_of(r, folds) != fold], start) for fold in range(FOLDS)]
    known = [d for row in rows if row.found for d in contenders(row, fitted[fold_of(row, folds)])]
    judged: list[Decided] = []
    for fold in range(FOLDS):
        sure, seen = calibrated([d for d in known if fold_of(d.row, folds) != fold])
        mine = [decided(row, fitted[fold], sure, seen) for row in rows if fold_of(row, folds) == fold]
        judged.extend(d for d in mine if d is not None)
    least = least_of(judged)
    print(f"answered from these probabilities: {least}")
    figures: dict[str, Any] = {}
    print(f"{'':34s}" + "".join(f"{head[:9]:>10s}" for head in ("n", *_HEADS)))
    for keyed in (_by_set, lambda r: f"fold {fold_of(r, folds)}", lambda r: f"{_by_set(r)}: {r.kind}"):
        counts = _groups(rows, keyed)
        by_name = _groups_of(judged, keyed)
        for name, count in counts.items():
            figures[name] = _line(name, count, by_name.get(name, []), least)
    return known, {name: figures[name] for name in sorted({_by_set(row) for row in rows})}, least


def least_of(judged: Sequence[Decided]) -> Least:
    """The probabilities from which questions are answered: where right ones less the price of wrong ones are most
    (questions that nothing answers are among them), in tenths: between those, they are by chance. What leaves words out
    must be as likely as what the rules read, and no likelier where it gains nothing from anywhere; what is as likely
    right as not is answered in any case.
    """
    found: Least = {}
    for name, price in PRICES.items():
        mine = [d for d in judged if d.way == name]

        def gain(least: float, mine: Sequence[Decided] = mine, price: float = price) -> tuple[float, float]:
            answered = [d for d in mine if d.sure >= least]
            return sum(counted(d.row) * _worth(d, price) for d in answered), least

        found[name] = max((tenth / 10 for tenth in range(1, 10)), key=gain)
        if name == "least_told":
            found[name] = max(found["least_known"], found[name] if gain(found[name])[0] > 0 else 0.0)
    return {name: min(EVEN, least) for name, least in found.items()}


def _worth(one: Decided, price: float) -> float:
    return 1.0 if one.right else OFFERED if one.offered else -price


def _by_set(row: Row) -> str:
    return f"{row.set}, unanswerable" if row.kind in NEGATIVES else row.set


def _groups(rows: Sequence[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(sorted(groups.items()))


def _groups_of(judged: Sequence[Decided], key: Callable[[Row], str]) -> dict[str, list[Decided]]:
    groups: dict[str, list[Decided]] = defaultdict(list)
    for one in judged:
        groups[key(one.row)].append(one)
    return groups


def _line(name: str, rows: Sequence[Row], group: Sequence[Decided], least: Least) -> dict[str, float]:
    count = len(rows)
    answered = [d for d in group if d.sure >= least[d.way]]
    figures = {
        "n": count, "reachable": sum(any(row.told) for row in rows) / count,
        "chosen": sum(d.right for d in group) / count,
        "rules": sum(row.rules_right for row in rows) / count, "answered": len(answered) / count,
        "right": sum(d.right for d in answered) / count,
        "silently wrong": sum(not (d.right or d.offered or d.unread) for d in answered) / count,
        "wrong but told": sum(not (d.right or d.offered) and d.unread for d in answered) / count,
        "offered": sum(not d.right and d.offered for d in group) / count,
    }  # fmt: skip
    print(f"{name:34s} {count:9d}" + "".join(f"{100 * figures[key]:10.1f}" for key in _HEADS))
    return {key: round(value, 4) for key, value in figures.items()}


def _trained(rows: Sequence[Row], shipped: Weights, folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """What ships: weights of all rows, and the calibration of choices that were made out-of-fold."""
    public = [row for row in rows if row.set != OWN]
    names = {name for row in public for found in row.found for name, _ in found.features}
    composed = prior({name for row in public for features in row.composed for name, _ in features} | set(shipped))
    start = prior(names)
    known, figures, least = report(rows, start)
    prints = {name: hashlib.sha256((folder / name / "dev.jsonl").read_bytes()).hexdigest()[:16] for name in asked.sets}
    origin = {
        "by": "scripts/train_reader.py", "sets": prints, "most": asked.most, "variations": asked.seeds, "folds": FOLDS,
        "questions": len(rows), "out_of_fold": figures,
    }  # fmt: skip
    weights = fit_composing(public, composed) if asked.composing else shipped
    sure, seen = calibrated(known)
    return {
        "origin": origin, **least, "weights": weights, "standing": fit_standing(public, start), "sure": sure,
        "seen": seen,
    }  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())
