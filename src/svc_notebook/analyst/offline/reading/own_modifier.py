"""``meals per month`` over ``meal_orders`` with a column ``meal``: the orders, and not how many sorts there were; what
is said of the rows anyway by *spent on meals*, *meal income* and *fuel price*.
"""

from __future__ import annotations

from .... import patterns as re
from ..schema.metadata import Metadata
from ..schema.money import taken_in
from ..turning.rules import said_so
from ..words.text import singular

__all__ = ["rows_by_their_modifier"]

_COUNTED = r"(?P<lead>^(?:how many|(?:the )?(?:total )?number of|count of) )"
_OWNED = r"(?:do we|(?:are|is|were|was) there|have there been|took place|do you|do they|have we|exist|can |we )"
_MONEY = r"(?P<money>revenue|income|takings|turnover|sales|earnings)"
_PARTED = r"(?P<behind> (?:by|per|each|in|last|this|on|since|during|over|yesterday|today) )"
_SPENT = said_so(r"\b(?:spends?|spent|pays?|paid|spending|take|took|taken|earn|earned)\b")
_FEW = 5  # times as many rows as sorts


def rows_by_their_modifier(question: str, metadata: Metadata) -> str:
    """The question with the rows that are meant by the word before their own, where a column is called so as well."""
    lowered = question.lower()
    for relation, sort in _sorts(metadata):
        if sort in lowered:
            question = _of_rows(question, relation, sort, metadata)
    return _priced(question, metadata) if "price" in lowered else question


def _priced(question: str, metadata: Metadata) -> str:
    """``fuel price`` over ``fuel_fills`` with a price per litre: the price, and not what a fill cost."""
    for name, relation in metadata.catalog.relations.items():
        known = [member.path for member in relation.members.values() if member.path in metadata.members]
        own = [metadata.parts(path) for path in known if metadata.is_number(path)]
        priced = [parts for parts in own if parts[:1] == ("price",)]
        for word in metadata.words_of(name)[:-1] if len(priced) == 1 else ():
            if not any(word in parts for parts in own):
                question = said_so(rf"\b{re.escape(word)} (?=prices?\b)").sub("", question)
    return question


def _sorts(metadata: Metadata) -> list[tuple[str, str]]:
    """The relations of events that are called after what they are of, with that word."""
    found = []
    for name, relation in metadata.catalog.relations.items():
        *before, last = metadata.words_of(name)
        path = f"{name}.{before[0]}" if len(before) == 1 else ""
        if path not in metadata.members or relation.kind != "cube" or not metadata.times([name]):
            continue
        profile = metadata.profile(path)
        if metadata.members[path].type == "string" and profile.distinct * _FEW < profile.rows and last != before[0]:
            found.append((name, before[0]))
    return found


def _of_rows(question: str, relation: str, sort: str, metadata: Metadata) -> str:
    *before, last = metadata.words_of(relation)
    rows, several = " ".join([*before, f"{singular(last)}s"]), rf"{re.escape(sort)}s"
    question = said_so(rf"{_COUNTED}{several}\b(?= (?!{_OWNED})\S)").sub(rf"\g<lead>{rows}", question)
    question = said_so(rf"^(?P<so>(?:[a-z]+ )?){several}{_PARTED}").sub(rf"\g<so>{rows}\g<behind>", question)
    question = said_so(
        rf"^(?P<busy>(?:what (?:is|was) )?(?:the )?(?:busiest|quietest) [a-z]+) (?:for|of) {several}\b"
    ).sub(rf"\g<busy> for {rows}", question)
    amount = taken_in(metadata)
    if amount is None or amount.split(".", 1)[0] != relation:
        return question
    question = said_so(rf"\b{re.escape(sort)} {_MONEY}\b").sub(r"\g<money>", question)
    if _SPENT.search(question):
        question = said_so(rf" (?:on|for|with) (?:the |our )?{several}\b").sub("", question)
    return question
