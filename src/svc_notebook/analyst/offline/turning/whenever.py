"""Which rows are meant, said before a question as a case: *when a parcel is late, how much do we refund on average*."""

from __future__ import annotations

from .... import patterns as re
from ..schema.nouns import is_plural, plural
from .rules import said_so

__all__ = ["of_such"]

_BE = r"is|are|was|were|has been|have been|had been|gets|get|got"
_CASE = said_so(
    r"^(?:when|whenever|if|once) (?:(?:an?|one of (?:our|the)|any|some) )?"
    rf"(?P<noun>[a-z]+(?:-[a-z]+)?(?: (?!(?:{_BE}|has|have|had|ha[ds]n['’]t|is|not)\b)[a-z]+)?) "
    rf"(?P<was>(?:{_BE}) [a-z][^,?]*|(?:fail|cancel)s?|(?:[a-z]+ed)\b[^,?]*), (?P<asked>.+?)(?P<end>\W*)$"
)
_REASONS = said_so(
    r"^(?:why(?: (?:is|was|does|did) (?:that|it|this))?(?: so)?|what(?:['’]s| is| was) the (?:usual |main )?reason"
    r"|what (?:are|were) the (?:usual |main )?reasons)(?: (?:for|behind) (?:it|that|this))?$"
)
_WHY = said_so(
    r"^why (?:one of (?:our|the) )?(?P<noun>[a-z]+s) (?P<deed>fail|cancel|leave|complain|return|break down)s?\b"
)
_OWN = said_so(r"\b(?:its|their|his|her)\b")
_OF_IT = said_so(r" (?:of|for|on|in|from) (?:it|them|that)\b")
_POINTING = said_so(r"\b(?:it|they|them|he|she|him|those|these|that)\b")
_LASTING = said_so(r"\b(?:until|till|before|after|by the time|how long|how soon|how quickly|go by|pass|passes)\b")
_NUMBER = said_so(
    r"^(?P<what>(?:what|how)(?:['’]s| (?:is|are|was|were)| \w+ (?:is|are|was|were|had|has)) .+?)"
    r"(?P<avg>,? on average| usually| typically)?$"
)
_NO_NOUN = said_so(r"^(?:we|you|i|they|it|he|she|people|somebody|someone|there|this|that|these|those)\b")


def of_such(question: str) -> str:
    """A question of rows in a case, as one of the rows that are so; as it is where it goes on to what follows."""
    question = _WHY.sub(r"why do \g<noun> \g<deed>", question)
    said = _CASE.match(question)
    if said is None or _NO_NOUN.match(said["noun"]) or _LASTING.search(said["asked"]):
        return question
    rows = said["noun"] if is_plural(said["noun"]) else plural(said["noun"])
    was = re.sub(r"^(?:is|was|has been|had been|gets|got|get)\s", "are ", said["was"], flags=re.IGNORECASE)
    asked = said["asked"]
    if _REASONS.match(asked):
        return (
            f"why {'are ' + rows + was[3:] if was.startswith('are ') else 'do ' + rows + ' ' + was.removesuffix('s')}"
        )
    asked = _OWN.sub("the", _OF_IT.sub("", asked))
    if _POINTING.search(asked) or _NUMBER.match(asked) is None:
        return question
    number = _NUMBER.match(asked)
    assert number is not None
    return f"{number['what']}{number['avg'] or ''} for {rows} that {was}{said['end']}"
