"""What an answer shows and what only restricts it: clauses that speak of rows, sentences that name the columns."""

from __future__ import annotations

from ..plans.plan import Condition, Exists, Measure
from ..walk.draft import Mention
from .assembly import Assembly

__all__ = ["marked_amounts", "present", "restricting"]


def restricting(state: Assembly) -> None:
    """Take the names out that only restrict; one whose values may be missing says that it is known."""
    draft = state.draft
    kept = [m for m in draft.mentions if not _only_restricts(state, m)]
    shown = kept or state.measures or state.dimensions
    if not shown or len(kept) == len(draft.mentions):
        return
    members = {m.member for m in kept} | {d.member for d in state.dimensions}
    for mention in draft.mentions:
        if mention in kept or mention.member in members:
            continue
        spoken = any(c.member == mention.member for _, c, _ in state.conditions)
        # A name in a clause asks that there be something: "products with a discount".
        if spoken or not mention.clause:
            continue
        # Where a number may be nought, "with rain" is with some of it.
        if _may_be_none(state, mention.member) and not _is_bounded(state, mention):
            state.conditions.append(("and", Condition(mention.member, ">", (0,)), mention.place))
        elif state.meta.profile(mention.member).missing:
            state.conditions.append(("and", Condition(mention.member, "not null"), mention.place))
    draft.mentions = kept


def _is_bounded(state: Assembly, mention: Mention) -> bool:
    """``an air above the norm``: more is said of it than that there is some."""
    behind = state.draft.items[mention.place + 1 : mention.place + 2]
    return any(item.is_cue("compare") for item in behind)


def _may_be_none(state: Assembly, member: str) -> bool:
    return state.meta.is_number(member) and not state.meta.is_key(member) and state.meta.profile(member).low == 0


def _only_restricts(state: Assembly, mention: Mention) -> bool:
    """Whether a name is said in a clause about the rows, or before the sentence that names the columns."""
    if mention.role or mention.axis:
        return False
    top = state.draft.top
    # Right behind a superlative it is what is ranked by, clause or not.
    if top is not None and 0 <= mention.place - top[2] <= 2:
        return False
    returned = state.draft.returned
    return mention.clause or returned is not None and mention.place < returned and _lists_after(state, returned)


def _lists_after(state: Assembly, place: int) -> bool:
    """Whether columns or measures are named after a place."""
    return any(m.place > place for m in state.draft.mentions)


def marked_amounts(state: Assembly) -> None:
    """``loss payment, loss reserve``: the amount of the rows that each marks, or of all where a sum is said."""
    by_amount: dict[str, list[tuple[str, int]]] = {}
    for relation, place in state.draft.markers:
        amount = state.meta.amount_of(relation)
        if amount is None:
            state.draft.unmet.append(state.draft.items[place].text)
        else:
            by_amount.setdefault(amount, []).append((relation, place))
    added: list[Measure] = []
    for amount, marks in by_amount.items():
        found = tuple(dict.fromkeys(Exists(relation) for relation, _ in marks))
        first = marks[0][1]
        before = [item for item in state.draft.items[max(0, first - 2) : first] if item.text.lower() != "of"]
        # "total of loss payments and reserves" adds them up; without "total" each is told by itself.
        summed = bool(before) and before[-1].is_cue("agg", "sum")
        groups = [found] if summed and len(found) > 1 else [(one,) for one in found]
        added.extend(Measure(amount, "sum", exists=group) for group in groups)
    if added:
        marks_named = {relation for relation, _ in state.draft.markers}
        state.measures = [
            m
            for m in state.measures
            if m.conditions
            or m.aggregate not in ("count", "sum")
            and (m.member or ".").split(".", 1)[0] not in marks_named
        ]
        state.measures.extend(added)
        state.draft.measures = list(state.measures)
        state.draft.counting = None


def present(state: Assembly, scope: tuple[str, ...]) -> list[Exists]:
    """Relations that were only named in a clause (``customers that have orders``): a row there must exist."""
    known = {e.relation for e in state.exists}
    found = []
    counts = (
        state.shape == "aggregate"
        and bool(state.measures)
        # A count of related rows does not join them: that they exist has to be said.
        and all(m.aggregate == "count" or (m.member or "").endswith(".count") for m in state.measures)
    )
    used = {r for r, _ in state.draft.counted_entities} | {r for r, _ in state.draft.grouped_entities}
    spoken = [
        (r, place) for r, place in state.draft.entities if place in state.draft.clauses or counts and r not in used
    ]
    for relation in dict.fromkeys(r for r, _ in spoken):
        if relation in scope or relation in known or state.meta.relation(relation).kind == "view":
            continue
        if any(state.meta.joins.way(own, relation) for own in scope):
            found.append(Exists(relation))
    return found
