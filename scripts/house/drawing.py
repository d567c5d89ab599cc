"""The house drawn: rooms on their floors, and an arrow to each room that another stands on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import mean
from xml.sax.saxutils import escape

from .rooms import House

__all__ = ["drawn"]

WIDTH, ROOM, HEIGHT, STOREY = 920, 116, 38, 92
STYLE = """
  .ground { fill: #fff; } .room { fill: #eef3fb; stroke: #4a6fa5; stroke-width: 1.2; }
  text { font: 600 14px system-ui, sans-serif; fill: #1c2b45; text-anchor: middle; }
  .way { fill: none; stroke: #4a6fa5; stroke-width: 1.3; } .later { stroke-dasharray: 4 4; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #14181f; } .room { fill: #22304a; stroke: #8fb0e0; } text { fill: #e6edf8; }
    .way { stroke: #8fb0e0; } .head { fill: #8fb0e0; } }
  .head { fill: #4a6fa5; }
"""
LABEL = "Rooms of the package on their floors; arrows go to what a room imports"
HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path class="head" d="M0 0 8 4 0 8z"/></marker></defs>'
)


def drawn(house: House) -> str:
    """An SVG, the same for the same house."""
    places = dict(_places(house))
    box = f"0 0 {WIDTH} {STOREY * len(house.floors)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" aria-label="{LABEL}">',
        f"<style>{STYLE}</style>", HEAD, '<rect class="ground" width="100%" height="100%"/>', *_ways(house, places),
        *_rooms(places), "</svg>\n",
    ]  # fmt: skip
    return "\n".join(parts)


def _places(house: House) -> Iterator[tuple[str, tuple[int, int]]]:
    """The middle of each room; on its floor it stands below those that import it."""
    across: dict[str, float] = {}
    for number, floor in enumerate(house.floors):
        step = WIDTH // len(floor)
        for place, room in enumerate(sorted(floor, key=lambda room: _middle(house, room, across))):
            across[room] = step // 2 + place * step
            yield room, (int(across[room]), STOREY // 2 + number * STOREY)


def _middle(house: House, room: str, across: Mapping[str, float]) -> float:
    above = [x for other, x in across.items() if room in house.reduced(other)]
    return mean(above) if above else WIDTH


def _rooms(places: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    for room, (x, y) in places.items():
        yield (
            f'<rect class="room" x="{x - ROOM // 2}" y="{y - HEIGHT // 2}" width="{ROOM}" height="{HEIGHT}" rx="7"/>'
            f'<text x="{x}" y="{y + 5}">{escape(room)}</text>'
        )


def _ways(house: House, places: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    for room, (x, y) in places.items():
        for other in sorted(house.reduced(room)):
            to_x, to_y = places[other]
            late = " later" if other in house.later[room] else ""
            if to_y == y:  # on one floor: from side to side
                side = ROOM // 2 if to_x > x else -ROOM // 2
                yield _way(f"M{x + side} {y} L{to_x - side} {to_y}", late)
                continue
            top, foot = to_y - HEIGHT // 2, y + HEIGHT // 2
            yield _way(f"M{x} {foot} C{x} {foot + 34} {to_x} {top - 34} {to_x} {top}", late)


def _way(path: str, late: str) -> str:
    return f'<path class="way{late}" d="{path}" marker-end="url(#head)"/>'
