"""``top 3 days``, ``best hour?``, ``which channel is the best`` of what was shown by days, hours, channels:
by the number that was shown, and by no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .... import patterns as re
from ..dialogue import Followed, earlier, passed_over
from ..dialogue.editing import aggregate_of, is_bad, number_words
from ..dialogue.expressing import is_named, is_time
from ..forms import Aggregate, Clause, Expression, Form, Limit, Order, Over
from ..lexicon import load_lexicon
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.leads import lead
from ..words.numbers import number_word
from ..words.text import singular, stem
from .asked import AskedTurn
from .forming import as_edit, is_sayable

__all__ = ["ranked_shown"]

_LEAD = lead("just", "only", "show", "give", "me", "us", "the")
_SAID = re.compile(
    rf"{_LEAD}(?P<end>[a-z]+)(?: (?P<many>\d+|[a-z]+))? (?P<what>[a-z]+)(?: (?:only|please|then))?\W*$",
    re.IGNORECASE,
)
_WHICH = re.compile(
    rf"{_LEAD}(?:which|what) (?P<what>[a-z]+(?: [a-z]+)?) (?:is|was|are|were|has|had|comes? out)(?: the)? "
    r"(?P<end>[a-z]+)(?: (?P<quality>[a-z]+))?\W*$",
    re.IGNORECASE,
)

_JUDGING = ("best", "worst")
_ENDS = frozenset(("top", "bottom", *_JUDGING, "highest", "lowest", "largest", "smallest", "biggest"))
_NO_ENDS = frozenset(("most", "least", "fewest"))  # they may be of how many there are
_COUNTS = ("rows", "count")
_ONE = frozenset(("one", "then", "overall"))


def ranked_shown(asked: AskedTurn) -> Understood | None:
    """The first few of the groups that were shown, by their number; None for other turns."""
    if not asked.turn.history or passed_over(asked.turn):
        return None
    said = next(_ranked(asked.question), None)
    forms = earlier(asked.turn, asked.metadata.catalog) if said is not None else []
    form = said(forms[0].form, asked.metadata) if said is not None and forms else None
    if form is None or not is_sayable(form, asked.metadata):
        return None
    return as_edit(Followed(form, forms[0], "", sure=forms[0].sure), asked.reading, asked.metadata)


def _ranked(question: str) -> Iterator[Callable[[Form, Metadata], Form | None]]:
    """What a turn makes of groups that it ranks: the first few of the only ones, or the one of those that it names."""
    said = _SAID.match(question)
    if said is not None and said["end"].lower() in _ENDS:
        words = (said["many"] or "1").lower()
        many = int(words) if words.isdigit() else int(number_word(words) or 0)
        yield lambda form, metadata: _first(form, said["end"].lower(), many, said["what"], metadata)
    asked = _WHICH.match(question)
    if asked is not None:
        end = " ".join(word.lower() for word in (asked["end"], asked["quality"]) if word and word.lower() not in _ONE)
        yield lambda form, metadata: _the_one(form, end, asked["what"], metadata)


def _first(form: Form, end: str, many: int, what: str, metadata: Metadata) -> Form | None:
    if many <= 0 or len(form.groups) != 1 or len(form.measures) != 1 or form.limit is not None:
        return None
    group, number = form.groups[0].expression, form.measures[0].expression
    if not is_time(group, metadata) or not is_named(group, singular(what), metadata):
        return None
    if stem(what.lower()) in metadata.kind_names.rows:
        return None  # the "largest order" is one of these, and no day that some were made on
    descending = _descends(end, number, form, metadata)
    return form.with_(order=(Order(number, descending),), limit=Limit(many)) if descending is not None else None


def _the_one(form: Form, end: str, what: str, metadata: Metadata) -> Form | None:
    """The one of the groups that are named which is at an end of the number shown, where that is the best or a quality
    of it; other groups are put together.
    """
    named = tuple(one for one in form.groups if is_named(one.expression, what.lower(), metadata))
    of = {getattr(one.expression, "relation", one.expression) for one in named}  # a name and its key are of one thing
    if len(of) != 1 or len(form.measures) != 1 or form.limit is not None or form.having:
        return None
    number = form.measures[0].expression
    told = end in _NO_ENDS and aggregate_of(_whole(number), metadata) in _COUNTS
    told = told or end in _JUDGING or end not in _NO_ENDS | _ENDS
    descending = _descends(end, number, form, metadata) if told else None
    if descending is None or len(form.groups) > len(named) and not isinstance(number, Aggregate):
        return None
    return form.with_(
        groups=tuple(Clause(one.expression) for one in named), order=(Order(number, descending),), limit=Limit(1)
    )


def _whole(number: Expression) -> Expression:
    """What a share of the total is of, which it is ranked as; any other number."""
    return number.of if isinstance(number, Over) and number.function == "share" and number.of else number


def _descends(said: str, number: Expression, form: Form, metadata: Metadata) -> bool | None:
    """Which end of a number words ask for that say no more than that, or of which it is a quality; None for others."""
    if said in _JUDGING:
        return (said == "best") != is_bad(number, metadata, form)
    words = tuple(said.split())
    entries = [one for length, one in load_lexicon().at(words) if length == len(words)]
    told = {stem(word) for word in number_words(number, metadata)}
    for one in entries:
        if one.operator == "often":
            return one.argument == "desc" if aggregate_of(_whole(number), metadata) in _COUNTS else None
        if one.operator == "superlative" and (not one.hints or told & {stem(word) for word in one.hints}):
            return one.argument == "desc"
    return None
