"""A turn knows which one it follows, so that a thread can branch, and what its asker thinks of the answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turns", sa.Column("after", sa.Integer(), nullable=True))
    op.add_column("turns", sa.Column("verdict", sa.Text(), nullable=True))
    op.add_column("turns", sa.Column("verdict_why", sa.Text(), nullable=True))
    op.add_column("turns", sa.Column("verdict_at", sa.Float(53), nullable=True))
    given = sa.text("verdict_at IS NOT NULL")
    op.create_index("ix_turns_verdict_at", "turns", ["verdict_at"], sqlite_where=given, postgresql_where=given)
