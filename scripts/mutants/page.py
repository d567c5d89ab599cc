"""What was measured of the rooms, on the page that tells of soundness."""

from __future__ import annotations

import re

from .breaks import ROOT

__all__ = ["PAGE", "noted"]

PAGE = ROOT / "docs" / "soundness.md"
_PART = re.compile(r"(<!-- made: mutants -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_HEAD = "| room | breaks drawn | noticed | of 100 | seed |\n|---|---:|---:|---:|---:|\n"


def noted(page: str, room: str, drawn: int, killed: int, seed: int) -> str:
    """The page with the room's line written anew; lines of other rooms stay as they are."""
    rows = {line.split("|")[1].strip(): line for line in _part(page).splitlines()[2:]}
    rows[room] = f"| {room} | {drawn} | {killed} | {100 * killed / drawn:.0f} | {seed} |"
    return _PART.sub(lambda found: found[1] + _HEAD + "\n".join(rows.values()) + "\n" + found[3], page)


def _part(page: str) -> str:
    found = _PART.search(page)
    if found is None:
        raise SystemExit(f"{PAGE} has no place for the rooms: write <!-- made: mutants --> and <!-- end --> into it")
    return found[2]
