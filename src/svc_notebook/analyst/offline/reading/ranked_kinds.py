"""*Top 5 movies by views* where movies are a kind of titles: the titles that are so, since a kind alone has no rank."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import stem

__all__ = ["kinds_as_rows"]

_RANKED = said_so(
    r"^(?P<head>\W*(?:(?:show|list|give me|what (?:are|is|were)|which (?:are|were)) )?(?:the |our )?"
    r"(?:top|best|worst|bottom|highest|lowest|first|last)"
    r"(?: (?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty))) "
    r"(?P<kind>[a-z]+)(?P<rest> (?:by|in terms of|with the (?:most|fewest|highest|lowest)) .+)$"
)
_FEW = 30  # kinds there are at most

_RATED = said_so(
    r"\b(?P<end>best|highest|top|worst|lowest)[ -]rated (?P<what>[a-z]+)(?: by (?:our|the|all) [a-z]+)?(?=\W*$)"
)
_LOW = frozenset({"worst", "lowest"})


def best_rated(question: str, metadata: Metadata) -> str:
    """``best rated title`` by the one number that rates, where a text is called a rating (``age_rating``) as well."""
    said = _RATED.search(question)
    if said is None:
        return question
    named = [member for path, member in metadata.members.items() if "rating" in metadata.parts(path)]
    texts = [member for member in named if member.kind == "dimension" and member.type == "string"]
    numbers = {path for path in metadata.number_names.paths if {"stars", "rating", "ratings"} & {*metadata.parts(path)}}
    if not texts or len(numbers) != 1:
        return question
    end, name = "lowest" if said["end"].lower() in _LOW else "highest", " ".join(metadata.parts(numbers.pop()))
    return f"{question[: said.start()]}{said['what']} with the {end} average {name}{question[said.end() :]}"


def kinds_as_rows(question: str, metadata: Metadata) -> str:
    """A ranking of a kind of rows as one of the rows that are of that kind."""
    said = _RANKED.match(question)
    if said is None or stem(said["kind"].lower()) in metadata.vocabulary:
        return question
    word, values = said["kind"].lower(), metadata.values
    named = values.whole.get((stem(word),), ()) if word.endswith("s") else ()
    few = [path for path, _, _ in named if path in values.complete and len(values.members[path]) <= _FEW]
    of = {path.split(".", 1)[0] for path in few}
    if len(of) != 1:
        return question
    rows = " ".join(metadata.words_of(next(iter(of))))
    return f"{said['head']} {rows} that are {word}{said['rest']}"
