"""Deeds that people speak of where the plain question has a noun, or none at all: *how do people rate our crews*."""

from __future__ import annotations

from ..words.shares_said import SHARE_OR_PART
from .rules import Rules, applied, said_so

__all__ = ["without_deeds"]

_PEOPLE = (
    r"(?:people|customers|clients|guests|users|visitors|members|they|students|patients|somebody|someone|anybody|anyone)"
)
_WE = r"(?:we|they|you|i)"
_STATES = r"accept|reject|cancel|return|refus|refuse|declin|decline|complet|complete|finish|order|request|refund"
_NOUN = r"[a-z]+(?:-[a-z]+)?(?: [a-z]+)?"
_UNSAID = (
    r"(?:(?:did not|didn['’]t|do not|don['’]t|have not|haven['’]t|never) "
    r"(?:answer(?:ed)?|rated?|fill(?:ed)? in|state[d]?|specify|specified|provided?|scored?|repl(?:y|ied) to)|"
    r"(?:skipped|left out))"
)
_THING = r"(?:an? |any |the |their |our )?(?P<what>[a-z]+(?: [a-z]+){0,3})"
_RULES: Rules = (
    # who gave no answer → those without one
    (said_so(rf"^how many (?P<rows>[a-z]+s|people) {_UNSAID} {_THING}(?P<end>\W*)$"),
     r"how many \g<rows> without \g<what>\g<end>"),
    (said_so(rf"^how many {_UNSAID} {_THING}(?P<end>\W*)$"), r"how many rows without \g<what>\g<end>"),
    # times are how often, and no times of day
    (said_so(r"^(?P<and>and )?how many times(?: (?:was|is|did) (?:that|it|this)(?: happen)?| in (?:all|total))?"
             r"(?P<end>\W*)$"),
     r"\g<and>how often\g<end>"),
    # how they rate it → its rating
    (said_so(rf"^how (?:well )?(?:do|did|have) (?:our |the )?{_PEOPLE} rated? (?P<what>[^,?]+?),? on average"),
     r"what is the average rating of \g<what>"),
    (said_so(r"^how (?:well )?(?:is|are|was|were) (?P<what>[^,?]+?) rated,? on average"),
     r"what is the average rating of \g<what>"),
    (said_so(rf"^how (?:well )?(?:do|did|have) (?:our |the )?{_PEOPLE} rated? (?P<what>[^,?]+?)(?P<end>\W*)$"),
     r"what is the average rating of \g<what>\g<end>"),
    # how often it gets so, in percent → what percentage is so
    (said_so(r"^how often (?:do|does|did|is|are|was|were) (?:an?|the|our) (?P<row>[a-z]+) (?:get |gets )?"
             r"(?P<so>[a-z]+ed)(?P<rest>\b[^,?]*), (?:in percent|as a percentage|as a share)\b"),
     r"what percentage of \g<row>s are \g<so>\g<rest>"),
    (said_so(r"^how many of (?:the |our |all )*(?P<what>[^,?]+?), in percent\b"), r"what percentage of \g<what>"),
    # to whom nothing was done → those without it
    (said_so(rf"^(?P<which>which|what) (?P<rows>{_NOUN}) (?:did|have|has) (?:{_WE}|nobody|no one) "
             rf"(?:never |ever |not )*(?P<deed>[a-z]+) an?y? (?P<what>{_NOUN})"
             r"(?: to| for| from| with| by)(?P<end>\W*)$"),
     r"\g<which> \g<rows> have no \g<what>\g<end>"),
    (said_so(r"\b(?:hasn['’]t|haven['’]t|has not|have not|did not|didn['’]t|has never|have never|never)(?: yet| ever)? "
             r"(?:had|have|made|make|got|get|brought in|bring in|brought|bring|done|do|taken|take|seen|delivered|"
             r"placed|given|received|submitted|handed in|put in) (?:us )?(?:even )?"
             r"(?:a single|one single|any single|even one) "
             r"(?P<what>[a-z]+)"),
     r"have no \g<what>"),
    # where they stand: no condition of its own
    (said_so(r"\b(?P<have>has|have|had|having|with|includes?|contains?) (?P<what>[a-z]+(?: [a-z]+){0,2}) "
             r"(?:in|on) (?:them|it)(?P<end>\W*)$"),
     r"\g<have> \g<what>\g<end>"),
    (said_so(rf" where {_PEOPLE} (?:bring|brought|have|had|take|took)(?: along)? (?P<what>[a-z]+)(?: along)?\b"),
     r" with \g<what>"),
    (said_so(r"\b(?P<who>who|that)(?:['’]s| is| are|['’]re) (?:on|in) (?:our|the) "
             r"(?:list|lists|books|records|files|system)(?:,)? (?:but|and|yet|who) "),
     r"\g<who> "),
    # who of them does how many → how many of each
    (said_so(r"^(?:who|which) (?:of|among) (?:the|our) (?P<who>[a-z]+) (?:has |have |had )?"
             r"(?:did|do|does|done|has|have|had|gave|gives|given|made|makes|took|takes|taken|sees|saw|seen|gets|got|"
             r"handled|handles|wrote|writes|brings|brought) (?:us )?how many (?P<what>[^,?]+?)(?P<end>\W*)$"),
     r"how many \g<what> per \g<who>\g<end>"),
    (said_so(r"^what (?P<kind>kinds?|types?|sorts?) of (?P<what>[a-z]+) [^,?]*, (?:and )?how many "
             r"(?:are there |do we have )?(?:of|for|with|in) each(?P<end>\W*)$"),
     r"how many \g<what> per kind\g<end>"),
    # those that there are → those that are
    (said_so(r"^how many (?P<what>[a-z]+(?: [a-z]+)?) (?:do we have|have we got|are there|do we have here|have we) "
             r"(?:that|who|which) (?P<be>are|were|have|had) "),
     r"how many \g<what> \g<be> "),
    # what we do to a part of them → what part of them is so
    (said_so(rf"^what (?P<part>{SHARE_OR_PART}) of (?:our|the|all) (?P<what>[a-z]+) do we "
             rf"(?:end up |have to |need to )?(?P<deed>{_STATES})(?:l?ing)?\b"),
     r"what \g<part> of \g<what> are \g<deed>+"),
    (said_so(rf"^how often (?:do|did) we (?:have to |need to )?(?P<deed>{_STATES}) (?:an?|our) (?P<what>[a-z]+),? "
             r"(?:in percent|as a percentage|as a share)\b"),
     r"what percentage of \g<what>s are \g<deed>+"),
    (said_so(r"^out of (?:every )?(?:100|a hundred|one hundred) (?P<what>[a-z]+), how many "),
     r"what percentage of \g<what> "),
    # parts of a whole
    (said_so(r"^(?:break|split|divide|cut)(?: up| down)? (?:the |our |all (?:the |our )?)?"
             r"(?P<what>(?!(?:by|up|down|that|this|it|them|those|these)\b)[^,?]+?)(?: up| down)? (?P<by>by|per|into) "),
     r"\g<what> \g<by> "),
    # whose verb is the passive of a state
    (said_so(rf"\b(?P<that>that|which) {_PEOPLE} (?:have |has )?(?P<deed>{_STATES})(?:e?d|s|led)?\b"),
     r"\g<that> are \g<deed>+"),
)  # fmt: skip
_DONE = {"cancel": "cancelled", "complete": "completed", "refuse": "refused", "decline": "declined"}
_MARKED = said_so(r"\b(?P<deed>[a-z]+)\+")


def without_deeds(question: str) -> str:
    """A question with the noun that it is about in the place of what is done."""
    plain = applied(_RULES, question)
    return _MARKED.sub(lambda m: _DONE.get(m["deed"].lower(), f"{m['deed']}ed"), plain) if plain != question else plain
