"""Words that are left over when a question was read, and which of them a person would call not understood."""

from __future__ import annotations

from collections.abc import Sequence

from ..walk.segments import Item
from ..words.text import is_participle, stem
from ..words.thesaurus import FILLER

__all__ = ["DONE", "LITTLE", "PHRASING", "QUALITIES", "is_done", "sayable", "unknown_words"]

LITTLE = frozenset(
    "a an the all any each every single different various certain some other our my their its this that these "
    "those total overall whole entire distinct unique own of".split()
)


DONE = frozenset(
    "sold held paid sent made taught went took taken given gave won lost flown flew written wrote served built "
    "bought kept left led put run seen done gone come came become worn drawn known grown shown broken".split()
)
PHRASING = frozenset(  # words of asking and drawing: left over, they name no thing
    "breakdown breakdowns combination combinations legend separate point points dot length height width higher "
    "lower bigger smaller greater less more pairs pair bands scale scheme member members convert integer boolean "
    "format meters over since before after through during between considered variety fluctuation fluctuations "
    "outcome density consider zoom drill reverse filter else instead rather maybe perhaps usually normally really "
    "ever still already far away ago day days month months year years week weeks hour hours time times date dates "
    "average month's".split()
)


QUALITIES = frozenset(  # left over, they are what was asked: a judgement, a comparison, or how a number is made
    "good bad better worse best worst well badly strong stronger weak weaker strange strangely unusual unusually odd "
    "oddly normal abnormal typical weird suspicious wrong faulty connected linked dependent independent worried "
    "worrying risky dangerous safe private public percent percentage rate rates ratio share median average mean "
    "percentile quantile quartile decile nth none nothing nobody null empty missing twice half double triple "
    "difference correlated likely unlikely expected forecast predict prediction next future midnight noon "
    "avoid recommend advise".split()
)


def unknown_words(items: Sequence[Item]) -> tuple[str, ...]:
    """The words of a question that name nothing, where nothing in it does."""
    words = [item.text for item in items if item.kind == "word" and len(item.text) > 1]
    known = LITTLE | PHRASING
    return tuple(dict.fromkeys(w for w in words if w.lower() not in known and stem(w.lower()) not in FILLER))


def sayable(unread: Sequence[str]) -> list[str]:
    """Of words that were left over, those that a person would name as not understood."""
    return [word for word in unread if len(word) > 1 and word.lower() not in PHRASING]


def is_done(word: str) -> bool:
    """Whether a word is a participle (``sold``, ``offered``)."""
    return word in DONE or is_participle(word) and len(word) > 4
