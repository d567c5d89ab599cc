"""More of an amount, by a verb: *do X cost more in damage than Y* asks whether they have a higher damage; more of some
rows than a number: *more staff than fifteen* are more than fifteen.
"""

from __future__ import annotations

from .rules import Rules, applied, said_so

__all__ = ["more_of_an_amount"]

_VERB = r"(?:cost|costs|bring|brings|take|takes|run up|runs up|do|does|cause|causes)"
_RULES: Rules = (
    (
        said_so(
            rf"^(?P<asks>do|does|did) (?P<rows>[^,?]+?) {_VERB} (?:us )?(?P<so>more|less) in ",
            r"(?P<of>[a-z][a-z ]*?) than ",
        ),
        r"\g<asks> \g<rows> have \g<so> \g<of> than ",
    ),
    (
        said_so(
            r"\b(?P<so>more|fewer|less) (?P<rows>[a-z]+s|staff|people|men|women|children) than ",
            r"(?P<size>\d[\d,.]*)(?!\w)",
        ),
        r"\g<so> than \g<size> \g<rows>",
    ),
)


def more_of_an_amount(question: str) -> str:
    """A question whether some come to more of an amount than others, with the verb that every amount has."""
    return applied(_RULES, question)
