"""Keys, sessions and tokens against the store alone: who comes in, as whom, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select, update

from svc_notebook.protocol.chat import SessionSettings
from svc_notebook.protocol.errors import Forbidden, NotFound, Unauthorized
from svc_notebook.service.callers.auth import Caller, authenticate, caller_by_temporary
from svc_notebook.service.callers.identity import check_settings
from svc_notebook.service.callers.secrets import (
    digest,
    is_session_id,
    new_session_id,
    new_thread_id,
    new_token,
    same_digest,
)
from svc_notebook.service.config import ApiKey, ConfigError, Deployment, ServiceConfig, TenantConfig
from svc_notebook.service.deployments.sites import Site, Sites, first_site
from svc_notebook.service.endpoints.sessions import Plan, apply
from svc_notebook.service.store import Store, open_store
from svc_notebook.service.store.accounts import seed
from svc_notebook.service.store.schema import sessions, tokens, users
from svc_notebook.service.store.sessions import delete_stale, open_session, redeem, revoke, user_of_token
from svc_notebook.service.web.rules import check_typed

PLAIN, SCOPED, BOSS = ApiKey("plain"), ApiKey("scoped", deployments=[2], branches=True), ApiKey("boss", admin=True)
OWN = ApiKey("own", admin=True, deployments=[1], branches=True, temporary=True)


@pytest.fixture
def store() -> Iterator[Store]:
    opened = open_store("memory")
    for name, keys in (("acme", [PLAIN, SCOPED, BOSS]), ("beta", [ApiKey("beta")])):
        config = TenantConfig(name, plan="Premium", deployments=[1, 2], api_keys=keys)
        opened.write(seed, config, {key.secret(): digest(key.secret()) for key in keys}, check_typed)
    yield opened
    opened.close()


def entered(store: Store, header: bytes | None, now: float = 0.0, **options: Any) -> Caller:
    return store.read(authenticate, header, now, **options)


def session(store: Store, secret: str = "s", *, deployment: int = 1, expires: float = 300.0, **plan: Any) -> Caller:
    caller = entered(store, b"Api-Key boss")
    fields: dict[str, Any] = {"external_id": "ana", "internal_id": None, "email": None, "embed_tenant": None, **plan}
    asked = Plan(deployment=deployment, creator_mode=False, **fields)
    store.write(apply, caller, asked, digest(secret), now=0.0, expires_at=expires)
    return caller


def exchange(store: Store, secret: str = "s", token: str = "t", now: float = 1.0, ttl: float = 100.0) -> None:
    store.write(redeem, digest(secret), digest(token), now=now, token_ttl=ttl)


def test_a_key_is_its_account_its_rights_and_its_deployments(store: Store) -> None:
    plain, scoped, boss = (entered(store, f"Api-Key {key}".encode()) for key in ("plain", "scoped", "boss"))
    assert (plain.account, plain.plan, plain.use_creator_mode, plain.token) == ("acme", "premium", True, None)
    assert [(c.admin, c.deployments, c.branches, c.may_branch) for c in (plain, scoped, boss)] == [
        (False, None, False, False), (False, (2,), True, True), (True, None, False, False),
    ]  # fmt: skip
    assert entered(store, b"api-KEY plain").tenant_id == plain.tenant_id  # schemes have no case
    assert entered(store, b"  Api-Key plain ").tenant_id == plain.tenant_id
    assert entered(store, b"Api-Key beta").tenant_id != plain.tenant_id


@pytest.mark.parametrize(
    "header",
    [None, b"", b"plain", b"Api-Key", b"Api-Key ", b"Api-Key nobody", b"Api-Key Plain", b"Basic plain", b"Bearer plain",
     b"Bearer", b"Bearer nobody", b"Token plain", b"Api-Key plain,boss", b"Api-Key \xff"],
)  # fmt: skip
def test_whoever_else_stays_outside(store: Store, header: bytes | None) -> None:
    with pytest.raises(Unauthorized) as told:
        entered(store, header)
    assert "nobody" not in told.value.message
    if header in {None, b"", b"Api-Key", b"Api-Key ", b"Bearer", b"Basic plain"}:
        assert told.value.message.startswith("Authentication is required")


def test_a_temporary_key_opens_the_service_that_was_given_it(store: Store) -> None:
    keys = {digest("own"): (7, TenantConfig(name="acme", plan="Premium"), OWN)}
    own = caller_by_temporary(b"Api-Key own", keys)
    assert own is not None
    assert (own.tenant_id, own.account, own.plan, own.admin) == (7, "acme", "premium", True)
    assert (own.deployments, own.branches) == ((1,), True)
    everywhere = {digest("own"): (7, TenantConfig(), msgspec.structs.replace(OWN, deployments=None))}
    assert getattr(caller_by_temporary(b"api-key own", everywhere), "deployments", 0) is None
    for header in (None, b"", b"Api-Key", b"Api-Key other", b"Bearer own", b"own"):
        assert caller_by_temporary(header, keys) is None
    with pytest.raises(Unauthorized):
        entered(store, b"Api-Key own")


def test_a_caller_has_no_right_that_was_not_given() -> None:
    bare = Caller(1, "acme", "basic", False, False, ())
    assert (bare.admin, bare.branches, bare.may_branch, bare.token, bare.may_use(1)) == (
        False,
        False,
        False,
        None,
        False,
    )


def test_rights_are_asked_for_one_by_one(store: Store) -> None:
    plain, scoped, boss = (entered(store, f"Api-Key {key}".encode()) for key in ("plain", "scoped", "boss"))
    boss.require_admin(), boss.require_key(), boss.require_embedding(), scoped.require_branches()
    for caller, refused in ((plain, "require_admin"), (scoped, "require_admin"), (plain, "require_branches"),
                            (boss, "require_branches"), (replace(boss, plan="basic"), "require_embedding")):  # fmt: skip
        with pytest.raises(Forbidden):
            getattr(caller, refused)()
    for deployment in (1, 2):
        plain.require_deployment(deployment, [1, 2])
    scoped.require_deployment(2, [1, 2])
    with pytest.raises(Forbidden, match="no access to deployment 1"):
        scoped.require_deployment(1, [1, 2])
    with pytest.raises(NotFound):
        plain.require_deployment(3, [1, 2])
    assert (plain.may_use(1), scoped.may_use(1), scoped.may_use(2)) == (True, False, True)
    assert not replace(scoped, deployments=()).may_use(2)


def test_a_token_is_its_user_at_the_deployment_of_its_session(store: Store) -> None:
    session(store, deployment=2)
    exchange(store)
    caller = entered(store, b"Bearer t", 1.0)
    assert (caller.account, caller.admin, caller.deployments, caller.may_branch) == ("acme", False, (2,), False)
    assert caller.token is not None and (caller.token.name, caller.token.kind) == ("ana", "external")
    assert not replace(caller, branches=True).may_branch
    with pytest.raises(Forbidden):
        replace(caller, branches=True).require_branches()
    with pytest.raises(Unauthorized):
        caller.require_key()
    for scheme in (b"Basic t", b"Api-Key t", b"t"):
        with pytest.raises(Unauthorized):
            entered(store, scheme, 1.0)
    with pytest.raises(Unauthorized, match=r"Api-Key <key>\.$"):
        entered(store, b"Bearer t", 1.0, tokens=False)


def test_a_session_keeps_its_security_context(store: Store) -> None:
    session(store, "a", security_context={"team": [1]})
    session(store, "b")
    exchange(store, "a", "ta")
    exchange(store, "b", "tb")
    found = [store.read(user_of_token, digest(token), 2.0) for token in ("ta", "tb")]
    assert [row.session_context for row in found if row is not None] == ['{"team": [1]}', None]


def test_a_session_is_exchanged_once_and_in_time(store: Store) -> None:
    session(store, "a", expires=300.0)
    with pytest.raises(Unauthorized):
        exchange(store, "unknown")
    with pytest.raises(Unauthorized):
        exchange(store, "a", now=300.0)
    assert store.read(open_session, digest("a"), 299.0) is not None
    assert store.read(open_session, digest("b"), 299.0) is None
    assert store.read(open_session, digest("a"), 300.0) is None
    exchange(store, "a", now=299.0)
    assert store.read(open_session, digest("a"), 299.0) is None
    with pytest.raises(Unauthorized):
        exchange(store, "a", "t2", now=299.0)
    with pytest.raises(Unauthorized):
        entered(store, b"Bearer t2", 299.0)


def test_a_token_ends_with_its_time_its_session_and_its_user(store: Store) -> None:
    session(store)
    exchange(store, now=1.0, ttl=100.0)
    assert store.read(user_of_token, digest("t"), 100.9) is not None
    assert store.read(user_of_token, digest("t"), 101.0) is None
    assert store.read(user_of_token, digest("other"), 1.0) is None
    store.write(revoke, digest("s"), 50.0)
    assert store.read(user_of_token, digest("t"), 51.0) is None
    with pytest.raises(Unauthorized):
        entered(store, b"Bearer t", 51.0)


def test_revoking_one_session_leaves_the_others(store: Store) -> None:
    session(store, "a")
    session(store, "b", external_id="ben")
    exchange(store, "a", "ta")
    exchange(store, "b", "tb")
    store.write(revoke, digest("a"), 2.0)
    assert store.read(user_of_token, digest("ta"), 3.0) is None
    found = store.read(user_of_token, digest("tb"), 3.0)
    assert found is not None and found.name == "ben"
    store.write(revoke, digest("a"), 9.0)  # again: nothing changes
    store.write(revoke, digest("unknown"), 9.0)
    ended = select(sessions.c.revoked_at).order_by(sessions.c.revoked_at)
    assert {row.revoked_at for row in store.read(lambda connection: connection.execute(ended).all())} == {None, 2.0}
    left = store.read(lambda connection: connection.execute(select(tokens.c.digest)).scalars().all())
    assert list(left) == [digest("tb")]  # what is revoked does not lie about


def test_a_token_that_is_still_there_ends_with_its_session(store: Store) -> None:
    session(store)
    exchange(store)
    store.write(lambda connection: connection.execute(update(sessions).values(revoked_at=2.0)))
    assert store.read(user_of_token, digest("t"), 3.0) is None


def test_a_revoked_session_is_not_exchanged(store: Store) -> None:
    session(store, "a")
    store.write(revoke, digest("a"), 0.5)
    assert store.read(open_session, digest("a"), 1.0) is None
    with pytest.raises(Unauthorized):
        exchange(store, "a")


def test_dead_sessions_go_and_living_ones_stay(store: Store) -> None:
    session(store, "old", expires=10.0)
    session(store, "new", expires=20.0)
    assert store.write(delete_stale, 10.0) == 0
    assert store.write(delete_stale, 20.0) == 1
    assert store.read(open_session, digest("new"), 1.0) is not None


def test_a_token_of_an_ephemeral_user_ends_with_the_user(store: Store) -> None:
    session(store)
    exchange(store, ttl=1000.0)
    store.write(lambda connection: connection.execute(update(users).values(expires_at=50.0)))
    assert store.read(user_of_token, digest("t"), 49.0) is not None
    assert store.read(user_of_token, digest("t"), 50.0) is None


@pytest.mark.parametrize(
    "field", [{"groups": ["a"]}, {"user_attributes": []}, {"security_context": {}}, {"roles": ["x"]}]
)
def test_beside_a_token_nothing_is_said_of_the_user(store: Store, field: dict[str, Any]) -> None:
    session(store)
    exchange(store)
    caller = entered(store, b"Bearer t", 1.0)
    check_settings(caller, None)
    check_settings(caller, SessionSettings(external_id="ana"))
    with pytest.raises(Forbidden):
        check_settings(caller, SessionSettings(**field))


def test_secrets_are_long_new_and_compared_whole() -> None:
    made = {new_session_id() for _ in range(50)} | {new_thread_id() for _ in range(50)}
    assert len(made) == 100
    assert all(is_session_id(secret) for secret in made)
    assert len({new_token() for _ in range(50)}) == 50
    assert min(len(new_token()) for _ in range(50)) >= 40
    for wrong in ("", "a" * 31, "a" * 33, "A" * 32, "g" * 32, "a" * 32 + "\n", "١" * 32):
        assert not is_session_id(wrong)
    assert digest("a") == digest(b"a") != digest("b")
    assert (same_digest("ab", "ab"), same_digest("ab", "aB"), same_digest("ab", "a")) == (True, False, False)


def test_sites_give_what_is_theirs() -> None:
    main, dev, other = object(), object(), object()
    config = ServiceConfig(tenants=[TenantConfig("acme", deployments=[Deployment(1, branches=["dev", "gone"]), 2]),
                                    TenantConfig("beta", deployments=[1])])  # fmt: skip
    models: Any = {
        Site("acme", 1): {"main": main, "dev": dev, "own": dev},
        Site("acme", 2): {"main": other, "dev": dev},
    }
    sites = Sites(config, models)
    assert first_site(config) == Site("acme", 1)
    assert sites.layer(Site("acme", 1)) is main
    assert sites.layer(Site("acme", 1), "dev") is dev
    assert sites.layer(Site("acme", 2)) is other
    for site, branch in ((Site("acme", 2), "dev"), (Site("acme", 1), "own"), (Site("acme", 1), "gone"),
                         (Site("acme", 1), "main"), (Site("beta", 1), ""), (Site("beta", 1), "dev"), (Site("x", 1), "")):  # fmt: skip
        with pytest.raises(NotFound):
            sites.layer(site, branch)
    [agent] = config.tenants[0].agents
    assert sites.of("acme", agent) == [Site("acme", 1), Site("acme", 2)]
    assert sites.of("acme", msgspec.structs.replace(agent, deployment=2)) == [Site("acme", 2)]
    assert sites.of("beta", agent) == []
    first, second = (sites.analyst(Site("acme", number), agent) for number in (1, 2))
    assert first is not second
    assert sites.analyst(Site("acme", 1), agent) is first


def test_a_key_that_is_not_there_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOT_SET_HERE", raising=False)
    with pytest.raises(ConfigError, match="NOT_SET_HERE"):
        ApiKey(key_env="NOT_SET_HERE").secret()


def test_a_key_may_stand_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = ApiKey(key_env="A_KEY", name="backend")
    monkeypatch.setenv("A_KEY_FILE", str(tmp_path / "key"))
    with pytest.raises(ConfigError, match=r"A_KEY_FILE names cannot be read.*backend"):
        key.secret()
    for text in ("first\n", "second"):  # read every time: what stands there may change
        (tmp_path / "key").write_text(text)
        assert key.secret() == text.strip()
    monkeypatch.setenv("A_KEY", "from the environment")
    assert key.secret() == "from the environment"
