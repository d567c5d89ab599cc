"""The first tables: accounts, catalogs, users, sessions, threads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "tenants",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("use_creator_mode", sa.Boolean(), nullable=False),
        sa.Column("user_limit", sa.Integer(), nullable=False),
        sa.Column("user_count", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tenants")),
        sa.UniqueConstraint("name", name=op.f("uq_tenants_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "api_keys",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("tenant_id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("admin", sa.Boolean(), nullable=False),
        sa.Column("deployments", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_api_keys_tenant_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_api_keys")),
    )
    op.create_table(
        "catalog",
        sa.Column("id", ID, nullable=False),
        sa.Column("tenant_id", ID, nullable=False),
        sa.Column("scope", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=True),
        sa.Column("display_name", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("default_value", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_catalog_tenant_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_catalog")),
        sa.UniqueConstraint("tenant_id", "scope", "kind", "name", name=op.f("uq_catalog_tenant_id_scope_kind_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "embed_tenants",
        sa.Column("id", ID, nullable=False),
        sa.Column("tenant_id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"], ["tenants.id"], name=op.f("fk_embed_tenants_tenant_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_embed_tenants")),
        sa.UniqueConstraint("tenant_id", "name", name=op.f("uq_embed_tenants_tenant_id_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "users",
        sa.Column("id", ID, nullable=False),
        sa.Column("tenant_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("scope", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.Float(precision=53), nullable=True),
        sa.Column("unrestricted", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("security_context", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_users_tenant_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("tenant_id", "kind", "scope", "name", name=op.f("uq_users_tenant_id_kind_scope_name")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_users_expires_at",
        "users",
        ["expires_at"],
        unique=False,
        sqlite_where=sa.text("expires_at IS NOT NULL"),
        postgresql_where=sa.text("expires_at IS NOT NULL"),
    )
    op.create_index(
        "ix_users_internal_email",
        "users",
        ["tenant_id", "email"],
        unique=True,
        sqlite_where=sa.text("kind = 'internal'"),
        postgresql_where=sa.text("kind = 'internal'"),
    )
    op.create_table(
        "memberships",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id"], ["catalog.id"], name=op.f("fk_memberships_group_id"), ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_memberships_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "group_id", name=op.f("pk_memberships")),
    )
    op.create_index(op.f("ix_memberships_group_id"), "memberships", ["group_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("deployment", sa.BigInteger(), nullable=False),
        sa.Column("scope", ID, nullable=False),
        sa.Column("creator_mode", sa.Boolean(), nullable=False),
        sa.Column("security_context", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.Float(precision=53), nullable=False),
        sa.Column("redeemed_at", sa.Float(precision=53), nullable=True),
        sa.Column("revoked_at", sa.Float(precision=53), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sessions_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_expires_at"), "sessions", ["expires_at"], unique=False)
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"], unique=False)
    op.create_table(
        "threads",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("tenant_id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("branch", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Float(precision=53), nullable=False),
        sa.Column("updated_at", sa.Float(precision=53), nullable=False),
        sa.Column("next_sort", sa.Integer(), server_default="1", nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_threads_tenant_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_threads_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_threads")),
    )
    op.create_index("ix_threads_user_id_updated_at", "threads", ["user_id", "updated_at"], unique=False)
    op.create_table(
        "user_values",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("attribute_id", ID, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attribute_id"], ["catalog.id"], name=op.f("fk_user_values_attribute_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_user_values_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "attribute_id", name=op.f("pk_user_values")),
    )
    op.create_index(op.f("ix_user_values_attribute_id"), "user_values", ["attribute_id"], unique=False)
    op.create_table(
        "messages",
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("sort", sa.Integer(), nullable=False),
        sa.Column("frame", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["thread_id"], ["threads.id"], name=op.f("fk_messages_thread_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("thread_id", "id", name=op.f("pk_messages")),
    )
    op.create_index("ix_messages_thread_id_sort", "messages", ["thread_id", "sort"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("session_digest", sa.Text(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("expires_at", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_digest"], ["sessions.digest"], name=op.f("fk_tokens_session_digest"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tokens_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_tokens")),
    )
    op.create_index(op.f("ix_tokens_expires_at"), "tokens", ["expires_at"], unique=False)
    op.create_index(op.f("ix_tokens_session_digest"), "tokens", ["session_digest"], unique=False)
    op.create_index(op.f("ix_tokens_user_id"), "tokens", ["user_id"], unique=False)
    op.create_table(
        "turns",
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), server_default="", nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("memory", sa.Text(), nullable=True),
        sa.Column("results", sa.Text(), nullable=True),
        sa.Column("suggestions", sa.Text(), nullable=True),
        sa.Column("usage", sa.Text(), nullable=True),
        sa.Column("started_at", sa.Float(precision=53), nullable=False),
        sa.Column("finished_at", sa.Float(precision=53), nullable=True),
        sa.Column("runner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.Float(precision=53), nullable=True),
        sa.ForeignKeyConstraint(["thread_id"], ["threads.id"], name=op.f("fk_turns_thread_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("thread_id", "number", name=op.f("pk_turns")),
    )


def downgrade() -> None:
    for table in [
        "turns",
        "tokens",
        "messages",
        "user_values",
        "threads",
        "sessions",
        "memberships",
        "users",
        "embed_tenants",
        "catalog",
        "api_keys",
        "tenants",
    ]:
        op.drop_table(table)
