"""``which supplier damages the most pallets``: with the highest total of a number that is called by what was done."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.families import is_same_deed
from ..words.text import stem, tokenize

__all__ = ["done_to_most"]

_SAID = said_so(
    r"^(?P<who>(?:which|what) [a-z]+(?: [a-z]+)??|who) (?:(?:has|have|had|did|do|does) )?(?P<deed>[a-z]{3,}) "
    r"(?:the )?(?P<most>most|least|fewest) (?P<what>[a-z]+(?: [a-z]+)??)",
    r"(?P<rest>\W*$| (?:in|this|last|during|since|for|from|between|on|at|so far) .*$| so far\W*$)",
)
_LONGEST = 3  # words of a number's name


def done_to_most(question: str, metadata: Metadata) -> str:
    """The question as one for the highest total of that number; as it is, where there is none."""
    said = _SAID.match(question)
    if said is None:
        return question
    stems = tuple(token.stem for token in tokenize(said["what"]))
    found = {
        metadata.parts(path) for path in metadata.number_names.paths
        if _is_done(metadata.parts(path), said["deed"].lower(), stems)
    }  # fmt: skip
    if len(found) != 1:
        return question
    end = "highest" if said["most"].lower() == "most" else "lowest"
    return f"{said['who']} has the {end} total {' '.join(found.pop())}{said['rest']}"


def _is_done(parts: tuple[str, ...], deed: str, what: tuple[str, ...]) -> bool:
    """``damaged_pallets``, ``pallets_damaged``."""
    if not 1 < len(parts) <= _LONGEST:
        return False
    ways = ((parts[0], parts[1:]), (parts[-1], parts[:-1]))
    return any(is_same_deed(done, deed) and tuple(map(stem, rest)) == what for done, rest in ways)
