"""An analysis of each group: *how did each depot's delay change from May to June*, *correlation … for each origin*."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..analyses import Analysis
from ..dialogue.conditions import conditions_of
from ..dialogue.expressing import widened
from ..forms import ROWS, Aggregate, Clause, Form, Role
from ..plans.plan import Condition, Plan
from ..reader import is_writable
from ..schema.derivations import expression_of
from ..schema.nouns import plural
from ..understood import Understood
from .asked import AskedTurn
from .forming import form_of_plan, told_instead
from .together import of_some

__all__ = ["each_analysed", "without_each"]

_EACH = re.compile(
    r"\b(?:each|every|per)\s+(?:of\s+the\s+)?(?P<noun>[a-z]+(?:[\s-][a-z]+)?)", re.IGNORECASE
)  # by what something is to be explained is said by "by"
_EACH_PART = re.compile(
    r"(?:,\s*)?\b(?:(?:for|in|at|of|within)\s+)?(?:each|every|per)\s+[a-z]+(?:['’]s)?\s*,?(?=\s|\W*$)", re.IGNORECASE
)
_PAIR = 2


def each_analysed(asked: AskedTurn, found: Analysis) -> Understood | None:
    """What an analysis tells, of each of the groups that are named; a refusal where it cannot be told of each."""
    said = _EACH.search(asked.question)
    if said is None or found.recipe is None:
        return None
    groups = _groups(asked, found.plan, said["noun"])
    if groups is None or _is_told(groups, found):
        return None
    form = _changed(asked, found, groups) if found.sides is not None else _related(asked, found.plan, groups)
    if form is None or not is_writable(form):
        return asked.nothing(lost=(said[0],))
    return told_instead(asked.nothing(), form)


def without_each(question: str) -> str:
    """A question without the groups that it is asked of each of; nothing where none are."""
    rest = _EACH_PART.sub(" ", question)
    return " ".join(rest.split()) if rest != question else ""


def _groups(asked: AskedTurn, plan: Plan, noun: str) -> Plan | None:
    """How many rows there are of each group that a noun names, by all of its words or the first."""
    *owner, last = asked.metadata.words_of(plan.scope[0])
    rows = " ".join((*owner, plural(last)))
    for words in dict.fromkeys((noun, noun.split()[0])):
        told = asked.whole_plan(f"number of {rows} by {words}", asked.means.budget.apart())
        by_time = told is None or any(d.grain is not None for d in told.dimensions)
        if told is not None and told.shape == "aggregate" and told.dimensions and not (by_time or told.conditions):
            return told
    return None


def _is_told(groups: Plan, found: Analysis) -> bool:
    """Whether the analysis is of these groups already, without two sides."""
    return found.sides is None and set(groups.dimensions) <= set(found.plan.dimensions)


def _changed(asked: AskedTurn, found: Analysis, groups: Plan) -> Form | None:
    """The number of each group on both sides."""
    sides, home = found.sides, found.plan.scope
    scope = asked.metadata.scope([*home, *groups.scope], home[:1])
    if sides is None or scope is None or scope[0] != home[0]:
        return None
    bare = found.plan.with_(scope=scope, dimensions=groups.dimensions, order=(), limit=None)
    whole = form_of_plan(bare, asked.metadata)
    if whole is None or len(whole.measures) != 1:
        return None
    both = [_narrowed(asked, bare, whole, side.condition) for side in (sides.before, sides.after)]
    if not all(both):
        return None
    named = zip(both, (sides.before.name, sides.after.name), strict=True)
    return whole.with_(measures=tuple(replace(clause, name=name) for clause, name in named if clause is not None))


def _narrowed(asked: AskedTurn, plan: Plan, whole: Form, condition: Condition) -> Clause | None:
    """The number of one side."""
    one = form_of_plan(plan.with_(conditions=(*plan.conditions, condition)), asked.metadata)
    known = conditions_of(whole)
    more = [c for c in conditions_of(one) if c not in known] if one is not None else []
    return of_some(whole.measures[0], more) if more else None


def _related(asked: AskedTurn, plan: Plan, groups: Plan) -> Form | None:
    """How two numbers go together in each group, and in how many rows."""
    form = form_of_plan(groups, asked.metadata)
    if plan.shape != "rows" or len(plan.columns) != _PAIR or form is None or not isinstance(form.root, Role):
        return None
    one, other = map(expression_of, plan.columns)
    wider = widened(form, plan.columns, asked.metadata)
    together = Aggregate("correlation", one, other=other)
    return wider.with_(measures=(Clause(together), Clause(ROWS)), order=()) if wider is not None else None
