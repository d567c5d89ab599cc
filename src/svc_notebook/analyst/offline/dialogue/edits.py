"""A turn as an edit: what it says is added to an earlier form, taken from it, or takes the place of what was there."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Aggregate, Form
from ..forms.walking import parts
from ..grammar.clauses import Subject, Tested, Timed
from ..grammar.partial import Partial
from ..schema.metadata import Metadata
from .conditions import added, conditions_of, with_conditions
from .editing import Edit, Unfit
from .expressing import pruned
from .filtering import compare_again, filter_groups, filter_rows
from .grouping import focused, group
from .hearing import Heard
from .listing_them import list_them, lists_them
from .numbers import number, share
from .ordering import rank, sort
from .part_of_whole import one_of_shares
from .rows import listed
from .steps import in_steps
from .thread import Earlier

__all__ = ["edited"]

_LISTS = re.compile(r"^\W*(?:(?:now|please|and|ok|can you|could you)\W+)*list\b", re.IGNORECASE)


def edited(before: Earlier, heard: Heard, partial: Partial, metadata: Metadata) -> tuple[Form, float]:
    """The form that ``partial`` makes of an earlier one, and what speaks against it.

    Raises
    ------
    Unfit
        If something of it has no place there.
    """
    edit = Edit(before, heard, partial, metadata, before.form)
    if partial.compare is not None or partial.number is not None and partial.best is None:
        compare_again(edit)
    if partial.change or partial.ratio or partial.running:
        raise Unfit("a change, a ratio or a running total of it can only be asked for in a whole question")
    if partial.versus or any(name.startswith("lost:") for name, _ in partial.features):
        raise Unfit("a word that works on nothing")
    filter_rows(edit)
    filter_groups(edit)
    if _lists_rows(edit):
        shown = focused(edit) if edit.form.limit is not None else []
        form = with_conditions(edit.form, added(conditions_of(edit.form), shown))
        edit.form = listed(form.with_(groups=(), order=(), having=(), limit=None), metadata)
        return pruned(_checked(edit), before.form), edit.cost
    if lists_them(heard.text, edit.form, metadata):
        edit.form = list_them(edit)
        return pruned(_checked(edit), before.form), edit.cost
    group(edit)
    number(edit)
    share(edit)
    rank(edit)
    sort(edit)
    edit.form = one_of_shares(edit.form, before.form, metadata)
    if heard.step is not None:
        edit.form = in_steps(edit.form, heard.step, metadata)
    return pruned(_checked(edit), before.form), edit.cost


def _lists_rows(edit: Edit) -> bool:
    """``list the dogs of that month``: the rows behind a number, and nothing said but which."""
    clauses = edit.partial.clauses
    plain = clauses and all(isinstance(c, (Tested, Timed, Subject)) and not getattr(c, "function", "") for c in clauses)
    return bool(plain and edit.heard.points and edit.form.measures and _LISTS.match(edit.heard.text))


def _checked(edit: Edit) -> Form:
    form = edit.form
    if not form.shown or form.columns and form.measures:
        raise Unfit("nothing is shown")
    if any(_measures_a_form(one) for one in parts(form) if isinstance(one, Form)):
        raise Unfit("a number of the model cannot be told of what was put together before; ask for it in full")
    if len(form.groups) > 3 or len(form.columns) > 12:
        raise Unfit("more than can be looked at")
    return form


def _measures_a_form(form: Form) -> bool:
    """Whether a form over the rows of another asks those for a number of the model."""
    shown = (form.groups, form.measures, form.columns, form.where, form.having, form.order)
    made = parts(shown, inner=False) if isinstance(form.root, Form) else ()
    return any(isinstance(part, Aggregate) and part.function == "measure" for part in made)
