"""Folders of views: members put together under a name, by name, by join path, or all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...records import dataclass
from ..model import Folder, ViewMember
from . import schemas
from .fields import Fields
from .join_paths import JoinPaths
from .names import named_entries
from .problems import Problems, did_you_mean
from .tree import Node

__all__ = ["read_folders"]


def read_folders(
    fields: Fields, view: str, members: Mapping[str, ViewMember], shown: Sequence[str], paths: JoinPaths
) -> tuple[Folder, ...]:
    """The folders of ``view``, which shows ``members`` of cubes and, with its own, all of ``shown``."""
    reader = _FolderReader(view, members, shown, paths, fields.problems)
    return tuple(reader.read(node) for node in _nodes(fields))


def _nodes(fields: Fields) -> list[Node]:
    return [item for _, item in named_entries(fields.get("folders"), "folder", fields.called, fields.problems)]


@dataclass(frozen=True)
class _FolderReader:
    """Reads the folders of one view, and those inside them."""

    view: str
    members: Mapping[str, ViewMember]
    shown: Sequence[str]
    paths: JoinPaths
    problems: Problems

    def read(self, node: Node) -> Folder:
        fields = Fields(node, schemas.FOLDER, self.problems, name=self.view)
        name = fields.text("name") or ""
        if not name:
            self.problems.error(f"a folder of view '{self.view}' has no name", fields.source)
        names: dict[str, None] = {}
        inner = [self.read(item) for item in _nodes(fields)]
        include = fields.get("includes")
        items = [] if include is None else include.items if isinstance(include.value, list) else [include]
        for item in items:
            if isinstance(item.value, dict) and "join_path" in {
                key.replace("joinPath", "join_path") for key in item.value
            }:
                names |= dict.fromkeys(self._of_path(item))
            elif isinstance(item.value, dict):
                inner.append(self.read(item))
            elif item.value == "*":
                names |= dict.fromkeys(self.shown)
            elif item.raw in self.shown:
                names[item.raw] = None
            else:
                near = did_you_mean(item.raw, self.shown)
                self.problems.error(
                    f"'{item.raw}' in folder '{name}' is no member of view '{self.view}'{near}", item.source
                )
        return Folder(name, tuple(names), tuple(inner))

    def _of_path(self, node: Node) -> list[str]:
        written = node.entries.get("join_path") or node.entries.get("joinPath")
        path = self.paths.read(written.raw.split("."), node.source) if written is not None else None
        return [name for name, member in self.members.items() if path is not None and member.join_path == path]
