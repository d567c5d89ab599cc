"""A turn as an edit of what an earlier one asked."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import NOT_SURE, Between, Followed, Unmet, earlier, options_of, still_asked
from ..dialogue.conditions import conditions_of, with_conditions
from ..dialogue.expressing import is_time, paths_of
from ..dialogue.grouping import is_pinned
from ..edits_given import agreed, by_name, is_likely, of_most_rows, with_rows
from ..forms import Form
from ..ranking.one_question import as_one_question
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.leads import LEAD
from .as_at_first import grouped_as_at_first, named_as_at_first
from .asked import AskedTurn
from .forming import as_edit, is_sayable
from .offering import SURE, beside_edit, taken_before

__all__ = ["edited"]

NOBODY_TOLD = "it is not clear who is meant; say it by the name of a column"
ONE_ALONE = "only one of them is looked at, and none beside it that it could be ranked with"
NO_AVERAGE = "an average is asked for, and no number is named that it could be of"
_AVERAGE = re.compile(r"\b(?:on average|average|avg|mean|median)\b", re.IGNORECASE)
_THERE = re.compile(r"\bthere\b", re.IGNORECASE)
_WHO = re.compile(LEAD + r"who\b(?!['’]?s? (?:else|that)\b)", re.IGNORECASE)


def edited(asked: AskedTurn) -> Understood | None:
    """What an edit asks, a question back, or why there is no such edit; None where a turn is no edit."""
    if not asked.turn.history:
        return None
    # Imported here: all that may be said of an answer is more than a first question is read by.
    from ..dialogue.following import follow

    means = asked.means
    followed = still_asked(asked.turn, asked.metadata.catalog) or follow(
        asked.turn, asked.metadata, asked.reading, asked.now, asked.year, asked.fiscal, means.budget,
        asked.alone.as_reading, bool(asked.others),
    )  # fmt: skip
    if isinstance(followed, Between):
        return _between(asked, followed)
    if isinstance(followed, Unmet):
        return asked.nothing(unmet=followed)
    followed = followed or grouped_as_at_first(asked)
    if followed is None:
        return None
    if _on_average(asked) and not _puts_together(followed.form):
        return asked.nothing(unmet=Unmet(NO_AVERAGE))
    if _asks_whom(asked) and not _tells_whom(followed.form, asked.metadata):
        return asked.nothing(unmet=Unmet(NOBODY_TOLD))
    followed = _among_several(followed, asked)
    if isinstance(followed, Unmet):
        return asked.nothing(unmet=followed)
    followed = with_rows(followed, asked.given_by)
    beside = beside_edit(asked, followed) if followed.beside is not None else ()
    return replace(as_edit(followed, asked.reading, asked.metadata), options=beside)


def _among_several(followed: Followed, asked: AskedTurn) -> Followed | Unmet:
    """An edit that ranks groups is of several: ``what was it in the worst month`` after the best one is of all of them,
    and what has to stay within the one (``there``) has no other beside it.
    """
    form, shown = followed.form, earlier(asked.turn, asked.metadata.catalog)
    if not shown or form.limit is None or form.limit.count > 1 or len(form.groups) != 1 or not form.order:
        return followed
    before = shown[0].form
    if any(item.kind in ("value", "quoted", "period") for item in asked.reading.items):
        return followed  # it says which one itself
    group = form.groups[0].expression
    pins = [one for one in conditions_of(form) if is_pinned(one, group)]
    if not pins or pins == [one for one in conditions_of(before) if is_pinned(one, group)] and before.limit is not None:
        return followed
    if _THERE.search(asked.question) or any(one in conditions_of(before) for one in pins):
        return Unmet(ONE_ALONE)
    left = [one for one in conditions_of(form) if one not in pins]
    left += [one for one in conditions_of(before) if one not in left]
    return replace(followed, form=with_conditions(form, left))


def _on_average(asked: AskedTurn) -> bool:
    """Whether a turn asks for an average in so many words."""
    return not asked.heard.wants and _AVERAGE.search(asked.question) is not None


def _puts_together(form: Form) -> bool:
    """Whether a form has a number, or is made over one that has."""
    inner = form.root
    return bool(form.measures) or isinstance(inner, Form) and _puts_together(inner)


def _asks_whom(asked: AskedTurn) -> bool:
    return not asked.heard.wants and _WHO.match(asked.question) is not None


def _tells_whom(form: Form, metadata: Metadata) -> bool:
    """Whether an answer names something: no number alone, and no times."""
    return any(
        not is_time(clause.expression, metadata) and any(_names(path, metadata) for path in paths_of(clause.expression))
        for clause in (*form.groups, *form.columns)
    )


def _names(path: str, metadata: Metadata) -> bool:
    return path in metadata.members and kind_of(metadata, path) not in ("number", "measure", "time", "year")


def _between(asked: AskedTurn, between: Between) -> Understood:
    """A question back: is it about what was shown, or anew; unless the thread has chosen so before."""
    anew = asked.alone.form if between.anew else None
    if between.of is not None and (form := named_as_at_first(asked, between)) is not None:
        return as_edit(Followed(form, between.of, between.chart, sure=SURE), asked.reading, asked.metadata)
    if anew is None and between.of is not None:
        form = by_name(between, asked.metadata) or of_most_rows(between, asked.given_by)
        form = form or agreed(between, asked.given_by, asked.metadata)
        if form is not None:
            return as_edit(Followed(form, between.of, between.chart, sure=SURE), asked.reading, asked.metadata)
    several = [*between.forms[: 2 if between.anew else 3], *([anew] if anew is not None else [])]
    forms = as_one_question(several, asked.metadata)
    sole = len(forms) == 1 < len(several) and not between.left and is_likely(between)
    if sole and between.of is not None:
        return as_edit(Followed(forms[0], between.of, between.chart, sure=SURE), asked.reading, asked.metadata)
    options = options_of([form for form in forms if is_sayable(form, asked.metadata)], asked.metadata.catalog, 1)
    if not options:
        return asked.nothing(unmet=Unmet(NOT_SURE))
    taken = taken_before(asked, options) if not between.left else None
    return taken or asked.nothing(options=options, between=between)
