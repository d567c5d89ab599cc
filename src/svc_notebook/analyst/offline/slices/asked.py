"""Which questions set two slices against each other, and which of their words say what: the grammar of comparing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from .... import patterns as re
from ..words.text import is_participle, stem
from .lexicon import Comparing, load_comparing
from .of_two import of_two
from .said import Said

__all__ = ["COMPARATIVES", "said_in"]

LONGEST = 180  # letters
_BE = r"(?:is|are|was|were|isn['’]?t|aren['’]?t)"
_DO = r"(?:do|does|did|have|has|had|will|can)"
_AT = r"(?:on|in|at|during|over|with|without|for|from|among|by|when|after|before|between|under|inside|outside)"
_WHY = re.compile(r"^(?:why|how come|what makes|explain why|any idea why|reasons? why)\b\s*", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:and|so|but|ok|hey|hi|please|pls|tell me|show me|can you|could you|i wonder|check|see|find out|do you know)\b"
    r"\s*,?\s*(?:if|whether)?\s*|^(?:if|whether)\s+",
    re.IGNORECASE,
)
_FRONT = re.compile(
    r"^(?:(?:can|could) you\s+)?(?:compare|comparing|comparison of|show(?: me)?|give me"
    r"|what(?:['’]?s| is| was| are| were)?"
    r"|how (?:do|does|did) (?=.* compare))\s+(?:the\s+)?",
    re.IGNORECASE,
)


_MEASURE = re.compile(
    r"^(?:\W*\d(?!\d?(?::\d\d)?\s*(?:am|pm|a\.m|p\.m|o['’]clock|h)\b)|(?:an?|one|two|three|half|the|their|our|its)?\s*(?:average|mean|expected|planned|allowed|usual)\b"
    r"|(?:in\s+)?(?:the\s+)?(?:last|previous|prior)\s|(?:it|they|he|she|we)\s|(?:a|an|one)\s+\w+\s+(?:ago|before)\b)",
    re.IGNORECASE,
)  # a bound, an average or a time before: no slice


def said_in(question: str) -> Iterator[Said]:
    """The ways to take a question apart, the likeliest first; none where nothing is set against anything."""
    words = load_comparing()
    text = " ".join(question.split()).strip(" ?!.")
    if len(text) > LONGEST:
        return
    text, rated = _without_tails(text, words)
    while (lead := _LEAD.match(text)) and lead.end():
        text = text[lead.end() :]
    why = _WHY.match(text)
    if why is not None:
        text = text[why.end() :]
    text, per = _without_per(text)
    for said in (found for found in _frames(text, words) if not _MEASURE.match(found.other)):
        said = said._replace(about=per) if per and said.comparative and not said.about else said
        yield said._replace(asks="why" if why is not None else said.asks, rated=rated)


def _without_tails(text: str, words: Comparing) -> tuple[str, bool]:
    rated = False
    while (tail := words.tails.search(text)) is not None:
        rated = rated or re.search(r"\b(?:rate|share|percent|percentage|proportionally)\b", tail[0]) is not None
        text = text[: tail.start()].rstrip(" ,")
    return text, rated


def _without_per(text: str) -> tuple[str, str]:
    """A question that ends in what each of is compared: ``do fords cost more than vauxhalls per job``."""
    found = re.match(r"^(?P<text>.+\bthan\b.+?)\s+(?P<per>per \w+)$", text, re.IGNORECASE)
    return (found["text"], found["per"].lower()) if found is not None else (text, "")


def _frames(text: str, words: Comparing) -> Iterator[Said]:
    yield from _behind_colon(text, words)
    yield from of_two(text)
    bare = " ".join(words.hedges.sub(" ", text).split())
    yield from _being(bare, words)
    yield from _doing(bare, words)
    yield from _how(bare, words)
    yield from _which(bare, words)
    yield from _numbers(text, words)


def _behind_colon(text: str, words: Comparing) -> Iterator[Said]:
    """``weekdays vs weekends: are delays worse``, ``staff picks vs others: success rate``."""
    head, colon, tail = text.partition(":")
    both = words.against.match(head.strip()) if colon else None
    if both is None or not tail.strip():
        return
    one, other = both["one"], both["other"]
    for said in (*_being(tail.strip(), words), *_doing(tail.strip(), words)):
        if _alike(said.one, other) and not _alike(said.one, one):  # at the weekend: what it is claimed of
            one, other = other, one
        yield said._replace(one=one, other=other)
    yield Said("", tail.strip(), "", one, other)


def _alike(one: str, other: str) -> bool:
    """Whether two stretches share a word of any weight."""
    ones, others = ({stem(word) for word in text.lower().split() if len(word) > 3} for text in (one, other))
    return bool(ones & others)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    so = load_comparing().comparative
    than = r"(?:\s+(?:than|compared\s+(?:to|with))\s+(?P<other>.+))?"
    mid = r"(?:\s+(?P<mid>(?!than\b).+?))??"
    return {
        "being": re.compile(
            rf"^{_BE}\s+(?P<left>.+?)\s+(?:{_BE}\s+|gets?\s+)?(?P<so>{so}){mid}{than}$", re.IGNORECASE),
        "doing": re.compile(rf"^{_DO}\s+(?P<left>.+?)\s+(?P<so>{so}){mid}{than}$", re.IGNORECASE),
        "how": re.compile(rf"^how\s+(?P<so>\w+)\s+(?:{_BE}|{_DO})\s+(?P<left>.+)$", re.IGNORECASE),
        "which": re.compile(
            rf"^(?:who|which|what)(?:\s+of\s+(?:them|the two))?\s+(?:{_BE}\s+)?(?P<left>.*?)\s*(?P<so>{so}){mid}"
            r"\s*[,:;-]\s*(?P<one>.+?)\s*,?\s+or\s+(?P<other>.+)$", re.IGNORECASE),
        "at": re.compile(rf"^(?P<head>.+?)\s+(?P<tail>(?:{_AT})\s+.+)$", re.IGNORECASE),
        "starts": re.compile(rf"^(?:{_AT})\s+\S", re.IGNORECASE),
    }  # fmt: skip


def _being(text: str, words: Comparing) -> Iterator[Said]:
    """``are quakes with a tsunami deeper than those without``, ``is the wind stronger at night``."""
    found = _patterns()["being"].match(text)
    if found is None or re.match(rf"{_DO}\b", text, re.IGNORECASE):
        return
    left, mid, other = found["left"], found["mid"] or "", found["other"] or ""
    so = found["so"]
    yield from _for_what(so, left, mid, other)
    if (done := re.match(r"^to\s+(\w+)$", mid)) is not None and other:  # slower to pay
        yield Said(so, "", done[1].lower(), left, other, "whether")
        return
    if mid and _patterns()["starts"].match(mid):
        head, verb = _of_deed(left)
        if verb:
            yield Said(so, verb, "", mid, other, "whether")
        yield Said(so, left, "", mid, other, "whether")
        mid = ""
    if mid and not other and (at := _patterns()["at"].match(mid)) is not None:  # more expensive rooms in July
        yield Said(so, at["head"], "", at["tail"], other, "whether")
    head, verb = _of_deed(left)
    if other and verb:  # are hardware tickets closed slower than software ones
        yield Said(so, mid, verb, head, other, "whether")
    if other:
        if (at := _patterns()["at"].match(left)) is not None:
            yield Said(so, at["head"], "", at["tail"], other, "whether")
        yield Said(so, mid, "", left, other, "whether")


_JUDGED = frozenset({"better", "worse", "best", "worst"})
_FOR = r"(?:for|on|with|in terms of|when it comes to|as for|regarding|at)"
_FOR_IT = re.compile(rf"^{_FOR}\s+(?P<about>.+)$", re.IGNORECASE)
_AND_FOR = re.compile(rf"^(?P<other>.+?)\s+{_FOR}\s+(?P<about>.+)$", re.IGNORECASE)


def _for_what(so: str, left: str, mid: str, other: str) -> Iterator[Said]:
    """``is JetBlue worse than Delta for delays``, ``are Mondays worse for delays than Fridays``."""
    behind = _AND_FOR.match(other) if so.lower() in _JUDGED and not mid else None
    between = _FOR_IT.match(mid) if so.lower() in _JUDGED and other else None
    if behind is not None:
        yield Said(so, behind["about"], "", left, behind["other"], "whether")
    if between is not None:
        yield Said(so, between["about"], "", left, other, "whether")


def _of_deed(left: str) -> tuple[str, str]:
    """What something is done to, and what is done, where that stands last."""
    head, _, last = left.rpartition(" ")
    return (head, last.lower()) if head and is_participle(last.lower()) else (left, "")


_MORE = frozenset({"more", "less", "fewer"})
_ADDING = frozenset("order sell buy make bring earn book produce import export".split())  # in all, and not each time


def _doing(text: str, words: Comparing) -> Iterator[Said]:
    """``do half board people rate us better than room only ones``."""
    found = _patterns()["doing"].match(text)
    if found is None:
        return
    left, mid, other = found["left"].split(), found["mid"] or "", found["other"] or ""
    for size in (1, 2, 3):
        if size >= len(left):
            break
        one, verb = " ".join(left[:-size]), left[-size].lower()
        if not mid and found["so"].lower() in _MORE and verb in _ADDING:
            return
        if mid and _patterns()["starts"].match(mid):  # do flights leave later in the evening
            yield Said(found["so"], one, verb, mid, other, "whether")
        elif other:
            yield Said(found["so"], mid, verb, one, other, "whether")


def _how(text: str, words: Comparing) -> Iterator[Said]:
    """``how fast does vhi pay compared to laya``."""
    found = _patterns()["how"].match(text)
    both = words.against.match(found["left"]) if found is not None else None
    comparative = COMPARATIVES.get(found["so"].lower()) if found is not None else None
    if both is None or comparative is None:
        return
    left = both["one"].split()
    for size in (1, 2, 3):
        if size < len(left):
            yield Said(comparative, "", left[-size].lower(), " ".join(left[:-size]), both["other"])
    yield Said(comparative, "", "", both["one"], both["other"])


COMPARATIVES = {
    "fast": "faster", "quick": "faster", "quickly": "faster", "slow": "slower", "long": "longer", "late": "later",
    "old": "older", "heavy": "heavier", "big": "bigger", "large": "larger", "high": "higher", "deep": "deeper",
    "far": "farther", "strong": "stronger", "expensive": "more expensive", "cheap": "cheaper", "tall": "taller",
    "busy": "busier", "much": "more", "good": "better", "bad": "worse",
}  # fmt: skip


def _which(text: str, words: Comparing) -> Iterator[Said]:
    """``who pays faster, VHI or Laya``."""
    found = _patterns()["which"].match(text)
    if found is None:
        return
    verb = found["left"].split()[-1].lower() if found["left"] else ""
    yield Said(found["so"], found["mid"] or "", verb, found["one"], found["other"])


def _numbers(text: str, words: Comparing) -> Iterator[Said]:
    """``mean bill insured vs uninsured animals``, ``discount on the ones we won vs the ones we lost``."""
    compared = re.match(r"^compare\s+(?:the\s+)?(?P<one>.+?)\s+(?:with|to)\s+(?P<other>.+)$", text, re.IGNORECASE)
    both = words.against.match(_FRONT.sub("", text)) or compared
    if both is None:
        return
    left = both["one"].split()
    for size in range(min(len(left) - 1, 6), 0, -1):
        yield Said("", " ".join(left[:size]), "", " ".join(left[size:]), both["other"])
    yield Said("", "", "", both["one"], both["other"])
