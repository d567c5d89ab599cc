"""Who signed up, where the model says when people joined: *sign-ups last month*, *signed up in May*."""

from __future__ import annotations

from ...lexicon import customers
from ...words.families import root
from ...words.rewriting import Found
from ...words.text import is_participle, singular, stem
from .wording import Wording

__all__ = ["signing_up"]

_JOINING = frozenset(map(root, "registered registration joined enrolled enrolment enrollment subscribed".split()))
_CREATED = root("created")
_SIGNING = frozenset({"sign", "signed", "signing", "signs"})
_ONE = frozenset({"signup", "signups"})
_DONE = frozenset({"joined", "registered", "enrolled", "subscribed"})


def signing_up(w: Wording, at: int) -> Found | None:
    """``sign-ups`` as the rows that have the one time of joining, ``signed up`` as the verb that it is called by."""
    start = at + (w.at(at) == "new")
    end, noun = _said(w, start)
    column = _joined(w) if end and (noun or start == at) else None
    if column is None or _is_known(w, start, end):
        return None
    relation, done = column.split(".", 1)[0], w.meta.parts(column)[0]
    if not noun:
        return w.said(at, done), end
    own = w.meta.times([relation])[:1] == [column]
    return w.said(at, *w.plural(relation), *([] if own or not is_participle(done) else [done])), end


def _said(w: Wording, at: int) -> tuple[int, bool]:
    """The place behind the words for it, and whether they are a noun; 0 where there are none."""
    if w.at(at) in _ONE:
        return at + 1, True
    if w.at(at) in _DONE:
        return at + 1, False
    behind = at + 1 + (w.at(at + 1) == "-")
    if w.at(at) not in _SIGNING or w.at(behind) not in ("up", "ups"):
        return 0, False
    return behind + 1, behind > at + 1 or w.at(behind) == "ups"


def _joined(w: Wording) -> str | None:
    """The one time that says when people joined."""
    times = [path for name in w.cubes for path in w.meta.times([name]) if path.split(".", 1)[0] == name]
    found = [path for path in times if root(w.meta.parts(path)[0]) in _JOINING]
    found = found or [path for path in times if _is_opened(w, path)]
    return found[0] if len(found) == 1 else None


def _is_opened(w: Wording, path: str) -> bool:
    """Whether a time says when somebody's account was made: ``created_at`` of accounts, members or users."""
    noun = stem(singular(w.meta.words_of(path.split(".", 1)[0])[-1]))
    return root(w.meta.parts(path)[0]) == _CREATED and noun in customers()[1] | {stem("customer"), stem("client")}


def _is_known(w: Wording, at: int, end: int) -> bool:
    """Whether the model or the data call something so themselves."""
    one = stem("".join(w.words[at:end]).replace("-", ""))
    return bool({one, w.tokens[at].stem} & w.meta.vocabulary) or bool(w.meta.values.find(w.tokens, at))
