"""A turn as an edit of what an earlier one asked."""

from __future__ import annotations

from dataclasses import replace

from ..dialogue import NOT_SURE, Between, Followed, Unmet, options_of, still_asked
from ..edits_given import agreed, by_name, is_likely, with_rows
from ..ranking.one_question import as_one_question
from ..understood import Understood
from .asked import AskedTurn
from .forming import as_edit, is_sayable
from .offering import SURE, beside_edit, taken_before

__all__ = ["edited"]


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
    if followed is None:
        return None
    followed = with_rows(followed, asked.given_by)
    beside = beside_edit(asked, followed) if followed.beside is not None else ()
    return replace(as_edit(followed, asked.reading, asked.metadata), options=beside)


def _between(asked: AskedTurn, between: Between) -> Understood:
    """A question back: is it about what was shown, or anew; unless the thread has chosen so before."""
    anew = asked.alone.form if between.anew else None
    if anew is None and between.of is not None:
        form = by_name(between, asked.metadata) or agreed(between, asked.given_by, asked.metadata)
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
