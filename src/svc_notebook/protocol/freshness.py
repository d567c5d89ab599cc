"""What a service answers from at the moment, and whether newer data are held back."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["Freshness", "Readiness"]


class Freshness(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True):
    """Body of ``POST /api/v1/reload`` and ``GET /api/v1/freshness``.

    Attributes
    ----------
    generation
        Counted from 1 since the service was made; a swap of data, model or configuration makes the next one.
    as_of
        When its data were read, an ISO instant; ``""`` where nobody knows.
    held_back
        Why what has changed since cannot be used; ``""`` while nothing has.
    """

    generation: int
    as_of: str = ""
    held_back: str = ""


class Readiness(msgspec.Struct, rename="camel", frozen=True):
    """Body of ``GET /readyz``: ``checks`` says of each ``ok``, or what is wrong and in which worker.

    ``workers`` says the same of each process behind the port, by its number, where there are several.
    """

    status: str
    generation: dict[str, int | str | bool]
    checks: dict[str, str] = {}
    workers: dict[str, dict[str, Any]] = {}
