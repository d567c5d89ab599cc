"""Rooms and floors: the folders of the package, the layers of ``pyproject.toml``, and the imports that there are."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .source import Package

__all__ = ["House", "built"]


@dataclass(frozen=True)
class House:
    """Rooms by floor from the top, and for each room those it imports: at loading, and only when it is used."""

    floors: tuple[tuple[str, ...], ...]
    at_once: Mapping[str, frozenset[str]]
    later: Mapping[str, frozenset[str]]
    told: Mapping[str, str]

    @property
    def below(self) -> Mapping[str, frozenset[str]]:
        return {room: self.at_once[room] | self.later[room] for room in self.at_once}

    def reduced(self, room: str) -> frozenset[str]:
        """What ``room`` imports, without what these import themselves: enough to see who stands on whom."""
        return frozenset(
            each for each in self.below[room] if not any(each in self._reached(other) for other in self.below[room])
        )

    def _reached(self, room: str) -> frozenset[str]:
        found: set[str] = set()
        left = list(self.below[room])
        while left:
            if (each := left.pop()) not in found:
                found.add(each)
                left.extend(self.below[each])
        return frozenset(found)


def built(root: Path) -> House:
    """The house that stands in ``root``."""
    package = Package.at(root / "src" / "svc_notebook")
    single = {name for name in package.modules if name and "." not in name}
    rooms = {name: _room(name, single) for name in package.modules if name}
    at_once: dict[str, set[str]] = {room: set() for room in rooms.values()}
    later: dict[str, set[str]] = {room: set() for room in rooms.values()}
    for each in package.imports:
        if each.importer and each.imported and (room := rooms[each.importer]) != (other := rooms[each.imported]):
            (at_once if each.when == "loading" else later)[room].add(other)
    told = {room: package.modules[room].summary for room in at_once}
    below = {room: at_once[room] | later[room] for room in at_once}
    return House(
        _floors(root, single, below),
        {room: frozenset(found) for room, found in at_once.items()},
        {room: frozenset(found - at_once[room]) for room, found in later.items()},
        told,
    )


def _room(name: str, single: set[str]) -> str:
    """``embedded_data`` stands in the room ``embedded``, as everything in a folder stands in the room of that name."""
    first = name.partition(".")[0]
    return first.partition("_")[0] if first.partition("_")[0] in single else first


def _floors(root: Path, single: set[str], below: Mapping[str, set[str]]) -> tuple[tuple[str, ...], ...]:
    contracts = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract.get("containers") == ["svc_notebook"]]
    floors: list[list[str]] = []
    for layer in layers:
        names = [_room(name.strip(), single) for name in layer.replace("|", ":").split(":")]
        floor = next((floor for floor in floors if set(floor) & set(names)), [])
        floor += [name for name in dict.fromkeys(names) if name not in floor]
        if floor not in floors:
            floors.append(floor)
    for room in sorted(below.keys() - {name for floor in floors for name in floor}):
        floors[_floor_of(room, floors, below)].append(room)
    return tuple(tuple(floor) for floor in floors)


def _floor_of(room: str, floors: list[list[str]], below: Mapping[str, set[str]]) -> int:
    """The lowest floor above all that ``room`` imports, for what no layer names."""
    highest = [number for number, floor in enumerate(floors) if below[room] & set(floor)]
    return max(0, min(highest) - 1) if highest else len(floors) - 1
