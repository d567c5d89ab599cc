"""Certified questions in a ``service.yml``, edited in their lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

import yaml

from ...records import dataclass
from ..scaffolding.writing import to_yaml
from .model_files import TextFile
from .yaml_text import Path, changed, removed

__all__ = ["Certified"]

_NEW = TextFile(None, "")
_DEFAULT_AGENT = "data-analyst"


@dataclass(frozen=True)
class Certified:
    """The certified questions of one agent, and the file they stand in.

    Attributes
    ----------
    queries
        SQL by question.
    """

    was: TextFile
    file: TextFile
    agent: str
    queries: Mapping[str, str]

    @classmethod
    def none(cls, agent: str) -> Certified:
        """Of a service without a configuration file."""
        return cls(_NEW, _NEW, agent, {})

    @classmethod
    def read(cls, file: TextFile, agent: str) -> Certified:
        entries = _entries(_document(file.text), agent)[1]
        return cls(file, file, agent, {str(entry["question"]): str(entry["sql"]) for entry in entries})

    def with_query(self, question: str, sql: str) -> Certified:
        """With one question more, or with other SQL for it."""
        queries = {**self.queries, question: sql}
        if not self.file.text.strip():
            return self._with(to_yaml(_configuration(self.agent, question, sql)), queries)
        path, entries = _entries(_document(self.file.text), self.agent)
        place = next((i for i, entry in enumerate(entries) if entry["question"] == question), None)
        if place is not None:
            return self._with(changed(self.file.text, (*path, place, "sql"), sql), queries)
        entry: Any = {"question": question, "sql": sql}
        if path and path[-1] == "agents":  # no agent is written down yet
            return self._with(changed(self.file.text, path, [_agent(self.agent, entry)]), queries)
        where = (*path, len(entries)) if entries else path
        return self._with(changed(self.file.text, where, entry if entries else [entry]), queries)

    def without(self, question: str) -> Certified:
        """Without one question.

        Raises
        ------
        ValueError
            It is not certified.
        """
        if question not in self.queries:
            raise ValueError(f"{question!r} is not certified")
        path, entries = _entries(_document(self.file.text), self.agent)
        place = next(i for i, entry in enumerate(entries) if entry["question"] == question)
        gone = path if len(entries) == 1 else (*path, place)
        kept = {asked: sql for asked, sql in self.queries.items() if asked != question}
        return self._with(removed(self.file.text, gone), kept)

    def changed(self, *, moved: bool) -> bool:
        """Whether there is something to write; all there is, if it is ``moved`` to another place."""
        return self.file.text != self.was.text or (moved and bool(self.was.text))

    def file_at(self, place: FilePath, *, moved: bool) -> TextFile:
        """The file to be written; at another place it must be a new one."""
        return replace(self.file, was=None) if moved else self.file

    def _with(self, text: str, queries: Mapping[str, str]) -> Certified:
        return replace(self, file=replace(self.file, text=text), queries=queries)


def _configuration(agent: str, question: str, sql: str) -> dict[str, Any]:
    return {"agents": [_agent(agent, {"question": question, "sql": sql})]}


def _agent(agent: str, entry: dict[str, str]) -> dict[str, Any]:
    return {"id": agent, "certified_queries": [entry]}


def _document(text: str) -> Any:
    return yaml.safe_load(text) or {}


def _entries(document: Any, agent: str) -> tuple[Path, list[Any]]:
    """The path of the agent's certified questions, and what is there; the path of ``agents`` if there are none."""
    own: Path = (0, "tenants", 0) if document.get("tenants") else (0,)
    tenant = document["tenants"][0] if document.get("tenants") else document
    agents = tenant.get("agents") or []
    if not agents:
        return (*own, "agents"), []
    place = next((i for i, each in enumerate(agents) if each.get("id", _DEFAULT_AGENT) == agent), 0)
    return (*own, "agents", place, "certified_queries"), list(agents[place].get("certified_queries") or [])
