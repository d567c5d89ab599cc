"""Whom a request names, and the rights its queries are bound to; against the store alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from svc_notebook.protocol.chat import SessionSettings
from svc_notebook.protocol.errors import BadRequest, Forbidden, NotFound
from svc_notebook.protocol.sessions import UserAttribute
from svc_notebook.service.callers.auth import Caller, authenticate
from svc_notebook.service.callers.identity import (
    MAX_TTL,
    Asker,
    check_settings,
    existing_asker,
    foreseen,
    known_context,
    resolve_asker,
)
from svc_notebook.service.callers.secrets import digest
from svc_notebook.service.config import ApiKey, AttributeDefinition, GroupSeed, InternalUser, TenantConfig
from svc_notebook.service.endpoints.sessions import Plan, apply
from svc_notebook.service.store import Store, open_store
from svc_notebook.service.store.accounts import seed
from svc_notebook.service.store.schema import users
from svc_notebook.service.store.sessions import redeem
from svc_notebook.service.web.rules import check_typed

DAY = 86_400.0
EMEA = [UserAttribute("region", ["EMEA"])]


@pytest.fixture
def store() -> Iterator[Store]:
    opened = open_store("memory")
    for name in ("acme", "beta"):
        config = TenantConfig(
            name, plan="Premium", api_keys=[ApiKey(name)], groups=[GroupSeed("analysts"), GroupSeed("managers")],
            attributes=[AttributeDefinition("region"), AttributeDefinition("city", "string", default_value="Bonn"),
                        AttributeDefinition("level", "number", default_value="high")],
            internal_users=[
                InternalUser("ivy", "ivy@example.com", ["managers"], {"region": [name]}, {"desk": name}),
                InternalUser("root", "root@example.com", unrestricted=True),
            ],
        )  # fmt: skip
        opened.write(seed, config, {name: digest(name)}, check_typed)
    yield opened
    opened.close()


def key(store: Store, name: str = "acme") -> Caller:
    return store.read(authenticate, f"Api-Key {name}".encode(), 0.0)


def resolved(store: Store, caller: Caller, now: float = 0.0, ttl: float = DAY, **settings: Any) -> Asker:
    sent = SessionSettings(**settings) if settings or caller.token is None else None
    check_settings(caller, sent)
    return store.write(resolve_asker, caller, sent, now=now, default_ttl=ttl)


def token(store: Store, secret: str = "s", *, creator: bool = False, **plan: Any) -> Caller:
    asked: dict[str, Any] = {"external_id": "ana", "internal_id": None, "email": None, "embed_tenant": None, **plan}
    store.write(apply, key(store), Plan(1, creator_mode=creator, **asked), digest(secret), now=0.0, expires_at=300.0)
    store.write(redeem, digest(secret), digest(f"t{secret}"), now=1.0, token_ttl=DAY)
    return store.read(authenticate, f"Bearer t{secret}".encode(), 2.0)


def test_a_user_has_the_groups_and_attributes_that_were_sent_and_the_defaults_that_fit(store: Store) -> None:
    asker = resolved(store, key(store), external_id="ana", groups=["analysts"], user_attributes=EMEA)
    assert asker.context.groups == {"analysts"}
    assert asker.context.user_attributes == {"region": ["EMEA"], "city": "Bonn", "level": None}
    assert (asker.context.user, asker.context.unrestricted, asker.context.security_context) == ("ana", False, {})
    assert (asker.label, asker.expires_at) == ("ana (external), groups: analysts", DAY)
    both = resolved(store, key(store), external_id="ana", groups=["managers", "analysts"])
    assert both.label == "ana (external), groups: analysts, managers"
    assert both.user_id == asker.user_id
    assert resolved(store, key(store), external_id="ana", groups=[]).context.groups == frozenset()
    kept = resolved(store, key(store), external_id="ana")
    assert kept.context.user_attributes["region"] == ["EMEA"]


def test_an_address_that_is_sent_is_kept_and_one_that_is_not_is_none(store: Store) -> None:
    for name, sent in (("ana", {"email": "ana@example.com"}), ("ben", {})):
        asker = resolved(store, key(store), external_id=name, **sent)
        row = store.read(lambda c, who=asker: c.execute(select(users).where(users.c.id == who.user_id)).one())
        assert row.email == sent.get("email")


def test_the_same_name_in_another_account_is_somebody_else(store: Store) -> None:
    one = resolved(store, key(store), external_id="ana", user_attributes=EMEA, groups=["analysts"])
    other = resolved(store, key(store, "beta"), external_id="ana")
    assert other.user_id != one.user_id
    assert (other.context.groups, other.context.user_attributes.get("region")) == (frozenset(), None)
    ivy = [resolved(store, key(store, name), internal_id="ivy@example.com").context for name in ("acme", "beta")]
    assert [one.user_attributes["region"] for one in ivy] == [["acme"], ["beta"]]


def test_an_internal_user_has_their_own_rights(store: Store) -> None:
    ivy = resolved(store, key(store), internal_id="IVY@example.com")
    assert (ivy.context.user, ivy.context.groups) == ("ivy@example.com", {"managers"})
    assert (ivy.context.security_context, ivy.context.unrestricted) == ({"desk": "acme"}, False)
    assert ivy.label == "ivy@example.com (internal), groups: managers"
    root = resolved(store, key(store), internal_id="root@example.com")
    assert (root.context.unrestricted, root.label) == (True, "operator")
    with pytest.raises(NotFound, match="internal user"):
        resolved(store, key(store), internal_id="nobody@example.com")
    assert store.read(known_context, key(store).tenant_id, "ivy@example.com") == ivy.context
    assert store.read(known_context, key(store).tenant_id, "nobody@example.com") is None


def test_an_external_user_is_never_unrestricted(store: Store) -> None:
    asker = resolved(store, key(store), external_id="ana")
    store.write(lambda connection: connection.execute(users.update().values(unrestricted=True)))
    again = store.read(existing_asker, key(store), "ana", None, now=0.0)
    assert again is not None and again.user_id == asker.user_id
    assert (again.context.unrestricted, again.label) == (False, "ana (external)")


def test_free_values_are_this_requests(store: Store) -> None:
    assert resolved(store, key(store), external_id="ana", security_context={"a": 1}).context.security_context == {
        "a": 1
    }
    assert resolved(store, key(store), external_id="ana").context.security_context == {}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "One of externalId"), ({"external_id": "a", "internal_id": "b@c.de"}, "either"), ({"external_id": "Ana"}, "lowercase"),
        ({"external_id": ""}, "lowercase"), ({"internal_id": " "}, "internalId must not be empty"),
        ({"external_id": "a", "email": "no"}, "email must be"), ({"external_id": "a", "groups": [" g"]}, "groups"),
        ({"external_id": "a", "user_attributes": [UserAttribute("", "x")]}, "userAttributes"),
        ({"external_id": "a", "user_attributes": [*EMEA, *EMEA]}, "userAttributes"),
        *(({"external_id": "a", "ephemeral_ttl_seconds": wrong}, "ephemeralTtlSeconds")
          for wrong in (0, -1, float("nan"), float("inf"), MAX_TTL * 1.01)),
        *(({"internal_id": "ivy@example.com", name: value}, "must not be sent with internalId")
          for name, value in (("groups", []), ("user_attributes", []), ("security_context", {}), ("roles", []))),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_meant(store: Store, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(BadRequest, match=said):
        check_settings(key(store), SessionSettings(**settings))


def test_settings_that_can(store: Store) -> None:
    check_settings(key(store), SessionSettings(internal_id="ivy@example.com", groups=None, roles=None))
    for seconds in (1, 0.5, MAX_TTL):
        check_settings(key(store), SessionSettings(external_id="a", ephemeral_ttl_seconds=seconds))
    check_settings(key(store), SessionSettings(external_id="a", email="a@b.de", groups=["g"], user_attributes=EMEA))
    with pytest.raises(BadRequest, match="sessionSettings is required"):
        check_settings(key(store), None)


def test_how_long_a_user_lives(store: Store) -> None:
    def ends(**settings: Any) -> float | None:
        return resolved(store, key(store), now=10.0, **settings).expires_at

    assert ends(external_id="a") == 10.0 + DAY
    assert ends(external_id="b", ephemeral_ttl_seconds=5) == 15.0
    assert ends(external_id="g", ephemeral_ttl_seconds=2.5) == 12.5
    assert ends(external_id="c", is_ephemeral=False) is None
    assert ends(external_id="d", is_ephemeral=False, ephemeral_ttl_seconds=5) is None
    assert ends(external_id="e", is_ephemeral=True) == 10.0 + DAY
    assert resolved(store, key(store), ttl=MAX_TTL * 2, external_id="f").expires_at == MAX_TTL


def test_reading_creates_nobody(store: Store) -> None:
    assert store.read(existing_asker, key(store), "ana", None, now=0.0) is None
    assert store.read(existing_asker, key(store), None, None, now=0.0) is None
    assert store.read(existing_asker, key(store), None, "ana", now=0.0) is None
    count = store.read(lambda connection: len(connection.execute(select(users)).fetchall()))
    assert count == 4  # the internal users
    asker = resolved(store, key(store), external_id="ana", ephemeral_ttl_seconds=50)
    found = store.read(existing_asker, key(store), "ana", None, now=49.0)
    assert found is not None and found.user_id == asker.user_id
    assert store.read(existing_asker, key(store), "ana", None, now=50.0) is None
    assert store.read(existing_asker, key(store, "beta"), "ana", None, now=1.0) is None
    ivy = store.read(existing_asker, key(store), None, "ivy@example.com", now=0.0)
    assert ivy is not None and ivy.context.security_context == {"desk": "acme"}


def test_whoever_is_foreseen_is_who_would_be_found(store: Store) -> None:
    def label(caller: Caller, settings: SessionSettings | None, external: str | None) -> Any:
        return store.read(foreseen, caller, settings, external, None, now=2.0)

    known = resolved(store, key(store), external_id="ana")
    assert label(key(store), None, "ana") == known
    assert label(key(store), None, "ben") is None
    caller = token(store)
    unknown = SessionSettings(external_id="ana", groups=["nobody has this"])
    mine = label(caller, unknown, "ana")
    assert mine is not None and mine.user_id == caller.token.user_id  # type: ignore[union-attr]
    assert label(key(store), unknown, "ana") is None


def test_an_account_that_is_full_foresees_those_it_has(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    known = resolved(store, key(store), external_id="ana")
    monkeypatch.setattr("svc_notebook.service.callers.identity.room_for_one_more", lambda *_: False)

    def label(name: str) -> Any:
        return store.read(foreseen, key(store), SessionSettings(external_id=name), name, None, now=1.0)

    assert label("ana").user_id == known.user_id
    assert label("ben") is None


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"groups": ["analysts"], "user_attributes": [UserAttribute("region", ["EMEA"])]},
        {"groups": [], "user_attributes": [UserAttribute("region", None)], "security_context": {"desk": 1}},
    ],
)
def test_whoever_is_foreseen_has_the_rights_they_will_have(store: Store, there: bool, sent: dict[str, Any]) -> None:
    if there:
        before = {"groups": ["analysts"], "user_attributes": [UserAttribute("region", ["APAC"])]}
        resolved(store, key(store), external_id="ana", **before)
    settings = SessionSettings(external_id="ana", **sent)
    seen = store.read(foreseen, key(store), settings, "ana", None, now=1.0)
    found = resolved(store, key(store), external_id="ana", **sent)
    assert seen is not None
    assert (seen.context, seen.label) == (found.context, found.label)
    assert seen.user_id == (found.user_id if there else 0)


def test_a_token_is_its_user_whoever_is_named(store: Store) -> None:
    caller = token(store, values={"region": ["EMEA"]}, groups=["analysts"], security_context={"desk": 1})
    asker = resolved(store, caller)
    assert (asker.context.user, asker.context.groups) == ("ana", {"analysts"})
    assert (asker.context.user_attributes["region"], asker.context.security_context) == (["EMEA"], {"desk": 1})
    assert resolved(store, caller, external_id="ana").context == asker.context
    for named in (
        {"external_id": "ben"},
        {"internal_id": "ivy@example.com"},
        {"external_id": "ana", "internal_id": "ana"},
    ):
        with pytest.raises(Forbidden, match="belongs to another user"):
            resolved(store, caller, **named)
        with pytest.raises(Forbidden):
            store.read(existing_asker, caller, named.get("external_id"), named.get("internal_id"), now=2.0)
    fields: list[dict[str, Any]] = [{"groups": []}, {"user_attributes": EMEA}, {"security_context": {}}, {"roles": []}]
    for told in fields:
        with pytest.raises(Forbidden, match="comes from the session"):
            resolved(store, caller, **told)
    seen = store.read(existing_asker, caller, None, None, now=2.0)
    assert seen is not None and seen.context == asker.context


def test_a_token_of_an_internal_user(store: Store) -> None:
    caller = token(store, external_id=None, internal_id="ivy")
    asker = resolved(store, caller, internal_id="ivy@example.com")
    assert (asker.context.user, asker.context.security_context) == ("ivy@example.com", {"desk": "acme"})
    for named in ({"internal_id": "ivy"}, {"external_id": "ivy"}, {"internal_id": "root@example.com"}):
        with pytest.raises(Forbidden):
            resolved(store, caller, **named)


def test_in_creator_mode_the_embed_tenants_rights_apply(store: Store) -> None:
    plan: dict[str, Any] = {
        "embed_tenant": "acme-corp", "group_definitions": [{"name": "admins"}], "groups": ["admins"],
        "attribute_definitions": [{"name": "territory", "type": "string"}], "values": {"territory": "north"},
    }  # fmt: skip
    inside = resolved(store, token(store, "c", creator=True, **plan))
    assert (inside.context.groups, inside.context.user_attributes) == ({"admins"}, {"territory": "north"})
    outside = resolved(store, key(store), external_id="ana")
    assert (outside.context.groups, "territory" in outside.context.user_attributes) == (frozenset(), False)
