"""What an edit works on: an earlier form, what was heard, and one reading of the words."""

from __future__ import annotations

from .... import patterns as re
from ....records import dataclass
from ..forms import ROWS, Aggregate, Compare, Difference, Expression, Form, Holds, Member, Ratio, Value
from ..forms.walking import conjuncts, parts
from ..grammar.clauses import Measured
from ..grammar.partial import Partial
from ..plans.plan import Measure
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..schema.polarity import is_bad_when_high
from .expressing import measured, paths_of, relations_of, widened
from .hearing import Heard
from .thread import Earlier

__all__ = [
    "Edit",
    "Unfit",
    "aggregate_of",
    "clauses_of",
    "is_bad",
    "is_weak",
    "like_before",
    "main_number",
    "number_of",
    "number_words",
    "reach",
    "shown_numbers",
]


_WEAK = 0.25


class Unfit(Exception):
    """What a turn says cannot be said of the form it was to change."""


@dataclass
class Edit:
    """One reading of a turn, applied clause by clause; ``cost`` counts what speaks against it."""

    before: Earlier
    heard: Heard
    partial: Partial
    metadata: Metadata
    form: Form
    cost: float = 0.0

    def says(self, *acts: str) -> bool:
        return any(act in self.heard.acts for act in acts)


def clauses_of(edit: Edit, kind: type) -> list:  # type: ignore[type-arg]  # each caller names the type
    return [clause for clause in edit.partial.clauses if isinstance(clause, kind)]


def reach(edit: Edit, *paths: str) -> None:
    """Join what further members need."""
    known = relations_of(edit.form)
    wider = widened(edit.form, [path for path in paths if path], edit.metadata)
    if wider is None:
        raise Unfit("no join leads there without counting rows twice")
    edit.cost += 2.0 * (len(relations_of(wider) or ()) - len(known or ()))
    edit.form = wider


# ----------------------------------------------------------------------------------------------------------- conditions
def number_of(edit: Edit, clause: Measured) -> Expression:
    if clause.path:
        try:
            reach(edit, clause.path)
        except Unfit:
            own = _own_amount(edit, clause)
            if own is None:
                raise
            return own
    elif clause.relation:
        reach(edit, f"{clause.relation}.")
    number = measured(clause, edit.form, edit.metadata)
    if number is None:
        raise Unfit("no number of these rows")
    return number


def _own_amount(edit: Edit, clause: Measured) -> Expression | None:
    """The amount of the rows that are looked at, where that of rows which belong to them was named: ``the amount``."""
    metadata, root = edit.metadata, (relations_of(edit.form) or ("",))[0]
    rows = ((clause.path or "").split(".", 1)[0], root)
    found = [metadata.headline_of(one) if one in metadata.catalog.relations else None for one in rows]
    if clause.function != "sum" or None in found or found[0] == found[1]:
        return None
    named = metadata.plain(Measure(str(found[0]), "measure")).member
    return Aggregate("measure", Member(str(found[1]))) if clause.path in (named, found[0]) else None


def like_before(edit: Edit, path: str) -> Expression:
    """A number that was only named, put together as the one before it is."""
    if kind_of(edit.metadata, path) == "measure":
        return number_of(edit, Measured(0, "measure", path))
    if kind_of(edit.metadata, path) == "time":
        raise Unfit("groups have many times; say whether the first or the last one is meant")
    function = aggregate_of(edit.form.measures[0].expression, edit.metadata) if edit.form.measures else ""
    if function not in ("sum", "avg", "min", "max", "median"):
        function = "sum" if edit.metadata.is_flow(path) or edit.metadata.is_done(path) else "avg"
    return number_of(edit, Measured(0, function, path))


def aggregate_of(expression: Expression, metadata: Metadata) -> str:
    """How a number is put together: ``sum``, ``avg``, … or nothing that can be named."""
    if not isinstance(expression, Aggregate):
        return ""
    if expression.function == "measure" and isinstance(expression.of, Member):
        known = metadata.members.get(expression.of.path)
        return (known.agg_type or "") if known is not None else ""
    return expression.function


def shown_numbers(form: Form) -> list[Expression]:
    return [clause.expression for clause in form.measures]


def main_number(form: Form) -> Expression | None:
    """What a form is ranked by where nothing is said: what it was ranked by, its first number, the
    column that its rows were compared by, its last one.
    """
    if form.order and (form.columns or form.order[0].by in shown_numbers(form)):
        return form.order[0].by
    if form.measures:
        return form.measures[0].expression
    shown = [clause.expression for clause in form.columns]
    compared = [one for item in form.where for term in conjuncts(item.condition) if (one := _compared(term)) in shown]
    return compared[-1] if compared else shown[-1] if len(shown) > 1 else None


def _compared(condition: object) -> Expression | None:
    """What rows were chosen by, where that is how much of it they have."""
    if isinstance(condition, Compare) and condition.operator in ("<", "<=", ">", ">="):
        return condition.left
    return None


def is_weak(partial: Partial) -> bool:
    """Whether names are matched only in part, or by words that are not theirs."""
    return any(name == "link:part" or (name == "link:weak" and value > _WEAK) for name, value in partial.features)


def is_bad(number: Expression, metadata: Metadata, of: Form | None = None) -> bool:
    """Whether much of a number is bad; all that was paid is what came in, whatever a high price is.

    ``of``: the form that shows it, whose rows may be what is bad: missed appointments that are counted.
    """
    words = [*number_words(number, metadata), *_chosen(number)]
    summed = aggregate_of(number, metadata) == "sum"
    if of is not None and (number == ROWS or summed or aggregate_of(number, metadata) == "count"):
        words += [*_chosen(of.where), *_flagged(of.where, metadata), *_rows(of, metadata)]
    bad = is_bad_when_high([word for word in words if not (summed and word == "price")])
    return bad != _is_share_of_little(number)


def _is_share_of_little(number: Expression) -> bool:
    """Whether it is the share of rows that have little of something: less than no delay, a rating below three."""
    part = number.above.where if isinstance(number, Ratio) and isinstance(number.above, Aggregate) else None
    return isinstance(part, Compare) and part.operator in ("<", "<=")


def _rows(form: Form, metadata: Metadata) -> list[str]:
    """What the rows are called."""
    return [word for relation in (relations_of(form) or ())[:1] for word in metadata.words_of(relation)]


def _chosen(part: object) -> list[str]:
    """The words of the values that rows are chosen by."""
    chosen = [one.right for one in parts(part, inner=False) if isinstance(one, Compare) and one.operator == "="]
    texts = [one.value for one in chosen if isinstance(one, Value) and isinstance(one.value, str)]
    return [word for text in texts for word in re.findall(r"[a-z]+", text.lower())]


def _flagged(part: object, metadata: Metadata) -> list[str]:
    """The words of the flags that rows are chosen by: refused ones."""
    flags = [one.of.path for one in parts(part, inner=False) if isinstance(one, Holds) and isinstance(one.of, Member)]
    return [word for path in flags if path in metadata.members for word in metadata.parts(path)]


def number_words(number: Expression, metadata: Metadata) -> list[str]:
    """What a number is of, in words: the parts of its members' names; of the time between two, how long it is, too."""
    words = [word for path in paths_of(number) if path in metadata.members for word in metadata.parts(path)]
    return [*words, "duration"] if any(isinstance(part, Difference) for part in parts(number)) else words
