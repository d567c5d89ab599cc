"""A turn in its thread: the question it is by itself and every edit of an earlier form stand in one ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from .... import patterns as re
from ...base import Turn
from ..budget import Budget
from ..forms import ROWS, Clause, Form, Over, Ratio
from ..grammar.partial import Partial
from ..reading.reading import Reading, read
from ..schema.metadata import Metadata
from .beside_others import beside_others
from .changing import changed_most
from .comparing import claimed, compared
from .deciding import decided
from .differing import difference
from .editing import Unfit
from .grouping import all_but_shown, looked_at
from .heard_over import heard_over
from .hearing import Heard, hear
from .limits import limited, renumbered
from .list_order import in_list_order
from .listing_them import lists_them
from .moving import moved_period, other_way
from .of_place import of_place, said_of_place
from .outcome import NOT_SURE, UNANSWERED, Between, Followed, Unmet
from .overall import taken_together
from .parts_of_periods import part_of_period
from .pictures import HISTOGRAM, PANELS, wished_picture
from .proposing import (
    counts_alone,
    facts_of_turn,
    names_whom,
    pointed,
    speaks_of_those,
)
from .returning import returned, says, undone
from .rows import listed, rows_shown
from .shown import lists_shown, ranks_shown
from .steps import histogram, in_steps
from .tails import (
    as_answered,
    content,
    in_turn,
    returned_and_more,
    sorted_too,
    then_sorted,
    undone_and_more,
)
from .thread import Earlier, earlier, turned_away
from .unchosen import as_if_chosen, of_each, of_last_answer
from .units import in_unit
from .weighed import partials_of, weigh
from .weighing import Anew
from .whole import binds_itself
from .wishes import all_but, names_others, of_their_own, wished

__all__ = ["follow"]

_BACK_THERE = re.compile(r"^\W*(?:and|what about|how about)\s+(?:the way\s+)?back(?:\s+again)?\W*$", re.IGNORECASE)
_ARTICLES = frozenset(("the", "a", "an"))
_DOES = frozenset(("replace", "instead", "only", "keep", "remove", "add", "follow"))
"""What is done to what was shown, whatever is named behind it."""
_NO_OF_THEM = re.compile(
    r"^\W*\w+\W+\w+.*\b(?:no|nothing)\b.*\bthem\W*$", re.IGNORECASE
)  # fields with no trips from them
_NUMBERS = re.compile(r"^\W*(?:the\s+)?(?:numbers|counts|figures|amounts|values|totals)\W*$", re.IGNORECASE)
_AS_CHART = re.compile(
    r"^\W*(?:(?:and|now|please|ok|okay|can you|could you|show|draw|plot|make|give|me|us|it|that|this|them|as|in|into)"
    r"\s+)*"
    r"(?:an?\s+|the\s+)?(?:chart|graph|plot|diagram|picture)(?:\s+(?:please|of (?:it|that|this|them)))*\W*$",
    re.IGNORECASE,
)  # whichever fits
_OF_SHOWN = re.compile(r"\b(?:of|among) (?:them|those|these)\W*$", re.IGNORECASE)
_OF_EACH = re.compile(r"\b(?:each|every)\b", re.IGNORECASE)


def follow(
    turn: Turn, metadata: Metadata, alone: Reading, now: datetime, year: int | None, fiscal: int, budget: Budget,
    anew: Callable[[], Anew], others: bool = False,
) -> Followed | Unmet | Between | None:  # fmt: skip
    """The turn as an edit of an earlier form, where it is one rather than a question of its own.

    ``others``: it is about those that the answer before was not about.
    """
    forms = earlier(turn, metadata.catalog)
    heard = heard_over(turn.question, forms, metadata)
    acts = set(heard.acts) - {"lead", "every", *(("those",) if _NO_OF_THEM.search(heard.text) else ())}
    lists = bool(forms) and lists_them(heard.text, forms[0].form, metadata)
    if not (heard.wants or acts or lists) and (binds_itself(heard.text, alone) or names_whom(heard, alone)):
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
        return undone(turn, forms)
    if more := undone_and_more(turn.question):
        there = undone(turn, forms)
        return (
            _from_there(turn, there, more, metadata, now, year, fiscal, budget)
            if isinstance(there, Followed)
            else there
        )
    if "back" in heard.acts and _NUMBERS.match(heard.rest) and (counts := _of_shares(forms[0], metadata)) is not None:
        return counts
    if "back" in heard.acts:
        back, more = returned_and_more(heard)
        there = returned(back, forms, metadata.catalog)
        if not more or not isinstance(there, Followed):
            return there
        return _from_there(turn, there, more, metadata, now, year, fiscal, budget)
    if not lists and names_whom(heard, alone):
        return None
    if not lists and (with_order := sorted_too(turn.question)) is not None:
        head, want = with_order
        made = follow(replace(turn, question=head), metadata, alone, now, year, fiscal, budget, anew, others)
        return then_sorted(made, want, metadata) if made is not None else None

    if not others and (said := said_of_place(turn.question)) is not None:
        try:
            one_of_them = of_place(forms[0], said[0])
        except Unfit as reason:
            return Unmet(str(reason))
        asked = replace(turn, question=said[1], history=(*turn.history, one_of_them))
        own = read(said[1], metadata, now, (), year, fiscal=fiscal, budget=budget)
        made = follow(asked, metadata, own, now, year, fiscal, budget, lambda: Anew(0.0))
        return replace(made, of=forms[0]) if isinstance(made, Followed) else made or Unmet(NOT_SURE)

    asks_how_many = counts_alone(heard) or counts_alone(hear(turn.asked))
    if asks_how_many and (counts := _of_shares(forms[0], metadata)) is not None:
        past = (*turn.history, as_answered(turn, counts))
        counted = replace(turn, history=past)
        made = follow(counted, metadata, alone, now, year, fiscal, budget, lambda: Anew(0.0))
        return replace(made, of=forms[0]) if isinstance(made, Followed) else made or counts

    pair = in_turn(turn.question)
    if pair is not None and (_DOES & {*hear(pair[0]).acts} or not facts_of_turn(heard, alone)["subject"]):
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
        return partials_of(text, metadata, now, year, fiscal, budget)[1]

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
    if (
        not lists
        and _whole(heard, alone)
        and not (speaks_of_those(heard, forms[0]) or ranks_shown(heard, alone, forms[0]))
    ):
        return None
    return decided(weigh(turn, forms, metadata, alone, now, year, fiscal, budget, anew))


def _of_shares(before: Earlier, metadata: Metadata) -> Followed | None:
    """``back to the numbers`` after shares: what those are of."""
    shares = [clause.expression for clause in before.form.measures]
    if not shares or not all(isinstance(one, (Over, Ratio)) for one in shares):
        return None
    try:
        form = wished("absolute", before.form, metadata)
    except Unfit:
        return None
    return Followed(form, before, before.chart, sure=before.sure) if form is not None else None


def _from_there(
    turn: Turn, there: Followed, more: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int,
    budget: Budget,
) -> Followed | Unmet | Between:  # fmt: skip
    """What is said of an answer that is gone back to; that answer, where what is said holds of it already."""
    heard = hear(more)
    if not set(heard.acts) - {"lead", "only", "keep"} and says(there.form, heard.rest, metadata.catalog):
        return there
    past = turn.history[: turn.history.index(there.of.turn) + 1]
    if there.form != there.of.form:  # all of its rows again
        past = (*past, as_answered(turn, there))
    asked = replace(turn, question=more, history=past)
    alone = read(more, metadata, now, (), year, fiscal=fiscal, budget=budget)
    made = follow(asked, metadata, alone, now, year, fiscal, budget, lambda: Anew(0.0))
    return made or Unmet(NOT_SURE)


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
    if (both := beside_others(heard, before.form, older)) is not None:
        return Followed(both, before, "", sure=before.sure)
    others = heard.wants == "others" or names_others(heard.text, before.form, metadata)
    if others and (rest_of := all_but_shown(before)) is not None:
        return Followed(rest_of, before, before.chart, sure=before.sure)
    try:
        last_two = partial(_last_two, before.form, older, metadata)
        if (most := changed_most(heard.text, alone, before.form, last_two, metadata)) is not None:
            return Followed(most, before, "", sure=before.sure)
        converted = in_unit(heard, before.form, metadata) or of_their_own(heard, before.form, alone, metadata)
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
            few = heard.wants == "behind" and before.form.groups or _OF_SHOWN.search(heard.text)
            shown = (looked_at(before) if few else None) or before
            form = in_list_order(heard, shown.form, metadata) or wished(heard.wants, shown.form, metadata, older)
        except Unfit as reason:
            return Unmet(str(reason))
        chart = "table" if form == before.form and heard.wants in ("list", "behind") else before.chart
        return Followed(form, before, chart, sure=before.sure) if form is not None else None
    if _AS_CHART.match(heard.text) and before.form.groups:
        return Followed(before.form, before, "" if before.chart == "table" else before.chart, sure=before.sure)
    mark, rest = wished_picture(heard.rest)
    if content(rest):
        return None
    try:
        form = _redrawn(mark, heard, before, metadata)
    except Unfit as reason:
        return Unmet(str(reason))
    return Followed(form, before, "bar" if mark == HISTOGRAM else mark, sure=before.sure) if form is not None else None


def _last_two(form: Form, older: Form | None, metadata: Metadata) -> Form | None:
    """The last two answers as one, where they differ in one condition."""
    if older is None or not form.groups:
        return None
    try:
        return difference(form, older, metadata)
    except Unfit:
        return None


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
        of_it = "those" in heard.acts
        form = form or (part_of_period(heard.rest, before.form, metadata, of_it=of_it) if kept else None)
        form = form or compared(heard, before, metadata, reads) or limited(heard, before.form, metadata)
    except Unfit as reason:
        return Unmet(str(reason))
    return Followed(form, before, before.chart, sure=before.sure) if form is not None else None
