"""Pictures of charts that a page has drawn, for the transcript: nothing but small PNG files is taken."""

from __future__ import annotations

import base64
import binascii
from typing import Any

__all__ = ["Pictures"]

_MAX_CHARS = 120_000
_MAX_PICTURES = 200
_MAGIC = b"\x89PNG\r\n\x1a\n"


class Pictures:
    """Base64 text of PNG files by the id of the result they show; the newest are kept."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def take(self, uuid: Any, png: Any) -> bool:
        """Keep a picture; whether it is one, and new."""
        if not (isinstance(uuid, str) and isinstance(png, str)) or not uuid or len(png) > _MAX_CHARS:
            return False
        try:
            raw = base64.b64decode(png, validate=True)
        except (binascii.Error, ValueError):
            return False
        # It goes into an img of a saved notebook: nothing but what is a PNG does.
        if not raw.startswith(_MAGIC) or uuid in self._kept:
            return False
        self._kept[uuid] = png
        while len(self._kept) > _MAX_PICTURES:
            del self._kept[next(iter(self._kept))]
        return True

    def known(self) -> list[str]:
        """Ids of the results that have a picture."""
        return list(self._kept)

    def of(self, uuid: str) -> str:
        """The picture of a result, or nothing."""
        return self._kept.get(uuid, "")
