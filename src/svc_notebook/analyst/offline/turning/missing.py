"""What is not there, said of what is missing: *tickets on which the hauler is missing*."""

from __future__ import annotations

from .rules import applied, said_so

__all__ = ["without"]

_GONE = r"(?:is|are|was|were) (?:missing|blank|empty|absent|unknown|not (?:given|known|recorded|filled in))"
_RULES = (
    (said_so(rf" (?:on|for|in|of|at) (?:which|whom) (?:the|an?) (?P<what>[\w\s-]+?) {_GONE}"),
     r" without a \g<what>"),
    (said_so(rf" whose (?P<what>[\w\s-]+?) {_GONE}"), r" without a \g<what>"),
    (said_so(rf"^whose (?P<what>[\w\s-]+?) {_GONE} among (?:the |our )?(?P<rows>[\w\s-]+?)\W*$"),
     r"\g<rows> without a \g<what>"),
    (said_so(r"^(?:for|on|in|at) which (?P<rows>[\w\s-]+?) (?:is|are|was|were) (?:the|an?) (?P<what>[\w\s-]+?) "
             r"missing\W*$"),
     r"\g<rows> without a \g<what>"),
    (said_so(r"^(?:for|on|in|at|from|to) (?:which|what) (?P<kind>[\w\s-]+?) (?:was|were|is|are|have|has) there "
             r"(?:been )?no (?P<what>[\w\s-]+)"),
     r"which \g<kind> had no \g<what>"),
)  # fmt: skip


def without(question: str) -> str:
    """Rows of which something is missing, as rows without it."""
    return applied(_RULES, question)
