"""The chart renderer that widgets send to a page once: vega-embed, packed, see ``scripts/build_vega_bundle.py``."""

from __future__ import annotations

from functools import cache

from .base import STATIC

__all__ = ["packed_renderer"]


@cache
def packed_renderer() -> bytes:
    """The gzip archive of the module."""
    return (STATIC / "vega.js.gz").read_bytes()
