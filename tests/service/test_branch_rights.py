"""Who may ask over a development branch: a key with the right, and only over what the deployment lists by name."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

import svc_notebook as svc
from svc_notebook.service.config import ConfigError, load_config

from .service_world import ADMIN, BASIC, CHAT, World, lines

USER = {"externalId": "user-1"}
DEV = {"activeBranchName": "dev"}


def ask(w: World, key: str, **fields: Any) -> httpx.Response:
    return w.post(CHAT, {"input": "orders", "sessionSettings": USER, **fields}, key)


def bearer(w: World) -> str:
    return f"Bearer {w.token(externalId='user-1')}"


def chat_id(response: httpx.Response) -> str:
    return str(lines(response.content)[0]["state"]["chatId"])


@pytest.mark.parametrize("name", ["dev", "gone", "unlisted", "0a1b", "HEAD~1", "main", "../main", "", "dev\0"])
def test_a_user_token_reaches_no_branch(w: World, name: str) -> None:
    token, state = bearer(w), w.state()
    for flag in ({}, {"isDefaultBranch": False}):
        assert ask(w, token, activeBranchName=name, **flag).status_code == 403
    assert w.state() == state
    assert w.analyst.turns == []


def test_a_key_needs_the_right(w: World) -> None:
    assert ask(w, ADMIN, **DEV).status_code == 200
    refused = ask(w, BASIC, **DEV)
    assert (refused.status_code, "right `branches`" in refused.json()["message"]) == (403, True)
    assert len(w.analyst.turns) == 1


@pytest.mark.parametrize(
    "name",
    [
        "unlisted",
        "main",
        "DEV",
        "dev ",
        "dev/",
        "dev^",
        "dev~0",
        "d\u0435v",
        "HEAD",
        "HEAD~1",
        "0a1b",
        "0a1b2c3d",
        "gone",
    ],
)
def test_what_the_deployment_does_not_list_is_not_there(w: World, name: str) -> None:
    """Also where the model has such a branch (``unlisted``), or lists one that the model has not (``gone``)."""
    answer = ask(w, ADMIN, activeBranchName=name)
    assert (answer.status_code, answer.json()["message"][:10]) == (404, "No branch ")
    assert w.analyst.turns == []


def test_the_list_is_the_deployments_own(w: World) -> None:
    tenant = w.service.config.tenants[0].deployments_by_id()
    assert (tenant[32].branches[0], tenant[33].branches) == ("dev", [])
    scoped = {"input": "orders", "sessionSettings": USER, **DEV}
    with_right = World(w.service, w.clock, w.analyst, w.layer, w.http)
    assert with_right.post(CHAT, scoped, "branches-33-key").status_code == 404


def test_the_default_branch_by_its_name(w: World) -> None:
    """The specification: pass true when giving the main branch name. That is what everybody asks over anyway."""
    for key in (ADMIN, BASIC, bearer(w)):
        assert ask(w, key, activeBranchName="main", isDefaultBranch=True).status_code == 200
        assert ask(w, key, activeBranchName="dev", isDefaultBranch=True).status_code == 400


def test_no_default_branch_without_a_name(w: World) -> None:
    assert ask(w, ADMIN, isDefaultBranch=False).status_code == 400
    assert ask(w, ADMIN, isDefaultBranch=True).status_code == 200


def test_a_thread_over_a_branch_is_for_those_who_may_ask_over_it(w: World) -> None:
    thread = chat_id(ask(w, ADMIN, **DEV))
    at = f"{CHAT.removesuffix('/stream-chat-state')}/threads"
    for key in (bearer(w), BASIC):
        assert ask(w, key, chatId=thread).status_code == 404
        assert w.post(CHAT, {"chatId": thread, "sessionSettings": USER}, key).status_code == 404
        assert w.post(f"{CHAT}/abort", {"chatId": thread, "sessionSettings": USER}, key).status_code == 404
        assert w.delete(f"{at}/{thread}?externalId=user-1", key).status_code == 404
        assert w.get(f"{at}?externalId=user-1", key).json()["items"] == []
    assert w.post(CHAT, {"chatId": thread, "sessionSettings": USER}, ADMIN).status_code == 200
    assert [item["chatId"] for item in w.get(f"{at}?externalId=user-1", ADMIN).json()["items"]] == [thread]


def test_a_thread_stays_on_its_branch(w: World) -> None:
    """Else what was read on a branch would be told by a thread of the default branch."""
    on_main, on_dev = chat_id(ask(w, ADMIN)), chat_id(ask(w, ADMIN, **DEV))
    assert ask(w, ADMIN, chatId=on_main, **DEV).status_code == 400
    assert ask(w, ADMIN, chatId=on_dev).status_code == 400
    assert ask(w, ADMIN, chatId=on_dev, **DEV).status_code == 200


@pytest.mark.parametrize(
    ("deployment", "said"),
    [
        ({"id": 1, "branches": ["HEAD~1"]}, "'HEAD~1' is not the name of a branch"),
        ({"id": 1, "branches": ["../model"]}, "'../model' is not the name of a branch"),
        ({"id": 1, "branches": ["main"]}, "'main' is the default branch"),
        ({"id": 1, "branchs": []}, "did you mean 'branches'?"),
    ],
)
def test_a_list_that_cannot_be_meant(deployment: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match="deployments") as caught:
        load_config({"deployments": [deployment]})
    assert said in str(caught.value)


def test_rows_of_a_branch_are_not_loaded_from_the_one_that_is_served(w: World) -> None:
    """A client has the first rows of a branch's answer; the data API would give another branch's rest."""
    base = str(w.http.base_url).rstrip("/")
    with svc.Client(base, ADMIN, chat_api_url=base + CHAT) as client:
        asked = {"external_id": "user-1"}
        served = client.chat(**asked).ask("orders")
        of_branch = client.chat(**asked, branch="dev").ask("orders")
        assert (served.status, of_branch.status) == ("complete", "complete")
        assert [result.can_load for result in (*served.results, *of_branch.results)] == [True, False]
        with pytest.raises(ValueError, match="development branch, which the data API does not read"):
            of_branch.results[0]._need_loader()
