"""How long something takes, in the words for it: *median time it takes us to close a case*, *which lasted longest*."""

from __future__ import annotations

from .rules import Rules, applied, said_so

__all__ = ["as_it_lasts"]

_UNIT = r"days|hours|minutes|weeks"
_TAKES = said_so(
    rf"\b(?P<fold>average|avg|mean|median|typical|usual) (?:length of )?time(?:,? in (?P<unit>{_UNIT}))?",
    r" (?:that )?it (?:takes|took)(?: us| them| people| one)? to (?P<rest>[^,?]+?)",
    rf"(?:,? in (?P<kept>{_UNIT}))?(?P<end>\W*$|,| by | per )",
)
_RULES: Rules = (
    (said_so(r"\b(?P<end>longest|shortest)(?: |-)running\b(?= [a-z])"), r"\g<end> lasting"),
    (said_so(rf"^how many ({_UNIT}) on average (?:is it |are there )?(?=between|from)"), r"average \1 "),
    (
        said_so(
            r"^how long (?:do|did) (?P<rows>(?:the |our )?[a-z]+(?: [a-z]+)?s) (?:usually |typically |normally )?",
            r"last(?: on average)?(?P<end>\W*)$",
        ),
        r"average length of \g<rows>\g<end>",
    ),
    (
        said_so(r"^(?:which|what) (?P<rows>[\w -]+?) (?:lasted|ran|went on)(?: for)?(?: the)? longest\b(?! to\b)"),
        r"the longest \g<rows>",
    ),
    (
        said_so(
            r"\b(?P<few>the \w+) (?P<rows>\w+) (?:that|which) (?:lasted|ran|went on)(?: for)?",
            r"(?: the)? longest\b(?! to\b)",
        ),
        r"\g<few> longest \g<rows>",
    ),
)


def as_it_lasts(question: str) -> str:
    """A question how long something takes as a number of days or of time, or as what is longest."""
    said = _TAKES.search(question)
    if said is not None:
        unit = said["unit"] or said["kept"] or "time"
        told = f"{said['fold']} {unit} to {said['rest']}{said['end']}"
        question = f"{question[: said.start()]}{told}{question[said.end() :]}"
    return applied(_RULES, question)
