"""A turn in fewer words: what a frame says around its object, by the frames of the lexicon."""

from __future__ import annotations

from collections.abc import Iterator

from .... import patterns as re
from ..words.leads import LEAD
from .hearing import hear
from .lexicon import Discourse, load_discourse

__all__ = ["plainly"]

_LONGEST = 16  # words; more are no frame around a name
_SOFTENERS = ("lead", "and", "correct")
_LAYERS = 4
_ENDS = ("ascending", "descending")
_ORDERS = (*_ENDS, "best_first", "worst_first", "reversed")
_SORTS = re.compile(r"\b(?:sort|sorted|order|ordered|rank|ranked|arrange|arranged)\b.*?\bby\s+\w+", re.IGNORECASE)
_NAMED = 6  # words that name something
_NO_NAME = re.compile(
    r"^\W*(?:how|what|which|who|whose|whom|where|when|why|is|are|was|were|do|does|did|has|have|had|can|could|show|give|list"
    r"|sort|order|rank|break|split|group|put|take|leave|keep|only|just|drop|remove|make|draw|plot|count|sum|it|that|this"
    r"|them|those|these|they|everything|all|and|but|or|if|not|no|to|back|so|let|i|we|you|with|without|bring|add|include|can|may"
    r"|should|would|please|actually|also|then|now)\b",
    re.IGNORECASE,
)


def plainly(text: str) -> str:
    """``put the vans back in``, ``the vans can stay after all`` as ``bring back the vans``; else the text."""
    words, text = load_discourse(), _FARED.sub(r"what about \g<who>\g<more>", _ON_THOSE.sub("of those", repaired(text)))
    text = _EXTREME_ONE.sub(r"\g<so>", text)
    text = _DONE_BY_IT.sub(_of_whom, text)
    if len(text.split()) > _LONGEST or any(one.find(text) for one in words.turns.values()):
        return text
    return next((found for one in _softened(text, words) if (found := _framed(one, words))), _in_order(text, words))


_REPAIRED = re.compile(
    r"^(?P<first>\w.*?)[\s.…,;–—-]+(?:oh\s+)?(?:no|wait|sorry|hang on)\b"
    r"(?:[\s,]+(?:no|sorry|wait|actually|rather|i mean)\b)*"
    r"(?<!\bno)[\s,:–-]+(?P<then>\w.*)$",
    re.IGNORECASE,
)  # "cheapest first... no sorry, by name"


_ON_THOSE = re.compile(r"\b(?:on|about|at|in) (?:those|these)(?=\W*$)", re.IGNORECASE)  # "the delay on those"
_EXTREME_ONE = re.compile(
    LEAD + r"(?P<so>(?:the )?(?:longest|shortest|highest|lowest|largest|smallest|biggest)) one(?=\W*$)", re.IGNORECASE
)  # "and the longest one?": one that is so, and no number
_DONE_BY_IT = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|now|then)\W+)*(?P<head>(?:what(?:['’]?s| is| are| was| were)?\s+)?(?:the\s+)?"
    r"(?:average|mean|median|typical|total|biggest|largest|highest|lowest|smallest|maximum|minimum)\s+"
    r"\w+(?:\s+\w+)??)\s+(?P<who>he|she|it|they)\s+(?!(?:is|are|was|were|can|will|would)\b)[a-z]+"
    r"(?P<rest>(?:\s+(?:(?:on|in|for|out|up|off)|(?:in|on|at|during|for) [^?.!]+))?)\W*$",
    re.IGNORECASE,
)  # "what's the average fine he gives": of him, whom the turn before told
_FARED = re.compile(
    LEAD + r"how\s+(?:did|does|do|has|have|is|are|was|were)\s+"
    r"(?P<who>(?!(?:we|you|i|it|they|he|she|that|this|those|these|one|many|much|the data)\b)"
    r"[\w'.-]+(?:\s+[\w'.-]+){0,3}?)\s+"
    r"(?:do|done|doing|fare|fared|perform|performed|performing)(?P<more>(?:\s+(?!.*\b(?:compar|versus|vs|than)).*)?)$",
    re.IGNORECASE,
)  # "how did Ada do in 2024": of the number that was shown


def _of_whom(said: re.Match[str]) -> str:
    """``the average fine he gave in May`` as that of him in May; ``brought in`` says no more than its verb."""
    asks = "" if "what" in said["head"].lower() else "what is "
    more = said["rest"] if len(said["rest"].split()) > 1 else ""
    return f"{asks}{said['head']}{more} for {'them' if said['who'].lower() == 'they' else 'it'}"


def repaired(text: str) -> str:
    """A turn of a thread without what it takes back itself, where that is an edit; else the text."""
    said = _REPAIRED.match(text)
    if said is None:
        return text
    one, other = hear(said["first"]), hear(said["then"])
    if not (one.wants or set(one.acts) - {"lead"} or one.is_piece):
        return text  # a question of its own is not taken back for a piece of it
    if other.wants or set(other.acts) - {"lead"} or other.is_piece:
        return said["then"]
    if not one.acts or not said["first"].endswith(one.rest):
        return text
    return f"{said['first'].removesuffix(one.rest).rstrip()} {said['then']}"


def _in_order(text: str, words: Discourse) -> str:
    """``sort it by price, highest at the top``: the end that comes first in one word."""
    closed = next((match for act, one in words.closing if act == "instead" and (match := one.find(text))), None)
    if closed is not None and any(words.turns[name].find(text[: closed.start()]) for name in _ORDERS):
        return text[: closed.start()]
    sorts = _SORTS.search(text)
    if sorts is None:
        return text
    for said in re.finditer(r"[\s,;–-]+(?=\w)", text):
        want = next((name for name in _ENDS if words.turns[name].find(text[said.end() :])), "")
        if want and said.start() >= sorts.end() and " " in text[said.end() :].strip():
            return f"{text[: said.start()]} {want}"
    return text


def _framed(text: str, words: Discourse) -> str:
    for plain, frames in words.plainly:
        for frame in frames:
            found = frame.find(text)
            kept = next((part for part in found.groups() if part), "").strip(" ,;:-") if found is not None else ""
            if found is not None and (kept or "…" not in plain) and not _is_more_than_a_name(kept):
                return plain.replace("…", kept)
    return ""


def _is_more_than_a_name(kept: str) -> bool:
    return len(kept.split()) > _NAMED or _NO_NAME.match(kept) is not None


def _softened(text: str, words: Discourse) -> Iterator[str]:
    """The text, and again without what only softens it: ``actually, could you … please``."""
    yield text
    for _ in range(_LAYERS):
        found = [match for act, one in words.opening if act in _SOFTENERS and (match := one.find(text)) is not None]
        rest = text[max((match.end() for match in found), default=0) :]
        if found and re.search(r"\w", rest):
            yield (text := rest)
        closed = next((match for act, one in words.closing if act == "lead" and (match := one.find(text))), None)
        if closed is not None and re.search(r"\w", text[: closed.start()]):
            yield (text := text[: closed.start()])
        if not found and closed is None:
            break
