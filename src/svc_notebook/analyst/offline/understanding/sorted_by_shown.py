"""``sort by delay`` of destinations with their flights and average delay: the same rows, by a number that is shown."""

from __future__ import annotations

from collections.abc import Sequence

from .... import patterns as re
from ..dialogue import Earlier, few_shown
from ..dialogue.expressing import paths_of
from ..forms import Expression, Form, Order
from ..schema.metadata import Metadata
from ..words.leads import lead
from ..words.text import stem
from .asked import AskedTurn
from .of_last_answer import of_last_answer

__all__ = ["sorted_by_shown"]

_SAID = re.compile(
    lead("please", "can you", "now")
    + r"(?:re)?(?:sort|order|rank)(?:ed)?(?: (?:it|them|these|those|this|that|the \w+))? by "
    r"(?:the |their )?(?P<what>[a-z]+(?: [a-z]+){0,3}?)"
    r"(?:,? (?:(?P<down>desc(?:ending)?|descendingly|(?:highest|largest|biggest|most|longest) first)"
    r"|(?P<up>asc(?:ending)?|(?:lowest|smallest|least|shortest) first)))?\W*$",
    re.IGNORECASE,
)


@of_last_answer(_SAID)
def sorted_by_shown(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """What was shown in the order of the number that is named, and of no other that is called so."""
    shown = forms[0].form
    number = _named(shown, said["what"], asked.metadata) if shown.groups else None
    few = few_shown(forms[0]) if number is not None else None
    if number is None or few is None:
        return None
    before = shown.order[0].descending if shown.order else False
    descending = said["down"] is not None or said["up"] is None and before
    return few.with_(order=(Order(number, descending),))


def _named(form: Form, words: str, metadata: Metadata) -> Expression | None:
    """The one number of which all words are in its name."""
    told = {stem(word) for word in words.lower().split()}
    found = [clause.expression for clause in form.measures if told <= _words_of(clause.expression, metadata)]
    return found[0] if len(found) == 1 else None


def _words_of(number: Expression, metadata: Metadata) -> set[str]:
    paths = [path for path in paths_of(number) if path in metadata.members]
    titles = [metadata.members[path].title for path in paths]
    return {stem(word) for path in paths for word in metadata.parts(path)} | {
        stem(word) for title in titles for word in title.lower().split()
    }
