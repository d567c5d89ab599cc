"""Who follows a turn at another service than the one that runs it counts as its reader."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turns", sa.Column("read_until", sa.Float(53)))
