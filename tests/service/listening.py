"""What a store is told, statement by statement."""

from __future__ import annotations

from sqlalchemy import event

from svc_notebook.service.store import Store


def statements(store: Store) -> list[str]:
    """Every statement from now on, whichever way it goes."""
    said: list[str] = []
    if not store.lasts:  # one connection, which everybody shares
        store.read(lambda connection: connection.connection.dbapi_connection).set_trace_callback(said.append)
    elif store.dialect == "sqlite":
        event.listen(store.engine, "checkout", lambda driver, *_: driver.set_trace_callback(said.append))
    else:
        event.listen(store.engine, "before_cursor_execute", lambda *args: said.append(args[2]))
    return said
