"""The order that the values of a member have: as the model declares it, or by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...scales import along_scale, declared_order

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["order_of"]

_MOST = 60  # values: what is longer nobody reads in an order of its own


def order_of(path: str, metadata: Metadata) -> tuple[str, ...]:
    """The texts of a member in their order; none where they have none besides the alphabet's."""
    member = metadata.members.get(path)
    if member is None or member.type != "string":
        return ()
    values = metadata.values.members.get(path, ()) if path in metadata.values.complete else ()
    texts = [str(value) for value in values] if len(values) <= _MOST else []
    declared = declared_order(member.meta)
    if declared:
        return (*declared, *sorted(text for text in texts if text not in declared))
    return tuple(along_scale(texts) or ())
