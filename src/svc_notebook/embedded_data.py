"""What :func:`svc_notebook.embedded` was handed: a model, or tables for which one is made."""

from __future__ import annotations

from types import FrameType
from typing import TYPE_CHECKING, Any

from .semantic.intake.given import Given, is_model, read_given
from .semantic.scaffolding.notes import DataNotes

if TYPE_CHECKING:
    from .semantic.engine.base import Engine

__all__ = ["model_and_data", "model_of"]

_ANY_FRAME = frozenset(
    (
        "data",
        "dataset",
        "dataframe",
        "frame",
        "table",
        "tbl",
        "temp",
        "tmp",
        "raw",
        "rows",
        "records",
        "result",
        "input",
    )
)


def model_and_data(model: Any, data: Any, database: Any, caller: FrameType) -> tuple[Any, Given]:
    """The model, if there is one, and the tables that everything else stands for.

    Parameters
    ----------
    model
        A model, or data in its place.
    caller
        Where a table without a name of its own may be known by one: as a variable.
    """
    sources = [data, database]
    if model is not None and not is_model(model):
        sources, model = [model, *sources], None
    names = {id(value): name for name, value in caller.f_locals.items() if _says_something(name)}
    return model, read_given(*sources, names=names)


def model_of(model: Any, given: Given, tables: Engine) -> tuple[Any, DataNotes]:
    """The model, made from the tables where none is given, and what is to be known of how that went."""
    from .semantic.scaffold import scaffold_model

    notes = DataNotes(remarks=given.remarks)
    if model is None:
        model = scaffold_model({}, engine=tables, keys=given.keys, remarks=notes.remarks, notes=notes)
    return model, notes


def _says_something(variable: str) -> bool:
    return not variable.startswith("_") and len(variable) > 2 and variable.strip("0123456789_") not in _ANY_FRAME
