"""The members that a JSON query names, ``relation.member``, and the relations they are of."""

from __future__ import annotations

from typing import Any

from ..catalog import Catalog, Member
from ..compiler.names import nearest
from ..errors import InvalidQuery, UnknownMember
from .json_filters import quoted

__all__ = ["JsonMembers", "column_of"]


class JsonMembers:
    """Finds members in ``catalog``, and keeps the relations of those found, in order."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.relations: list[str] = []

    def named(self, name: Any, *kinds: str) -> Member:
        """The visible member that ``relation.member`` names."""
        relation, _, short = name.partition(".") if isinstance(name, str) else ("", "", "")
        found = self.catalog.relations.get(relation)
        member = found.members.get(short) if found else None
        if member is None:
            raise self._unknown(name)
        if kinds and member.kind not in kinds:
            raise InvalidQuery(f"'{name}' is a {member.kind}, not a {' or '.join(kinds)}")
        if relation not in self.relations:
            self.relations.append(relation)
        return member

    def _unknown(self, name: Any) -> UnknownMember:
        """In the same words whether a member is hidden or absent, with the nearest of those to be seen."""
        paths = [member.path for relation in self.catalog.relations.values() for member in relation.members.values()]
        close = nearest(name[:100], paths) if isinstance(name, str) else ()
        hint = f"; did you mean {', '.join(close)}?" if close else "; members are written relation.member"
        return UnknownMember(f"unknown member {name!r}{hint}", suggestions=close)


def column_of(member: Member) -> str:
    """A member as SQL."""
    return f"{quoted(member.relation)}.{quoted(member.name)}"
