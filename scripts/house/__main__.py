"""Write the page and the drawing, or say whether they are current."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .counter import counted
from .drawing import drawn
from .page import figures_told, filled, told_figures, told_rooms, told_way
from .rooms import built
from .way import way

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "architecture.md"
DRAWING = ROOT / "docs" / "images" / "architecture.svg"
OURS = "svc_notebook"
MODELS = ("httpx", "starlette", "anywidget", "quak", "lonboard", "sqlglot", "datasette")
LEEWAY = 0.1
"""So much a figure of ours may have moved before the page is to be made anew."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.house", description="The house as it is, on its page.")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 where the page is no longer true")
    parser.add_argument("--beside", type=Path, metavar="DIR", help="count the models that are installed in DIR too")
    options = parser.parse_args(arguments)
    page = PAGE.read_text("utf-8")
    house = built(ROOT)
    told = figures_told(page)
    figures = told | {OURS: dict(counted(ROOT / "src" / OURS).figures)}
    if options.beside:
        figures |= {name: dict(counted(options.beside / name).figures) for name in MODELS}
    kept = options.check and not _moved(told.get(OURS, {}), figures[OURS])
    parts = {
        "rooms": told_rooms(house), "way": told_way(way()),
        "figures": told_figures(told if kept else {OURS: figures.pop(OURS), **figures}),
    }  # fmt: skip
    new, picture = filled(page, parts), drawn(house)
    if options.check:
        stale = [path.name for path, text in ((PAGE, new), (DRAWING, picture)) if path.read_text("utf-8") != text]
        if stale:
            print(f"{' and '.join(stale)}: no longer as the code is; run python -m scripts.house")
        return len(stale)
    PAGE.write_text(new, "utf-8")
    DRAWING.write_text(picture, "utf-8")
    return 0


def _moved(told: dict[str, float], now: dict[str, float]) -> bool:
    """Whether a figure has moved by more than a tenth, and by more than one."""
    return told.keys() != now.keys() or any(
        abs(told[name] - value) > max(1, LEEWAY * abs(value)) for name, value in now.items()
    )


if __name__ == "__main__":
    sys.exit(main())
