"""What says no more than that something is known, or is so now: *on file*, *at the moment*."""

from __future__ import annotations

from ...schema.states import STILL
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["and_short", "anything_denied", "at_the_moment", "every_single", "known_at_all", "on_file", "with_out"]

_ENDS = frozenset(["", *"? . ! , that who which in this last during since for so and on at".split()])
_ARTICLES = frozenset({"the", "a", "an", "their", "its"})
_DENYING = frozenset("not never without didn't don't doesn't hasn't haven't hadn't".split())
_NEAR = 4  # words from a denial to what was not done to anything
_NOW = (("at", "the", "moment"), ("right", "now"), ("at", "present"), ("as", "of", "now"), ("as", "of", "today"))
_RECORDED = (
    ("on", "file"), ("on", "record"), ("in", "the", "system"), ("in", "the", "database"), ("in", "our", "system"),
    ("in", "the", "data"), ("in", "our", "records"), ("on", "the", "books"), ("on", "our", "books"),
)  # fmt: skip
_LISTED = frozenset({"registered", "recorded", "listed", "noted", "entered"})


def at_the_moment(w: Wording, at: int) -> Found | None:
    """``open at the moment``: now."""
    size = next((len(said) for said in _NOW if tuple(w.words[at : at + len(said)]) == said), 0)
    if not size or not at or w.at(at + size) not in {*_ENDS, "per", "by"}:
        return None
    return ([] if STILL.keys() & set(w.words[:at]) else w.said(at, "currently")), at + size


def known_at_all(w: Wording, at: int) -> Found | None:
    """``without a known address``: without one."""
    if w.at(at) not in ("without", "no") or w.tokens[at].kind != "word":
        return None
    place = at + 1 + (w.at(at + 1) in ("a", "an", "any"))
    told = w.at(place) in _LISTED | {"known", "given", "stated"} and w.tokens[place].stem not in w.meta.vocabulary
    return (list(w.tokens[at:place]), place + 1) if told and w.at(place + 1).isalpha() else None


def on_file(w: Wording, at: int) -> Found | None:
    """``without a phone number on file``: what is known here at all."""
    for words in _RECORDED:
        if tuple(w.words[at : at + len(words)]) == words and w.at(at + len(words)) in _ENDS:
            return [], at + len(words)
    known = w.at(at) in _LISTED and w.tokens[at].stem not in w.meta.vocabulary
    return ([], at + 1) if at and known and w.at(at + 1) in ("", "?", ".", ",") else None


def anything_denied(w: Wording, at: int) -> Found | None:
    """``who never booked anything``: behind a denial it says no more than the verb."""
    if w.at(at) != "anything" or w.tokens[at].stem in w.meta.vocabulary:
        return None
    return ([], at + 1) if (_DENYING | {"no"}) & set(w.words[max(0, at - _NEAR) : at]) else None


def every_single(w: Wording, at: int) -> Found | None:
    """``not a single viewing``, ``every single group``: one, and none that is not married."""
    leads = w.at(at - 1) in ("every", "each") or w.at(at - 1) == "a" and w.at(at - 2) in _DENYING
    return ([], at + 1) if w.at(at) == "single" and leads and not w.meta.values.find(w.tokens, at) else None


def and_short(w: Wording, at: int) -> Found | None:
    """``by district n quarter``, ``per month plus the running total``: and."""
    between = at > 0 and w.at(at) == "n" and w.at(at - 1).isalpha() and w.at(at + 1).isalpha()
    added = at > 0 and w.at(at) == "plus" and w.at(at + 1) in _ARTICLES
    return (w.said(at, "and"), at + 1) if between or added else None


def with_out(w: Wording, at: int) -> Found | None:
    """``leases w/o a deposit``."""
    return (w.said(at, "without"), at + 3) if w.words[at : at + 3] == ["w", "/", "o"] else None
