"""Answers of yes, no or something between: who would come again is who said yes to *Would you come again?*."""

from __future__ import annotations

from collections.abc import Sequence

from .elements import MadeDimension
from .headings import asked, unscaled
from .profile import TableProfile
from .reading import Looker, quoted
from .words import Vocabulary

__all__ = ["name_answers"]

_MOST = 6  # different answers: more are no yes or no
_YES, _NO = frozenset({"yes", "y", "yes please", "definitely"}), frozenset({"no", "n", "no thanks", "never"})
_ASKED_WITH = frozenset("would will could can should did do does have has had are is was were am".split())
_DENIED = {"would": "wouldn't", "will": "won't", "could": "couldn't", "can": "can't", "did": "didn't", "do": "don't",
           "have": "haven't", "are": "aren't", "were": "weren't", "should": "shouldn't"}  # fmt: skip
_WHEN = frozenset("in within during over at on for before after from next this".split())


def name_answers(
    made: list[MadeDimension], table: str, profile: TableProfile, vocabulary: Vocabulary, looker: Looker
) -> None:
    """Give the answers of a question over a column the names that people have for them."""
    for dim in made:
        known = profile.columns.get(dim.column.name)
        words = vocabulary.words(unscaled(dim.column.name))
        question = asked(words)
        if dim.kind != "string" or known is None or not 2 < known.distinct <= _MOST or question is None:
            continue
        if words[0] not in _ASKED_WITH:
            continue
        name = quoted(dim.column.name)
        rows = looker.rows(f"SELECT DISTINCT {name} FROM {looker.place(table)} WHERE {name} IS NOT NULL")
        values = {str(value).strip().lower(): str(value) for (value,) in rows}
        yes, no = (next((values[one] for one in some if one in values), None) for some in (_YES, _NO))
        if yes is None or no is None:
            continue
        helper, ways = words[0], _ways(question.name)
        denied = [f"{one} {said}" for said in ways for one in ("not", f"{helper} not", _DENIED.get(helper, "")) if one]
        meta = {**dim.yaml.get("meta", {})}
        meta.pop("synonyms", None)  # they are the names of who said yes
        dim.yaml["meta"] = meta | {
            "value_synonyms": {yes: [way for said in ways for way in (f"{helper} {said}", said)], no: denied}
        }


def _ways(name: Sequence[str]) -> list[str]:
    """What was asked, and the same without when or where."""
    cut = next((at for at, word in enumerate(name) if at > 1 and word in _WHEN), len(name))
    return list(dict.fromkeys([" ".join(name), " ".join(name[:cut])]))
