"""What is left out, said behind: *…, cancelled ones left out*, *…, leaving out those with fewer than three people*."""

from __future__ import annotations

from .rules import Rules, applied, said_so

__all__ = ["without_what_is_left_out"]

_GONE = r"(?:are |is |being )?(?:left out|excluded|omitted|disregarded|ignored|not counted|not included|taken out)"
_LEAVING = r"(?:leaving out|excluding|ignoring|omitting|not counting|disregarding|skipping|but not|except(?: for)?)"
_GROUPS = r"(?:those|the ones|any|ones|all those|groups)"
_BUT, _ALL = r"[,;]?(?: but| and)?", r"(?:the |all |any )?"
_RULES: Rules = (
    (said_so(rf"[,;(]\s*(?:with )?(?:the |all |any )?(?P<what>[a-z-]+ [a-z]+s) {_GONE}\)?(?=\W*$)"),
     r" without \g<what>"),
    (said_so(rf" (?:with )?(?:the |all |any )?(?P<what>[a-z-]+ ones) {_GONE}\)?(?=\W*$)"), r" without \g<what>"),
    (said_so(rf"{_BUT} leave out {_ALL}(?P<what>[a-z][\w -]*?)(?=\W*$)"), r" without \g<what>"),
    (said_so(rf"{_BUT} leave {_ALL}(?P<what>[a-z][\w -]*?) out(?=\W*$)"), r" without \g<what>"),
    (said_so(rf"[,;]? {_LEAVING} {_GROUPS} (?:with|that have|which have|having) (?:fewer|less) than (?=[\w.]+ [a-z])"),
     " with at least "),
    (said_so(rf"[,;]? {_LEAVING} {_GROUPS} (?:with|that have|which have|having) more than (?=[\w.]+ [a-z])"),
     " with at most "),
)  # fmt: skip


def without_what_is_left_out(question: str) -> str:
    """A question in which what is left out, and the groups that are too small, stand as a condition."""
    return applied(_RULES, question)
