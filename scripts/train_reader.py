"""Train the reader's ranking and calibration on the public question sets, and print what it reaches out-of-fold.

::

    python scripts/train_reader.py [SET ...] [--cases DIR] [--most N] [--seeds N] [--out weights.json] [--keep FILE]

Only open databases are looked at. Folds are by database. The figures of each set, fold and kind of question:
*reachable* (a right form is among the candidates), *chosen* (the first is right) and *answered*, beside what the rules
get right alone, and what is right and wrong of both together. ``weights.json`` holds its own origin:
fingerprints of the data and the figures. The package needs none of the sets to run.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import pickle
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.closed_half import is_closed  # noqa: E402
from benchmarks.questions import cases_folder  # noqa: E402
from benchmarks.reader_fitting import calibrate, chosen, fit_ranking, fold_of, folds_of, likely, standing  # noqa: E402
from benchmarks.reader_labels import Labeller, Row  # noqa: E402
from benchmarks.reader_prior import prior  # noqa: E402
from svc_notebook.analyst.offline.reader import takes_form  # noqa: E402

SETS = ("everyday", "spider_train", "cosql", "defog")
WEIGHTS = ROOT / "src" / "svc_notebook" / "analyst" / "offline" / "ranking" / "weights.json"
FOLDS = 6
STRENGTH = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Collect, fit, report, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--cases")
    parser.add_argument("--most", type=int, default=30, help="questions of one database of one set")
    parser.add_argument("--seeds", type=int, default=10, help="variations of each database")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--keep", type=Path, help="a file that labelled questions are kept in, and taken from")
    chosen_ = parser.parse_args(arguments)
    folder = cases_folder(chosen_.cases) / "questions"
    if not folder.is_dir():
        print(f"no question sets under {folder}: give --cases DIR or SVC_CASES")
        return 1
    sys.path.insert(0, str(folder))
    scorer, variations = importlib.import_module("scorelib"), importlib.import_module("variations")
    shipped = json.loads(WEIGHTS.read_text("utf8"))["weights"]
    rows = _kept(chosen_.keep)
    for name in chosen_.sets:
        if name not in {row.set for row in rows}:
            rows.extend(_labelled(folder, name, scorer, variations, chosen_.seeds, chosen_.most, shipped))
            if chosen_.keep:
                chosen_.keep.write_bytes(pickle.dumps(rows))
    start = prior({name for row in rows for features in row.features for name, _ in features} | set(shipped))
    figures = report(rows, start)
    chosen_.out.write_text(json.dumps(_trained(rows, start, folder, chosen_, figures), indent=1) + "\n", "utf8")
    return 0


def _kept(file: Path | None) -> list[Row]:
    if file is None or not file.exists():
        return []
    return list(pickle.loads(file.read_bytes()))  # what this script wrote itself


def _labelled(
    folder: Path,
    name: str,
    scorer: ModuleType,
    variations: ModuleType,
    seeds: int,
    most: int,
    weights: Mapping[str, float],
) -> Iterable[Row]:
    described = json.loads((folder / name / "models.json").read_text("utf8"))
    by_model: dict[str, list[Any]] = defaultdict(list)
    for case in scorer.load_jsonl(str(folder / name / "dev.jsonl")):
        if not is_closed(case["model"]):
            by_model[case["model"]].append(case)
    labeller = Labeller(folder, name, scorer, variations, seeds, weights)
    for model, cases in sorted(by_model.items()):
        started = time.perf_counter()
        rows = list(labeller.database({"name": model, **described[model]}, cases, most))
        yield from rows
        reached = sum(any(row.labels) for row in rows)
        print(
            f"{name} {model}: {len(rows)} questions, {reached} reached, {time.perf_counter() - started:.0f} s",
            flush=True,
        )


def report(rows: Sequence[Row], start: Mapping[str, float]) -> dict[str, Any]:
    """Print the figures of models that never saw a question's database, and return those of each set."""
    folds = folds_of(rows, FOLDS)
    judged: list[tuple[Row, bool, bool, float, bool]] = []
    first: list[tuple[Row, dict[str, float], bool]] = []
    for fold in range(FOLDS):
        weights = fit_ranking([r for r in rows if fold_of(r, folds) != fold], start, STRENGTH)
        first.extend((r, *chosen(r, weights)[:2]) for r in rows if fold_of(r, folds) == fold)
        for row in (r for r in rows if fold_of(r, folds) == fold):
            order = standing(row, weights)
            judged.append((row, bool(order and row.labels[order[0][0]]), False, 0.0, False))
    sure = _sure_out_of_fold(first, folds)
    figures: dict[str, Any] = {}
    _heads()
    for name, group in _groups(judged, lambda r: r.set):
        figures[name] = _line(name, group, first, sure)
    for name, group in _groups(judged, lambda r: f"fold {fold_of(r, folds)}"):
        _line(name, group, first, sure)
    for name, group in _groups(judged, lambda r: f"{r.set}: {r.kind}"):
        _line(name, group, first, sure)
    return figures


def _sure_out_of_fold(
    first: Sequence[tuple[Row, dict[str, float], bool]], folds: Mapping[str, int]
) -> dict[int, tuple[float, float]]:
    """How sure the new reading and that of the rules are, by models that never saw the database."""
    found: dict[int, tuple[float, float]] = {}
    for fold in range(FOLDS):
        seen = [(r, f, right) for r, f, right in first if fold_of(r, folds) != fold]
        new, old = calibrations(seen)
        for row, facts, _ in first:
            if fold_of(row, folds) == fold:
                known = "before:none" not in row.before
                found[id(row)] = (
                    likely(new, [facts])[0] if facts["said"] else 0.0, likely(old, [facts])[0] if known else 0.0,
                )  # fmt: skip
    return found


def calibrations(seen: Sequence[tuple[Row, dict[str, float], bool]]) -> tuple[dict[str, float], dict[str, float]]:
    said = [(facts, right) for _, facts, right in seen if facts["said"]]
    known = [(facts, row.before_right) for row, facts, _ in seen if "before:none" not in row.before]
    return calibrate(*map(list, zip(*said, strict=True))), calibrate(*map(list, zip(*known, strict=True)))


def _groups(
    judged: Sequence[tuple[Row, bool, bool, float, bool]], key: Callable[[Row], str]
) -> list[tuple[str, list[tuple[Row, bool]]]]:
    groups: dict[str, list[tuple[Row, bool]]] = defaultdict(list)
    for row, right, *_ in judged:
        groups[key(row)].append((row, right))
    return sorted(groups.items())


def _heads() -> None:
    print(f"{'':34s} {'n':>5s} {'reach':>7s} {'chosen':>7s} {'rules':>7s} {'answ':>7s} {'right':>7s} {'wrong':>7s}")


def _line(
    name: str, group: Sequence[tuple[Row, bool]], first: Sequence[tuple[Row, dict[str, float], bool]],
    sure: Mapping[int, tuple[float, float]],
) -> dict[str, float]:  # fmt: skip
    right_of = {id(row): (facts, right) for row, facts, right in first}
    count, answered, right = len(group), 0, 0
    for row, _ in group:
        new, old = sure[id(row)]
        facts, new_right = right_of[id(row)]
        known = "before:none" not in row.before
        doubt = not known or row.before.get("before:unread", 0) > 0
        grave = bool(facts.get("grave")) or not known and facts.get("unread", 0) > 0
        takes = not grave and takes_form(new, old, bool(facts["agree"]), doubt)
        answered += takes or known
        right += new_right if takes else row.before_right
    figures = {
        "n": count, "reachable": sum(any(row.labels) for row, _ in group) / count,
        "chosen": sum(ok for _, ok in group) / count,
        "rules": sum(row.before_right for row, _ in group) / count, "answered": answered / count,
        "right": right / count, "wrong": (answered - right) / count,
    }  # fmt: skip
    rest = " ".join(f"{100 * figures[k]:7.1f}" for k in ("reachable", "chosen", "rules", "answered", "right", "wrong"))
    print(f"{name:34s} {count:5d} {rest}")
    return {key: round(value, 4) for key, value in figures.items()}


def _trained(
    rows: Sequence[Row], start: Mapping[str, float], folder: Path, asked: argparse.Namespace, figures: Mapping[str, Any]
) -> dict[str, Any]:
    """What ships: weights of all rows, and calibrations of choices that were made out-of-fold."""
    folds = folds_of(rows, FOLDS)
    first = []
    for fold in range(FOLDS):
        weights = fit_ranking([r for r in rows if fold_of(r, folds) != fold], start, STRENGTH)
        first.extend((r, *chosen(r, weights)[:2]) for r in rows if fold_of(r, folds) == fold)
    new, old = calibrations(first)
    prints = {name: hashlib.sha256((folder / name / "dev.jsonl").read_bytes()).hexdigest()[:16] for name in asked.sets}
    origin = {
        "by": "scripts/train_reader.py", "sets": prints, "most": asked.most, "variations": asked.seeds, "folds": FOLDS,
        "strength": STRENGTH, "questions": len(rows), "out_of_fold": figures,
    }  # fmt: skip
    return {"origin": origin, "weights": fit_ranking(rows, start, STRENGTH), "sure": new, "sure_before": old}


if __name__ == "__main__":
    raise SystemExit(main())
