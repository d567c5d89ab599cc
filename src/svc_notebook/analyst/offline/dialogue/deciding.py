"""The likeliest of what a turn may be, where it is likely enough; a question back, or why not, where it is not."""

from __future__ import annotations

import math

from .outcome import NOT_SURE, Between, Followed, Unmet
from .weighed import SURE_ANEW, Weighed
from .weighing import load_weights

__all__ = ["decided"]

CLEAR = 0.8  # from here on an edit stands without others beside it
ITSELF = 0.75  # and an edit of an answer that was not sure itself: whoever goes on with that has taken it
_TAKEN = 0.35
_CHANGING = frozenset(("add", "remove", "keep", "restore", "too"))  # what can only be done to what is there
_HANGING = frozenset(("follow",))  # what is only named is asked of what was shown: "what about hours"
_OFFERED = 0.15  # the least likely edit that is asked back with alone
_NEAR = 2.5  # the most that a reading may score below the best one to be asked back with it
_BESIDE = 1.5  # and to be shown beside the answer


def decided(weighed: Weighed) -> Followed | Unmet | Between | None:
    """The likeliest reading where it is likely enough; a question back, or words for why not, where it is not."""
    best = weighed.readings[0]
    leans = weighed.heard.leans or weighed.heard.points
    if best.proposal is None:
        return _anew(weighed, leans)
    if best.proposal.unread:
        asks = weighed.turn["asks"] and not leans  # then what is left out is told of the question by itself
        return Unmet(unread=best.proposal.unread) if leans or weighed.lost and not asks else None
    sure = weighed.sure >= load_weights().least or weighed.sure_itself >= ITSELF and weighed.sure >= _TAKEN
    if sure or _is_corrected(weighed):
        chart = weighed.mark or best.proposal.of.chart
        far = math.inf if weighed.either else _BESIDE
        beside = _between(weighed, far) if weighed.either or weighed.sure < CLEAR else None
        return Followed(best.proposal.form, best.proposal.of, chart, sure=weighed.sure, beside=beside)
    return _between(weighed, least=1 if weighed.sure >= _OFFERED else 2) or Unmet(NOT_SURE)


def _is_corrected(weighed: Weighed) -> bool:
    """Whether ``no, I meant …`` can only be the other number that is like the one before, and no other stands near."""
    best, *others = weighed.readings
    alone = not weighed.anew.sure and all(best.score - one.score >= _NEAR for one in others)
    eased = best.proposal is not None and best.proposal.facts.get("eased", 0.0) > 0
    return alone and eased and "correct" in weighed.heard.acts


def _anew(weighed: Weighed, leans: bool) -> Unmet | Between | None:
    """What comes of a turn that is likeliest a question of its own: None, where it is taken as one."""
    unfit = Unmet(weighed.unfit[0] if weighed.unfit else NOT_SURE)
    if weighed.heard.is_piece and not set(weighed.heard.acts) - {"lead"} and not weighed.turn["subject"]:
        return unfit
    if _HANGING & set(weighed.heard.acts) and not weighed.turn["subject"]:
        return _between(weighed) or unfit
    if _changes(weighed) or weighed.of_them and weighed.anew.sure:
        return _between(weighed) or unfit
    if not leans or weighed.sure >= SURE_ANEW and not weighed.turn["those"]:
        return _unmet(weighed) if weighed.anew.sure == 0 else _between(weighed) if leans else None
    return _between(weighed) or _unmet(weighed)


def _changes(weighed: Weighed) -> bool:
    """Whether it is said what to do with what is there, and no subject to ask about."""
    acts = set(weighed.heard.acts)
    changing = _CHANGING & acts or "instead" in acts and weighed.anew.unread
    return weighed.turn["subject"] < 1 and bool(changing)


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
