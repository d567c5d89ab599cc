"""What is known of an asker is worked out once where nothing of it changes, and anew where something does."""

from __future__ import annotations

from dataclasses import replace

from svc_notebook.semantic.context import SecurityContext


def test_it_is_the_same_as_of_one_that_is_not_settled() -> None:
    ana = SecurityContext(user="ana", groups=frozenset({"sales"}), user_attributes={"region": ["EMEA", "APAC"]})
    assert replace(ana).settled().known == ana.known
    assert SecurityContext.operator().settled().known == SecurityContext.operator().known


def test_another_one_made_of_it_is_known_by_its_own_values() -> None:
    ana = SecurityContext(user="ana", user_attributes={"region": ["EMEA"]}).settled()
    moved = replace(ana, user_attributes={"region": ["APAC"]})
    assert moved.known == SecurityContext(user_attributes={"region": ["APAC"]}).known != ana.known
    assert replace(ana, unrestricted=True).known == "operator"


def test_settled_or_not_they_are_equal() -> None:
    ana = SecurityContext(user="ana", user_attributes={"region": ["EMEA"]})
    assert ana == replace(ana).settled()
    assert repr(ana) == repr(replace(ana).settled())


def test_one_that_is_not_settled_may_be_given_other_values() -> None:
    attributes = {"region": ["EMEA"]}
    ana = SecurityContext(user="ana", user_attributes=attributes)
    before = ana.known
    attributes["region"] = ["APAC"]
    assert ana.known != before
