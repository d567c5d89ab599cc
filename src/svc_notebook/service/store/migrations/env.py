"""Alembic's entry: migrations run on the connection, and inside the transaction, of whoever opens the store."""

from __future__ import annotations

from alembic import context

from svc_notebook.service.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=False)
context.run_migrations()
