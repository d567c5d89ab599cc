CREATE TABLE marks (
    name TEXT NOT NULL,
    value FLOAT NOT NULL,
    CONSTRAINT pk_marks PRIMARY KEY (name)
);
CREATE TABLE tenants (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    "plan" TEXT NOT NULL,
    use_creator_mode BOOLEAN NOT NULL,
    user_limit INTEGER NOT NULL,
    user_count INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT uq_tenants_name UNIQUE (name)
);
CREATE TABLE api_keys (
    digest TEXT NOT NULL,
    tenant_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    admin BOOLEAN NOT NULL,
    deployments TEXT,
    branches BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_api_keys PRIMARY KEY (digest),
    CONSTRAINT fk_api_keys_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
);
CREATE TABLE catalog (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT,
    display_name TEXT,
    description TEXT,
    default_value TEXT,
    member_count INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT uq_catalog_tenant_id_scope_kind_name UNIQUE (tenant_id, scope, kind, name),
    CONSTRAINT fk_catalog_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
);
CREATE TABLE embed_tenants (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT uq_embed_tenants_tenant_id_name UNIQUE (tenant_id, name),
    CONSTRAINT fk_embed_tenants_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
);
CREATE TABLE users (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    scope INTEGER NOT NULL,
    name TEXT NOT NULL,
    email TEXT,
    expires_at FLOAT,
    unrestricted BOOLEAN DEFAULT false NOT NULL,
    security_context TEXT,
    CONSTRAINT uq_users_tenant_id_kind_scope_name UNIQUE (tenant_id, kind, scope, name),
    CONSTRAINT fk_users_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
);
CREATE TABLE memberships (
    user_id INTEGER NOT NULL,
    group_id INTEGER NOT NULL,
    CONSTRAINT pk_memberships PRIMARY KEY (user_id, group_id),
    CONSTRAINT fk_memberships_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_memberships_group_id FOREIGN KEY(group_id) REFERENCES catalog (id) ON DELETE RESTRICT
);
CREATE TABLE sessions (
    digest TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    deployment BIGINT NOT NULL,
    scope INTEGER NOT NULL,
    creator_mode BOOLEAN NOT NULL,
    security_context TEXT,
    expires_at FLOAT NOT NULL,
    redeemed_at FLOAT,
    revoked_at FLOAT,
    CONSTRAINT pk_sessions PRIMARY KEY (digest),
    CONSTRAINT fk_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE threads (
    id TEXT NOT NULL,
    tenant_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    agent TEXT NOT NULL,
    branch TEXT NOT NULL,
    title TEXT NOT NULL,
    created_at FLOAT NOT NULL,
    updated_at FLOAT NOT NULL,
    next_sort INTEGER DEFAULT '1' NOT NULL,
    deployment BIGINT,
    CONSTRAINT pk_threads PRIMARY KEY (id),
    CONSTRAINT fk_threads_tenant_id FOREIGN KEY(tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT fk_threads_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE user_values (
    user_id INTEGER NOT NULL,
    attribute_id INTEGER NOT NULL,
    value TEXT NOT NULL,
    CONSTRAINT pk_user_values PRIMARY KEY (user_id, attribute_id),
    CONSTRAINT fk_user_values_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_user_values_attribute_id FOREIGN KEY(attribute_id) REFERENCES catalog (id) ON DELETE CASCADE
);
CREATE TABLE messages (
    thread_id TEXT NOT NULL,
    id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    sort INTEGER NOT NULL,
    frame TEXT NOT NULL,
    CONSTRAINT pk_messages PRIMARY KEY (thread_id, id),
    CONSTRAINT fk_messages_thread_id FOREIGN KEY(thread_id) REFERENCES threads (id) ON DELETE CASCADE
);
CREATE TABLE tokens (
    digest TEXT NOT NULL,
    session_digest TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    expires_at FLOAT NOT NULL,
    CONSTRAINT pk_tokens PRIMARY KEY (digest),
    CONSTRAINT fk_tokens_session_digest FOREIGN KEY(session_digest) REFERENCES sessions (digest) ON DELETE CASCADE,
    CONSTRAINT fk_tokens_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE turns (
    thread_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    question TEXT NOT NULL,
    status TEXT NOT NULL,
    answer TEXT DEFAULT '' NOT NULL,
    error TEXT,
    memory TEXT,
    results TEXT,
    suggestions TEXT,
    usage TEXT,
    started_at FLOAT NOT NULL,
    finished_at FLOAT,
    runner TEXT,
    lease_until FLOAT,
    read_until FLOAT,
    "after" INTEGER,
    verdict TEXT,
    verdict_why TEXT,
    verdict_at FLOAT,
    CONSTRAINT pk_turns PRIMARY KEY (thread_id, number),
    CONSTRAINT fk_turns_thread_id FOREIGN KEY(thread_id) REFERENCES threads (id) ON DELETE CASCADE
);
CREATE INDEX ix_catalog_page ON catalog (tenant_id, scope, kind, id);
CREATE INDEX ix_users_expires_at ON users (expires_at) WHERE expires_at IS NOT NULL;
CREATE UNIQUE INDEX ix_users_internal_email ON users (tenant_id, email) WHERE kind = 'internal';
CREATE INDEX ix_memberships_group_id ON memberships (group_id);
CREATE INDEX ix_sessions_expires_at ON sessions (expires_at);
CREATE INDEX ix_sessions_user_id ON sessions (user_id);
CREATE INDEX ix_threads_user_id_updated_at ON threads (user_id, updated_at);
CREATE INDEX ix_user_values_attribute_id ON user_values (attribute_id);
CREATE INDEX ix_messages_thread_id_sort ON messages (thread_id, sort);
CREATE INDEX ix_tokens_expires_at ON tokens (expires_at);
CREATE INDEX ix_tokens_session_digest ON tokens (session_digest);
CREATE INDEX ix_tokens_user_id ON tokens (user_id);
CREATE INDEX ix_turns_verdict_at ON turns (verdict_at) WHERE verdict_at IS NOT NULL;
