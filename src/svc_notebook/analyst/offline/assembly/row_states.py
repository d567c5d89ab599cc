"""Which rows are meant by a state, a deed, a price or a superior that was said of them."""

from __future__ import annotations

from dataclasses import replace

from ..plans.plan import Condition, Measure
from ..schema.deeds import is_deed
from ..schema.lasting import ends_in
from ..schema.lexicon import Candidate
from ..schema.member_kinds import labels_of
from ..schema.states import STILL, end_in
from ..schema.superiors import deeds_to_own, superior_of, under_or_over
from ..schema.values import ValueMatch
from .assembly import Assembly
from .extremes import rank_rows, ranked_entity

__all__ = ["counted_deeds", "deeds", "first_to", "free_of_charge", "states", "superiors"]


_DENIALS = frozenset({"not", "never", "no", "without"})
_FREE, _CHARGED = frozenset({"free", "free of charge"}), frozenset({"charge", "charges", "charged", "cost"})
_PRICES = frozenset("price fee cost fare charge postage rent amount paid tuition rate".split())


def superiors(state: Assembly) -> None:
    """``who reports to Bruno``: those whose superior is called so; ``the manager of Clara``: hers."""
    draft = state.draft
    said = under_or_over(draft.tokens, state.meta.referred, deeds_to_own(state.meta))
    if said is None:
        return
    side, at, end = said
    # Values said behind the verb are of the other person; all before it is of those who are asked for.
    behind = [entry for entry in state.conditions if draft.items[entry[2]].start > at]
    named = {c.member.split(".", 1)[0] for _, c, _ in behind}
    ways = [(name, found) for name in state.meta.edges if (found := superior_of(state.meta, name)) is not None]
    ways = [way for way in ways if named and named <= set(way)]
    # A second table that refers to itself could be meant as well.
    if len(ways) != 1:
        return
    relation, superior = ways[0]
    words = {draft.tokens[place].text for place in range(at, end)}
    asked, told = (relation, superior) if side == "under" else (superior, relation)
    # The same columns of the same table, in its other role.
    state.conditions = [
        (joint, replace(c, member=f"{told}.{c.member.split('.', 1)[1]}"), place) for joint, c, place in behind
    ]
    if (scope := state.meta.scope((relation, superior), (relation,))) is not None:
        state.scope = scope
    state.unread = [word for word in state.unread if word not in words]
    # Names that were found are those of the person asked about, not columns to be shown.
    draft.mentions = []
    if not (draft.counting or draft.counted_entities):
        state.shape, state.columns = "rows", list(labels_of(state.meta, asked))


def free_of_charge(state: Assembly) -> None:
    """``free screenings``, ``sent free of charge``: what cost nothing, where one price says what a row cost."""
    said = {word.lower() for word in (*state.unread, *state.draft.unread)}
    place = next((p for p, item in enumerate(state.draft.items) if item.text.lower() in _FREE), None)
    if place is None or not said & _FREE:
        return
    members = [m.path for m in state.meta.relation(state.scope[0]).members.values() if m.kind == "dimension"]
    prices = [p for p in members if p in state.meta.members and state.meta.is_number(p) and _is_price(state, p)]
    # A price that is never nought is not what makes a row free.
    known = [p for p in prices if state.meta.profile(p).low == 0]
    if len(prices) == len(known) == 1:
        state.conditions.append(("and", Condition(known[0], "=", (0,), words="free"), place))
        # `free of charge` leaves its last word unread on its own.
        state.unread = [word for word in state.unread if word.lower() not in _FREE | _CHARGED]
        state.draft.unread = [word for word in state.draft.unread if word.lower() not in _FREE | _CHARGED]


def _is_price(state: Assembly, path: str) -> bool:
    return bool(state.meta.member(path).currency) or bool(_PRICES & set(state.meta.parts(path)))


def first_to(state: Assembly) -> None:
    """``the first customer to sign up``: what is done after *to* says by which time the first is told."""
    draft = state.draft
    entity = ranked_entity(state, draft.top[2]) if draft.top is not None else None
    done = [m for m in draft.mentions if state.meta.is_time(m.member) and _is_infinitive(state, m.place)]
    if entity is None or draft.top is None or len(done) != 1 or done[0].member.split(".", 1)[0] != entity:
        return
    direction, number, place = draft.top
    # Other words before the noun rank by something else than by when it was done.
    if draft.items[place].text.lower() in ("first", "last", "earliest", "latest", "most recent"):
        draft.mentions = [m for m in draft.mentions if m is not done[0]]
        rank_rows(state, entity, done[0].member, direction == "desc", number, place)


def _is_infinitive(state: Assembly, place: int) -> bool:
    start = state.draft.items[place].start
    return start > 0 and state.draft.tokens[start - 1].lower == "to"


def states(state: Assembly) -> None:
    """``active subscriptions``, ``how many are still open``: rows whose end is not known, where nothing of them is
    called so.
    """
    draft = state.draft
    for place, item in enumerate(draft.items):
        word = item.text.lower().removeprefix("still ")
        chosen = draft.resolution.choice.get(place)
        relation = _subject_near(state, place, word) if word in STILL else None
        if relation is None or _denied_before(state, place):
            continue
        # The column that holds such values knows better than an end that is missing.
        if isinstance(chosen, ValueMatch) and chosen.member.split(".", 1)[0] == relation:
            continue  # it is a value of theirs
        if isinstance(chosen, Candidate) and chosen.member is not None:
            continue
        end = end_in(state.meta, relation, word)
        if end is None or _said_of(state, end):
            continue
        state.conditions = [entry for entry in state.conditions if entry[2] != place]
        state.conditions.append(("and", Condition(end, "null", words=item.text), place))
        state.described.add(place)
        state.unread = [text for text in state.unread if text != item.text]


def _subject_near(state: Assembly, place: int, word: str) -> str | None:
    """The relation that a word is said of: the one named nearest to it, of those whose rows can be so if some can."""
    named = [(abs(at - place), relation) for relation, at in state.draft.entities + state.draft.counted_entities]
    named += [
        (abs(at - place), c.relation)
        for at, c in state.draft.resolution.choice.items()
        if isinstance(c, Candidate) and c.member is None
    ]
    named = [one for one in named if end_in(state.meta, one[1], word) is not None] or named
    return min(named)[1] if named else state.scope[0] if len(state.scope) == 1 else None


def deeds(state: Assembly) -> None:
    """``how many were admitted``: the rows for which a time is known, which nobody asks to see or to group by."""
    draft, kept = state.draft, []
    for mention in draft.mentions:
        place = mention.place
        said = draft.items[place].text.split() if place < len(draft.items) else []
        # Words of place behind a participle (`played at the hall`) are no part of the deed.
        said = said[:1] if said[1:] in (["at"], ["on"], ["in"]) else said  # played at the hall
        before = draft.items[place - 1] if place else None
        ranked = (
            before is not None and before.is_cue("superlative") or draft.top is not None and draft.top[2] == place - 1
        )
        # A column of when it was opened is called so too, and would be shown.
        if said == ["open"] and not mention.role and (end := _end_of(state, mention.member)) is not None:
            state.conditions.append(("and", Condition(end, "null"), place))  # "open tickets"
            state.described.add(place)
        # What is ranked, drawn, grouped by or asked for with *when* is told as a time.
        elif mention.role or mention.axis or draft.when or ranked or not is_deed(state.meta, mention.member, said):
            kept.append(mention)
        elif _denied_before(state, place):
            draft.unmet.append(draft.items[place].text)
        # Where all rows have that time, being so restricts nothing.
        elif state.meta.profile(mention.member).missing and not _said_of(state, mention.member):
            state.conditions.append(("and", Condition(mention.member, "not null"), place))
    draft.mentions = kept


def counted_deeds(state: Assembly) -> None:
    """``how many employees left``: those of whom it is known when, and not the different days."""
    chosen = [(at, c.member) for at, c in state.draft.resolution.choice.items() if isinstance(c, Candidate)]
    said = {path: at for at, path in chosen if path and is_deed(state.meta, path, state.draft.items[at].text.split())}
    for place, measure in enumerate(state.measures):
        member = measure.member
        if member not in said or measure.aggregate not in ("count_distinct", "count_values"):
            continue
        state.measures[place] = Measure(None, "count", entity=member.split(".", 1)[0])
        if state.meta.profile(member).missing and not _said_of(state, member):
            state.conditions.append(("and", Condition(member, "not null"), said[member]))


def _end_of(state: Assembly, start: str) -> str | None:
    """When what began then ended, where some of it has not."""
    ends = ends_in(state.meta, start.split(".", 1)[0])
    known = ends is not None and ends[0] == start and state.meta.profile(ends[1]).missing
    return ends[1] if ends is not None and known else None


def _denied_before(state: Assembly, place: int) -> bool:
    """Whether a negation stands shortly before an item."""
    near = " ".join(item.text.lower() for item in state.draft.items[max(0, place - 3) : place]).split()
    return any(word in _DENIALS or word.endswith("n't") for word in near)


def _said_of(state: Assembly, member: str) -> bool:
    return any(c.member == member for _, c, _ in state.conditions)
