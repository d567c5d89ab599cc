"""References inside SQL fragments: ``{CUBE}``, ``{member}``, ``{cube.member}``, ``{cube.cube.member.month}``.

A pair of braces that does not hold a dotted path of identifiers (JSON in a literal, say) is plain text.
``resolve`` is the one place that decides what a path means, for the checks at load and for the compiler alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from .. import patterns as re
from ..records import dataclass
from .intervals import GRANULARITIES
from .model import Cube, Dimension, View

__all__ = [
    "CUBE_NAMES", "ModelScope", "Reference", "ResolvedReference", "UnresolvedReference", "find_references", "resolve",
    "substitute",
]  # fmt: skip

CUBE_NAMES = ("CUBE", "TABLE")
# Nothing but names and dots: braces with anything else in them are some other language's.
_REFERENCE = re.compile(r"\{\s*([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)\s*\}")


@dataclass(frozen=True, slots=True)
class Reference:
    """One pair of braces. ``before_dot``: a ``.`` follows, so that a cube's alias is meant (``{CUBE}.id``)."""

    path: tuple[str, ...]
    start: int
    end: int
    before_dot: bool = False

    def __str__(self) -> str:
        return "{" + ".".join(self.path) + "}"


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """What a path means: the ``cube`` itself (``member`` is None), a member of it, or a member at a granularity.

    ``join_path`` lists the cubes the path names, from the declaring cube's neighbour to ``cube``; it is empty for a
    member of the declaring cube itself.
    """

    cube: str
    member: str | None = None
    granularity: str | None = None
    join_path: tuple[str, ...] = ()


class UnresolvedReference(LookupError):
    """``name`` is unknown where it stands; ``candidates`` are the names that would have been known there."""

    def __init__(self, name: str, candidates: tuple[str, ...], within: str) -> None:
        super().__init__(f"'{name}' is neither a member of '{within}' nor a cube")
        self.name = name
        self.candidates = candidates
        self.within = within


class ModelScope:
    """The names of a model as :func:`resolve` needs them; build it once per model."""

    def __init__(self, cubes: Mapping[str, Cube], views: Mapping[str, View] | None = None) -> None:
        self.cubes = cubes
        self._members: dict[str, dict[str, tuple[str, ...] | None]] = {}
        for cube in cubes.values():
            names: dict[str, tuple[str, ...] | None] = {m.name: None for m in cube.members}
            names |= {d.name: _granularities(d) for d in cube.dimensions}
            self._members[cube.name] = names
        for view in (views or {}).values():
            names = {m.name: self._members.get(m.cube, {}).get(m.member) for m in view.members if m.kind != "hierarchy"}
            names |= {m.name: None for m in view.measures}
            names |= {d.name: _granularities(d) for d in view.dimensions}
            self._members[view.name] = names

    def members(self, relation: str) -> Mapping[str, tuple[str, ...] | None]:
        """Member names of a cube or view; the value lists the granularities of a time dimension, else None."""
        return self._members.get(relation, {})


def _granularities(dimension: Dimension) -> tuple[str, ...] | None:
    if dimension.type != "time":
        return None
    return (*GRANULARITIES, *(g.name for g in dimension.granularities))


@lru_cache(8_192)  # a model's fragments are few, and read again by every query
def find_references(sql: str) -> tuple[Reference, ...]:
    """Every reference of a fragment, in order."""
    return tuple(
        Reference(
            tuple(part.strip() for part in m[1].split(".")), m.start(), m.end(), sql[m.end() : m.end() + 1] == "."
        )
        for m in _REFERENCE.finditer(sql)
    )


def substitute(sql: str, replace: Callable[[Reference], str]) -> str:
    """The fragment with every reference replaced by what ``replace`` returns."""
    pieces: list[str] = []
    at = 0
    for reference in find_references(sql):
        pieces += [sql[at : reference.start], replace(reference)]
        at = reference.end
    return "".join([*pieces, sql[at:]])


def resolve(scope: ModelScope, cube: str, reference: Reference) -> ResolvedReference:
    """What ``reference`` means inside ``cube``.

    The first name is the cube itself (``CUBE``), a member of it, or another cube; where a name is both, the member
    is meant unless a dot follows. Then come further cubes on the join path, at most one member, and for a time
    dimension at most one granularity.

    Raises
    ------
    UnresolvedReference
        If a name is unknown where it stands.
    """
    cubes, own = scope.cubes, scope.members(cube)
    first, rest = reference.path[0], list(reference.path[1:])
    join_path: tuple[str, ...]
    if first in CUBE_NAMES:
        at, join_path = cube, ()
    elif first in own and not (first in cubes and (rest or reference.before_dot)):
        return _finish(scope, cube, first, rest, ())
    elif first in cubes:
        at, join_path = first, (() if first == cube else (first,))
    else:
        raise UnresolvedReference(first, (*own, *cubes), cube)
    while rest:
        name = rest.pop(0)
        if name in scope.members(at):
            return _finish(scope, at, name, rest, join_path)
        if name not in cubes:
            raise UnresolvedReference(name, (*scope.members(at), *cubes), at)
        at, join_path = name, (*join_path, name)
    return ResolvedReference(at, join_path=join_path)


def _finish(
    scope: ModelScope, cube: str, member: str, rest: list[str], join_path: tuple[str, ...]
) -> ResolvedReference:
    if not rest:
        return ResolvedReference(cube, member, join_path=join_path)
    known = scope.members(cube)[member] or ()
    if len(rest) > 1 or rest[0] not in known:
        raise UnresolvedReference(".".join(rest), known, f"{cube}.{member}")
    return ResolvedReference(cube, member, rest[0], join_path)
