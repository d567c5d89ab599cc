"""Superlatives said as a comparison with all the others: *which town has more riders than any other*."""

from __future__ import annotations

from .comparatives import COMPARATIVE, superlative
from .rules import said_so
from .subjects import OF, with_subject

__all__ = ["most_of_all"]

_NOUN = (
    rf"(?: (?P<noun>(?!(?:{OF}|and|or|but|we|they|you|this|last|next|ever|so|since|before|after|per|that|which|who|"
    r"has|have|had|was|were|is|are|do|does|did|combined|together|put|taken)\b)[\w-]+))?"
)
_ONES = (
    r"(?:(?:any|every|each|all)(?: of)?(?: (?:the|our|its|their))? (?:others?|rest(?! of)|remaining)"
    rf"{_NOUN}|the (?:rest(?! of)|others|other ones)|(?:any|every|all)\s*(?:one|body|thing|where|place|time)? else)"
)
_THAN_ALL = said_so(
    rf"(?P<said>\b{COMPARATIVE}\b)(?P<between>[^,;?]*?)\s*,? than (?:(?:it|they|we) (?:is|are|was|were|do|does|did) )?"
    rf"(?:{OF} )?(?:(?:those|that) (?:of|for|in|from|by|at|on) )?(?:did |has |have )?{_ONES}\b"
    r"(?! (?:combined|together|put|taken|added))(?: (?:on record|we (?:have )?(?:ever )?(?:had|seen|have)|do|does|did|"
    r"is|are|was|were|has|have|had))?"
)  # fmt: skip
_BEFORE_ALL = said_so(rf"\b(?P<order>before|after) {_ONES}\b")
_OUTNUMBER = said_so(
    rf"^whose (?P<many>[\w\s-]+?) outnumber (?:those of )?{_ONES}\W*$"
)  # fmt: skip
_RATED = said_so(r"\b(?:is|are|was|were) rated (?P<most>the (?:highest|lowest|best|worst))\b(?! by\b)")
_ARTICLE = said_so(r"\b(?:an?|the) (?=the\s)")


# "is Ada faster than the others" and "why is she" speak of one that is named.
_OF_ONE = said_so(r"^\W*(?:is|are|was|were|do|does|did|has|have|had|why|how|can|could|will|would)\b(?! there\b)")


def most_of_all(question: str) -> str:
    """A question with the superlative that it is about, and its subject in front."""
    if _OF_ONE.match(question):
        return question
    outnumbered = _OUTNUMBER.match(question)
    if outnumbered is not None and outnumbered["noun"]:
        return f"which {outnumbered['noun']} has the most {outnumbered['many']}"
    found = _THAN_ALL.search(question)
    if found is None:
        return _BEFORE_ALL.sub(lambda m: "first" if m["order"].lower() == "before" else "last", question)
    most = f"{question[: found.start()]}{superlative(found['said'])}{found['between']}{question[found.end() :]}"
    return _RATED.sub(
        r"has \g<most> rating", with_subject(_ARTICLE.sub("", " ".join(most.split())), found["noun"] or "")
    )
