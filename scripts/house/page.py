"""`docs/architecture.md`: what is made of it, between the marks that its author has set."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .counter import FIGURES
from .rooms import House
from .way import Leg, Way

__all__ = ["figures_told", "filled", "told_figures", "told_rooms", "told_way"]

_PART = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_ROW = re.compile(r"^\| ([^|]+?) \|((?: *-?[\d.,]+ \|)+)$", re.MULTILINE)


def filled(page: str, parts: Mapping[str, str]) -> str:
    """The page with every part anew."""
    return _PART.sub(lambda found: f"{found[1]}{parts[found[2]]}{found[3]}", page)


def told_rooms(house: House) -> str:
    """A line for each room: what it is, and what it imports."""
    rows = [
        f"| `{room}` | {house.told[room]} | {_listed(house.at_once[room], house.later[room])} |"
        for floor in house.floors
        for room in floor
    ]
    return "\n".join(["| room | is | imports |", "|---|---|---|", *rows, ""])


def _listed(at_once: frozenset[str], later: frozenset[str]) -> str:
    return ", ".join([*sorted(at_once), *(f"*{room}*" for room in sorted(later))])


def told_way(way: Way) -> str:
    """The legs as they follow one another."""
    return "\n".join(
        [
            f"Down, {_hops(way.down)} calls:\n", "```text", *_legs(way.down), "```\n",
            f"And back, {_hops(way.back)} calls:\n", "```text", *_legs(way.back), "```\n",
        ]
    )  # fmt: skip


def _hops(legs: tuple[Leg, ...]) -> int:
    return sum(len(leg.calls) for leg in legs)


def _legs(legs: tuple[Leg, ...]) -> list[str]:
    lines: list[str] = []
    for leg in legs:
        lines += [f"{leg.where}", *(f"  {_call(call)}" for call in leg.calls)]
    return lines


def _call(call: str) -> str:
    """``client.turn.StreamHandle.wait`` as its name, and the module it stands in."""
    parts = call.split(".")
    last = next((number for number, part in enumerate(parts) if part.strip("_<")[:1].isupper()), len(parts) - 1)
    if len(parts) == 1:
        return f"({call})"
    return f"{'.'.join(parts[last:]):36} {'.'.join(parts[:last])}"


def told_figures(figures: Mapping[str, Mapping[str, float]]) -> str:
    """A table: a line for each figure, a column for each package."""
    rows = [
        f"| {what} | " + " | ".join(_number(counts[name]) for counts in figures.values()) + " |"
        for name, what in FIGURES.items()
    ]
    return "\n".join(["| | " + " | ".join(figures) + " |", "|---|" + "---:|" * len(figures), *rows, ""])


def _number(value: float) -> str:
    value = round(value, 1)
    return f"{value:,.0f}" if value >= 20 or value == int(value) else f"{value:.1f}"


def figures_told(page: str) -> dict[str, dict[str, float]]:
    """The table of a page, read back: by package and figure."""
    (part,) = [found[0] for found in _PART.finditer(page) if found[2] == "figures"]
    head = next((line for line in part.splitlines() if line.startswith("| | ")), "| |")
    packages = [cell.strip() for cell in head.strip("| ").split("|")] if len(head) > 3 else []
    names = {what: name for name, what in FIGURES.items()}
    told: dict[str, dict[str, float]] = {package: {} for package in packages}
    for row in _ROW.finditer(part):
        for package, cell in zip(packages, row[2].strip(" |").split("|"), strict=True):
            told[package][names[row[1]]] = float(cell.replace(",", ""))
    return told
