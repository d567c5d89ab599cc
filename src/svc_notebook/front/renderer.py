"""The chart renderer that a page gets once: vega-embed, packed, see ``scripts/build_vega_bundle.py``."""

from __future__ import annotations

import gzip
from functools import cache

from .modules import STATIC

__all__ = ["packed_renderer", "unpacked_renderer"]


@cache
def packed_renderer() -> bytes:
    """The gzip archive of the module."""
    return (STATIC / "vega.js.gz").read_bytes()


def unpacked_renderer() -> bytes:
    """The module's text."""
    return gzip.decompress(packed_renderer())
