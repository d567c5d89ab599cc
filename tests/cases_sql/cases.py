"""Where the corpora lie, and how a line's statement is written out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("SVC_CASES", ROOT.parent / "shared" / "cases"))


def read(name: str) -> list[dict[str, Any]]:
    """The lines of a corpus, or none where it is absent."""
    path = FOLDER / name
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def statement(case: dict[str, Any]) -> str:
    """A line's SQL; long ones are given as a recipe."""
    recipe = case.get("sql_gen")
    if recipe is None:
        return str(case["sql"])
    if isinstance(recipe, dict):
        start, count = recipe.get("start", 0), recipe["n"]
        items = recipe["sep"].join(recipe["item"].format(i=i) for i in range(start, start + count))
        return f"{recipe['prefix']}{items}{recipe['suffix']}"
    return "".join(text * count for text, count in recipe)
