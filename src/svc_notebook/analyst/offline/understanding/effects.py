"""*Does rain affect cancellations*, *what effect has the road on delays*: what one thing does to another where they are
no two numbers: the mean of each group, or its share of such rows; *compare the depots by breakdowns* alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .... import patterns as re
from ..assembly.assembly import nice_width
from ..plans.plan import Dimension, Plan
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from ..schema.profiles import as_number
from ..turning.rules import said_so
from ..understood import Understood
from ..words.leads import LEAD, lead
from .asked import AskedTurn

__all__ = ["effects"]

_ASKS = (
    r"(?:(?:does|do|did|can|could|will|would|how (?:does|do|did|can|much (?:does|do|did))|in what way (?:does|do)) )"
)
_EFFECT = r"(?:effect|impact|influence|bearing)s?"
_TIE = r"(?:link|relation(?:ship)?|correlation|connection|association|dependency|dependence)"
_THIS = r"(?:the )?(?P<cause>.+?)"
_THAT = r"(?:the |our |how many )?(?P<effect>.+?)"
_BE = r"(?:is|are|was|were) "
_FRAMES = (
    f"{_ASKS}{_THIS} (?:really |actually |even )?(?:affect|influence|impact|shape|drive) {_THAT}",
    f"{_BE}{_THAT} (?:affected|influenced|impacted|driven) by {_THIS}",
    f"{_BE}{_THAT} (?:related|linked|tied|connected) to {_THIS}",
    f"{_ASKS}{_THAT} (?:really |actually )?depends? (?:up)?on {_THIS}",
    f"(?:what(?:['’]s| is| was)? |show(?: me)? )?(?:the )?{_EFFECT} of {_THIS} on {_THAT}",
    f"(?:what|how much) {_EFFECT} (?:does|do|did|ha[sd]|have) {_THIS} (?:have |had )?(?:up)?on {_THAT}",
    f"{_ASKS}{_THIS} ha(?:ve|s) (?:an?y? |much (?:of an? )?|some )?{_EFFECT} (?:up)?on {_THAT}",
    f"{_ASKS}{_THIS} (?:really |actually )?(?:matter|make (?:a|any) difference) (?:for|to|in|with) {_THAT}",
    f"(?:is there |what(?:['’]s| is) |show(?: me)? )?(?:any |an? |the )?{_TIE} between {_THIS} and {_THAT}",
)
_SAID = tuple(said_so(LEAD, frame, r"\W*$") for frame in _FRAMES)
_COMPARED = said_so(
    rf"{lead('please')}compare (?:all )?(?:of )?(?:the |our )?(?P<cause>[a-z]+(?: [a-z]+)?s) (?:by|on|in terms of) "
    r"(?:their |the )?(?P<effect>[a-z]+(?: [a-z]+)?)\W*$"
)
_FEW = 24  # values of a number that are groups as they are
_STEPS = 10  # that one with more is cut into
_RATES = frozenset({"share_true", "avg"})
_WHOLE = re.compile(r"^(?:the |an? )?(?:average|mean|median|typical|number of|share of|rate of) ", re.IGNORECASE)


def effects(asked: AskedTurn) -> Understood | None:
    """What one thing does to another; None for other questions, and where nothing says it."""
    said = next((found for frame in _SAID if (found := frame.match(asked.turn.question)) is not None), None)
    if said is None and (said := _COMPARED.match(asked.turn.asked)) is not None:
        plan = asked.reading.plan
        said = None if plan is not None and plan.measures and len(plan.dimensions) == 1 else said
    return next(_ways(asked, said["cause"].strip(), said["effect"].strip()), None) if said is not None else None


def _ways(asked: AskedTurn, cause: str, effect: str) -> Iterator[Understood]:
    heads = ("",) if _WHOLE.match(effect) else ("average ", "share of ")
    for head in heads:
        found = _read(asked, f"{head}{effect} by {cause}")
        if found is not None and found.plan is not None and _is_of_groups(found.plan, asked.metadata):
            yield _in_steps(found, found.plan)
    for head in heads:
        found = _read(asked, f"{head}{effect}")
        plan = found.plan if found is not None else None
        if found is None or plan is None or plan.dimensions or not _is_rate(plan, asked.metadata):
            continue
        if (number := _number(asked, cause, plan)) is not None:
            yield _in_steps(found, plan.with_(dimensions=(Dimension(number),)))


def _read(asked: AskedTurn, text: str) -> Understood | None:
    """What these words ask by themselves, where nothing of them is left."""
    found = asked.anew(replace(asked.turn, question=text, typed="", history=()))
    return None if found.plan is None or found.plan.unread or found.lost or found.unread or found.options else found


def _number(asked: AskedTurn, words: str, of: Plan) -> str | None:
    """The number of the same rows that is called so."""
    plan = asked.read_one(f"average {words}", of.scope).plan
    if plan is None or len(plan.measures) != 1 or plan.dimensions or plan.conditions or plan.unread:
        return None
    # By its name: the average may be one of other rows, or leave some out, whose column these rows have as well.
    name = (plan.measures[0].member or "").rpartition(".")[2].removeprefix("avg_")
    known = [f"{relation}.{name}" for relation in of.scope]
    return next((path for path in known if path in asked.metadata.members and asked.metadata.is_number(path)), None)


def _is_of_groups(plan: Plan, metadata: Metadata) -> bool:
    return len(plan.dimensions) == 1 and _is_rate(plan, metadata)


def _is_rate(plan: Plan, metadata: Metadata) -> bool:
    """Whether it is one mean or share, and of all rows."""
    if len(plan.measures) != 1 or plan.unread or plan.conditions or plan.calculations:
        return False
    measure = plan.measures[0]
    if measure.aggregate != "measure" or measure.member is None:
        return measure.aggregate in _RATES
    known = metadata.member(measure.member)
    return known.agg_type == "avg" or known.format == "percent"


def _in_steps(found: Understood, plan: Plan) -> Understood:
    """The same in steps of a number with many values: one group for each value says nothing."""
    at, metadata = plan.dimensions[0], found.metadata
    profile = metadata.profile(at.member)
    low, high = as_number(profile.low), as_number(profile.high)
    if metadata.is_number(at.member) and profile.distinct > _FEW and low is not None and high is not None:
        plan = plan.with_(dimensions=(replace(at, bin=at.bin or nice_width(high - low, _STEPS)),))
    return replace(found, plan=plan, statement=write_sql(plan, metadata))
