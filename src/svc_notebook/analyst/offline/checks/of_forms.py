"""Forms held to what plans are held to: what was said for certain has a place in them, and so have the rows named."""

from __future__ import annotations

from ..forms import Aggregate, Form, Member, Role, SetOf
from ..forms.walking import parts
from ..plans.outline import outline
from ..schema.lexicon import Candidate
from ..walk.draft import Draft
from .asked_otherwise import tests_unsaid_flags
from .average_lost import is_average_lost
from .best_times import is_best_of_times
from .compared import is_comparison_lost
from .counted import counts_amiss
from .coverage import left_out
from .extremes import is_of_another_end
from .groups_unasked import has_groups_unasked
from .guessed import is_guessed
from .half_answered import is_half_answered
from .money_asked import is_no_amount
from .order_lost import is_order_lost
from .other_rows import is_of_other_deeds
from .own_limits import is_limit_as_group
from .parts_lost import is_part_lost
from .second_question import is_second_question_lost
from .shares_amiss import is_share_amiss
from .unasked import has_times_unasked
from .verb_as_people import takes_verb_for_people

__all__ = ["is_form_refuted"]

# What is looked for in a plan clause by clause would not be found in one that is only laid out.
_HELD_TO = (
    counts_amiss, is_comparison_lost, is_guessed, is_no_amount, is_of_another_end, is_order_lost,
    is_part_lost, is_second_question_lost, is_half_answered, has_times_unasked, tests_unsaid_flags,
    has_groups_unasked, is_share_amiss, is_limit_as_group,
    takes_verb_for_people, is_best_of_times, is_of_other_deeds, is_average_lost,
)  # fmt: skip
_QUANTILES = frozenset({"percentile", "percentiles", "quartile", "quartiles", "quantile"})
_SURE = 0.9  # a name that fits no better may be another thing's


def is_form_refuted(form: Form | SetOf, draft: Draft) -> bool:
    """Whether a form leaves out what was said for certain, or cannot be what was asked."""
    plan = outline(form, draft.metadata)
    called = _called(form, draft)
    lost = [word for word in left_out(draft, plan) if called.isdisjoint(_meant(word, draft))]
    return bool(lost) or _is_of_other_rows(form, draft) or any(is_amiss(plan, draft) for is_amiss in _HELD_TO)


def _called(form: Form | SetOf, draft: Draft) -> set[str]:
    """The words that the columns of a form are called: *sell* is held by ``sold_on``."""
    paths = {part.path for part in parts(form) if isinstance(part, Member)}
    parted = any(isinstance(part, Aggregate) and part.at is not None for part in parts(form))
    named = {word for path in paths if path in draft.metadata.members for word in draft.metadata.parts(path)}
    return named | (_QUANTILES if parted else frozenset())


def _meant(word: str, draft: Draft) -> set[str]:
    """What was said in other words: those of the column that it names, of the value that it is."""
    places = [place for place, item in enumerate(draft.items) if item.text == word]
    paths = [getattr(draft.resolution.choice.get(place), "member", None) for place in places]
    return {*word.lower().split(), *(part for path in paths if path is not None for part in draft.metadata.parts(path))}


def _is_of_other_rows(form: Form | SetOf, draft: Draft) -> bool:
    """``length of stay`` over the animals alone: rows that were named are not looked at."""
    meta = draft.metadata
    read = {part.relation for part in parts(form) if isinstance(part, Role)}
    seen = read | {member.cube for name in read for member in meta.relation(name).members.values()}
    return any(
        item.kind == "name" and isinstance(named := draft.resolution.choice.get(place), Candidate)
        and named.member is None and named.full and named.quality >= _SURE and named.relation not in seen
        for place, item in enumerate(draft.items)
    )  # fmt: skip
