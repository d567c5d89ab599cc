"""How many gold queries a form can say: the ceiling of the reader that reads questions as forms, set by set.

``python -m benchmarks.reader_expressible [SET …]``, with the sets where ``--cases`` or ``SVC_CASES`` says. Of the closed
half only the figures are shown, as of the open one.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from svc_notebook.analyst.offline.forms import CannotWrite, Names, NoForm, from_sql, to_sql
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import SemanticError
from svc_notebook.semantic.layer import SemanticLayer

from .closed_half import is_closed
from .question_models import build_layer
from .questions import cases_folder

__all__ = ["expressible", "main", "model_names"]

_SETS = ("everyday", "spider_train", "cosql", "defog")
_OPERATOR = SecurityContext.operator()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print, for each set and half, how many golds there are, have a form, and are answered alike by it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="*", default=list(_SETS))
    parser.add_argument("--cases")
    chosen = parser.parse_args(arguments)
    folder = cases_folder(chosen.cases) / "questions"
    if not folder.is_dir():
        print(f"no question sets under {folder}: give --cases DIR or SVC_CASES")
        return 1
    sys.path.insert(0, str(folder))
    scorer = importlib.import_module("scorelib")
    print(f"{'per cent':24s} {'n':>5s} {'form':>6s} {'rows':>6s}")
    for name in chosen.sets:
        halves: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
        for model, found in expressible(folder, name, scorer):
            halves["closed" if is_closed(model) else "open"].append(found)
        for half, found_of in sorted(halves.items()):
            shares = [100 * sum(pair[place] for pair in found_of) / len(found_of) for place in (0, 1)]
            print(f"{name + ' ' + half:24s} {len(found_of):5d} {shares[0]:6.1f} {shares[1]:6.1f}", flush=True)
    return 0


def expressible(folder: Path, name: str, scorer: Any) -> Iterator[tuple[str, tuple[bool, bool]]]:
    """For each gold query of a set: its database, whether it has a form, and whether that form gives its rows."""
    described = json.loads((folder / name / "models.json").read_text("utf8"))
    golds: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for case in scorer.load_jsonl(str(folder / name / "dev.jsonl")):
        if case["gold"].get("sql") and case["gold"].get("rows") is not None:
            golds[case["model"]].append(case["gold"])
    for model, of_model in sorted(golds.items()):
        layer = build_layer(folder / name, {"name": model, **described[model]}, as_files=name == "everyday")
        with contextlib.closing(layer):
            names = model_names(layer, described[model])
            for gold in of_model:
                yield model, _said(layer, names, gold, scorer.match_columns)


def _said(layer: SemanticLayer, names: Names, gold: Mapping[str, Any], match: Callable[..., bool]) -> tuple[bool, bool]:
    try:
        form = from_sql(str(gold["sql"]), names, str(gold.get("dialect") or "sqlite"))
        table = layer.query(_OPERATOR, to_sql(form)).table
    except (NoForm, CannotWrite):
        return False, False
    except SemanticError:
        return True, False
    columns = [[_plain(v) for v in column.to_pylist()] for column in table.columns]
    return True, bool(match([list(row) for row in zip(*columns, strict=True)], gold["rows"], gold.get("kinds")))


def model_names(layer: SemanticLayer, described: Mapping[str, Any]) -> Names:
    """The model's names for those of the database."""
    catalog = layer.catalog(_OPERATOR)
    relations = {_letters(name): relation for name, relation in catalog.relations.items()}
    tables, columns = {}, {}
    for table in described["tables"]:
        relation = relations.get(_letters(table["name"]))
        if relation is None:
            continue
        tables[table["name"].lower()] = relation.name
        members = {_letters(name): name for name in relation.members}
        for column in table["columns"]:
            known = members.get(_letters(column["name"]))
            if known is not None:
                columns[f"{table['name'].lower()}.{column['name'].lower()}"] = known
    return Names(catalog, tables, columns)


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _plain(value: Any) -> Any:
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return float(value) if type(value).__name__ == "Decimal" else value


if __name__ == "__main__":
    raise SystemExit(main())
