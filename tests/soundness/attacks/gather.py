"""The statements put together: those that must be refused, and those that may tell nothing."""

from __future__ import annotations

from .positions import POSITIONS
from .reads import READS
from .row_probes import ROWS
from .statements import STATEMENTS
from .value_probes import VALUES

__all__ = ["probes", "refused"]

_FORBIDDEN_READS = (
    "SELECT max(pay) FROM raw.secrets",
    "SELECT max(pay) FROM secrets",
    "SELECT count(*) FROM raw.orders",
    "SELECT max(email) FROM customers",
    "SELECT max(internal_note) FROM orders",
    "FROM duckdb_tables() SELECT count(*)",
)


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def refused() -> list[str]:
    """Statements that must be refused, among them a forbidden read in every place an expression can stand."""
    reads = [form.replace("{X}", read) for read in _FORBIDDEN_READS[:4] for form in _lines(POSITIONS)]
    return _lines(READS) + _lines(STATEMENTS) + reads


def probes() -> list[str]:
    """Statements whose outcome must not depend on hidden rows; also a permitted read in every position."""
    reads = (
        "SELECT max(amount) FROM orders",
        "SELECT count(*) FROM customers",
        "SELECT max(CAST(code AS INT)) FROM orders",
    )
    return _lines(ROWS) + _lines(VALUES) + [form.replace("{X}", read) for read in reads for form in _lines(POSITIONS)]
