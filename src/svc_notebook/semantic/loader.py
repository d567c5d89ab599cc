"""Data models from YAML: :func:`load_model` for use, :func:`check_model` for every finding.

A source is a folder (every ``*.yml`` and ``*.yaml`` in it, at any depth), a file, or an already parsed mapping
``{"cubes": […], "views": […]}``. The format is that of the open-source Cube project; ``docs/data-model.md`` lists
what is read, what is ignored with a warning, and what is refused.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from .errors import ModelError, ModelProblem
from .loading import schemas
from .loading.checks import ModelChecks
from .loading.contexts import read_context, read_default_filters
from .loading.cubes import ReadCube, declared, extended, read_cube, sql_of_cubes
from .loading.dialects import DIALECTS
from .loading.fields import Fields
from .loading.fragments import Fragments
from .loading.join_graph import JoinGraph
from .loading.policies import PolicyReader
from .loading.problems import Problems, did_you_mean
from .loading.tree import Node, parse_yaml, plain_node
from .loading.views import ReadView, ViewReader
from .model import Cube, DataModel, Source, View

__all__ = ["ModelSource", "check_model", "load_model"]

ModelSource: TypeAlias = str | Path | Mapping[str, Any] | Sequence[Any]

_MAX_FILE = 10_000_000
_JINJA = re.compile(r"\{\{|\{%")


def load_model(source: ModelSource, *, dialect: str | None = None) -> DataModel:
    """Load a data model.

    Parameters
    ----------
    source
        A folder, a file, or parsed YAML (one mapping, or a list of them).
    dialect
        The database whose SQL the model is written in, such as ``"bigquery"``; it is translated. As a rule what the
        model says itself (``dialect:`` beside ``cubes:``), else DuckDB.

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
    """All findings, errors and warnings, by place; never raises for a bad model."""
    return _load(source, dialect)[1].found


def _load(source: ModelSource, dialect: str | None) -> tuple[DataModel, Problems]:
    problems = Problems()
    documents, version = _documents(source, problems)
    taken: dict[str, Node] = {}
    cubes: dict[str, Node] = {}
    views: dict[str, Node] = {}
    for document in documents:
        if document.value is None:
            continue
        root = Fields(document, schemas.ROOT, problems)
        said = root.choice("dialect", DIALECTS, {"postgresql": "postgres", "mssql": "tsql", "sparksql": "spark"})
        dialect = dialect or said
        cubes |= declared(root, "cubes", "cube", problems, taken)
        views |= declared(root, "views", "view", problems, taken)
    if not taken and not problems.errors:
        problems.error(
            "no cubes and no views here; a model file begins with 'cubes:' or 'views:'", Source(_name(source), 1, 1)
        )
    if dialect is not None and dialect not in DIALECTS:
        problems.error(
            f"'{dialect}' is no dialect{did_you_mean(dialect, DIALECTS)} ({', '.join(DIALECTS)})",
            Source(_name(source), 1, 1),
        )
        dialect = None
    fragments = Fragments(problems, dialect or "duckdb")
    version = version if dialect is None else f"{version}-{dialect}"
    cubes, views = extended(cubes, "cube", problems), extended(views, "view", problems)
    return _assemble(cubes, views, version, problems, fragments), problems


def _assemble(
    cube_nodes: Mapping[str, Node],
    view_nodes: Mapping[str, Node],
    version: str,
    problems: Problems,
    fragments: Fragments,
) -> DataModel:
    read = {name: read_cube(name, node, problems, fragments) for name, node in cube_nodes.items()}
    cubes = {name: item.cube for name, item in read.items()}
    cubes |= {name: replace(cubes[name], sql=sql) for name, sql in sql_of_cubes(cubes, problems).items()}
    graph = JoinGraph(cubes)
    viewer = ViewReader(cubes, {name: item.hidden for name, item in read.items()}, graph, problems, fragments)
    read_views = {name: viewer.read(name, node) for name, node in view_nodes.items()}
    reader = _Policies(cubes, graph, problems)
    cubes = {name: reader.of_cube(cube, read[name]) for name, cube in cubes.items()}
    views = {name: reader.of_view(item) for name, item in read_views.items()}
    model = DataModel(cubes, views, version)
    ModelChecks(model, fragments.found, problems).run()
    return model


@dataclass(frozen=True)
class _Policies:
    """Policies are read last: they name members of cubes and views, which by then are known."""

    cubes: Mapping[str, Cube]
    graph: JoinGraph
    problems: Problems

    def of_cube(self, cube: Cube, read: ReadCube) -> Cube:
        types = {d.name: d.type for d in cube.dimensions}
        kinds = {
            **{m.name: "measure" for m in cube.measures},
            **{s.name: "segment" for s in cube.segments},
            **{h.name: "hierarchy" for h in cube.hierarchies},
            **dict.fromkeys(types, "dimension"),
        }

        def type_of(name: str) -> str | None:
            return types.get(name) or self._foreign(name, cube.name)

        reader = PolicyReader(cube.name, kinds, type_of, self.problems)
        measures = tuple(
            replace(measure, filter=read_context(node, measure.name, reader, self._known(cube)))
            if (node := read.filter_nodes.get(measure.name)) is not None
            else measure
            for measure in cube.measures
        )
        return replace(cube, measures=measures, access_policy=reader.read(_policy_node(read.fields)))

    def _known(self, cube: Cube) -> Callable[[str], bool]:
        """Whether a name means a dimension or segment of the cube, or of one that it reaches."""

        def known(name: str) -> bool:
            *path, member = name.split(".")
            owner = path[-1] if path else cube.name
            holder = self.cubes.get(owner) if owner in self.graph.reach(cube.name) else None
            return holder is not None and member in {
                *(d.name for d in holder.dimensions),
                *(s.name for s in holder.segments),
            }

        return known

    def of_view(self, read: ReadView) -> View:
        view = read.view
        shown = {m.name: m for m in view.members}
        own = {d.name: d.type for d in view.dimensions}
        kinds = {
            **{m.name: m.kind for m in view.members},
            **{m.name: "measure" for m in view.measures},
            **dict.fromkeys(own, "dimension"),
        }

        def type_of(name: str) -> str | None:
            if name in own:
                return own[name]
            if name in shown and shown[name].kind == "dimension":
                return self._type(shown[name].cube, shown[name].member)
            first = name.split(".")[0]
            inside = {cube for member in view.members for cube in member.join_path}
            return self._foreign(name, first) if first in inside else None

        below = {name for m in view.members for name in self._names(m.cube)}
        reader = PolicyReader(view.name, kinds, type_of, self.problems, below.__contains__)
        defaults = read_default_filters(read.fields, reader)
        return replace(view, default_filters=defaults, access_policy=reader.read(_policy_node(read.fields)))

    def _names(self, cube: str) -> list[str]:
        """The names a view could show for a cube: as they are, and with the cube's name before them."""
        names = [member.name for member in self.cubes[cube].members]
        return [*names, *(f"{cube}_{name}" for name in names)]

    def _foreign(self, name: str, start: str) -> str | None:
        *path, member = name.split(".")
        return self._type(path[-1], member) if path and path[-1] in self.graph.reach(start) else None

    def _type(self, cube: str, member: str) -> str | None:
        dimensions = self.cubes[cube].dimensions if cube in self.cubes else ()
        return next((d.type for d in dimensions if d.name == member), None)


def _policy_node(fields: Fields) -> Node | None:
    """The policies' node; a key without a value is an empty list, which is reported, not an absent key."""
    if "access_policy" not in fields:
        return None
    node = fields["access_policy"]
    return Node([], fields.place("access_policy")) if node.value is None else node


# --- reading --------------------------------------------------------------------------------------------------------


def _name(source: ModelSource) -> str:
    return str(source) if isinstance(source, (str, Path)) else ""


def _documents(source: ModelSource, problems: Problems) -> tuple[list[Node], str]:
    if not isinstance(source, (str, Path)):
        dumped = json.dumps(source, sort_keys=False, default=str)
        documents = [source] if isinstance(source, Mapping) else list(source)
        return [plain_node(document, problems=problems) for document in documents], _version([dumped])
    path = Path(source)
    files = _files(path, problems)
    base = path if path.is_dir() else path.parent
    nodes: list[Node] = []
    texts: list[str] = []
    for file in files:
        shown = file.relative_to(base).as_posix()
        text = _read(file, shown, problems)
        if text is None:
            continue
        texts += [shown, text]
        problems.texts[shown] = text.split("\n")
        if not _has_jinja(text, shown, problems):
            nodes += parse_yaml(text, shown, problems)
    return nodes, _version(texts)


def _files(path: Path, problems: Problems) -> list[Path]:
    try:
        if path.is_file():
            return [path]
        if path.is_dir():
            found = sorted(
                p for p in path.rglob("*") if p.suffix in (".yml", ".yaml") and p.is_file() and not _hidden(p, path)
            )
            if not found:
                problems.error("no .yml or .yaml file in this folder", Source(str(path), 1, 1))
            return found
    except (OSError, ValueError) as error:
        problems.error(f"cannot be read: {error}", Source(str(path), 1, 1))
        return []
    problems.error("no such file or folder", Source(str(path), 1, 1))
    return []


def _hidden(file: Path, base: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(base).parts)


def _read(file: Path, shown: str, problems: Problems) -> str | None:
    try:
        data = file.read_bytes()
    except OSError as error:
        problems.error(f"cannot be read: {error.strerror}", Source(shown, 1, 1))
        return None
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


def _has_jinja(text: str, file: str, problems: Problems) -> bool:
    """Report templates; a file that has them is not read further, since what it means is not what it says."""
    found = False
    for number, line in enumerate(text.split("\n"), 1):
        mark = _JINJA.search(line)
        if mark is not None and not line.lstrip().startswith("#") and f"{line[: mark.start()]} ".find(" #") < 0:
            what = "a Jinja block" if mark[0] == "{%" else "a Jinja expression"
            problems.error(
                f"{what} ({mark[0]} …): templates are not supported; write the result out as plain YAML",
                Source(file, number, mark.start() + 1),
            )
            found = True
    return found


def _version(texts: list[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()[:16]
