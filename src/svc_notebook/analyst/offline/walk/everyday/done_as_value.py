"""``logged in`` where a value is called ``login``: a verb and its little word as the one value that is made of both."""

from __future__ import annotations

from ...schema.nouns import plural
from ...words.families import PAST, root
from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording

__all__ = ["done_as_value"]

_PARTICLES = frozenset({"in", "out", "up", "off", "on", "down", "over", "back"})
_NEVER = (("never",), ("didn't",), ("did", "not"), ("has", "not"), ("have", "not"), ("haven't",), ("hasn't",),
          ("has", "never"), ("have", "never"))  # fmt: skip
_MOST = frozenset({"most", "least"})
_LINKS = frozenset({"who", "that", "which"})


def done_as_value(w: Wording, at: int) -> Found | None:
    """What was done, what was never done, and who did it most, in the word that the rows have for it."""
    start = at + (w.at(at) in _LINKS and at > 0)
    denied = next((len(said) for said in _NEVER if tuple(w.words[start : start + len(said)]) == said), 0)
    verb = start + denied
    if start != at and not denied or w.at(verb + 1) not in _PARTICLES:
        return None
    value = _made_of(w, verb)
    if value is None:
        return None
    end = verb + 2
    if denied:
        return w.said(at, "without", value), end + (w.at(end) in ("yet", "once"))
    often = end + (w.at(end) == "the")
    if w.at(often) in _MOST:
        behind = often + 1 + (w.at(often + 1) == "often")
        return w.said(at, "has", "the", w.at(often), plural(value)), behind
    return w.said(at, value), end


def _made_of(w: Wording, at: int) -> str | None:
    """The one value that is called as a verb and the word behind it, and that nothing else is called."""
    verb, little = w.at(at), w.at(at + 1)
    if len(verb) < len(little) or not verb.isalpha() or w.meta.values.find(w.tokens, at):
        return None
    bare = {root(PAST.get(verb, verb)), verb, verb.removesuffix("s"), verb.removesuffix("ged"), verb.removesuffix("ed")}
    for one in sorted(bare, key=len):
        joined = stem(f"{one}{little}")
        held = {str(value) for _, value, quality in w.meta.values.whole.get((joined,), ()) if quality == 1.0}
        if len(held) == 1 and joined not in w.meta.vocabulary:
            return held.pop().lower()
    return None
