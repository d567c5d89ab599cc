"""Back to what was shown before: the last change undone, an answer that is named, all the rows again."""

from __future__ import annotations

from collections.abc import Sequence

from .... import patterns as re
from ....semantic.catalog import Catalog
from ...base import Turn
from ..forms import Condition, Form, in_words
from ..words.text import stem
from .conditions import conditions_of, with_conditions
from .hearing import Heard
from .outcome import Followed, Unmet
from .tails import content
from .thread import Earlier, passed_over

__all__ = ["returned", "says", "undone"]

_ALL_AGAIN = re.compile(
    r"^\W*(?:all|every|everything|the whole)\b(?:\W+(?:of them|the|of the))?(?:\W+\w+)?\W*$", re.IGNORECASE
)
_FIRST = re.compile(
    r"^\W*(?:(?:the|my|our|very)\s+)*(?:first|original|beginning|start)"
    r"(?:\s+(?:one|question|answer|result|thing|chart|graph|table))?\W*$",
    re.IGNORECASE,
)
_ARTICLES = frozenset(("the", "a", "an"))


def undone(turn: Turn, forms: Sequence[Earlier]) -> Followed | Unmet:
    """What was shown before the last change; behind a question that was not answered, what is shown still."""
    if forms and passed_over(turn):
        return Followed(forms[0].form, forms[0], forms[0].chart, sure=forms[0].sure)
    if len(forms) < 2:
        return Unmet("nothing was changed that could be undone")
    return Followed(forms[1].form, forms[1], forms[1].chart, undo=True)


def says(form: Form, text: str, catalog: Catalog) -> bool:
    """Whether each word of a text is one of the words that say a form."""
    said, known = ({stem(word) for word in content(one)} for one in (text, in_words(form, catalog)))
    return bool(said) and said <= known


def returned(heard: Heard, forms: Sequence[Earlier], catalog: Catalog) -> Followed | Unmet:
    """``back to the airlines``: the latest earlier form but the last that speaks of what is named."""
    if "every" in heard.acts or _ALL_AGAIN.match(heard.rest):
        return _wider(forms)
    if _FIRST.match(heard.rest):
        return Followed(forms[-1].form, forms[-1], forms[-1].chart, sure=forms[-1].sure)
    said = {stem(word) for word in content(heard.rest) if word not in _ARTICLES}

    def shared(text: str) -> int:
        return len(said & {stem(word) for word in content(text)})

    def fit(one: Earlier) -> tuple[int, int]:
        described = len(said) > 1  # one word is the last that was said of it
        asked = one.turn.question
        return shared(f"{asked} {in_words(one.form, catalog)}"), shared(asked) if described else 0

    fits = [(fit(one), one) for one in (*forms[1:], *forms[:1])]
    most = max((common for common, _ in fits), default=(0, 0))
    if not most[0]:
        return Unmet(f"nothing was asked about {heard.rest.strip(' ?!.')} before")
    found = next(one for common, one in fits if common == most)
    return Followed(found.form, found, found.chart, sure=found.sure)


def _wider(forms: Sequence[Earlier]) -> Followed | Unmet:
    """``back to all bookings``: without what the rows were restricted to last."""
    before = forms[0]
    known = conditions_of(before.form)
    if not known:
        return Unmet("nothing is left out that could be looked at again")
    older = [one.form for one in forms[1:] if _is_wider(conditions_of(one.form), known)]
    left = conditions_of(older[0]) if older else []
    return Followed(with_conditions(before.form, left), before, before.chart, sure=before.sure)


def _is_wider(older: Sequence[Condition], known: Sequence[Condition]) -> bool:
    return len(older) < len(known) and all(condition in known for condition in older)
