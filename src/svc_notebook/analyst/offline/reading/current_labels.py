"""Stretches that rows are labelled with (``2023/24``): *this season* is the latest, *last season* the one before.

The calendar knows nothing of where a season or a school year ends, while the labels say which follows which.
"""

from __future__ import annotations

from .... import patterns as re
from ..schema.metadata import Metadata
from ..turning.rules import said_so

__all__ = ["labelled_by_name"]

_LABEL = re.compile(r"^(?:[A-Za-z]{1,3}\s?)?(?P<first>\d{4})\s?[/–-]\s?(?P<second>\d{2}|\d{4})$")
_SHORT = re.compile(r"(?<![\w/.:-])['’]?(?P<first>\d{2})\s?[/–-]\s?(?P<second>\d{2})(?![\w/:-]|\.\d)")
_THIS = r"(?:this|(?:the )?(?:current|latest|present|most recent|running))"
_LAST = r"(?:last|(?:the )?(?:previous|prior|preceding|past)|the last|the one before this)"
_BEHIND = (
    r"(?P<before>\b(?:in|of|for|during|from|since|over|within|throughout|than|vs\.?|versus|with|to|against|compare|"
    r"between|until|till|or) )?"
)
_SET = r"(?P<set> (?:vs\.?|versus|compared|against|and (?:the )?(?:last|previous|this|current)|or (?:last|this)) ?)?"
_CALENDAR = frozenset("year month week day quarter date time period".split())
_FEWEST = 2


def labelled_by_name(question: str, metadata: Metadata) -> str:
    """A question that speaks of this or the last stretch, or of one in short (``24/25``), with its label."""
    found = _labels(metadata)
    if not found:
        return question
    for noun, labels in found.items():
        question = _named(question, noun, labels)
    full = {(_first(label) % 100, (_first(label) + 1) % 100): label for labels in found.values() for label in labels}

    def written(said: re.Match[str]) -> str:
        return full.get((int(said["first"]), int(said["second"])), said.group())

    return _SHORT.sub(written, question)


def _named(question: str, noun: str, labels: list[str]) -> str:
    one = said_so(rf"\b(?P<head>{_LAST} {noun}\b.*?\b(?:to|vs|versus|than|and|with|or)) {_THIS} ?one\b")
    question = one.sub(lambda said: f"{said['head']} this {noun}", question)
    ends = {_THIS: labels[-1], _LAST: labels[-2]}
    for way, label in ends.items():
        pattern = said_so(rf"{_BEHIND}\b{way} {noun}(?:['’]s)?\b(?= |\W*$|\W){_SET}")

        def told(said: re.Match[str], label: str = label) -> str:
            alone = said["before"] or said["set"]
            return f"{said['before'] or ''}{'' if alone else 'in '}{label}{said['set'] or ''}"

        question = pattern.sub(told, question)
    return question


def _labels(metadata: Metadata) -> dict[str, list[str]]:
    """By what it is called the labels of each kind of stretch, the first of them first; of one column each."""
    found: dict[str, list[list[str]]] = {}
    for path, values in metadata.values.members.items():
        texts = [str(value) for value in values]
        if path not in metadata.values.complete or len(texts) < _FEWEST or not all(map(_is_label, texts)):
            continue
        parts = metadata.parts(path)
        if parts and not (len(parts) == 1 and parts[0] in _CALENDAR):
            found.setdefault(" ".join(parts), []).append(sorted(texts, key=_first))
    return {noun: sorted({text for texts in ways for text in texts}, key=_first) for noun, ways in found.items()}


def _is_label(text: str) -> bool:
    """Whether a text is of two years that follow each other."""
    said = _LABEL.match(text)
    return said is not None and int(said["second"]) % 100 == (int(said["first"]) + 1) % 100


def _first(label: str) -> int:
    said = _LABEL.match(label)
    return int(said["first"]) if said is not None else 0
