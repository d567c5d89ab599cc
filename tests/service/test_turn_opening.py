"""What speaks against a question, and whose place it takes; against the store alone."""

from __future__ import annotations

from typing import Any

import pytest

from svc_notebook.protocol.chat import SessionSettings
from svc_notebook.protocol.errors import BadRequest, ServiceError
from svc_notebook.protocol.sessions import UserAttribute
from svc_notebook.service.callers.auth import Caller
from svc_notebook.service.callers.places import asker_of, internal_asker
from svc_notebook.service.store import Store
from svc_notebook.service.store.threads import finish_turn
from svc_notebook.service.turns.threads import Room
from svc_notebook.service.turns.turn_opening import OpenedTurn, foresee, open_turn

from .test_identity import DAY, key, store, token

__all__ = ["store"]

ANA, BEN = SessionSettings(external_id="ana"), SessionSettings(external_id="ben")
ROOM = Room("analyst", 1)


def begin(held: Store, who: SessionSettings = ANA, *, new: bool = False, end: bool = True, **more: Any) -> OpenedTurn:
    """Ask something in the one thread there is, and have it answered unless ``end`` is false."""
    asked: dict[str, Any] = {
        "chat_id": "t", "new": new, "room": ROOM, "branch": "", "question": "orders", "after": None, "runner": "r",
        "lease_until": DAY, "alive": lambda *_: True, "now": 0.0, "default_ttl": DAY, "monotonic": lambda: 0.0, **more,
    }  # fmt: skip
    opened = held.write(open_turn, key(held), who, **asked)
    if end:
        frames = opened.frames
        fields = {"status": "complete", "finished_at": 0.0, "error": None, "answer": "", "memory": "{}", "results": "[]",
                  "suggestions": "[]", "usage": "{}"}  # fmt: skip
        assert held.write(finish_turn, frames.chat_id, frames.number, [], next_sort=9, fields=fields)
    return opened


def foreseen(held: Store, who: SessionSettings = ANA, **more: Any) -> str | None:
    asked: dict[str, Any] = {
        "chat_id": "t",
        "new": False,
        "room": ROOM,
        "branch": "",
        "after": None,
        "now": 0.0,
        **more,
    }
    return held.read(foresee, key(held), who, **asked)


def test_a_question_is_foreseen_where_nothing_speaks_against_it(store: Store) -> None:
    assert foreseen(store, new=True) == "ana (external)"
    begin(store, new=True)
    begin(store)
    assert foreseen(store) == "ana (external)"
    assert [foreseen(store, after=number) for number in (0, 1, 2, 3)] == ["ana (external)"] * 3 + [None]
    begin(store, BEN, new=True, chat_id="other")
    assert foreseen(store, BEN) is None
    assert foreseen(store, chat_id="unknown") is None
    assert foreseen(store, branch="dev") is None
    assert foreseen(store, room=Room("analyst", 2)) is None
    begin(store, end=False)
    assert foreseen(store) is None
    assert foreseen(store, BEN, chat_id="other") == "ben (external)"


@pytest.mark.parametrize(
    ("sent", "label"),
    [
        ({"external_id": "ana"}, "ana (external), groups: analysts"),
        ({"external_id": "ana", "groups": []}, "ana (external)"),
        ({"external_id": "ana", "groups": ["managers"]}, "ana (external), groups: managers"),
        ({"external_id": "new", "groups": ["managers", "analysts"]}, "new (external), groups: analysts, managers"),
        ({"external_id": "new", "groups": ["nobody"]}, None),
        ({"external_id": "new", "user_attributes": [UserAttribute("region", ["EMEA"])]}, "new (external)"),
        ({"external_id": "new", "user_attributes": [UserAttribute("region", 5)]}, None),
        ({"external_id": "new", "user_attributes": [UserAttribute("colour", "red")]}, None),
        ({"internal_id": "ivy@example.com"}, "ivy@example.com (internal), groups: managers"),
        ({"internal_id": "nobody@example.com"}, None),
    ],
)
def test_who_asks_is_foreseen_as_the_turn_will_say(store: Store, sent: dict[str, Any], label: str | None) -> None:
    begin(store, SessionSettings(external_id="ana", groups=["analysts"]), new=True, chat_id="hers")
    who = SessionSettings(**sent)
    assert foreseen(store, who, new=True) == label
    if label is None:
        with pytest.raises(ServiceError):
            begin(store, who, new=True)
    else:
        assert begin(store, who, new=True).asker.label == label


def test_who_comes_with_a_token_is_foreseen_too(store: Store) -> None:
    ana = token(store)
    asked: dict[str, Any] = {"chat_id": "t", "new": True, "room": ROOM, "branch": "", "after": None, "now": 2.0}
    assert store.read(foresee, ana, None, **asked) == "ana (external)"
    assert store.read(foresee, ana, ANA, **asked) == "ana (external)"
    assert store.read(foresee, ana, BEN, **asked) is None
    assert store.read(foresee, ana, SessionSettings(internal_id="ivy@example.com"), **asked) is None


def test_a_question_follows_the_turn_that_it_names(store: Store) -> None:
    begin(store, new=True, question="first")
    begin(store, question="second")
    assert [past.question for past in begin(store, question="third").history] == ["first", "second"]
    assert [past.question for past in begin(store, question="again", after=1).history] == ["first"]
    assert begin(store, question="anew", after=0).history == ()
    with pytest.raises(BadRequest, match=r"no turn 9 \(1 to 5\)"):
        begin(store, after=9)
    with pytest.raises(BadRequest, match=r"no turn 1 \(this is a new one\)"):
        begin(store, chat_id="new", new=True, after=1)


def named(caller: Caller, **names: str) -> Any:
    return asker_of(caller, SessionSettings(**names))


def test_a_user_has_one_place_however_they_come_and_shares_it_with_nobody(store: Store) -> None:
    acme, beta = key(store), key(store, "beta")
    ana, ben = token(store, "a"), token(store, "b", external_id="ben")
    ivy, root = (token(store, one, external_id=None, internal_id=one) for one in ("ivy", "root"))
    places = [
        {asker_of(ana, None), named(acme, external_id="ana"), asker_of(ana, BEN)},
        {asker_of(ben, None), named(acme, external_id="ben")},
        {asker_of(ivy, None), named(acme, internal_id="ivy@example.com"), named(acme, internal_id="IVY@example.com"),
         internal_asker(acme.tenant_id, "ivy@example.com")},
        {asker_of(root, None), internal_asker(acme.tenant_id, "root@example.com")},
        {named(acme, external_id="ivy@example.com")},
        {asker_of(acme, None), asker_of(acme, SessionSettings())},
        {named(beta, external_id="ana")},
        {named(beta, internal_id="ivy@example.com")},
        {asker_of(beta, None)},
    ]  # fmt: skip
    assert [len(each) for each in places] == [1] * len(places)
    assert len(set().union(*places)) == len(places)
