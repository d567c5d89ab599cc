"""The settings that lock a DuckDB instance down, and the proof that they hold.

DuckDB does not pass settings made with ``SET`` on to cursors unless they are global, so everything that can goes
through ``config=`` at connect, the rest is ``SET GLOBAL``, and each is read back on a fresh cursor before the first
query.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import duckdb

from ..errors import EngineFailure

__all__ = ["CONFIG", "lock", "plan_by_data"]

_VERSION = tuple(int(part) for part in re.findall(r"\d+", duckdb.__version__)[:3])
_BY_DATA = "statistics_propagation"  # drops what minima, maxima and NULLs of whole tables say cannot be; joins by them
# Rules of the optimiser that are off. All but the first and the last plan by what tables hold, hidden rows included: a
# part of a plan that fails on rows the asker may see then runs or not with what only hidden rows meet: it tells them.
_RULES_OFF = (
    # Shares what two branches of a query have in common, and takes for alike what is not: wrong rows where a table is
    # joined with itself (duckdb issues 23679, 24624, 25170, 25819).
    "common_subplan",
    _BY_DATA,
    "join_order",  # by how many rows and distinct values tables have; what is joined late is not computed for no rows
    "build_side_probe_side",  # by how many rows; the probing side is not read on where nothing was built
    # Takes a table that is joined with its own groups for one reading of it: the place where "common_subplan" is wrong.
    # An engine that does not know the name refuses it.
    *(("self_join_aggregate",) if _VERSION >= (2, 0, 1) else ()),
)
CONFIG = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    # Else SELECT * FROM df reads a variable of whatever Python frame calls, under any name that no table has.
    "python_enable_replacements": "false",
    # Models of other semantic layers divide without NULLIF and expect NULL; which row divides first is up to the plan.
    "error_on_division_by_zero": "false",
    "disabled_optimizers": ",".join(_RULES_OFF),
}
# What cursors of ours set for themselves after the lock; none of it opens anything or shows another row.
_MAY_CHANGE = ("enable_progress_bar", "enable_progress_bar_print", "enable_optimizer", "disabled_optimizers")
_LOCKS = {
    "TimeZone": "'UTC'",
    "allowed_configs": str(list(_MAY_CHANGE)),
    "enable_external_access": "false",
    # Last: from here on no setting can be changed, the ones above included.
    "lock_configuration": "true",
}
_READ_BACK = {**CONFIG, "TimeZone": "UTC", "enable_external_access": "false", "lock_configuration": "true"}


def lock(connection: duckdb.DuckDBPyConnection, *, apart_from: Collection[str] = ()) -> None:
    """Lock an instance that was opened with :data:`CONFIG`; the settings of ``apart_from`` were given otherwise.

    Raises
    ------
    EngineFailure
        If a lock does not hold on a fresh cursor.
    """
    for name, value in _LOCKS.items():
        connection.execute(f"SET GLOBAL {name} = {value}")
    _check_locks(connection, {name: value for name, value in _READ_BACK.items() if name not in apart_from})


def plan_by_data(connection: duckdb.DuckDBPyConnection, allowed: bool) -> None:
    """Let a locked instance plan by what its tables hold, or not; no query may be running.

    Raises
    ------
    EngineFailure
        If the setting does not hold on a fresh cursor.
    """
    rules = ",".join(rule for rule in _RULES_OFF if not (allowed and rule == _BY_DATA))
    connection.execute(f"SET GLOBAL disabled_optimizers = '{rules}'")
    _check_locks(connection, {"disabled_optimizers": rules})


def _check_locks(connection: duckdb.DuckDBPyConnection, expected: Mapping[str, str]) -> None:
    # Not all settings reach a new cursor, and each query gets one.
    cursor = connection.cursor()
    try:
        asked = ", ".join(["current_setting(?)"] * len(expected))
        held = cursor.execute(f"SELECT {asked}", [*expected]).fetchone() or ()
        for (name, value), found in zip(expected.items(), held, strict=True):
            if _listed(str(found)) != _listed(value):
                raise EngineFailure(f"The engine's setting '{name}' does not hold.")
    finally:
        cursor.close()


def _listed(value: str) -> set[str]:
    """The parts of a value; DuckDB lists rules in an order of its own."""
    return set(value.lower().split(","))
