"""A thread belongs to a deployment; those there are belong to the first of their account, as its configuration says."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("threads", sa.Column("deployment", sa.BigInteger(), nullable=True))
