"""``which supplier damages the most pallets``: with the highest total of a number that is called by what was done."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.families import is_same_deed
from ..words.numbers import dimension_of, exact_unit
from ..words.text import singular, stem, tokenize

__all__ = ["done_to_most"]

_SAID = said_so(
    r"^(?P<who>(?:which|what) [a-z]+(?: [a-z]+)??|who) (?:(?:has|have|had|did|do|does) )?(?P<deed>[a-z]{3,}) "
    r"(?:the )?(?P<most>most|least|fewest) (?P<what>[a-z]+(?: [a-z]+)??)",
    r"(?P<rest>\W*$| (?:in|this|last|during|since|for|from|between|on|at|so far) .*$| so far\W*$)",
)
_WHEN = said_so(
    r"^(?:in |on )?(?P<unit>(?:which|what) (?:month|week|day|weekday|year|quarter)) (?:did|do) (?:we|they) [a-z]+ ",
    r"(?:the )?(?P<most>most|least|fewest) (?P<what>[a-z]+(?: [a-z]+)??)",
    r"(?P<rest>\W*$| (?:in|this|last|during|since) .*$)",
)
_LONGEST = 3  # words of a number's name


def done_to_most(question: str, metadata: Metadata) -> str:
    """The question as one for the highest total of that number; as it is, where there is none."""
    when = _WHEN.match(question)
    if when is not None and _is_summed(when["what"], metadata):
        end = "highest" if when["most"].lower() == "most" else "lowest"
        return f"{when['unit']} has the {end} total {when['what']}{when['rest']}"
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


def _is_summed(what: str, metadata: Metadata) -> bool:
    """Whether a noun names the one number of rows that is so many, or so much, of it: kilometers, pallets."""
    words = tokenize(what)
    named = metadata.number_names.called.get(tuple(token.stem for token in words), ())
    paths = [path for path in named if metadata.relation(path.split(".", 1)[0]).kind == "cube"]
    last = words[-1].lower
    return len(paths) == 1 and (singular(last) != last or dimension_of(exact_unit(last) or "") != "")


def _is_done(parts: tuple[str, ...], deed: str, what: tuple[str, ...]) -> bool:
    """``damaged_pallets``, ``pallets_damaged``."""
    if not 1 < len(parts) <= _LONGEST:
        return False
    ways = ((parts[0], parts[1:]), (parts[-1], parts[:-1]))
    return any(is_same_deed(done, deed) and tuple(map(stem, rest)) == what for done, rest in ways)
