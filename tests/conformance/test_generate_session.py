"""Endpoint 1, Generate Session."""

from __future__ import annotations

import re
from typing import Any

import pytest

from svc_notebook.service.store.accounts import set_tenant

from ..service.service_world import World, final_text, lines, world
from .conftest import Names

REGION = {"name": "region", "value": ["EMEA"]}


def dumped(w: World, table: str, user: str) -> list[Any]:
    from svc_notebook.service.store.statehash import state_dump

    return [row for row in w.service.store.read(state_dump)[table] if row[0][3] == user]


def groups_of(w: World, user: str) -> list[str]:
    return sorted(row[1][3] for row in dumped(w, "memberships", user))


def values_of(w: World, user: str) -> dict[str, str]:
    return {row[1][3]: row[2] for row in dumped(w, "values", user)}


def refused(response: Any, status: int, text: str = "") -> None:
    assert response.status_code == status, response.text
    body = response.json()
    assert body["statusCode"] == status
    assert text in body["message"]


def test_returns_a_session_id(w: World, n: Names) -> None:
    """Response: JSON object `{ sessionId: string }`."""
    response = w.session(externalId=n.user)
    assert response.status_code == 200
    assert list(response.json()) == ["sessionId"]
    assert re.fullmatch("[0-9a-f]{32}", response.json()["sessionId"])


def test_provisions_the_external_user(w: World, n: Names) -> None:
    """Session creation can also provision an external user, replace that user's group memberships, set values."""
    w.session(externalId=n.user, email="ana@example.com", groups=["analysts"], userAttributes=[REGION])
    assert groups_of(w, n.user) == ["analysts"]
    assert values_of(w, n.user) == {"region": '["EMEA"]'}


def test_deployment_is_required_and_a_number(w: World, n: Names) -> None:
    """`deploymentId`: number, required: deployment the session grants access to."""
    path = "/api/v1/embed/generate-session"
    refused(w.post(path, {"externalId": n.user}), 400, "deploymentId")
    for wrong in ("32", None, 1.5, True, [32]):
        refused(w.post(path, {"externalId": n.user, "deploymentId": wrong}), 400, "deploymentId")
    refused(w.post(path, {"externalId": n.user, "deploymentId": 99}), 404, "99")


@pytest.mark.parametrize("body", [{}, {"externalId": "a", "internalId": "ivy"}, {"externalId": None}])
def test_exactly_one_identity(w: World, body: dict[str, Any]) -> None:
    """One of externalId / internalId; not together."""
    refused(w.session(**body), 400, "externalId")


@pytest.mark.parametrize("name", ["Bob", " bob", "bob ", "b ob", "", "b\tob", "İ", 5, ["bob"]])
def test_external_id_is_lowercase_trimmed_without_spaces(w: World, name: Any) -> None:
    """Identified by `externalId`: string, lowercase, trimmed, no spaces."""
    refused(w.session(externalId=name), 400, "externalId")


def test_the_message_shows_the_right_spelling(w: World) -> None:
    refused(w.session(externalId=" Bob "), 400, "'bob'")


def test_email_only_with_external_id(w: World, n: Names) -> None:
    """Optional `email` (string) attached to it; used only with `externalId`."""
    assert w.session(externalId=n.user, email="a@example.com").status_code == 200
    refused(w.session(internalId="ivy", email="a@example.com"), 400, "email")
    refused(w.session(externalId=n.user, email=5), 400, "email")


def test_values_and_memberships_are_stored_per_user(w: World, n: Names) -> None:
    """A later call for the same `externalId` overwrites the supplied names."""
    w.session(externalId=n.user, userAttributes=[REGION, {"name": "city", "value": "Rom"}])
    w.session(externalId=n.user, userAttributes=[{"name": "region", "value": ["APAC"]}])
    assert values_of(w, n.user) == {"region": '["APAC"]', "city": '"Rom"'}


def test_internal_user_must_exist(w: World) -> None:
    """Internal user: it must already exist; Generate Session identifies it by its username."""
    assert w.session(internalId="ivy").status_code == 200
    refused(w.session(internalId="nobody"), 404)
    refused(w.session(internalId="ivy@example.com"), 404)


@pytest.mark.parametrize(
    "field", ["groups", "userAttributes", "groupDefinitions", "userAttributeDefinitions"]
)  # fmt: skip
def test_nothing_about_rights_with_internal_id(w: World, field: str) -> None:
    """With `internalId` … must not be sent; the internal user's existing permissions are used."""
    refused(w.session(internalId="ivy", creatorMode=True, embedTenantName="acme-corp", **{field: []}), 400, field)


def test_no_security_context_with_internal_id(w: World) -> None:
    """`securityContext`: not allowed with `internalId`."""
    refused(w.session(internalId="ivy", securityContext={}), 400, "securityContext")


def test_internal_permissions_are_used(w: World) -> None:
    """Its existing permissions apply."""
    frames = lines(w.chat({"input": "orders"}, key="Bearer " + w.token(internalId="ivy")).content)
    assert final_text(frames) == "There are 2 rows."
    assert "APAC" in str(frames)
    assert "EMEA" not in str(frames)


@pytest.mark.parametrize(
    "name",
    ["acme", "a" * 37, "1acme", "-acme", "acme-", "Acme-corp", "acme corp", "acme_corp", "acmé-corp", "", None, 5],
)
def test_embed_tenant_name_rule(w: World, n: Names, name: Any) -> None:
    """Lowercase, 5 to 36 characters, starts with a letter, ends with a letter or digit, only a-z, 0-9 and `-`."""
    refused(w.session(externalId=n.user, embedTenantName=name), 400, "embedTenantName")


@pytest.mark.parametrize("name", ["abcde", "a" * 36, "a-b-1", "ab--9"])
def test_embed_tenant_names_that_are_fine(w: World, n: Names, name: str) -> None:
    assert w.session(externalId=n.user, embedTenantName=name).status_code == 200


def test_creator_mode_needs_the_flag() -> None:
    """The `useCreatorMode` tenant flag must be enabled for creator mode."""
    with world(tenant_use_creator_mode=False) as w:
        refused(w.creator(), 403, "useCreatorMode")
        assert w.session(externalId="user-1").status_code == 200


def test_values_must_name_existing_attributes(w: World, n: Names) -> None:
    """Attribute name not present in the applicable catalog: failure with message text `User attributes not found`."""
    before = w.state()
    refused(w.session(externalId=n.user, groups=["analysts"], userAttributes=[REGION, {"name": "ghost", "value": 1}]), 400,
            "User attributes not found")  # fmt: skip
    assert w.state() == before


@pytest.mark.parametrize(
    "name,good,bad",
    [
        ("city", ["Rom", ""], [1, True, ["Rom"], {}]),
        ("max_amount", [5, -1.5, 0], ["5", True, [5], {}]),
        ("region", [["EMEA"], [], ["a", "b"]], ["EMEA", [1], ["a", 1], [None], [["a"]]]),
        ("levels", [[1, 2.5], []], [1, ["1"], [True], [None]]),
    ],
)
def test_value_type_must_match(w: World, n: Names, name: str, good: list[Any], bad: list[Any]) -> None:
    """`value`: string, number, string[], number[] or null; type must match the definition's type."""
    for value in good:
        assert w.session(externalId=n.user, userAttributes=[{"name": name, "value": value}]).status_code == 200
    before = w.state()
    for value in bad:
        refused(w.session(externalId=n.user, userAttributes=[{"name": name, "value": value}]), 400)
    assert w.state() == before


def test_null_clears_the_value(w: World, n: Names) -> None:
    """`null` clears the value."""
    w.session(externalId=n.user, userAttributes=[REGION])
    w.session(externalId=n.user, userAttributes=[{"name": "region", "value": None}])
    assert values_of(w, n.user) == {}


@pytest.mark.parametrize("sent,left", [({}, ["analysts"]), ({"groups": None}, ["analysts"]), ({"groups": []}, []),
                                       ({"groups": ["managers"]}, ["managers"]),
                                       ({"groups": ["managers", "analysts", "managers"]}, ["analysts", "managers"])])  # fmt: skip
def test_groups_behavior(w: World, n: Names, sent: dict[str, Any], left: list[str]) -> None:
    """Field omitted: existing memberships preserved. `[]`: all cleared. Non-empty: replaced with exactly these."""
    w.session(externalId=n.user, groups=["analysts"])
    assert w.session(externalId=n.user, **sent).status_code == 200
    assert groups_of(w, n.user) == left


def test_unknown_groups(w: World, n: Names) -> None:
    """Group name(s) not resolvable: failure with message text `Groups with names <missing> not found`."""
    w.session(externalId=n.user, groups=["analysts"])
    refused(w.session(externalId=n.user, groups=["x", "managers", "Analysts"]), 400,
            "Groups with names x, Analysts not found")  # fmt: skip
    assert groups_of(w, n.user) == ["analysts"]


def test_groups_are_names_not_ids(w: World, n: Names) -> None:
    """`groups`: group names (not ids)."""
    for wrong in ([1], "analysts", [None], {"a": 1}, [[]]):
        refused(w.session(externalId=n.user, groups=wrong), 400, "groups")


def test_read_only_mode_resolves_tenant_wide(w: World, n: Names) -> None:
    """Read-only mode: names resolve against the tenant-wide catalog and tenant-wide groups."""
    w.creator(n.user, n.tenant, groupDefinitions=[{"name": n.group}],
              userAttributeDefinitions=[{"name": n.attribute, "type": "string"}])  # fmt: skip
    refused(w.session(externalId=n.user, embedTenantName=n.tenant, groups=[n.group]), 400, "not found")
    value = [{"name": n.attribute, "value": "x"}]
    refused(
        w.session(externalId=n.user, embedTenantName=n.tenant, userAttributes=value), 400, "User attributes not found"
    )
    both = w.session(externalId=n.user, embedTenantName=n.tenant, groups=["analysts"], userAttributes=[REGION])
    assert both.status_code == 200


def test_creator_mode_resolves_in_the_embed_tenant(w: World, n: Names) -> None:
    """Creator mode: names resolve against the embed tenant's scoped catalog and scoped groups."""
    refused(w.creator(n.user, n.tenant, groups=["analysts"]), 400, "Groups with names analysts not found")
    refused(w.creator(n.user, n.tenant, userAttributes=[REGION]), 400, "User attributes not found")
    definitions = {"groupDefinitions": [{"name": n.group}],
                   "userAttributeDefinitions": [{"name": n.attribute, "type": "number"}]}  # fmt: skip
    made = w.creator(n.user, n.tenant, **definitions, groups=[n.group],
                     userAttributes=[{"name": n.attribute, "value": 3}])  # fmt: skip
    assert made.status_code == 200
    assert groups_of(w, n.user) == [n.group]
    refused(w.creator(n.user, n.tenant + "-2", groups=[n.group]), 400, "not found")


@pytest.mark.parametrize("field,item", [("groupDefinitions", {"name": "g"}),
                                        ("userAttributeDefinitions", {"name": "a", "type": "string"})])  # fmt: skip
def test_definitions_require_creator_mode_and_tenant_name(w: World, n: Names, field: str, item: Any) -> None:
    """Each: require `creatorMode: true`, require `embedTenantName`, … reject duplicate `name` entries."""
    tenant = {"embedTenantName": n.tenant}
    refused(w.session(externalId=n.user, **tenant, **{field: [item]}), 400, "creatorMode")
    refused(w.session(externalId=n.user, creatorMode=False, **tenant, **{field: [item]}), 400, "creatorMode")
    refused(w.session(externalId=n.user, creatorMode=True, **{field: [item]}), 400, "embedTenantName")
    refused(w.creator(n.user, n.tenant, **{field: [item, item]}), 400, "Duplicate name")
    for wrong in (["g"], [{}], [{"name": 5}], [{"name": ""}], {"name": "g"}, "g"):
        refused(w.creator(n.user, n.tenant, **{field: wrong}), 400)
    assert w.get(f"/api/v1/embed-tenants/{n.tenant}/groups").status_code == 404  # nothing was created on the way


def test_definitions_stay_in_the_embed_tenant(w: World, n: Names) -> None:
    """Affect only the embed-tenant scope (never tenant-wide groups or attributes)."""
    w.creator(n.user, n.tenant, groupDefinitions=[{"name": "analysts", "description": "ours"}],
              userAttributeDefinitions=[{"name": "region", "type": "number"}])  # fmt: skip
    assert w.session(externalId=n.user, userAttributes=[REGION], groups=["analysts"]).status_code == 200
    assert w.listed(tenant=n.tenant)["analysts"]["userCount"] == 0


def test_definitions_come_before_groups_and_values(w: World, n: Names) -> None:
    """Validated/upserted before `groups` and `userAttributes` are applied."""
    made = w.creator(n.user, n.tenant, groups=[n.group], userAttributes=[{"name": n.attribute, "value": ["x"]}],
                     groupDefinitions=[{"name": n.group}],
                     userAttributeDefinitions=[{"name": n.attribute, "type": "string_array"}])  # fmt: skip
    assert made.status_code == 200
    assert w.listed(tenant=n.tenant)[n.group]["userCount"] == 1


def test_type_is_immutable_and_nothing_is_upserted(w: World, n: Names) -> None:
    """If a definition of that name exists with a different type, the request fails and nothing is upserted."""
    w.creator(n.user, n.tenant, userAttributeDefinitions=[{"name": n.attribute, "type": "string"}])
    before = w.state()
    refused(
        w.creator(n.user, n.tenant, groupDefinitions=[{"name": "new"}], userAttributeDefinitions=[
            {"name": "fresh", "type": "string"}, {"name": n.attribute, "type": "number"}]),
        400, "cannot change type",
    )  # fmt: skip
    assert w.state() == before


@pytest.mark.parametrize("wrong", ["text", "String", "boolean", None, 1, ["string"]])
def test_type_is_one_of_four(w: World, n: Names, wrong: Any) -> None:
    """type: enum `string`, `number`, `string_array`, `number_array`."""
    refused(w.creator(n.user, n.tenant, userAttributeDefinitions=[{"name": n.attribute, "type": wrong}]), 400)


def test_attribute_definition_fields_are_updated_when_supplied(w: World, n: Names) -> None:
    """displayName, defaultValue, description: updated when supplied and different from the stored value."""
    base = {"name": n.attribute, "type": "string"}
    w.creator(n.user, n.tenant, userAttributeDefinitions=[
        base | {"displayName": "A", "defaultValue": "x", "description": "d"}])  # fmt: skip
    w.creator(n.user, n.tenant, userAttributeDefinitions=[base | {"displayName": "B"}])
    record = w.listed("user-attributes", n.tenant)[n.attribute]
    wanted = {"displayName": "B", "defaultValue": "x", "description": "d", "type": "string"}
    assert record == {"id": record["id"], "name": n.attribute} | wanted


def test_group_description_is_never_cleared(w: World, n: Names) -> None:
    """description: updated when supplied and different from the stored value; never cleared."""
    for sent, kept in (({"description": "D"}, "D"), ({}, "D"), ({"description": None}, "D"), ({"description": ""}, "D"),
                       ({"description": "E"}, "E")):  # fmt: skip
        assert w.creator(n.user, n.tenant, groupDefinitions=[{"name": n.group} | sent]).status_code == 200
        assert w.listed(tenant=n.tenant)[n.group]["description"] == kept


def test_duplicate_values_are_rejected(w: World, n: Names) -> None:
    """Duplicate `name` entries in `userAttributes` are rejected with 400."""
    refused(w.session(externalId=n.user, userAttributes=[REGION, REGION]), 400, "Duplicate name")


def test_repeating_converges(w: World, n: Names) -> None:
    """Repeating an identical request yields the same end state."""
    body: dict[str, Any] = {
        "groups": [n.group], "groupDefinitions": [{"name": n.group, "description": "D"}],
        "userAttributeDefinitions": [{"name": n.attribute, "type": "string"}],
        "userAttributes": [{"name": n.attribute, "value": "x"}],
    }  # fmt: skip
    assert w.creator(n.user, n.tenant, **body).status_code == 200
    before = w.state()
    assert w.creator(n.user, n.tenant, **body).status_code == 200
    assert w.state() == before


@pytest.mark.parametrize("plan,status", [("premium", 200), ("Enterprise", 200), ("starter", 403), ("free", 403)])
def test_plan_availability(w: World, n: Names, plan: str, status: int) -> None:
    """Generate Session and Chat API are available on the Premium and Enterprise plans."""
    w.service.store.write(set_tenant, "acme", plan=plan.lower())
    try:
        assert w.session(externalId=n.user).status_code == status
        assert w.chat(input="x").status_code == status
    finally:
        w.service.store.write(set_tenant, "acme", plan="enterprise")


def test_ten_thousand_external_users() -> None:
    """External users per account: 10,000."""
    with world(tenant_user_limit=3) as w:
        assert [w.session(externalId=f"u{i}").status_code for i in range(5)] == [200, 200, 200, 429, 429]
        assert w.session(externalId="u1").status_code == 200
        assert w.chat({"input": "x", "sessionSettings": {"externalId": "u9"}}).status_code == 429


def test_a_security_context_is_an_object(w: World, n: Names) -> None:
    """`securityContext`: object: custom security context passed to queries."""
    assert w.session(externalId=n.user, securityContext={"a": {"b": [1]}}).status_code == 200
    for wrong in ("x", [], 5, True):
        refused(w.session(externalId=n.user, securityContext=wrong), 400, "securityContext")


def test_the_response_holds_no_secret(w: World, n: Names) -> None:
    """Loaded without exposing the account API key."""
    assert "key" not in w.session(externalId=n.user).text


def test_unknown_fields_are_ignored(w: World, n: Names) -> None:
    assert w.session(externalId=n.user, isAdmin=True, settings={}).status_code == 200
