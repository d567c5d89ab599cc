"""The tables. Secrets are stored as SHA-256 digests; groups and attributes share one table and so one range of ids.

``scope`` is 0 for what is tenant-wide, else the id of an embed tenant: an integer, so that unique keys hold (NULLs
would be distinct). Times are seconds since the epoch. On what condition an index is partial is said for SQLite alone:
PostgreSQL's tables are made by the migrations, which say it there, and its dialect takes a while to import.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)  # fmt: skip

__all__ = [
    "api_keys", "catalog", "embed_tenants", "marks", "memberships", "messages", "metadata", "sessions",
    "tenants", "threads", "tokens", "turns", "user_values", "users",
]  # fmt: skip

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
_Id = BigInteger().with_variant(Integer, "sqlite")


def _reference(target: str, *, primary_key: bool = False, index: bool = False) -> Column[int]:
    name = target.replace("s.id", "_id")
    key = ForeignKey(target, ondelete="CASCADE")
    return Column(name, _Id, key, nullable=False, primary_key=primary_key, index=index)


tenants = Table(
    "tenants", metadata,
    Column("id", _Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("plan", Text, nullable=False),
    Column("use_creator_mode", Boolean, nullable=False),
    Column("user_limit", Integer, nullable=False),
    Column("user_count", Integer, nullable=False, server_default="0"),
    sqlite_autoincrement=True,
)  # fmt: skip

embed_tenants = Table(
    "embed_tenants", metadata,
    Column("id", _Id, primary_key=True),
    _reference("tenants.id"),
    Column("name", Text, nullable=False),
    UniqueConstraint("tenant_id", "name"),
    sqlite_autoincrement=True,
)  # fmt: skip

catalog = Table(
    "catalog", metadata,
    Column("id", _Id, primary_key=True),
    _reference("tenants.id"),
    Column("scope", _Id, nullable=False),
    Column("kind", Text, nullable=False),  # "group" | "attribute"
    Column("name", Text, nullable=False),
    Column("type", Text),
    Column("display_name", Text),
    Column("description", Text),
    Column("default_value", Text),
    Column("member_count", Integer, nullable=False, server_default="0"),  # users in a group, expired ones included
    UniqueConstraint("tenant_id", "scope", "kind", "name"),
    Index("ix_catalog_page", "tenant_id", "scope", "kind", "id"),
    sqlite_autoincrement=True,
)  # fmt: skip

users = Table(
    "users", metadata,
    Column("id", _Id, primary_key=True),
    _reference("tenants.id"),
    Column("kind", Text, nullable=False),  # "external" | "internal"
    Column("scope", _Id, nullable=False),
    Column("name", Text, nullable=False),  # externalId or username
    Column("email", Text),
    Column("expires_at", Float(53)),  # ephemeral users only
    Column("unrestricted", Boolean, nullable=False, server_default=text("false")),
    Column("security_context", Text),
    UniqueConstraint("tenant_id", "kind", "scope", "name"),
    Index("ix_users_expires_at", "expires_at", sqlite_where=text("expires_at IS NOT NULL")),
    Index("ix_users_internal_email", "tenant_id", "email", unique=True, sqlite_where=text("kind = 'internal'")),
    sqlite_autoincrement=True,
)  # fmt: skip

memberships = Table(
    "memberships", metadata,
    _reference("users.id", primary_key=True),
    Column("group_id", _Id, ForeignKey("catalog.id", ondelete="RESTRICT"), primary_key=True, index=True),
)  # fmt: skip

user_values = Table(
    "user_values", metadata,
    _reference("users.id", primary_key=True),
    Column("attribute_id", _Id, ForeignKey("catalog.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("value", Text, nullable=False),  # JSON
)  # fmt: skip

api_keys = Table(
    "api_keys", metadata,
    Column("digest", Text, primary_key=True),
    _reference("tenants.id"),
    Column("name", Text, nullable=False),
    Column("admin", Boolean, nullable=False),
    Column("deployments", Text),  # JSON list; NULL = all
    Column("branches", Boolean, nullable=False, server_default=text("false")),
)  # fmt: skip

sessions = Table(
    "sessions", metadata,
    Column("digest", Text, primary_key=True),
    _reference("users.id", index=True),
    Column("deployment", BigInteger, nullable=False),
    Column("scope", _Id, nullable=False),  # the catalog its names resolve in
    Column("creator_mode", Boolean, nullable=False),
    Column("security_context", Text),
    Column("expires_at", Float(53), nullable=False, index=True),
    Column("redeemed_at", Float(53)),
    Column("revoked_at", Float(53)),
)  # fmt: skip

tokens = Table(
    "tokens", metadata,
    Column("digest", Text, primary_key=True),
    Column("session_digest", Text, ForeignKey("sessions.digest", ondelete="CASCADE"), nullable=False, index=True),
    _reference("users.id", index=True),
    Column("expires_at", Float(53), nullable=False, index=True),
)  # fmt: skip

threads = Table(
    "threads", metadata,
    Column("id", Text, primary_key=True),
    _reference("tenants.id"),
    _reference("users.id"),
    Column("agent", Text, nullable=False),
    Column("branch", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("updated_at", Float(53), nullable=False),
    Column("next_sort", Integer, nullable=False, server_default="1"),
    Column("deployment", BigInteger),  # NULL only until the account is seeded
    Index("ix_threads_user_id_updated_at", "user_id", "updated_at"),
)  # fmt: skip

turns = Table(
    "turns", metadata,
    Column("thread_id", Text, ForeignKey("threads.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("question", Text, nullable=False),
    Column("status", Text, nullable=False),  # "running" | "complete" | "aborted" | "failed"
    Column("answer", Text, nullable=False, server_default=""),
    Column("error", Text),
    Column("memory", Text),
    Column("results", Text),
    Column("suggestions", Text),
    Column("usage", Text),
    Column("started_at", Float(53), nullable=False),
    Column("finished_at", Float(53)),
    Column("runner", Text),
    Column("lease_until", Float(53)),
    Column("read_until", Float(53)),  # somebody follows it at another service, who is told so again before then
    Column("after", Integer),  # the turn it follows; 0 = none, NULL = the one before it
    Column("verdict", Text),  # the asker's: "right" | "wrong"
    Column("verdict_why", Text),
    Column("verdict_at", Float(53)),
    Index("ix_turns_verdict_at", "verdict_at", sqlite_where=text("verdict_at IS NOT NULL")),
)  # fmt: skip

messages = Table(
    "messages", metadata,
    Column("thread_id", Text, ForeignKey("threads.id", ondelete="CASCADE"), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("turn", Integer, nullable=False),
    Column("sort", Integer, nullable=False),
    Column("frame", Text, nullable=False),  # JSON, consolidated
    Index("ix_messages_thread_id_sort", "thread_id", "sort"),
)  # fmt: skip

marks = Table(
    "marks", metadata,
    Column("name", Text, primary_key=True),
    Column("value", Float(53), nullable=False),
)  # fmt: skip
