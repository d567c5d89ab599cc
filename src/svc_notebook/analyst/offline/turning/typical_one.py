"""What one of many has as a rule: *how many seats does the average plane have*."""

from __future__ import annotations

from .rules import Rules, applied, said_so

__all__ = ["of_a_typical_one"]

_NOUN = r"[a-z]+(?: [a-z]+)?"
_RULES: Rules = (
    (said_so(rf"^how many (?P<what>{_NOUN}) (?:does|do|did|has|have|had) (?:the|an?) (?:average|typical|usual|normal) "
             r"(?P<kind>[a-z]+)(?: (?:have|has|had|get|gets|make|makes))?"
             r"(?P<rest>(?: (?:in|during|of|at|from) .+)?\W*)$"),
     r"average number of \g<what> per \g<kind>\g<rest>"),
)  # fmt: skip


def of_a_typical_one(question: str) -> str:
    """A question about the average one of a kind, as one about the average.

    >>> of_a_typical_one("How many orders does the average customer have?")
    'average number of orders per customer?'
    """
    return applied(_RULES, question)
