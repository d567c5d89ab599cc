"""Who did it last: *who joined most recently*, where *most* is of no number."""

from __future__ import annotations

from .rules import Rules, applied, said_so

__all__ = ["most_recently"]

_BEING = r"(?!(?:is|was|are|were|has|have|had|did|do|does|been)\b)"
_WHO = r"(?:who|(?:which|what) [a-z]+(?: [a-z]+)?)"
_RULES: Rules = (
    (said_so(rf"^(?P<who>{_WHO} {_BEING}[a-z]+(?: us)?) most (?:recently|lately)(?=\W*$)"), r"\g<who> last"),
    (said_so(r"^(?P<who>who (?:was|were|got) [a-z]+) most (?:recently|lately)(?=\W*$)"), r"\g<who> last"),
    (said_so(r"^(?P<which>(?:which|what) [a-z]+ (?:do|did) we [a-z]+(?: (?:up|in|on|to|with|from))?) at most(?=\W*$)"),
     r"\g<which> most"),
)  # fmt: skip


def most_recently(question: str) -> str:
    """A question for who did something most recently, as one for who did it last.

    >>> most_recently("who joined most recently?")
    'who joined last?'
    """
    return applied(_RULES, question)
