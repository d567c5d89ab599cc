"""How a field of a wire model is spelled, for those few places that name it in text or hold it in a plain mapping."""

from __future__ import annotations

import msgspec

__all__ = ["spelled"]


def spelled(model: type[msgspec.Struct], field: str) -> str:
    """The JSON key of a field.

    Raises
    ------
    ValueError
        If the model has no such field; at import, where the caller's table stands.
    """
    return model.__struct_encode_fields__[model.__struct_fields__.index(field)]
