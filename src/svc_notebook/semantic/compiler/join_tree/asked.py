"""What a query uses of the model by way of one join tree: the rights of its rows go by that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from ....records import dataclass
from ...dialects import duckdb as say
from ...errors import InvalidQuery
from ...model import Dimension, View
from ...policies.filter_values import Denied
from ..values import text_literal
from .rows import Part
from .steps import Expr, Path
from .tree import Tree

__all__ = ["Asked", "Placed"]


@dataclass
class Asked:
    """``view`` is the view asked, or None where cubes are asked directly."""

    tree: Tree
    view: View | None = None
    used: dict[str, set[str]] = field(default_factory=dict)  # relation → member names, for coverage
    used_below: dict[Path, set[str]] = field(default_factory=dict)  # node → names of its cube's members
    reached: set[Path] = field(default_factory=set)
    measured: set[tuple[str, str]] = field(default_factory=set)  # members computed over rows, by relation and name

    def use(self, relation: str, member: str, path: Path, cube_member: str) -> None:
        """Record a member that the query names."""
        self.used.setdefault(relation, set()).add(member)
        self.used_below.setdefault(path, set()).add(cube_member)

    def joins(self, other: Asked) -> None:
        """Count members together with another tree of the same view: a policy must cover all that a query uses."""
        self.used = other.used

    def reach(self, paths: Iterable[Path]) -> None:
        """Nodes the query touches anywhere: in a query on cubes, these are the ones whose policies apply."""
        self.reached |= set(paths)

    # --- members that policies filter on ---------------------------------------------------------------------------

    def filter_column(self, relation: str, path: Path, name: str) -> tuple[Expr, str]:
        """The member a policy filters on, unmasked and without the query's time zone."""
        index = self.tree.index
        node, member_name = self.place(relation, path, name)
        member = index.member(node[-1], member_name)
        if not isinstance(member, Dimension):
            raise InvalidQuery(f"The policy of '{relation}' filters on '{name}'; rows are filtered by dimensions.")
        expr = self.tree.dimension(node, member)
        kind = index.kind(node[-1], member_name)
        # Filters of policies compare in UTC, whatever zone the asker's query is in: they are to leave the same rows.
        if kind == "timestamptz":
            return Expr(say.in_zone(text_literal("UTC"), expr.sql), expr.paths), "timestamp"
        # A claim is a text, and DuckDB would fail to cast one that is no UUID.
        if kind == "uuid":
            return Expr(say.cast(expr.sql, say.TEXT), expr.paths), "string"
        return expr, kind

    def place(self, relation: str, path: Path, name: str) -> tuple[Path, str]:
        """The node and the member of its cube that a policy's filter names."""
        if self.view is not None and relation == self.view.name:
            return self.view_filter_member(name)
        owner, _, short = name.rpartition(".")
        return self.tree.walk(path, owner.split(".")) if owner not in ("", relation) else path, short

    def view_filter_member(self, name: str) -> tuple[Path, str]:
        """The same for a policy of the view."""
        assert self.view is not None
        owner, _, short = name.rpartition(".")
        for member in self.view.members:
            if (owner in ("", self.view.name) and member.name == short) or (
                member.cube == owner and member.member == short
            ):
                # Rows of another root than the member's: what cannot be tested is not shown.
                if member.join_path not in self.tree.places:
                    raise Denied("these rows have nothing of what it looks at")
                return self.tree.places[member.join_path], member.member
        raise InvalidQuery(f"The policy of '{self.view.name}' filters on '{name}', which it does not have.")


@dataclass(frozen=True, slots=True)
class Placed:
    """Rows as they stand in a finished statement: of what, and the text they became; ``inside`` others, or apart."""

    asked: Asked
    part: Part
    text: str
    inside: bool
