"""The files of a model: read once, changed in memory, checked, and written back if nobody else has changed them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from ...records import dataclass
from ..errors import ModelError
from ..loader import check_model
from ..loading.sources import SUFFIXES
from ..scaffolding.writing import model_texts
from .entries import Entry, entries_of, with_field
from .yaml_text import CannotEdit

__all__ = ["FileChanged", "ModelFiles", "TextFile"]


_EDITED = (".yml", ".yaml")


class FileChanged(ValueError):
    """A file is not as it was when it was read."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file as it was read, and its text as it shall be.

    Attributes
    ----------
    was
        The bytes that were read; ``None`` for a file that is not there yet.
    text
        With a newline at the end of each line, whatever the file has there, which it keeps.
    """

    was: bytes | None
    text: str

    @classmethod
    def read(cls, path: Path) -> TextFile:
        was = path.read_bytes()
        # utf-8-sig: Windows' editors put a mark before the first key, which would become part of its name.
        return cls(was, was.decode("utf-8-sig").replace("\r\n", "\n"))

    @property
    def content(self) -> bytes:
        """What is written."""
        text, mark = self.text, b""
        if self.was is not None:
            text = text.replace("\n", "\r\n") if b"\r\n" in self.was else text
            mark = b"\xef\xbb\xbf" if self.was.startswith(b"\xef\xbb\xbf") else b""
        return mark + text.encode("utf-8")

    def check(self, path: Path) -> None:
        """Raise :class:`FileChanged` unless ``path`` still holds what was read."""
        now = path.read_bytes() if path.is_file() else None
        if now != self.was:
            raise FileChanged(f"{path} was changed meanwhile; read the model again, and nothing of yours is written")

    def write(self, path: Path) -> None:
        """Put the new content in the place of the old, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        # In the same folder: os.replace works within one file system. The dot keeps it from being read as a model.
        beside = path.with_name(f".{path.name}.{os.getpid()}.new")
        try:
            beside.write_bytes(self.content)
            if path.exists():
                # A new file has the rights of the process, not those of the one it replaces.
                beside.chmod(path.stat().st_mode)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)


@dataclass(frozen=True)
class ModelFiles:
    """A data model as text.

    Attributes
    ----------
    folder
        Where the files lie; ``None`` for a model that was never written.
    files
        By their names within the folder.
    entries
        What can be edited, by name, with the file it stands in.
    """

    folder: Path | None
    files: Mapping[str, TextFile]
    entries: Mapping[str, tuple[str, Entry]] = field(repr=False)

    @classmethod
    def read(cls, source: str | Path | Mapping[str, Any]) -> ModelFiles:
        """A model of a folder, of one file, or in parsed form.

        Raises
        ------
        ModelError
            Its files cannot be read as YAML.
        """
        if isinstance(source, Mapping):
            return _of(None, {name: TextFile(None, text) for name, text in model_texts(source).items()})
        path = Path(source)
        folder = path if path.is_dir() else path.parent
        found = _model_files(path) if path.is_dir() else [path]
        return _of(folder, {file.relative_to(folder).as_posix(): TextFile.read(file) for file in found})

    def change(self, name: str, **fields: Any) -> ModelFiles:
        """The model with fields of one cube, view or member changed.

        Raises
        ------
        ValueError
            There is no such member or field, or the value is none for it.
        """
        if name not in self.entries:
            near = get_close_matches(name, self.entries, 1)
            raise ValueError(f"no {name!r} in this model" + (f"; did you mean {near[0]!r}?" if near else ""))
        place, entry = self.entries[name]
        text = self.files[place].text
        for key, value in fields.items():
            try:
                text, entry = with_field(text, entry, key, value)
            except CannotEdit as problem:
                raise CannotEdit(f"{place}: {problem}") from None
        files = {**self.files, place: replace(self.files[place], text=text)}
        return replace(self, files=files, entries={**self.entries, name: (place, entry)})

    @property
    def changed(self) -> tuple[str, ...]:
        """The files that are not as they were read."""
        return tuple(name for name, file in self.files.items() if file.content != file.was)

    def check(self) -> None:
        """Raise :class:`ModelError` with every problem, if the model does not hold any more."""
        # The model is checked as files, as it will be read, before any of the author's own is touched.
        with tempfile.TemporaryDirectory(prefix="svc-model-") as place:
            for name, file in self.files.items():
                file.write(Path(place) / name)
            errors = [problem for problem in check_model(place) if problem.severity == "error"]
        if errors:
            raise ModelError(errors)

    def save(self, folder: Path) -> tuple[list[Path], ModelFiles]:
        """Write what has changed, or into another folder everything; returns the files, and the model as it then lies.

        Raises
        ------
        FileChanged
            A file was changed by somebody else, or is there already.
        ModelError
            The model does not hold.
        """
        self.check()
        own = self.folder is not None and folder.resolve() == self.folder.resolve()
        wanted = {name: self.files[name] for name in (self.changed if own else self.files)}
        for name, file in wanted.items():
            # All are checked before the first is written.
            (file if own else replace(file, was=None)).check(folder / name)
        for name, file in wanted.items():
            file.write(folder / name)
        files = {name: TextFile(file.content, file.text) for name, file in self.files.items()}
        return [folder / name for name in wanted], replace(self, folder=folder, files=files)


def _of(folder: Path | None, files: Mapping[str, TextFile]) -> ModelFiles:
    entries: dict[str, tuple[str, Entry]] = {}
    for place, file in files.items():
        if not place.endswith(_EDITED):
            continue
        for entry in _entries(file.text):
            entries.setdefault(entry.name, (place, entry))
    return ModelFiles(folder, files, entries)


def _entries(text: str) -> Iterator[Entry]:
    try:
        documents = list(yaml.safe_load_all(text))
    except yaml.YAMLError:
        return  # a template, say: it is kept as it is
    for number, document in enumerate(documents):
        yield from entries_of(number, document)


def _model_files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return [path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
