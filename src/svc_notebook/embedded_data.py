"""What :func:`svc_notebook.embedded` was handed: a model, or tables for which one is made."""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType
from typing import Any

from .embedded_recipe import Recipe
from .embedded_source import LiveSource
from .semantic.intake.given import is_model
from .semantic.intake.live import where_it_lies
from .semantic.scaffolding.notes import DataNotes
from .semantic.snapshot import DataSource, Snapshot

__all__ = ["model_and_data", "source_of"]

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


def model_and_data(model: Any, data: Any, database: Any, caller: FrameType, limits: Any) -> tuple[Any, DataSource]:
    """The model, if there is one, and the source of the tables that everything else stands for.

    Parameters
    ----------
    model
        A model, or data in its place.
    caller
        Where a table without a name of its own may be known by one: as a variable.
    limits
        The engine's.
    """
    sources = [data, database]
    if model is not None and not is_model(model):
        sources, model = [model, *sources], None
    if model is not None:  # to make one, the values of every column are looked at, which is done in memory
        sources = list(where_it_lies(data, database))
    # By identity: data frames answer == with a frame.
    names = {id(value): name for name, value in caller.f_locals.items() if _says_something(name)}
    given = tuple(value for value in sources if value is not None)
    return model, DataSource(
        given, {id(value): names[id(value)] for value in _tables(given) if id(value) in names}, limits
    )


def _tables(given: tuple[Any, ...]) -> Iterator[Any]:
    for value in given:
        yield value
        yield from value if isinstance(value, (list, tuple)) else ()


def source_of(model: Any, data: DataSource, settings: tuple[Any, ...]) -> tuple[LiveSource, DataNotes]:
    """What a service is made from, the data read; a model is made from them where there is none.

    Parameters
    ----------
    settings
        Of the :class:`Recipe`, what comes after its tables and the model: configuration, key, attributes, groups,
        agent, address, how many processes share the work.
    """
    snapshot = data.read(first=True)
    try:
        notes = DataNotes(remarks=snapshot.given.remarks)
        parsed = model if model is not None else _scaffolded(snapshot, notes)
        config, *others = settings
        recipe = Recipe(parsed, config, snapshot.engine, *others)
        return LiveSource(data, snapshot, recipe, _scaffolded if model is None else None), notes
    except BaseException:
        snapshot.engine.close()
        raise


def _scaffolded(snapshot: Snapshot, notes: DataNotes | None = None) -> Any:
    """The model that is made from tables."""
    from .semantic.scaffold import scaffold_model

    told = notes or DataNotes(remarks=snapshot.given.remarks)
    return scaffold_model({}, engine=snapshot.engine, keys=snapshot.given.keys, remarks=told.remarks, notes=told)


def _says_something(variable: str) -> bool:
    return not variable.startswith("_") and len(variable) > 2 and variable.strip("0123456789_") not in _ANY_FRAME
