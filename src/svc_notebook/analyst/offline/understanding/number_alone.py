"""``avg dep delay?`` after ``only before 10am``: a number alone, where rows are being chosen, is of these rows, told
apart as before; ``with number of flights`` stands beside what was shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, Followed, Unfit, Unmet, earlier, few_shown, passed_over, side_by_side
from ..dialogue.expressing import paths_of, relations_of, widened
from ..forms import Clause, Form, Order
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.numbers import exact_unit
from ..words.text import stem
from .asked import AskedTurn
from .forming import as_edit, form_of_plan, form_shown, is_sayable

__all__ = ["number_alone", "number_of_each"]

_BESIDE = re.compile(r"^\W*(?:(?:along|together)\s+)?with\s+(?:the\s+|their\s+)?(?P<number>\S.*)$", re.IGNORECASE)
_BOTH = re.compile(
    r"^(?P<number>\S.*?)\s+(?:of|for)\s+(?:both|the two|each of (?:them|the two))(?: of (?:them|those))?\W*$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"^\W*(?:how|what|which|who|whose|where|when|show|list|give|tell|find|compare|plot|draw|is|are|was|were|do|does|did"
    r"|has|have|can|could|i|we|my|our|no|not|only|just)\b",
    re.IGNORECASE,
)  # may be a question of its own
_OF_ALL = re.compile(r"\b(?:overall|all|every|whole|general|altogether|entire|instead)\b", re.IGNORECASE)
_MOST_WORDS = 6


def number_alone(asked: AskedTurn) -> Understood | None:
    """What was shown with the number that is named; None where a turn is anything else."""
    forms = earlier(asked.turn, asked.metadata.catalog)
    if not forms or passed_over(asked.turn) or asked.others or asked.heard.wants or set(asked.heard.acts) - {"lead"}:
        return None
    words = asked.question
    if (both := _BOTH.match(words)) is not None:
        return _of_both(asked, forms, both["number"])
    beside = _BESIDE.match(words)
    if beside is None and "begun" not in forms[0].turn.memory:
        return None  # after a question of its own it may be one as well, and nothing is carried over in silence
    few = few_shown(forms[0]) if beside is None else forms[0].form
    if few is None or not (few.where or few.groups):
        return None
    number = _number(asked, beside["number"] if beside is not None else words, few)
    return _made(asked, forms[0], few, number, more=beside is not None) if number is not None else None


def _of_both(asked: AskedTurn, forms: list[Earlier], words: str) -> Understood | None:
    """The number of the last two that were asked for, one after the other."""
    number = _number(asked, words, forms[0].form)
    if number is None:
        return None
    if forms[0].form.groups:
        return _made(asked, forms[0], forms[0].form, number)
    try:
        two = side_by_side(forms[0].form, forms[1].form if len(forms) > 1 else None, asked.metadata)
    except Unfit as reason:
        return asked.nothing(unmet=Unmet(str(reason)))
    return _made(asked, forms[0], two, number)


def _number(asked: AskedTurn, words: str, of: Form) -> Form | None:
    """What words ask that name a number, and nothing else: of the rows that were shown, where these have it."""
    if _SENTENCE.match(words) or _OF_ALL.search(words) or len(words.split()) > _MOST_WORDS:
        return None
    seen, full = asked.anew(replace(asked.turn, question=words, history=())), _in_full(words, _root(of), asked.metadata)
    if full != words and seen.plan is None and seen.form is None:
        seen = asked.anew(replace(asked.turn, question=full, history=()))
    if seen.lost or seen.unread or seen.analysis is not None or seen.plan is not None and seen.plan.unread:
        return None
    form = form_shown(seen)
    if form is not None and _root(form) != _root(of):
        form = _near(asked, full, relations_of(of) or ())
    return form if form is not None and _is_plain(form) else None


def _in_full(words: str, root: str, metadata: Metadata) -> str:
    """``average minutes`` with the whole name of the one number of these rows that has a word of it."""
    for word in words.split():
        one = _alike(word.lower().strip("?!.,"))
        if one.isdigit():
            continue  # so many of what was shown: the 3 of `m_3` names nothing
        named = [path for path in metadata.number_names.paths if path.startswith(f"{root}.")]
        called = [path for path in named if one in {_alike(part) for part in metadata.parts(path)}]
        if len(called) == 1:
            return words.replace(word, " ".join(metadata.parts(called[0])), 1)
    return words


def _alike(word: str) -> str:
    return exact_unit(word) or stem(word)


def _near(asked: AskedTurn, words: str, relations: Sequence[str]) -> Form | None:
    """What words ask of these relations before any other."""
    near = asked.read(words, relations, nearby=False)
    return form_of_plan(near.plan, asked.metadata) if near.plan is not None and not near.missed else None


def _is_plain(form: Form) -> bool:
    """Whether a form is numbers of all rows."""
    return bool(form.measures) and not (form.groups or form.columns or form.where or form.having or form.limit)


def number_of_each(asked: AskedTurn, before: Earlier, number: Form) -> Form | None:
    """A number of each of the groups that were shown; None where these rows have it not."""
    made = _made(asked, before, before.form, number) if before.form.limit is None else None
    return made.followed.form if made is not None and made.followed is not None else None


def _made(asked: AskedTurn, before: Earlier, form: Form, number: Form, *, more: bool = False) -> Understood | None:
    """The form with the number in the place of its own, or beside them."""
    if not (form.measures or more and form.groups) or relations_of(form) is None or relations_of(number) is None:
        return None
    wider = widened(form, paths_of(number.measures), asked.metadata)
    if wider is None or _root(wider) != _root(number):
        return None
    old = form.measures if more else ()
    made = wider.with_(measures=(*old, *(one for one in number.measures if one not in old)))
    made = made.with_(order=form.order if more else _order(form, made.measures[0]))
    if made == form or not is_sayable(made, asked.metadata):
        return None
    return as_edit(Followed(made, before, before.chart, sure=before.sure), asked.reading, asked.metadata)


def _order(form: Form, number: Clause) -> tuple[Order, ...]:
    """What was ranked by one number is ranked by the other."""
    shown = [clause.expression for clause in form.measures]
    return tuple(replace(one, by=number.expression) if one.by in shown else one for one in form.order)


def _root(form: Form) -> str:
    return (relations_of(form) or ("",))[0]
