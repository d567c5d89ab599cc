"""Where a model comes from: files of a folder, one file, or parsed values; read into documents.

What is no part of the model is told apart here: other YAML of a project, templates, and cubes in other languages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, TypeAlias

from ... import patterns as re
from ...records import dataclass
from ..model import Source
from .follow_ups import names_in_text
from .foreign import SCRIPTS, ForeignCube, read_script
from .problems import Problems, nearest
from .tree import Node, parse_yaml, plain_node

__all__ = ["SUFFIXES", "ModelSource", "Sources", "read_sources"]

ModelSource: TypeAlias = str | Path | Mapping[str, Any] | Sequence[Any]

# Longer by far than any model: a folder may hold data in YAML, which the parser would read for minutes.
_MAX_FILE = 10_000_000
_YAML = (".yml", ".yaml", ".jinja")
SUFFIXES = (*_YAML, *SCRIPTS)
"""Endings of files that a model's folder may hold."""
# Folders of other tools, with YAML of their own by the thousand.
_NOT_OURS = frozenset(("node_modules", "venv", "__pycache__", "dbt_packages"))
_ROOT_KEYS = ("cubes", "views", "dialect", "view_groups")
_TOP_KEY = re.compile(r"^[\"']?([A-Za-z_]\w*)[\"']?[ \t]*:", re.MULTILINE)
_JINJA = re.compile(r"\{\{|\{%")
_ASKER = re.compile(r"COMPILE_CONTEXT|security_?context", re.IGNORECASE)


@dataclass
class Sources:
    """The documents of a model, a hash of all of them, and the cubes that other languages declare beside them.

    ``lost`` are the cubes and views of files that cannot be read.
    """

    documents: list[Node] = field(default_factory=list)
    version: str = ""
    foreign: dict[str, ForeignCube] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)


def read_sources(source: ModelSource, problems: Problems) -> Sources:
    """Everything that can be read; what cannot is reported."""
    if not isinstance(source, (str, Path)):
        dumped = json.dumps(source, sort_keys=False, default=str)
        documents = [source] if isinstance(source, Mapping) else list(source)
        return Sources([plain_node(document, problems=problems) for document in documents], _version([dumped]))
    path = Path(source)
    found, texts = Sources(), {}
    for file, shown in _files(path, problems):
        text = _read(file, shown, problems)
        if text is None and file.is_file():
            found.lost |= names_in_text(file.read_bytes()[:_MAX_FILE].decode("utf-8", "replace"))
        elif text is not None and file.suffix in SCRIPTS:
            found.foreign |= read_script(text, shown, problems)
        elif text is not None:
            texts[shown] = text
            problems.texts[shown] = text.split("\n")
    other = {shown for shown, text in texts.items() if _is_something_else(text)}
    for shown, text in texts.items():
        # Where no file is one of a model, all are read, so that each says what is amiss.
        if shown in other and len(other) < len(texts):
            problems.info(f"no cubes and no views in {shown}: it is no file of the model", Source(shown, 1, 1))
        else:
            before = len(problems.errors)
            read = [] if _has_jinja(text, shown, problems) else parse_yaml(text, shown, problems)
            found.lost |= names_in_text(text) if not read and len(problems.errors) > before else set()
            found.documents += read
    found.version = _version([part for item in texts.items() for part in item])
    return found


def _files(path: Path, problems: Problems) -> Iterator[tuple[Path, str]]:
    """The files with the names they have in messages."""
    try:
        if path.is_file():
            yield path, path.name
        elif path.is_dir():
            files = sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES and p.is_file())
            shown = [(p, p.relative_to(path)) for p in files]
            shown = [(p, name) for p, name in shown if not any(_passed_over(part) for part in name.parts)]
            if not any(p.suffix in _YAML for p, _ in shown):
                problems.error("no .yml or .yaml file in this folder", Source(str(path), 1, 1))
            yield from ((p, name.as_posix()) for p, name in shown)
        else:
            problems.error("no such file or folder", Source(str(path), 1, 1))
    except (OSError, ValueError) as error:
        problems.error(f"cannot be read: {error}", Source(str(path), 1, 1))


def _passed_over(part: str) -> bool:
    return part.startswith(".") or part in _NOT_OURS


def _read(file: Path, shown: str, problems: Problems) -> str | None:
    try:
        data = file.read_bytes()
    except OSError as error:
        problems.error(f"cannot be read: {error.strerror}", Source(shown, 1, 1))
        return None
    if file.suffix in SCRIPTS:
        return None if len(data) > _MAX_FILE else data.decode("utf-8", "replace")
    if len(data) > _MAX_FILE:
        problems.error(f"larger than {_MAX_FILE // 1_000_000} MB, which no model file is", Source(shown, 1, 1))
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1
        problems.error("not UTF-8 from here on; save the file as UTF-8", Source(shown, line, column))
        return None


def _is_something_else(text: str) -> bool:
    """Whether a file of a folder has keys, but none that a model could have meant."""
    keys = {key.lower() for key in _TOP_KEY.findall(text)}
    return bool(keys) and not any(key in _ROOT_KEYS or nearest(key, _ROOT_KEYS) for key in keys)


def _has_jinja(text: str, file: str, problems: Problems) -> bool:
    """Report templates; a file that has them is not read further, since what it means is not what it says."""
    found = False
    for number, line in enumerate(text.split("\n"), 1):
        mark = _JINJA.search(line)
        if mark is not None and not line.lstrip().startswith("#") and f"{line[: mark.start()]} ".find(" #") < 0:
            what = "a Jinja block" if mark[0] == "{%" else "a Jinja expression"
            more = "; who may see what is said by an access_policy" if _ASKER.search(line) else ""
            problems.error(
                f"{what} ({mark[0]} …): templates are not supported; write the result out as plain YAML{more}",
                Source(file, number, mark.start() + 1),
            )
            found = True
    return found


def _version(texts: list[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
        # So that moving a piece from the end of one file to the beginning of the next is another model.
        digest.update(b"\0")
    return digest.hexdigest()[:16]
