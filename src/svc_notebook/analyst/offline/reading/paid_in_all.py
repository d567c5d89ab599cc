"""Money that was taken by a verb alone: *which client has paid us the most*, *which month did we bill most*, *what did
the school pay in total*: of all that was taken, and not how often, nor a list of what it was.
"""

from __future__ import annotations

from ..calendar.units import UNITS
from ..schema.metadata import Metadata
from ..schema.money import taken_in, when_paid
from ..turning.rules import said_so
from ..words.families import is_same_deed
from ..words.text import singular, tokenize

__all__ = ["paid_in_all"]

_PAYING = frozenset({"pay", "pays", "paid"})
_VERB = r"(?P<verb>pays?|paid|spends?|spent|bills?|billed|invoiced?|charged?|earn(?:s|ed)?|gross(?:es|ed)?)"
_TAKEN = r"(?P<verb>bill|billed|invoiced?|charged?|earn|earned|take in|taken in|gross|grossed|sell|sold|make|made)"
_DONE = r"(?:(?:have|has|had|did|do|does) )?"
_ALL = r"(?: (?:in total|in all|all in all|altogether|overall|so far|to date|until now|up to now))?"
_REST = r"(?P<rest>\W*$| (?:in|this|last|during|since|over|for|from|between|on|so) .*$)"
_WHO_MOST = said_so(
    rf"^(?:which|what) (?P<kind>[a-z]+(?: [a-z]+)??) {_DONE}{_VERB}(?: us)? (?:the )?most(?: money)?{_ALL}", _REST
)
_WHO = said_so(rf"^who (?:has |have )?(?:pays?|paid)(?: us)? (?:the )?most(?: money)?{_ALL}", _REST)
_THOSE_MOST = said_so(
    rf"^(?:the )?(?P<kind>[a-z]+s) (?:who|that|which) {_DONE}{_VERB}(?: us)? the most(?: money)?{_ALL}", _REST
)
_WHEN_MOST = said_so(
    rf"^(?:in |on )?(?:which|what) (?P<unit>[a-z]+) (?:did|do|have|had) we {_TAKEN} (?:the )?most(?: money)?", _REST
)
_HOW_MUCH = said_so(
    r"^(?:what|how much)(?: money)? (?:did|has|have|had) (?P<who>(?!we\b|they\b|you\b|i\b|he\b|she\b|it\b).+?) "
    rf"(?P<verb>pay|paid|spend|spent)(?: us)?(?P<all>{_ALL})",
    _REST,
)
_PAID_BY = said_so(r"^(?:the )?total (?P<verb>paid|spent) by (?P<who>.+?)", _REST)
_WE_TOOK = said_so(
    r"^how much (?:money )?(?:did|have|had|do) we (?P<verb>bill|billed|invoiced?|charged?|take|took|taken|earn|earned)"
    r"(?: for(?! an? | each | every | one ))?(?P<rest>\W*$| (?!for an? |per |for each |for every |for one ).*$)"
)
_VERBS = tuple("paid pay spen bill invoic charg earn gross take took sell sold make made".split())


def paid_in_all(question: str, metadata: Metadata) -> str:
    """The question with the amount that is meant by a verb of paying or taking."""
    if not any(verb in question.lower() for verb in _VERBS) or (amount := taken_in(metadata)) is None:
        return question
    named = " ".join(part for part in metadata.parts(amount) if part != "total")
    return next((put for way in _WAYS if (put := way(question, named, amount, metadata)) is not None), question)


def _who_most(question: str, named: str, amount: str, metadata: Metadata) -> str | None:
    who = _WHO.match(question)
    if who is not None:  # who it is that pays is known where everyday words are read
        return f"who paid us the most{who['rest']}"
    said = _WHO_MOST.match(question)
    if said is None or not _is_kind(said["kind"], metadata):
        return None
    return f"which {said['kind']} has the highest total {named}{_paid(said['verb'], amount, metadata)}{said['rest']}"


def _those_most(question: str, named: str, amount: str, metadata: Metadata) -> str | None:
    said = _THOSE_MOST.match(question)
    if said is None or not _is_kind(said["kind"], metadata):
        return None
    return f"top 10 {said['kind']} by total {named}{_paid(said['verb'], amount, metadata)}{said['rest']}"


def _when_most(question: str, named: str, amount: str, metadata: Metadata) -> str | None:
    said = _WHEN_MOST.match(question)
    if said is None or singular(said["unit"].lower()) not in UNITS and said["unit"].lower() != "weekday":
        return None
    if _is_of_another(said["verb"], amount, metadata):
        return None
    return f"which {said['unit']} has the highest total {named}{said['rest']}"


def _how_much(question: str, named: str, amount: str, metadata: Metadata) -> str | None:
    said = _HOW_MUCH.match(question) or _PAID_BY.match(question)
    if said is None or not _is_value(said["who"], metadata):
        return None
    return f"total {named}{_paid(said['verb'], amount, metadata)} for {said['who']}{said['rest']}"


def _we_took(question: str, named: str, amount: str, metadata: Metadata) -> str | None:
    said = _WE_TOOK.match(question)
    own = said is not None and _is_of_another(said["verb"], amount, metadata)
    return f"total {named}{said['rest']}" if said is not None and not own else None


_WAYS = (_who_most, _those_most, _when_most, _how_much, _we_took)


def _paid(verb: str, amount: str, metadata: Metadata) -> str:
    """`` of paid invoices``, where rows know whether they were paid."""
    words = when_paid(metadata, amount.split(".", 1)[0]) if verb.lower() in _PAYING else []
    return "".join(f" {word}" for word in words)


def _is_of_another(verb: str, amount: str, metadata: Metadata) -> bool:
    """Whether a number of its own is called by the verb: points that were earned are no money."""
    called = [p for p in metadata.number_names.paths if any(is_same_deed(part, verb) for part in metadata.parts(p))]
    named = {part for part in metadata.parts(amount) if part != "total"}
    return any(named.isdisjoint(metadata.parts(path)) for path in called)


def _is_kind(words: str, metadata: Metadata) -> bool:
    tokens = tokenize(words)
    return metadata.kind_names.end(tokens, 0) == len(tokens)


def _is_value(words: str, metadata: Metadata) -> bool:
    tokens = [token for token in tokenize(words) if token.lower != "the"]
    return any(match.end == len(tokens) for match in metadata.values.find(tokens, 0))
