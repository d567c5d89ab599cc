"""Bring the tables of a database to the version this package writes; runs by itself when a store is opened."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from .errors import StoreFailed
from .schema import metadata

__all__ = ["HEAD", "migrate"]

HEAD = "0007"
_LOCK = 7_263_101  # any number, the same in every process: one migrates, the others wait


def migrate(connection: Connection) -> None:
    """Upgrade inside the caller's transaction.

    Raises
    ------
    StoreFailed
        The tables were written by a newer version of the package, or by something else, or not to their end.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    current = _version(connection)
    if current == HEAD:
        return
    _check_known(connection, current)
    # Alembic takes a moment to import and is only needed when something is to be done.
    from alembic import command
    from alembic.config import Config

    config = Config()
    # Alembic's configuration reads % as ConfigParser does.
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _check_known(connection: Connection, current: str | None) -> None:
    if current is None:
        found = sorted(set(inspect(connection).get_table_names()) & set(metadata.tables))
        if found:
            raise StoreFailed(
                f"The state store has tables ({', '.join(found[:3])}) and no version: it was made by something else, "
                "or never finished. Restore a backup, or name an empty one."
            )
        return
    if not (current.isdecimal() and len(current) == len(HEAD)):
        raise StoreFailed(f"The state store has an unknown version ({current!r}): it was not made by this package.")
    if current > HEAD:
        raise StoreFailed(f"The state store was written by a newer version (tables {current}, this one writes {HEAD}).")


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
