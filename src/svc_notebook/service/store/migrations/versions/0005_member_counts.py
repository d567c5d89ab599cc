"""A group knows how many members it has, and a page of groups or attributes is found by an index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("catalog", sa.Column("member_count", sa.Integer(), server_default="0", nullable=False))
    op.execute(
        "UPDATE catalog SET member_count = (SELECT COUNT(*) FROM memberships WHERE memberships.group_id = catalog.id)"
    )
    op.create_index("ix_catalog_page", "catalog", ["tenant_id", "scope", "kind", "id"])
