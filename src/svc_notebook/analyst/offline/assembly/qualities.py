"""Superlatives of a quality: *which airline flies the longest routes* ranks airlines by how long their routes are."""

from __future__ import annotations

from ..plans.plan import Dimension, Measure
from ..schema.lasting import ends_in, usual_unit
from ..schema.lexicon import Candidate
from ..walk.draft import Mention, OrderWish
from ..walk.resolve import FREQUENT
from ..walk.walker import SMALL_WORDS
from ..words.text import singular, stem
from ..words.thesaurus import ADJECTIVES
from .assembly import Assembly
from .extremes import main_measure, numbers_named, ranked_entity, ranking_member
from .superlatives import bad_when_high

__all__ = ["qualities"]


_ON_THE_GROUND = frozenset(map(stem, "route way path road river trail trip ride journey street track line".split()))
_WAYS = frozenset({"distance", "km", "miles", "kilometers"})
_PACE = frozenset({"slowest", "fastest", "quickest"})
_JUDGED = frozenset({"best", "worst"})
_TWO_WORDS = frozenset({"windy", "windiest"})  # adjectives whose quality is said in two words, each of the other
# These judge whatever number is spoken of; the others name the one they measure.
_VAGUE = frozenset("highest lowest biggest largest greatest smallest most least best worst top bottom".split())


def qualities(state: Assembly) -> None:
    """Rank what was asked for by the number an adjective means; without such a number nothing is ranked."""
    draft = state.draft
    if draft.top is None or draft.measures or draft.counting or draft.orders:
        return
    if _takes_longest(state) or numbers_named(state):
        return
    direction, number, place = draft.top
    text = draft.items[place].text.lower()
    if text in _JUDGED and _is_judged_by_nothing(state):
        _not_ranked(state, place)
        return
    adjective = text.split()[-1]
    if adjective not in ADJECTIVES or adjective in _VAGUE or text in FREQUENT or _ranks_own_rows(state, place, text):
        # A word with a meaning of its own elsewhere: how often, or the row's own number, is ranked there.
        return
    member = _meant_number(state, adjective)
    if member is None:
        # "fast" may be part of a name; only the superlative itself demands a number.
        if adjective.endswith("st") or text.startswith(("most ", "least ")):
            _not_ranked(state, place)
        return
    subject = _asked_subject(state, place)
    if subject is None:
        return
    at, label = subject
    told = [m for m in draft.mentions if m.place > place and not _is_condition_of(state, m)]
    draft.mentions = [m for m in draft.mentions if m not in told and m.place != at]
    draft.grouped_entities = [g for g in draft.grouped_entities if g[1] != at]
    state.dimensions.append(Dimension(label))
    known = state.meta.is_measure(member)
    state.measures.append(Measure(member, "measure") if known else Measure(member, "avg"))
    draft.orders.append(OrderWish(direction == "desc", measure=state.measures[-1]))
    noun = draft.tokens[draft.items[at].end - 1].lower
    draft.top, state.limit = None, number or draft.noun_number or (10 if singular(noun) != noun else 1)


def _takes_longest(state: Assembly) -> bool:
    """``slowest courier``, ``which van delivers the fastest``: whose rows take longest from begin to end."""
    draft = state.draft
    assert draft.top is not None
    _, number, place = draft.top
    text = draft.items[place].text.lower()
    subject = _asked_subject(state, place) or _subject_behind(state, place)
    if text not in _PACE or subject is None or _meant_number(state, text) is not None:
        return False
    at, label = subject
    relation = label.split(".", 1)[0]
    done = [m.member.split(".", 1)[0] for m in draft.mentions if m.place != at and state.meta.is_time(m.member)]
    # How long people have been there says nothing of how fast they are: what they do may.
    own = not state.meta.is_of_people(relation) and ends_in(state.meta, relation) is not None
    fact = relation if own else state.meta.facts_of(relation)
    fact = done[0] if done else fact
    ends = ends_in(state.meta, fact) if fact is not None else None
    others = [m for m in draft.mentions if m.place != at and m.member not in (ends or ())]
    if fact is None or ends is None or others or state.dimensions or _has_ways(state, fact):
        return False
    scope = state.meta.scope([fact, relation], [fact])
    if scope is None:
        return False
    state.scope, state.shape, state.columns = scope, "aggregate", []
    draft.mentions, draft.grouped_entities = [], []
    state.dimensions = [Dimension(label)]
    state.measures = [Measure(ends[0], "span", other=ends[1], unit=usual_unit(state.meta, *ends), fold="avg")]
    draft.orders.append(OrderWish(text == "slowest", measure=state.measures[0]))
    noun = draft.tokens[draft.items[at].end - 1].lower
    draft.top, state.limit = None, number or (10 if singular(noun) != noun else 1)
    return True


def _has_ways(state: Assembly, relation: str) -> bool:
    """Whether rows go some distance: how long that takes says nothing of how fast it is."""
    known = state.meta.relation(relation).members.values()
    return any(_WAYS & set(state.meta.parts(m.path)) for m in known if m.path in state.meta.members)


def _subject_behind(state: Assembly, place: int) -> tuple[int, str] | None:
    """What stands right behind a superlative, and the member that names it."""
    at = place + 1
    while at < len(state.draft.items) and (
        state.draft.items[at].kind == "number" or state.draft.items[at].text.lower() in SMALL_WORDS
    ):
        at += 1
    chosen = state.draft.resolution.choice.get(at)
    if not isinstance(chosen, Candidate):
        return None
    member = chosen.member or state.meta.label_of(chosen.relation)
    return (at, member) if member is not None and state.meta.is_category(member) else None


def _not_ranked(state: Assembly, place: int) -> None:
    """Say that a superlative has no number to rank by."""
    text = state.draft.items[place].text
    state.draft.unmet.append(text)
    state.unread.append(text)


def _is_judged_by_nothing(state: Assembly) -> bool:
    """``worst airline``: neither a sum of money nor a number says what is good, nor rows that are bad."""
    judged = main_measure(state, state.scope[0])
    scores = [m for m in state.draft.mentions if state.raw_number(m)]
    known = scores or state.measures or state.draft.grains or bad_when_high(state, None)
    return judged.aggregate == "count" and not known


def _ranks_own_rows(state: Assembly, place: int, text: str) -> bool:
    """Whether the rows of the entity right after an adjective have the number themselves."""
    entity = ranked_entity(state, place)
    asked = _asked_subject(state, place)
    if entity is None or asked is not None and not _names_entity(state, asked[0], entity):
        return False
    return ranking_member(state, entity, text)[0] is not None


def _names_entity(state: Assembly, place: int, entity: str) -> bool:
    return (entity, place) in state.draft.entities


def _meant_number(state: Assembly, adjective: str) -> str | None:
    """The number an adjective compares by: what it is said of tells a way from a time."""
    # On the ground "longest" is far; of anything else it lasts.
    targets = ADJECTIVES[adjective].split()
    said = {state.draft.tokens[item.start].stem for item in state.draft.items if item.kind in ("name", "word")}
    if said & _ON_THE_GROUND and "distance" in targets:
        targets = ["distance", *(t for t in targets if t != "distance")]
    # By how near the target is, then by how near its relation: the first of the scope is what is asked of.
    found: list[tuple[int, int, int, str]] = []
    for order, relation in enumerate(state.scope):
        for path in (m.path for m in state.meta.relation(relation).members.values()):
            if path not in state.meta.members or not _is_comparable(state, path):
                continue
            parts = {stem(part) for part in state.meta.parts(path)}
            rank = next((i for i, target in enumerate(targets) if stem(target) in parts), None)
            if rank is not None and not _is_of_another(parts, adjective):
                found.append((rank, order, state.meta.position[path], path))
    return min(found)[-1] if found else None


def _is_comparable(state: Assembly, path: str) -> bool:
    if state.meta.is_measure(path):
        # A model's sums grow with how many there are: only an average says how long things of one are.
        return state.meta.member(path).agg_type == "avg"
    return state.meta.is_number(path) and not state.meta.is_key(path) and not state.meta.is_year(path)


def _is_of_another(parts: set[str], adjective: str) -> bool:
    """Whether a number is what a more special adjective means (``wind speed`` of *windy*, not of *fast*)."""
    meant = (frozenset(map(stem, words.split())) for other, words in ADJECTIVES.items() if other in _TWO_WORDS)
    return adjective not in _TWO_WORDS and any(both <= parts for both in meant)


def _asked_subject(state: Assembly, place: int) -> tuple[int, str] | None:
    """Where *which* asks for a thing, and the member that groups by it."""
    items = state.draft.items
    for at in range(1, place):
        if not (items[at - 1].is_cue("ask", "which") or items[at - 1].text.lower() in ("which", "what")):
            continue
        chosen = state.draft.resolution.choice.get(at)
        if not isinstance(chosen, Candidate):
            return None
        if chosen.member is None:
            label = state.meta.label_of(chosen.relation)
            return (at, label) if label is not None else None
        return (at, chosen.member) if state.meta.is_category(chosen.member) else None
    return None


def _is_condition_of(state: Assembly, mention: Mention) -> bool:
    """Whether a name behind the adjective says a rule (``… from airports above …``)."""
    back = mention.place - 1
    while back >= 0 and state.draft.items[back].text.lower() in SMALL_WORDS:
        back -= 1
    return state.draft.top is None or back > state.draft.top[2]
