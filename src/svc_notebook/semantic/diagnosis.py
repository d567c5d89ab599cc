"""Which member of a model keeps a query from being planned, in words for its asker.

Planning reads no row, and only what the asker sees and has named is tried: nothing else can be learnt from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .catalog import Catalog, Member
from .compiler.values import quote
from .errors import NotPlanned, QueryError
from .model import Cube, DataModel

__all__ = ["misfit"]

# Each is planned once; the asker waits for it.
_MOST = 60


def misfit(
    sql: str,
    catalog: Catalog,
    model: DataModel,
    plan: Callable[[str], object],
    absent: Callable[[str], Sequence[str]],
    *,
    places: bool,
) -> str | None:
    """What to tell about a query that could not be planned; None if no single member is to blame.

    Parameters
    ----------
    plan
        Plans a query as the asker would; raises :class:`NotPlanned` if the database does not understand it.
    absent
        The tables of a relation that the database does not have.
    places
        Whether the asker may know the model's files, and tables by their names.
    """
    words = set(re.findall(r"\w+", sql.lower()))
    named = [relation for relation in catalog.relations.values() if relation.name.lower() in words]
    for relation in named:
        # Planned as this asker: nothing is told of a member that they may not see.
        if _fails(plan, f"SELECT COUNT(*) FROM {quote(relation.name)}"):
            where = _where(model, relation.name, "") if places else ""
            if tables := absent(relation.name):
                gone = f"there is no table '{tables[0]}' in this database" if places else "its table is missing"
                return f"'{relation.name}' cannot be read{where}: {gone}."
            return (
                f"'{relation.name}' cannot be read{where}: its SQL is not this database's, or reads what that does not "
                "have; if the model is written for another one, say which with 'dialect:'."
            )
    used = [m for relation in named for m in relation.members.values() if m.name.lower() in words]
    for member in used[:_MOST]:
        if _fails(plan, _probe(member)):
            where = _where(model, member.cube or member.relation, member.cube_member or member.name) if places else ""
            return (
                f"'{member.path}' cannot be computed{where}: its SQL names a column or a function that this database "
                "does not have, or does not fit its types; if the model is written for another one, say which with "
                "'dialect:'."
            )
    return None


def _probe(member: Member) -> str:
    column, table = quote(member.name), quote(member.relation)
    if member.kind == "segment":
        return f"SELECT COUNT(*) FROM {table} WHERE {column}"
    if member.kind == "measure":
        return f"SELECT MEASURE({column}) FROM {table}"
    return f"SELECT {column} FROM {table} GROUP BY 1"


def _fails(plan: Callable[[str], object], sql: str) -> bool:
    try:
        plan(sql)
    except NotPlanned:
        return True
    except QueryError:
        return False
    return False


def _where(model: DataModel, relation: str, member: str) -> str:
    """``" (orders.yml:12)"``, the place in the model."""
    holder = model.cubes.get(relation) or model.views.get(relation)
    if holder is None:
        return ""
    own = holder.members if isinstance(holder, Cube) else holder.own_members
    place = next((item.source for item in own if item.name == member), holder.source)
    return f" ({place.file}:{place.line})" if place.line else ""
