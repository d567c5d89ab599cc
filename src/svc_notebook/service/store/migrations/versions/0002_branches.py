"""Keys have the right to ask over development branches, or not: none has it until its configuration says so."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("api_keys", sa.Column("branches", sa.Boolean(), server_default=sa.text("false"), nullable=False))
