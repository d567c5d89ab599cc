"""*Minutes of delay*, *hours of overtime per depot*: how much of a number there is, in a unit of its kind."""

from __future__ import annotations

from ..schema.kept_units import own_unit
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.numbers import dimension_of, number_word, unit_of
from ..words.text import stem

__all__ = ["units_of"]

_SAID = said_so(
    r"\b(?P<head>(?:how many |how much |(?:the )?(?:total |overall )?number of |(?:the )?total )?"
    r"(?P<fold>(?:average|mean|median|maximum|minimum|highest|lowest|longest|most|fewest) )?)"
    r"(?P<unit>seconds|minutes|mins|hours|hrs|days|weeks|miles|km|kilometers|kilometres|kg|kilos|tonnes|litres|liters)"
    r" of (?P<what>[a-z]+(?: [a-z]+)?)\b"
)
_RANKED = {"most ": "highest total ", "fewest ": "lowest total "}


def units_of(question: str, metadata: Metadata) -> str:
    """A number that is asked for by its unit, by its name and in that unit; *most hours of* as the highest total."""
    said = _SAID.search(question)
    if said is None or _is_so_many(question[: said.start()]):
        return question
    unit, words = unit_of(said["unit"].lower()), said["what"].lower().split()
    size = next((n for n in range(len(words), 0, -1) if _is_measured(words[:n], unit, metadata)), 0)
    if unit is None or not size:
        return question
    fold = (said["fold"] or "total ").lower()
    ranked = _RANKED.get(fold, "")
    rest = "".join(f" {word}" for word in words[size:])
    asks = "what is the " if said["head"].lower().startswith("how") else ""
    name = " ".join(words[:size])
    told = f"{ranked}{name}{rest}" if ranked else f"{asks}{fold}{name} in {said['unit']}{rest}"
    return f"{question[: said.start()]}{told}{question[said.end() :]}"


def _is_so_many(before: str) -> bool:
    """Whether a figure stands before the unit: *more than 2 hours of delay* is a bound."""
    last = (before.split() or [""])[-1].strip("(,").lower()
    return bool(last) and (last[-1].isdigit() or number_word(last) is not None)


def _is_measured(words: list[str], unit: str | None, metadata: Metadata) -> bool:
    """Whether words name numbers, whole or by the end of their names, that are all kept in a unit of this kind."""
    stems = tuple(map(stem, words))
    names = metadata.number_names
    found = names.called.get(stems) or [
        p for p in names.partly.get(stems, ()) if names.plain[p][-len(stems) :] == stems
    ]
    kinds = {dimension_of(own_unit(metadata, path) or "") for path in found}
    return len(kinds) == 1 and kinds == {dimension_of(unit or "")} and None not in kinds
