"""The settings that lock a DuckDB instance down, and the proof that they hold.

DuckDB does not pass settings made with ``SET`` on to cursors unless they are global, so everything that can goes
through ``config=`` at connect, the rest is ``SET GLOBAL``, and each is read back on a fresh cursor before the first
query.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import duckdb

from ..errors import EngineFailure

__all__ = ["CONFIG", "lock"]

CONFIG = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
    "error_on_division_by_zero": "false",
    # Shares what two branches of a query have in common, and takes for alike what is not: wrong rows where a table is
    # joined with itself (duckdb issues 23679, 24624, 25170, 25819).
    "disabled_optimizers": "common_subplan",
}
_LOCKS = {
    "TimeZone": "'UTC'",
    "allowed_configs": "['enable_progress_bar', 'enable_progress_bar_print', 'enable_optimizer']",
    "enable_external_access": "false",
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


def _check_locks(connection: duckdb.DuckDBPyConnection, expected: Mapping[str, str]) -> None:
    cursor = connection.cursor()
    try:
        for name, value in expected.items():
            row = cursor.execute("SELECT current_setting(?)", [name]).fetchone()
            if row is None or str(row[0]).lower() != value.lower():
                raise EngineFailure(f"The engine's setting '{name}' does not hold.")
    finally:
        cursor.close()
