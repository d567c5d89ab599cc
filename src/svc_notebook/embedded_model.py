"""The model of an embedded service, edited as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .client.errors import ConfigurationError
from .embedded_config import config_file
from .embedded_recipe import Recipe
from .semantic.editing.certified import Certified
from .semantic.editing.model_files import ModelFiles, TextFile
from .semantic.model import DataModel

if TYPE_CHECKING:
    from .semantic.editing.entries import Entry

__all__ = ["Change", "ModelDraft"]

_PACKAGE = Path(__file__).parent
_NEW_FOLDER = "model"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that :meth:`ModelDraft.save` will write."""

    name: str
    field: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.name}: {self.field} {_shown(self.before)} → {_shown(self.after)}"


def _shown(value: Any) -> str:
    return "·" if value in ("", ()) else ", ".join(value) if isinstance(value, tuple) else str(value)


class _Owner(Protocol):
    """The client whose model it is."""

    @property
    def recipe(self) -> Recipe | None: ...

    def sql(self, query: str) -> Any: ...

    def reload(self, model: str | Path | None = None) -> Any: ...


class ModelDraft:
    """A model that is being edited: :meth:`change`, :meth:`certify`, then :meth:`save`.

    Only the lines of a change are written, comments and layout stay; the service answers by it at once.

    Attributes
    ----------
    folder
        Where the model is written.
    """

    def __init__(self, client: _Owner, recipe: Recipe, agent: str, folder: str | Path | None = None) -> None:
        if isinstance(recipe.model, DataModel):
            raise ConfigurationError(
                "The model was handed over as an object: give svc.embedded() its folder to edit it"
            )
        self._client = client
        self._recipe = recipe
        self._agent = agent
        self.folder = Path(folder) if folder is not None else _own_folder(recipe.model) or Path(_NEW_FOLDER)
        self._read()

    def _read(self) -> None:
        model = self._recipe.model
        self._was = self._files = ModelFiles.read(Path(model) if isinstance(model, (str, Path)) else _parsed(model))
        self._certified: Certified | None = self._certified_questions()
        self._certified_was = self._certified

    def _certified_questions(self) -> Certified | None:
        """Those of the configuration's file; none where the configuration was handed over as an object."""
        found = self._recipe.config if self._recipe.config is not None else _beside(self._recipe.model)
        if isinstance(found, (str, Path)):
            return Certified.read(TextFile.read(Path(found)), self._agent)
        return Certified.none(self._agent) if found is None else None

    @property
    def entries(self) -> list[Entry]:
        """Every cube, view and member, as edited."""
        return [entry for _, entry in self._files.entries.values()]

    @property
    def certified(self) -> dict[str, str]:
        """The SQL of each certified question, as edited."""
        return dict(self._certified.queries) if self._certified is not None else {}

    @property
    def changes(self) -> list[Change]:
        """What :meth:`save` will write."""
        found = [
            Change(name, field, getattr(before, field), getattr(after, field))
            for name, (_, after) in self._files.entries.items()
            for before in [self._was.entries[name][1]]
            for field in after.fields
            if getattr(before, field) != getattr(after, field)
        ]
        before = self._certified_was.queries if self._certified_was is not None else {}
        asked = dict.fromkeys([*before, *self.certified])
        return found + [
            Change(question, "certified", before.get(question, ""), self.certified.get(question, ""))
            for question in asked
            if before.get(question) != self.certified.get(question)
        ]

    def change(self, name: str, **fields: Any) -> ModelDraft:
        """Say something else of a cube, view or member.

        Parameters
        ----------
        name
            ``"sales"``, or ``"sales.qty"``.
        **fields
            ``title``, ``description``, ``synonyms`` (a list, or with commas), ``unit``, ``aggregate`` (``"sum"``,
            ``"avg"``, ``"none"``), ``hidden``. An empty value takes away what is written.

        Raises
        ------
        ValueError
            No such member or field, or no such value; nothing is changed.
        """
        self._files = self._files.change(name, **fields)
        return self

    def certify(self, question: str, sql: str) -> ModelDraft:
        """Have ``question`` answered by ``sql``, which is tried first.

        Raises
        ------
        ApiError
            The query is refused or fails; the message says why.
        """
        if not question.strip():
            raise ValueError("a certified question needs words")
        self._client.sql(sql)
        self._certified = self._editable().with_query(question.strip(), sql.strip())
        return self

    def withdraw(self, question: str) -> ModelDraft:
        """Certify a question no longer."""
        self._certified = self._editable().without(question)
        return self

    def _editable(self) -> Certified:
        if self._certified is None:
            raise ConfigurationError(
                "Certified questions stand in the configuration, which was handed over as an object: keep it in a "
                "service.yml beside the model"
            )
        return self._certified

    def discard(self) -> ModelDraft:
        """Forget what is not saved, and read the model again."""
        self._recipe = self._client.recipe or self._recipe
        self._read()
        return self

    def save(self) -> list[Path]:
        """Write what has changed and answer by it; returns the files that were written.

        Raises
        ------
        ModelError
            The model would not hold; nothing is written.
        FileChanged
            Somebody else has changed a file, or there is one already; nothing is written.
        """
        config, place = self._certified, self._config_place()
        # Looked at before anything is written: both files change, or neither.
        if config is not None and config.changed(moved=self._moves):
            config.file_at(place, moved=self._moves).check(place)
        written, _ = self._files.save(self.folder)
        if config is not None and config.changed(moved=self._moves):
            config.file_at(place, moved=self._moves).write(place)
            written.append(place)
        model = self._recipe.model
        self._client.reload(self.folder if self._moves or not _is_file(model) else model)
        self.discard()
        return written

    @property
    def _moves(self) -> bool:
        """Whether the model is written to another place than it came from."""
        return self._files.folder is None or self.folder.resolve() != self._files.folder.resolve()

    def _config_place(self) -> Path:
        found = self._recipe.config if self._recipe.config is not None else _beside(self._recipe.model)
        return Path(found) if isinstance(found, (str, Path)) and not self._moves else self.folder / "service.yml"


def _own_folder(model: Any) -> Path | None:
    """Where a model lies that is somebody's own to change."""
    # The demo's model lies in the package, where the next installation would overwrite it.
    if not isinstance(model, (str, Path)) or Path(model).resolve().is_relative_to(_PACKAGE):
        return None
    return Path(model) if Path(model).is_dir() else Path(model).parent


def _beside(model: Any) -> Path | None:
    return config_file(Path(model)) if isinstance(model, (str, Path)) else None


def _is_file(model: Any) -> bool:
    return isinstance(model, (str, Path)) and Path(model).is_file()


def _parsed(model: Any) -> Mapping[str, Any]:
    if isinstance(model, Mapping):
        return model
    merged: dict[str, list[Any]] = {"cubes": [], "views": []}
    for document in model:
        for section in merged:
            merged[section] += document.get(section) or []
    return merged
