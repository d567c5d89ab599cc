"""A model written into a folder that has one: what is new is added, what is there stays as its author left it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from msgspec import Struct

from ...records import dataclass
from ..loader import check_model
from ..loading.problems import Problems
from ..loading.tree import Node, parse_yaml
from .writing import write_model

__all__ = ["Added", "Kept", "add_to_model", "is_model_folder"]


class Kept(Struct, frozen=True):
    """A cube or view that was there; ``lacking`` are members a fresh one would have."""

    name: str
    file: Path
    lacking: tuple[str, ...] = ()


@dataclass(slots=True)
class Added:
    """What became of each file; replaced ones were saved beside themselves first."""

    written: list[Path] = field(default_factory=list)
    replaced: list[tuple[Path, Path]] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    unfit: list[str] = field(default_factory=list)


def is_model_folder(folder: Path) -> bool:
    """Whether there are model files in it, however deep."""
    return any(_model_files(folder))


def add_to_model(model: Mapping[str, Any], folder: Path, *, replace: bool = False) -> Added:
    """Write what the folder does not have.

    Parameters
    ----------
    replace
        Write cubes and views anew where their files have the names that :func:`write_model` gives; the old file is
        saved as ``….yml.bak``. What is declared in other files stays in any case.
    """
    there = _declared(folder)
    done = Added()
    for section in ("cubes", "views"):
        for item in model.get(section, ()):
            name, own = str(item["name"]), folder / section / f"{item['name']}.yml"
            file, members = there.get(name, (None, frozenset()))
            # What somebody has put into another file was written by hand, and stays.
            if file is not None and not (replace and file == own):
                done.kept.append(Kept(name, file, tuple(sorted(_members(item) - members))))
                continue
            # The file may hold something else than its name says; it is saved whatever it holds.
            if own.exists():
                done.replaced.append((own, _saved(own)))
            done.written += write_model({section: [item]}, folder)
    if done.kept:
        _take_back_what_does_not_fit(done, folder)
    return done


def _take_back_what_does_not_fit(done: Added, folder: Path) -> None:
    """A new file may refer to members that the author of the kept ones has renamed."""
    own = {file.relative_to(folder).as_posix(): file for file in done.written}
    wrong = {p.file for p in check_model(folder) if p.severity == "error"} & own.keys()
    for name in sorted(wrong):
        if own[name] not in [file for file, _ in done.replaced]:
            own[name].unlink()
            done.written.remove(own[name])
            done.unfit.append(own[name].stem)


def _saved(file: Path) -> Path:
    saved, number = file.with_name(f"{file.name}.bak"), 2
    while saved.exists():
        saved, number = file.with_name(f"{file.name}.bak{number}"), number + 1
    saved.write_bytes(file.read_bytes())
    return saved


def _model_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.suffix in (".yml", ".yaml") and file.is_file())


def _declared(folder: Path) -> dict[str, tuple[Path, frozenset[str]]]:
    """The cubes and views of a folder by name, each with its file and its members' names."""
    found: dict[str, tuple[Path, frozenset[str]]] = {}
    for file in _model_files(folder):
        for document in parse_yaml(file.read_text(encoding="utf-8-sig", errors="replace"), file.name, Problems()):
            for section in ("cubes", "views"):
                for name, node in _named(document.entries.get(section)):
                    found[name] = (file, frozenset(_names_below(node)))
    return found


def _named(node: Node | None) -> list[tuple[str, Node]]:
    if node is None:
        return []
    if isinstance(node.value, dict):
        return list(node.entries.items())
    named = [(item.entries["name"], item) for item in node.items if "name" in item.entries]
    return [(str(name.value), item) for name, item in named]


def _names_below(node: Node) -> list[str]:
    return [name for section in ("dimensions", "measures") for name, _ in _named(node.entries.get(section))]


def _members(item: Mapping[str, Any]) -> set[str]:
    return {str(m["name"]) for section in ("dimensions", "measures") for m in item.get(section, ())}
