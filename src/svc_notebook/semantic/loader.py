"""Data models from YAML: :func:`load_model` for use, :func:`check_model` for every finding.

A source is a folder (every ``*.yml`` and ``*.yaml`` in it, at any depth), a file, or an already parsed mapping
``{"cubes": […], "views": […]}``. The format is that of the open-source Cube project; ``docs/data-model.md`` lists
what is read, what is accepted without effect, and what is refused.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from .errors import ModelError, ModelProblem
from .loading import schemas
from .loading.absent import in_other_files, without_absent
from .loading.assembly import assembled
from .loading.bridges import with_bridges
from .loading.cubes import declared, extended
from .loading.dialects import Dialects
from .loading.fields import Fields
from .loading.follow_ups import without_follow_ups
from .loading.fragments import Fragments
from .loading.problems import Problems
from .loading.sources import ModelSource, read_sources
from .loading.splits import with_splits
from .loading.tree import Node
from .model import DataModel, Source

__all__ = ["ModelSource", "check_model", "load_model"]


def load_model(source: ModelSource, *, dialect: str | None = None) -> DataModel:
    """Load a data model.

    Parameters
    ----------
    source
        A folder, a file, or parsed YAML (one mapping, or a list of them).
    dialect
        The database whose SQL the model is written in, such as ``"bigquery"``; it is translated. As a rule what the
        model says itself (``dialect:`` beside ``cubes:`` or in a cube), else what it reads as without doubt, else
        DuckDB.

    Raises
    ------
    ModelError
        With every problem found, each naming file, line, column and the nearest valid name.
    """
    model, problems = _load(source, dialect)
    if problems.errors:
        raise ModelError(problems.errors)
    return replace(model, warnings=tuple(problems.found))


def check_model(source: ModelSource, *, dialect: str | None = None) -> list[ModelProblem]:
    """All findings (errors, warnings, information), by place; never raises for a bad model."""
    return _load(source, dialect)[1].found


def _load(source: ModelSource, dialect: str | None) -> tuple[DataModel, Problems]:
    problems = Problems()
    sources = read_sources(source, problems)
    whole = Source(str(source) if isinstance(source, (str, Path)) else "", 1, 1)
    dialects = Dialects(problems, dialect, whole)
    taken: dict[str, Node] = {}
    cubes: dict[str, Node] = {}
    views: dict[str, Node] = {}
    for document in sources.documents:
        if document.value is None:
            continue
        root = Fields(document, schemas.ROOT, problems)
        dialects.said(root)
        cubes |= declared(root, "cubes", "cube", problems, taken)
        views |= declared(root, "views", "view", problems, taken)
    if not taken and not problems.errors:
        problems.error("no cubes and no views here; a model file begins with 'cubes:' or 'views:'", whole)
    if isinstance(source, (str, Path)) and os.path.isfile(source):
        sources.foreign |= in_other_files(cubes, views)
    cubes, views = without_absent(cubes, views, sources.foreign, problems)
    cubes, views = extended(cubes, "cube", problems), extended(views, "view", problems)
    cubes, views = with_bridges(cubes, problems), with_splits(views, taken, problems)
    dialects.settle(cubes)
    fragments = Fragments(problems, dialects)
    model = assembled(cubes, views, f"{sources.version}{dialects.mark}", problems, fragments)
    problems.keep(without_follow_ups(problems.found, sources.lost, views))
    return model, problems
