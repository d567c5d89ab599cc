"""Who did something, asked by what was done: *by which riders has no lesson been booked*, *by whom were … taken*."""

from __future__ import annotations

from .rules import said_so

__all__ = ["as_active"]

_BY_WHICH = said_so(
    r"^by (?P<who>whom|(?:which|what) (?:of (?:our|the) )?[\w\s-]+?) "
    r"(?P<be>was|were|is|are|has|have|had) (?P<what>.+?) (?:(?P<ever>ever) )?(?:been )?(?P<adverb>most often )?"
    r"(?P<deed>[a-z]+(?:ed|en|wn|ne|de|ld|ght|id|nt|ept|un|rn))\b(?P<behind>.*?)\W*$"
)
_PAST = {
    "taken": "took", "written": "wrote", "done": "did", "given": "gave", "driven": "drove", "flown": "flew",
    "chosen": "chose", "seen": "saw", "worn": "wore", "drawn": "drew", "shown": "showed", "broken": "broke",
    "begun": "began", "run": "ran", "eaten": "ate", "ridden": "rode", "known": "knew",
}  # fmt: skip
_OUR = said_so(r"\bof (?:our|the) ")
_NONE = said_so(r"^(?:no(?! (?:fewer|less|more)\b)|nothing|not (?:an?|one))\b\s*")
_BOUND = said_so(r"^no (?P<less>fewer|less)?(?:more)? than\b")


def as_active(question: str) -> str:
    """A question about who did something with who did it in front."""
    said = _BY_WHICH.match(question)
    if said is None:
        return question
    whom = said["who"].lower() == "whom"
    who, what = "who" if whom else _OUR.sub("", said["who"]), said["what"].strip()
    deed, behind = _PAST.get(said["deed"].lower(), said["deed"]), said["behind"]
    if what.lower().endswith(" ever"):
        what = what[: -len(" ever")]
    if what.lower().startswith("each of the") and whom:
        return f"who {deed} {what}{behind}"
    if _NONE.match(what):
        thing = f"a {_NONE.sub('', what)}" if _NONE.sub("", what) else "anything"
        return f"{who} never {deed} {thing}{behind}"
    what = _BOUND.sub(lambda m: "at least" if m["less"] else "at most", what)
    return " ".join(f"{who} {deed} {what} {said['adverb'] or ''}{behind}".split())
