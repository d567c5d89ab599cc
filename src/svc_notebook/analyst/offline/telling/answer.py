"""The answer in words: the number first, then what stands out, then what to mind. Every figure is in the result."""

from __future__ import annotations

from ...charts import ChartColumn
from ..plans.phrases import join_words
from ..schema.nouns import lowered, uncounted
from .caveats import caveats, time_of
from .figures import label, number, said
from .outcome import Outcome, Telling
from .ranking import of_things, one_of, tell_groups
from .series import tell_series

__all__ = ["tell"]

_SHOWN = 8
_MOST = 5


def tell(outcome: Outcome) -> Telling:
    """What a result says."""
    if not outcome.rows:
        return Telling(outcome.what, _nothing(outcome))
    if outcome.shape != "aggregate":
        return _rows(outcome)
    if not outcome.groups:
        return _figures(outcome)
    told = tell_series(outcome) or tell_groups(outcome)
    # Of a series the caveats say which of its periods the data end in.
    minded = [*caveats(outcome), *([] if time_of(outcome) else _covered(outcome))]
    return Telling(told.headline, [*_about(outcome, told.sentences[:4]), *minded][: _MOST + 1])


def _nothing(outcome: Outcome) -> list[str]:
    """That there are no rows, and why where that is known."""
    told = "There are no rows for this question"
    return [f"{told}: {outcome.beyond}."] if outcome.beyond else [f"{told}.", *_covered(outcome)]


def _ended(sentence: str) -> str:
    """With a full stop: one, also behind ``Inc.``."""
    return sentence if sentence.endswith(".") else f"{sentence}."


def _about(outcome: Outcome, sentences: list[str]) -> list[str]:
    """The sentences, the first that says a number with the rows it is about."""
    place = next((i for i, text in enumerate(sentences) if text not in ("**Yes**.", "**No**.")), None)
    if place is None or not outcome.about:
        return sentences
    parted = "," if "," in sentences[place] and not outcome.about.startswith(",") else ""
    whole = _ended(f"{sentences[place].removesuffix('.')}{parted}{outcome.about}")
    return [*sentences[:place], whole, *sentences[place + 1 :]]


def _figures(outcome: Outcome) -> Telling:
    """Numbers of all rows."""
    values = [(column, (column.cells or ())[0]) for column in outcome.measures]
    where = outcome.rules
    if all(value is None for _, value in values):
        return Telling(outcome.what, _nothing(outcome))
    if len(values) > 1:
        told = join_words([f"**{said(column, value)}** {lowered(column.title)}" for column, value in values])
        return Telling(outcome.what, [_ended(f"{told}{where}")])
    column, value = values[0]
    title = lowered(column.title)
    summed = column.additive and title.endswith("s") and not column.unit
    counted = title.startswith("number of ") or summed or of_things(column, title)
    title = uncounted(title)
    if counted and number(value) == 1:
        title = one_of(title)
    told = f"**{said(column, value)} {title}**" if counted else f"**{said(column, value)}** is the {title}"
    without = [f"{outcome.none} are not counted."] if outcome.none else []
    so = [] if outcome.so is None else ["**Yes**." if outcome.so else "**No**."]
    first = _ended(f"{told}{where}")
    return Telling(outcome.what, [*so, first, *without, *caveats(outcome), *_covered(outcome)])


def _covered(outcome: Outcome) -> list[str]:
    """The time the data cover, where that helps."""
    low, high = outcome.span
    if low is None or high is None or not outcome.timed:
        return []
    return [f"{outcome.timed} runs from {low.day} {low:%B %Y} to {high.day} {high:%B %Y}."]


def _rows(outcome: Outcome) -> Telling:
    """Rows, or different values."""
    count, columns = outcome.rows, outcome.columns
    if outcome.shape == "distinct" and len(columns) == 1:
        values = [label(columns[0], cell) for cell in columns[0].cells or ()]
        shown = join_words(values) if count <= _SHOWN else ", ".join(values[:_SHOWN]) + " and others"
        if count == 1:
            return Telling(outcome.what, [f"{columns[0].title}: **{shown}**."])
        return Telling(outcome.what, [f"There are **{count:,}** different {columns[0].noun}: {shown}."])
    if count == 1:
        told = "; ".join(f"{column.title}: **{_cell(column)}**" for column in columns)
        return Telling(outcome.what, [f"{told}."])
    if (first := outcome.first) is not None:
        return tell_groups(first)
    names = join_words([lowered(column.title) for column in columns[:4]])
    return Telling(outcome.what, [f"**{count:,}** rows with {names}."])


def _cell(column: ChartColumn) -> str:
    value = (column.cells or ())[0]
    return value if isinstance(value, str) else said(column, value) if column.measured else label(column, value)
