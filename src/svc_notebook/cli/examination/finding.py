"""One thing looked at, and what to do about it; versions of packages."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _installed
from typing import Literal

__all__ = ["Finding", "Level", "release", "version"]

Level = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. ``remedy`` says what to do about it."""

    level: Level
    what: str
    remedy: str = ""


def version(package: str) -> str | None:
    """The installed version of a package, or None."""
    try:
        return _installed(package)
    except PackageNotFoundError:
        return None


def release(text: str) -> tuple[int, ...]:
    """``"7.1.0rc1"`` as ``(7, 1, 0)``."""
    from packaging.version import Version

    return Version(text).release
