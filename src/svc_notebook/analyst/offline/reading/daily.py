"""*Average daily departures*, *median weekly sales by shop*: so many per day, and their average."""

from __future__ import annotations

from ..calendar.units import ADVERBS
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import singular, stem

__all__ = ["daily"]

_SAID = said_so(
    r"^(?P<head>\W*(?:(?:what(?:['’]s| is| was| are| were)?|show(?: me)?|give me) )?(?:the |our )?)"
    r"(?P<fold>average|mean|median|typical|avg) (?:(?:number|count) of )?"
    rf"(?P<unit>{'|'.join(ADVERBS)}) (?:(?:number|count) of )?(?P<what>[a-z]+(?: [a-z]+){{0,2}}?)"
    r"(?P<rest>(?: (?:by|per|in|at|for|of|from|to|on|with|since|during|last|this|where|between|across|each)\b.*)?)$"
)
_ALIKE = 5  # letters that a deed and its flag share


def daily(question: str, metadata: Metadata) -> str:
    """An average of what is counted or adds up in each unit of time; what is a mean itself stays as it is said."""
    said = _SAID.match(question)
    if said is None or not _adds_up(said["what"].lower().rstrip("?.! "), metadata):
        return question
    fold, what = said["fold"].lower(), said["what"].lower()
    if _is_number(what, metadata):
        if singular(what.rstrip("?.! ").split()[-1]) == what.rstrip("?.! ").split()[-1] or fold == "median":
            return question  # "average daily fee" may be of each time
        rest = said["rest"].replace(" per ", " by ", 1)
        return f"{said['head']}total {said['what']} per {ADVERBS[said['unit'].lower()]} on average{rest}"
    fold = "average" if fold in ("typical", "mean", "avg") else fold
    return f"{said['head']}{fold} number of {said['what']} per {ADVERBS[said['unit'].lower()]}{said['rest']}"


def _adds_up(what: str, metadata: Metadata) -> bool:
    """Whether it is rows, or a number that is summed; and not what is called so with its unit."""
    words = what.split()
    if any(not ADVERBS.keys().isdisjoint(metadata.parts(path)) for path in metadata.members):
        return False
    if singular(words[-1]) != words[-1] and metadata.kind_names.are_rows(words[-1]):
        return True
    numbers = metadata.number_names.called.get(tuple(map(stem, words)), ())
    return bool(numbers) and all(map(metadata.adds_up, numbers)) or _is_flag(words, metadata)


def _is_number(what: str, metadata: Metadata) -> bool:
    return tuple(map(stem, what.rstrip("?.! ").split())) in metadata.number_names.called


def _is_flag(words: list[str], metadata: Metadata) -> bool:
    """Whether it is those that are so: *cancellations* of ``cancelled``."""
    flags = [path for path, member in metadata.members.items() if member.type == "boolean"]
    shared = [part for path in flags for part in metadata.parts(path) if len(part) > _ALIKE]
    return len(words) == 1 and any(words[0][:_ALIKE] == part[:_ALIKE] for part in shared)
