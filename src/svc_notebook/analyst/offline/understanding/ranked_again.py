"""``which department has the smallest`` after the budget of one of them: all of them again, by the number shown."""

from __future__ import annotations

from collections.abc import Sequence

from .... import patterns as re
from ..dialogue import Earlier
from ..dialogue.conditions import conditions_of, says_whose, with_conditions
from ..dialogue.editing import is_bad
from ..dialogue.expressing import is_named
from ..forms import Clause, Compare, Expression, Form, Limit, Member, Order
from ..lexicon import load_lexicon
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..words.leads import LEAD
from .asked import AskedTurn
from .of_last_answer import of_last_answer

__all__ = ["descends", "ranked_again"]

_SAID = re.compile(
    LEAD + r"(?:(?:which|what)(?: (?P<what>\w+(?: \w+)?))?|who)"
    r" (?:has|had|have|is|was|are|were|comes? out) (?:the )?(?P<end>\w+)(?: one| of all| overall)?"
    r"(?: (?:by|in|on|for|with|at) (?:that|this)(?: \w+)?)?\W*$",
    re.IGNORECASE,
)


@of_last_answer(_SAID)
def ranked_again(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """The one of all that are like the one looked at which has most of the number shown."""
    number = _number(forms[0].form, asked.metadata)
    if number is None:
        return None
    grouped = {clause.expression for one in forms for clause in one.form.groups}
    of = _picked_out(forms[0].form, said["what"] or "", grouped, asked.metadata)
    descending = descends(said["end"].lower(), number, forms[0].form, asked.metadata)
    if of is None or descending is None:
        return None
    left = [one for one in conditions_of(forms[0].form) if not (isinstance(one, Compare) and one.left == of)]
    form = with_conditions(forms[0].form, left).with_(order=(Order(number, descending),), limit=Limit(1))
    return form.with_(groups=(Clause(of),)) if form.measures else form.with_(columns=(Clause(of), Clause(number)))


def _number(form: Form, metadata: Metadata) -> Expression | None:
    """The one number that was shown, of some rows or of the one that was listed."""
    if form.groups or form.limit is not None:
        return None
    if not form.columns:
        return form.measures[0].expression if len(form.measures) == 1 else None
    shown = [clause.expression for clause in form.columns if isinstance(clause.expression, Member)]
    numbers = [of for of in shown if of.path in metadata.members and kind_of(metadata, of.path) == "number"]
    return numbers[0] if len(numbers) == 1 and len(shown) == len(form.columns) else None


def _picked_out(form: Form, words: str, grouped: set[Expression], metadata: Metadata) -> Expression | None:
    """What the one that is looked at is one of: what is named, else what the thread was told apart by."""
    found = [one.left for one in conditions_of(form) if isinstance(one, Compare) and says_whose(one, metadata)]
    plain = words in ("", "one", "ones")
    named = [of for of in found if (of in grouped if plain else is_named(of, words, metadata))]
    return named[0] if len(named) == 1 else None


def descends(word: str, number: Expression, form: Form, metadata: Metadata) -> bool | None:
    """Which end a superlative asks for that says no more than that; None for all other words."""
    ends = [
        one.argument for length, one in load_lexicon().at((word,)) if one.operator == "superlative" and not one.hints
    ]
    if not ends:
        return None
    if word in ("best", "worst"):
        return (word == "best") != is_bad(number, metadata, form)
    return ends[0] == "desc"
