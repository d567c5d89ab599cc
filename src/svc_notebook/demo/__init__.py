"""The demo: every flight that left New York City in 2013, with its data model, policies and users.

Real data in the public domain; ``data/README.md`` tells where it comes from and what was done to it.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["data_files", "model_folder", "service_file"]

_HERE = Path(__file__).parent


def data_files() -> dict[str, Path]:
    """The Parquet files by the table name the data model knows them by."""
    return {path.stem: path for path in sorted((_HERE / "data").glob("*.parquet"))}


def model_folder() -> Path:
    """The folder of the data model's YAML files."""
    return _HERE / "model"


def service_file() -> Path:
    """The demo's ``service.yml``: attributes, groups and internal users."""
    return _HERE / "service.yml"
