"""``and by revenue`` after the top 3 products by quantity: as many of the same kind, by the number that is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, narrowed_to
from ..forms import Form, Member
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..words.leads import lead
from .asked import AskedTurn
from .forming import form_read_whole, is_sayable
from .of_last_answer import of_last_answer

__all__ = ["ranked_by_another"]

_SAID = re.compile(
    lead("what about", "how about", "the same", "same") + r"(?:(?:ranked|measured|sorted) )?"
    r"by (?:the |their )?(?P<what>[a-z][\w -]*?)(?: (?:instead|then|please))*\W*$",
    re.IGNORECASE,
)

_NUMBER = re.compile(r"(?:the )?(?:number|count|average|mean|median|total|sum|share|percentage|rate) ", re.IGNORECASE)


@of_last_answer(_SAID)
def ranked_by_another(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """The groups or the first of them by another number, where they were shown by one."""
    before = forms[0].form
    if not _shows_one(before):
        return None
    for question in _in_full(before, said["what"], asked.metadata):
        read = form_read_whole(asked.anew(replace(asked.turn, question=question, history=())))
        form = narrowed_to(read, before, asked.metadata) if read is not None and _is_alike(read, before) else None
        if form is not None and is_sayable(form, asked.metadata):
            return form
    return None


def _shows_one(form: Form) -> bool:
    """Whether a form shows groups by its one number, all of them or the first."""
    one = len(form.groups) == 1 and len(form.measures) == 1
    return one and (form.limit is None or bool(form.order) and form.order[0].by == form.measures[0].expression)


def _is_alike(read: Form, before: Form) -> bool:
    groups = [[clause.expression for clause in form.groups] for form in (read, before)]
    alike = groups[0] == groups[1] and read.limit == before.limit and not (read.having or before.having)
    return alike and _shows_one(read)


def _in_full(form: Form, number: str, metadata: Metadata) -> Iterator[str]:
    """The question that asks for the same groups by what is named; of all of them, only where that is no group."""
    for kind in _kinds(form, metadata):
        if form.limit is not None:
            yield f"{'top' if form.order[0].descending else 'bottom'} {form.limit.count} {plural(kind)} by {number}"
        elif _NUMBER.match(number):
            yield f"{number} by {kind}"


def _kinds(form: Form, metadata: Metadata) -> Iterator[str]:
    """What a group may be called: by its relation, by its column."""
    of = form.groups[0].expression
    if isinstance(of, Member) and of.path in metadata.members:
        yield " ".join(metadata.words_of(of.path.split(".", 1)[0]))
        yield metadata.members[of.path].title.lower()
        yield " ".join(metadata.parts(of.path))
