"""In how many databases each lexicon entry and each rule of the reader decides anything: those of one alone go.

``python -m benchmarks.reader_entries [--rows FILE]`` reads the open half of the question sets (``--cases`` or
``SVC_CASES``); ``FILE`` is what ``scripts/train_reader.py --keep FILE`` wrote, for the rules.
"""

from __future__ import annotations

import argparse
import importlib
import pickle
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from svc_notebook.analyst.offline.lexicon import load_lexicon
from svc_notebook.analyst.offline.words.text import tokenize

from .closed_half import is_closed
from .questions import cases_folder

__all__ = ["entries", "main", "rules"]

_LONGEST = 8
_TWINS = {"store_1": "chinook"}  # two names of the same rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what decides in one database only, and how many decide in none, in one and in more."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases")
    parser.add_argument("--rows", type=Path)
    chosen = parser.parse_args(arguments)
    folder = cases_folder(chosen.cases) / "questions"
    if not folder.is_dir():
        print(f"no question sets under {folder}: give --cases DIR or SVC_CASES")
        return 1
    _told("lexicon entries", entries(folder))
    if chosen.rows:
        _told("rules", rules(pickle.loads(chosen.rows.read_bytes())))  # what scripts/train_reader.py wrote
    return 0


def entries(folder: Path) -> dict[str, set[str]]:
    """The databases of whose open questions each phrase of the lexicon is part."""
    lexicon = load_lexicon()
    found: dict[str, set[str]] = {" ".join(phrase): set() for known in lexicon.phrases.values() for phrase, _ in known}
    for database, question in _questions(folder):
        words = tuple(token.lower for token in tokenize(question))
        for start in range(len(words)):
            for size, _ in lexicon.at(words[start : start + _LONGEST]):
                phrase = " ".join(words[start : start + size])
                if phrase in found:
                    found[phrase].add(database)
    return found


def rules(rows: Iterable[Any]) -> dict[str, set[str]]:
    """The databases where each feature stands in a candidate that is right."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for features, right in zip(row.features, row.labels, strict=True):
            for name, value in features if right else ():
                if value:
                    found[name].add(_TWINS.get(row.database, row.database))
    return found


def _questions(folder: Path) -> Iterator[tuple[str, str]]:
    sys.path.insert(0, str(folder))
    scorer = importlib.import_module("scorelib")
    for described in sorted(folder.glob("*/models.json")):
        for case in scorer.load_jsonl(str(described.parent / "dev.jsonl")):
            if not is_closed(case["model"]):
                yield _TWINS.get(case["model"], case["model"]), str(case["utterance"])


def _told(what: str, found: Mapping[str, set[str]]) -> None:
    single = {name: next(iter(where)) for name, where in found.items() if len(where) == 1}
    none = [name for name, where in found.items() if not where]
    print(
        f"{what}: {len(found)}; in none {len(none)}, in one {len(single)}, in more {len(found) - len(none) - len(single)}"
    )
    for name, database in sorted(single.items()):
        print(f"  {name:40s} {database}")


if __name__ == "__main__":
    raise SystemExit(main())
