"""What a question asks for besides, and a plan does not: another question, all others, the group within a group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..plans.plan import Plan
from ..schema.lexicon import Candidate
from ..walk.draft import Draft
from ..words.families import root
from ..words.text import stem

__all__ = ["is_unanswered"]

_ASKING = frozenset({"who", "what", "which", "when", "where", "how", "whose", "why"})
_TELLING = frozenset({"name", "value", "period", "number", "grain"})
_AGAINST = frozenset({"vs", "versus", "against", "than", "compared"})
_OTHERS = frozenset({"other", "others", "rest"})
_BETWEEN = frozenset({"to", "with", "the", "all", "any", "of", "that", "those", "for", "at", "in"})
_MORE = frozenset({"more", "fewer", "less", "higher", "lower", "longer", "shorter", "bigger", "smaller", "larger"})
_FAR = 4  # words from what is compared to what it is compared with


def is_unanswered(plan: Plan, draft: Draft) -> bool:
    """Whether half of a question has no place in its plan."""
    return any(check(plan, draft) for check in _CHECKS) or any(
        e.relation in plan.scope and not e.negated for e in plan.exists
    )


def _second_question(plan: Plan, draft: Draft) -> bool:
    """``what is the fee of visit 3? who had it``: of the second nothing is shown, and nothing is a condition."""
    for place, token in enumerate(draft.tokens[:-1]):
        if token.text == "?" and draft.tokens[place + 1].lower in _ASKING:
            later = [at for at, item in enumerate(draft.items) if item.start > place and item.kind in _TELLING]
            return not any(_has_place(at, plan, draft) for at in later)
    return False


def _has_place(at: int, plan: Plan, draft: Draft) -> bool:
    """Whether what an item was read as stands in the plan: values, times and numbers do, as conditions."""
    if draft.items[at].kind != "name":
        return True
    said = draft.resolution.choice.get(at)
    if not isinstance(said, Candidate):
        return False
    shown = {*plan.columns, *(d.member for d in plan.dimensions), *(m.member for m in plan.measures)}
    if said.member is None:
        return draft.metadata.label_of(said.relation) in shown
    return said.member in shown | {c.member for c in plan.conditions if c.operator in ("true", "false")}


def _others_lost(plan: Plan, draft: Draft) -> bool:
    """``Essen against all other stores``: two sides, of which the plan has one."""
    words = [token.lower for token in draft.tokens]
    said = any(word in _AGAINST and _OTHERS & set(_behind(words, place)) for place, word in enumerate(words))
    return said and not plan.claim and any(c.operator in ("in", "=") and len(c.values) == 1 for c in plan.conditions)


def _behind(words: list[str], place: int) -> list[str]:
    """The words behind one up to the first that says something of its own."""
    end = next((p for p in range(place + 1, len(words)) if words[p] not in _BETWEEN), len(words))
    return words[place + 1 : end + 1]


def _than_one_lost(plan: Plan, draft: Draft) -> bool:
    """``airlines with more destinations than Delta``: others than Delta, which the plan is of alone."""
    shown = {*plan.columns, *(d.member for d in plan.dimensions)}
    alone = {c.member for c in plan.conditions if c.operator in ("in", "=") and len(c.values) == 1} & shown
    if not alone or plan.claim:
        return False
    for item in draft.items:
        before = [token.lower for token in draft.tokens[max(0, item.start - 2) : item.start]]
        compared = {token.lower for token in draft.tokens[max(0, item.start - 2 - _FAR) : item.start]}
        if item.kind == "value" and "than" in before and _MORE & compared:
            # Compared within a few words before it; farther away something else is.
            return any(match.member in alone for match in item.values)
    return False


def _inner_group_lost(plan: Plan, draft: Draft) -> bool:
    """``average number of visits per animal by species``: of each species, and not of all of them."""
    groups = [
        place for place, item in enumerate(draft.items[:-1])
        if item.is_cue("group") and item.text.lower().split()[-1] in ("per", "by", "each", "every")
        and draft.items[place + 1].kind in ("name", "grain")
    ]  # fmt: skip
    return plan.nested is not None and not plan.dimensions and len(groups) > 1


def _who_by_the_verb(plan: Plan, draft: Draft) -> bool:
    """``who treats rabbits``: people, and no treatments that are called after what they do."""
    if draft.tokens[0].lower != "who" or len(draft.tokens) < 2 or len(plan.columns) != 1 or plan.shape == "aggregate":
        return False
    path, verb = plan.columns[0], draft.tokens[1]
    if draft.metadata.is_of_people(path.split(".", 1)[0]):
        return False
    named = {one for part in draft.metadata.parts(path) for one in (stem(part), root(part))}
    return bool(named & {verb.stem, root(verb.lower)})


def _never_of_rows(plan: Plan, draft: Draft) -> bool:
    """``who never had a surgery``: who has no row of one, and not the rows that are something else."""
    if [token.lower for token in draft.tokens[:2]] not in (["who", "never"], ["who", "has"], ["who", "have"]):
        return False
    said = any(token.lower == "never" for token in draft.tokens[:3])
    return said and not plan.having and not any(e.negated for e in plan.exists)


def _since_when_lost(plan: Plan, draft: Draft) -> bool:
    """``since when does Ada work here``: a time, and not that there is an Ada."""
    if [token.lower for token in draft.tokens[:2]] != ["since", "when"]:
        return False
    meta = draft.metadata
    shown = (*plan.columns, *(d.member for d in plan.dimensions), *(m.member for m in plan.measures if m.member))
    return not any(path in meta.members and (meta.is_time(path) or meta.is_year(path)) for path in shown)


def _averages_another(plan: Plan, draft: Draft) -> bool:
    """``the average speed of planes``: of that number, and not of another one where some speed is known."""
    meta = draft.metadata
    numbers = [m for m in plan.measures if meta.plain(m).aggregate not in ("count", "count_distinct", "count_values")]
    made = [path for m in numbers for path in (m.member, m.other) if path is not None]
    for place, item in enumerate(draft.items[1:], 1):
        told = draft.resolution.choice.get(place)
        if not made or not draft.items[place - 1].is_cue("agg") or not isinstance(told, Candidate):
            continue
        if told.member is None or meta.member(told.member).type != "number":
            continue
        own = {root(part) for part in (*meta.parts(told.member), *item.text.lower().split())}
        return all(own.isdisjoint(map(root, meta.parts(path))) for path in made)
    return False


_CHECKS: Sequence[Callable[[Plan, Draft], bool]] = (
    _second_question, _others_lost, _than_one_lost, _inner_group_lost, _who_by_the_verb, _never_of_rows,
    _since_when_lost, _averages_another,
)  # fmt: skip
