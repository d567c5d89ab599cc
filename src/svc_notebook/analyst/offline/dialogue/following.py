"""A turn in its thread: the question it is by itself and every edit of an earlier form stand in one ranking."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from ....semantic.catalog import Catalog
from ...base import Turn
from ..budget import Budget
from ..forms import ROWS, Clause, Condition, Form, in_words
from ..grammar.clauses import Shown
from ..grammar.compose import partials
from ..grammar.partial import Partial
from ..linking import link
from ..linking.lattice import Lattice
from ..ranking.model import load_ranking
from ..reading.reading import ENOUGH, Reading, read
from ..schema.metadata import Metadata
from ..words.text import stem
from .comparing import claimed, compared
from .conditions import conditions_of, with_conditions
from .editing import Unfit
from .flags import flagged
from .grouping import all_but_shown, looked_at
from .hearing import Heard
from .limits import limited, renumbered
from .moving import moved_period, other_way
from .outcome import Between, Followed, Unmet
from .overall import taken_together
from .parts_of_periods import part_of_period
from .pictures import HISTOGRAM, PANELS, wished_picture
from .proposing import (
    Facts,
    Proposing,
    counts_alone,
    facts_of_turn,
    names_whom,
    pointed,
    ranks_alone,
    speaks_of_those,
)
from .rows import listed, rows_shown
from .said_of_shown import asked_of_shown, time_asked
from .shown import counts_shown, judged, lists_shown, only_conditions, ranks_shown, rows_of
from .steps import histogram, in_steps
from .tails import as_answered, content, heard_over, in_turn, returned_and_more, sorted_too, then_sorted
from .thread import Earlier, earlier, turned_away
from .unchosen import as_if_chosen, of_each, of_last_answer
from .units import in_unit
from .weighing import Anew, Ranked, evidence, likely, load_weights, ranked
from .whole import binds_itself
from .wishes import all_but, names_others, of_their_own, wished

__all__ = ["NOT_SURE", "NOT_TOLD", "Between", "Followed", "Unmet", "Weighed", "follow", "weigh"]

CLEAR = 0.8  # from here on an edit stands without others beside it
_SURE_ANEW = 0.4  # and a turn that leans on others, read as a question of its own
UNANSWERED = "the question before this one was not answered, and this may be about that; please ask it in full"
NOT_TOLD = "no query can tell that number of it; please ask for it in full"
NOT_SURE = "it is not clear enough which part of it that is about"
_ALL_AGAIN = re.compile(
    r"^\W*(?:all|every|everything|the whole)\b(?:\W+(?:of them|the|of the))?(?:\W+\w+)?\W*$", re.IGNORECASE
)
_BACK_THERE = re.compile(r"^\W*(?:and|what about|how about)\s+(?:the way\s+)?back(?:\s+again)?\W*$", re.IGNORECASE)
_ARTICLES = frozenset(("the", "a", "an"))
_OF_THOSE = re.compile(r"\b(?:of|among|from) (?:them|those|these)\W*$", re.IGNORECASE)
_NO_OF_THEM = re.compile(
    r"^\W*\w+\W+\w+.*\b(?:no|nothing)\b.*\bthem\W*$", re.IGNORECASE
)  # fields with no trips from them
_FROM_YEAR = re.compile(r"^\W*from\s+((?:19|20)\d\d)\W*$", re.IGNORECASE)
_CHANGING = frozenset(("add", "remove", "keep", "restore", "too"))  # what can only be done to what is there
_PUT_TOGETHER = re.compile(
    r"^\W*(?:(?:and|now|the|show|give|me|please|ok|okay)\s+)*(?:totals?|sums?|averages?|avg|means?|medians?|maximum|minimum|max|min)\s+"
    r"(?:per|by|for (?:each|every)|across|over)\s+\S+(?:\s+\S+)?\W*$",
    re.IGNORECASE,
)  # "total per region": of what, was said before
_GROUPED = re.compile(r"^\W*(?:by|per|for (?:each|every)|into|across)\b", re.IGNORECASE)
_AMONG = re.compile(
    r"^\W*(?:(?:please|show|give|see|have|me|us|the|all|over|up|along|among|amongst|between|with|on|out|further|again)\b\W*)+",
    re.IGNORECASE,
)  # "split it between the agents", "show the agents separately"
_OF_EACH = re.compile(r"\b(?:each|every)\b", re.IGNORECASE)
_PARTIALS = 40
_OFFERED = 0.15  # the least likely edit that is asked back with alone
_NEAR = 2.5  # the most that a reading may score below the best one to be asked back with it
_BESIDE = 1.5  # and to be shown beside the answer


@dataclass(frozen=True, slots=True)
class Weighed:
    """The readings of one turn, the likeliest first, and what else decides between them."""

    heard: Heard
    readings: Sequence[Ranked]
    turn: Facts
    anew: Anew
    unfit: Sequence[str]
    mark: str
    lost: bool  # nothing that can be answered is said when the turn stands alone
    either: bool = False  # it may be of what was shown as well as of all there is

    @property
    def sure(self) -> float:
        """The probability that the first reading is what was meant."""
        return likely(load_weights().sure, self.readings[0], evidence(self.readings, self.turn, self.anew))


def follow(
    turn: Turn, metadata: Metadata, alone: Reading, now: datetime, year: int | None, fiscal: int, budget: Budget,
    anew: Callable[[], Anew], others: bool = False,
) -> Followed | Unmet | Between | None:  # fmt: skip
    """The turn as an edit of an earlier form, where it is one rather than a question of its own.

    ``others``: it is about those that the answer before was not about.
    """
    forms = earlier(turn, metadata.catalog)
    heard = heard_over(turn.question, forms)
    acts = set(heard.acts) - {"lead", "every", *(("those",) if _NO_OF_THEM.search(heard.text) else ())}
    if not (heard.wants or acts) and (binds_itself(heard.text, alone) or names_whom(heard, alone)):
        return None
    away = turned_away(turn) and heard.wants != "undo" and "back" not in heard.acts
    if away and _hangs(heard, alone):
        again = partial(
            follow, metadata=metadata, alone=alone, now=now, year=year, fiscal=fiscal, budget=budget, anew=anew
        )
        each = as_if_chosen(turn, metadata.catalog)
        found = of_each([again(one) for one in each], each)
        return found or of_last_answer(turn, forms[0] if forms else None, again) or Unmet(UNANSWERED)
    if not forms:
        return None
    if others:
        try:
            forms = [all_but(forms[0], forms[1].form if len(forms) > 1 else None)]
        except Unfit as reason:
            return Unmet(str(reason))
    if _BACK_THERE.match(heard.text) and (turned := other_way(forms[0].form, metadata)) is not None:
        return Followed(turned, forms[0], forms[0].chart, sure=forms[0].sure)
    if heard.wants == "undo":
        if len(forms) < 2:
            return Unmet("nothing was changed that could be undone")
        return Followed(forms[1].form, forms[1], forms[1].chart, undo=True)
    if "back" in heard.acts:
        back, more = returned_and_more(heard)
        there = returned(back, forms, metadata.catalog)
        if not more or not isinstance(there, Followed):
            return there
        past = turn.history[: turn.history.index(there.of.turn) + 1]
        asked = replace(turn, question=more, history=past)
        return follow(asked, metadata, alone, now, year, fiscal, budget, lambda: Anew(0.0)) or Unmet(NOT_SURE)
    if names_whom(heard, alone):
        return None
    if (with_order := sorted_too(turn.question)) is not None:
        head, want = with_order
        made = follow(replace(turn, question=head), metadata, alone, now, year, fiscal, budget, anew, others)
        return then_sorted(made, want, metadata) if made is not None else None

    if (pair := in_turn(turn.question)) is not None and not facts_of_turn(heard, alone)["subject"]:
        step = partial(
            follow, metadata=metadata, now=now, year=year, fiscal=fiscal, budget=budget, anew=lambda: Anew(0.0)
        )
        steps = [read(words, metadata, now, (), year, fiscal=fiscal, budget=budget) for words in pair]
        made = step(replace(turn, question=pair[0]), alone=steps[0])
        if isinstance(made, Followed):
            past = (*turn.history, as_answered(turn, made))
            then = step(replace(turn, question=pair[1], history=past), alone=steps[1])
            if isinstance(then, Followed):
                return replace(then, of=forms[0], sure=min(made.sure, then.sure))

    def reads(text: str) -> list[Partial]:
        return _partials(text, metadata, now, year, fiscal, budget)[1]

    found = _renumbered(heard, forms[0]) or _wish(heard, alone, forms, metadata)
    found = found or _set_beside(heard, forms[0], alone, metadata, reads)
    rest = wished_picture(heard.rest)[1] if "stack" not in heard.acts else heard.rest
    if found is not None or not (content(rest) or any(item.kind == "value" for item in alone.items)):
        return found
    try:
        rows = rows_shown(heard.text, alone, forms[0], metadata)
    except Unfit as reason:
        return Unmet(str(reason))
    if rows is not None:
        return Followed(rows, forms[0], "", sure=forms[0].sure)
    those = speaks_of_those(heard, forms[0]) and not set(content(wished_picture(pointed(heard))[1])) - _ARTICLES
    if those and (few := looked_at(forms[0])) is not None and few.form.measures:  # "show the ones in that month"
        try:
            return Followed(listed(few.form, metadata), forms[0], "", sure=forms[0].sure)
        except Unfit as reason:
            return Unmet(str(reason))
    if _whole(heard, alone) and not (speaks_of_those(heard, forms[0]) or ranks_shown(heard, alone, forms[0])):
        return None
    return _decided(weigh(turn, forms, metadata, alone, now, year, fiscal, budget, anew))


def weigh(
    turn: Turn, forms: Sequence[Earlier], metadata: Metadata, alone: Reading, now: datetime, year: int | None,
    fiscal: int, budget: Budget, anew: Callable[[], Anew],
) -> Weighed:  # fmt: skip
    """All that a turn may be in its thread."""
    heard = heard_over(turn.question, forms)
    asked = asked_of_shown(heard, forms[0].form, metadata)
    those = bool(asked) or speaks_of_those(heard, forms[0]) or counts_shown(heard, forms[0])
    either = ranks_shown(heard, alone, forms[0])
    plain = judged(heard, forms[0], metadata) or heard.rest
    mark, rest = wished_picture(_of_those(heard, alone, asked, metadata) if those else plain)
    if "stack" in heard.acts:
        mark = " ".join(dict.fromkeys([*(mark or "bar").split(), "stacked"]))
    few = looked_at(forms[0]) if those else None
    if few is not None and not _adds_columns(forms[0], mark, rest, metadata, now, year, fiscal, budget):
        few = replace(few, form=rows_of(few.form)) if counts_shown(heard, forms[0]) else few
        forms, heard = (few,), replace(heard, points=True)
    heard = replace(heard, points=heard.points or either)
    rest = flagged(rest, forms[0].form, metadata)
    lattice, said = _partials(_asked(heard, rest), metadata, now, year, fiscal, budget)
    proposing = Proposing(heard, alone, metadata, lattice, said, mark, turned_away(turn), those, either)
    fresh = anew()
    edits = proposing.proposals(forms)
    readings = ranked(edits, fresh, load_weights().rank)
    theirs = those or only_conditions(alone) or _OF_THOSE.search(heard.text) is not None or ranks_alone(heard)
    theirs = theirs or counts_alone(heard)
    theirs = theirs or bool(forms[0].form.measures) and _PUT_TOGETHER.match(heard.text) is not None
    if theirs and any(not edit.unread for edit in edits):
        readings = [one for one in readings if one.proposal is not None]
    facts = facts_of_turn(heard, alone, either)
    own = not set(heard.acts) - {"lead", "every"} and not (theirs or facts["points"] or facts["those"])
    read = own and fresh.sure >= _SURE_ANEW and not fresh.unread
    if read or any(one.proposal is not None and not one.proposal.unread for one in readings):
        readings = [one for one in readings if one.proposal is None or not one.proposal.unread]
    lost = alone.plan is None or alone.plan.confidence < ENOUGH
    return Weighed(heard, readings, facts, fresh, proposing.unfit, mark, lost, either)


def _of_those(heard: Heard, alone: Reading, asked: str, metadata: Metadata) -> str:
    """What is asked of those that were shown."""
    return asked or time_asked(heard, alone, metadata) or pointed(heard)


def _adds_columns(
    before: Earlier, mark: str, rest: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int,
    budget: Budget,
) -> bool:  # fmt: skip
    """Whether a turn wants more columns of a list: ``show their connector, too``."""
    if not before.form.columns or mark:
        return False
    _, said = _partials(rest, metadata, now, year, fiscal, budget)
    return bool(said and said[0].clauses) and all(isinstance(clause, Shown) for clause in said[0].clauses)


def _partials(
    text: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, budget: Budget
) -> tuple[Lattice, list[Partial]]:
    """All that some words may say, the likeliest first."""
    lattice = link(text, metadata, now, year, fiscal, budget)
    return lattice, partials(lattice, metadata, load_ranking().weights, budget)[:_PARTIALS]


def _whole(heard: Heard, alone: Reading) -> bool:
    """Whether a turn says itself all that it asks for: no weight makes it inherit from what was asked before."""
    facts = facts_of_turn(heard, alone)
    leans = set(heard.acts) - {"lead"} or any(facts[name] for name in ("opens", "points", "those", "instead", "undoes"))
    return facts["subject"] >= 1.0 and not leans


def _hangs(heard: Heard, alone: Reading) -> bool:
    """Whether a turn says too little by itself to be about anything but what was asked just before."""
    facts = facts_of_turn(heard, alone)
    mark, rest = wished_picture(heard.rest)
    points = heard.wants or facts["those"] or facts["points"] or mark and not content(rest)
    return bool(points or facts["opens"] and not facts["subject"])


def _wish(heard: Heard, alone: Reading, forms: Sequence[Earlier], metadata: Metadata) -> Followed | Unmet | None:
    """A turn that is a phrase about the form, or about its picture, and nothing else."""
    before, older = forms[0], forms[1].form if len(forms) > 1 else None
    if lists_shown(heard, alone, before):
        return Followed(before.form.with_(limit=None), before, before.chart, sure=before.sure)
    others = heard.wants == "others" or names_others(heard.text, before.form, metadata)
    if others and (rest_of := all_but_shown(before)) is not None:
        return Followed(rest_of, before, before.chart, sure=before.sure)
    try:
        converted = in_unit(heard, before.form, metadata) or of_their_own(heard.text, before.form, metadata)
        converted = converted or taken_together(heard.text, before.form, metadata)
    except Unfit as reason:
        return Unmet(str(reason))
    if converted is not None:
        return Followed(converted, before, before.chart, sure=before.sure)
    if heard.wants:
        try:
            if heard.wants == "count" and _OF_EACH.search(heard.text) and before.form.groups and before.form.measures:
                counted = before.form.with_(measures=(Clause(ROWS),), having=(), order=(), limit=None)
                return Followed(counted, before, before.chart, sure=before.sure)
            form = wished(heard.wants, before.form, metadata, older)
        except Unfit as reason:
            return Unmet(str(reason))
        chart = "table" if form == before.form and heard.wants == "list" else before.chart
        return Followed(form, before, chart, sure=before.sure) if form is not None else None
    mark, rest = wished_picture(heard.rest)
    if content(rest):
        return None
    try:
        form = _redrawn(mark, heard, before, metadata)
    except Unfit as reason:
        return Unmet(str(reason))
    return Followed(form, before, "bar" if mark == HISTOGRAM else mark, sure=before.sure) if form is not None else None


def _renumbered(heard: Heard, before: Earlier) -> Followed | Between | None:
    """A turn that is nothing but a number, where something of the answer before is one."""
    made = renumbered(heard, before.form)
    if len(made) > 1:
        return Between(tuple(made), anew=False, chart=before.chart)
    return Followed(made[0], before, before.chart, sure=before.sure) if made else None


def _redrawn(mark: str, heard: Heard, before: Earlier, metadata: Metadata) -> Form | None:
    """What is shown in another picture, or in other steps."""
    if heard.step is not None:
        return in_steps(before.form, heard.step, metadata)
    if mark == HISTOGRAM:
        return histogram(before.form, metadata)
    if mark == PANELS and len(before.form.groups) < 2:
        raise Unfit("small multiples are of two groups; say by what else as well")
    return before.form if mark else None


def _set_beside(
    heard: Heard, before: Earlier, alone: Reading, metadata: Metadata, reads: Callable[[str], Sequence[Partial]]
) -> Followed | Unmet | None:
    """A turn that compares what was shown with something: with another period or value, or with a number."""
    try:
        if (both := claimed(heard, before, metadata, reads)) is not None:
            return Followed(both[0], before, "", sure=before.sure, claim=both[1])
    except Unfit as reason:
        return Unmet(str(reason))
    if "compare" not in heard.acts and facts_of_turn(heard, alone)["subject"]:
        return None
    try:
        form = moved_period(heard.rest, before, metadata) if "compare" not in heard.acts else None
        kept = not set(heard.acts) & {"remove", "add", "compare", "opposite", "split"}
        form = form or (part_of_period(heard.rest, before.form, metadata) if kept else None)
        form = form or compared(heard, before, metadata, reads) or limited(heard, before.form, metadata)
    except Unfit as reason:
        return Unmet(str(reason))
    return Followed(form, before, before.chart, sure=before.sure) if form is not None else None


def _decided(weighed: Weighed) -> Followed | Unmet | Between | None:
    """The likeliest reading where it is likely enough; a question back, or words for why not, where it is not."""
    best = weighed.readings[0]
    leans = weighed.heard.leans or weighed.heard.points
    if best.proposal is None:
        if weighed.heard.is_piece and not set(weighed.heard.acts) - {"lead"} and not weighed.turn["subject"]:
            return Unmet(weighed.unfit[0] if weighed.unfit else NOT_SURE)
        acts = set(weighed.heard.acts)
        if weighed.turn["subject"] < 1 and (_CHANGING & acts or "instead" in acts and weighed.anew.unread):
            return _between(weighed) or Unmet(weighed.unfit[0] if weighed.unfit else NOT_SURE)
        if not leans or weighed.sure >= _SURE_ANEW and not weighed.turn["those"]:
            return _unmet(weighed) if weighed.anew.sure == 0 else _between(weighed) if leans else None
        return _between(weighed) or _unmet(weighed)
    if best.proposal.unread:
        asks = weighed.turn["asks"] and not leans  # then what is left out is told of the question by itself
        return Unmet(unread=best.proposal.unread) if leans or weighed.lost and not asks else None
    if weighed.sure >= load_weights().least:
        chart = weighed.mark or best.proposal.of.chart
        far = math.inf if weighed.either else _BESIDE
        beside = _between(weighed, far) if weighed.either or weighed.sure < CLEAR else None
        return Followed(best.proposal.form, best.proposal.of, chart, sure=weighed.sure, beside=beside)
    return _between(weighed, least=1 if weighed.sure >= _OFFERED else 2) or Unmet(NOT_SURE)


def _between(weighed: Weighed, most: float = _NEAR, least: int = 2) -> Between | None:
    """The readings that stand near the first, where there are so many at least."""
    near = [one for one in weighed.readings if one.score >= weighed.readings[0].score - most]
    edits = [one.proposal for one in near if one.proposal is not None and not one.proposal.unread]
    anew = weighed.anew.sure > 0 and any(one.proposal is None for one in near)
    if len(edits) + anew < least:
        return None
    scores = tuple(one.score for one in near if one.proposal is not None and not one.proposal.unread)
    first = edits[0] if edits else None
    of, chart = (first.of, weighed.mark or first.of.chart) if first is not None else (None, "")
    return Between(tuple(edit.form for edit in edits), anew, scores, of, chart)


def _unmet(weighed: Weighed) -> Unmet | None:
    """Why a turn that hangs on an earlier answer has no place in it."""
    weights = load_weights().rank
    pull = sum(weights.get(name, 0.0) * value for name, value in weighed.turn.items())
    alone = next((one.score for one in weighed.readings if one.proposal is None), -math.inf)
    if pull <= alone or not (weighed.heard.leans or weighed.lost and not weighed.turn["asks"]):
        return None
    return Unmet(weighed.unfit[0]) if weighed.unfit else None


def returned(heard: Heard, forms: Sequence[Earlier], catalog: Catalog) -> Followed | Unmet:
    """``back to the airlines``: the latest earlier form but the last that speaks of what is named."""
    if "every" in heard.acts or _ALL_AGAIN.match(heard.rest):
        return _wider(forms)
    said = {stem(word) for word in content(heard.rest) if word not in _ARTICLES}

    def shared(text: str) -> int:
        return len(said & {stem(word) for word in content(text)})

    def fit(one: Earlier) -> tuple[int, int]:
        described = len(said) > 1  # one word is the last that was said of it
        asked = one.turn.question
        return shared(f"{asked} {in_words(one.form, catalog)}"), shared(asked) if described else 0

    fits = [(fit(one), one) for one in (*forms[1:], *forms[:1])]
    most = max((common for common, _ in fits), default=(0, 0))
    if not most[0]:
        return Unmet(f"nothing was asked about {heard.rest.strip(' ?!.')} before")
    found = next(one for common, one in fits if common == most)
    return Followed(found.form, found, found.chart, sure=found.sure)


def _wider(forms: Sequence[Earlier]) -> Followed | Unmet:
    """``back to all bookings``: without what the rows were restricted to last."""
    before = forms[0]
    known = conditions_of(before.form)
    if not known:
        return Unmet("nothing is left out that could be looked at again")
    older = [one.form for one in forms[1:] if _is_wider(conditions_of(one.form), known)]
    left = conditions_of(older[0]) if older else []
    return Followed(with_conditions(before.form, left), before, before.chart, sure=before.sure)


def _is_wider(older: Sequence[Condition], known: Sequence[Condition]) -> bool:
    return len(older) < len(known) and all(condition in known for condition in older)


def _asked(heard: Heard, rest: str) -> str:
    """The words to be read: a group that was announced is one (``drill into months``)."""
    if "split" in heard.acts and _GROUPED.match(rest) is None:
        return f"by {_AMONG.sub('', rest)}"
    plain = rest.strip(" ?!.").lower()
    if plain == "may":
        return "in may"
    if {"only", "keep"} & set(heard.acts) and (year := _FROM_YEAR.match(rest)) is not None:  # "the ones from 2023"
        return f"in {year[1]}"
    return re.sub(r"^\W*into\b", "by", rest, flags=re.IGNORECASE)
