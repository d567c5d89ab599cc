"""Of which of two there are more: ``are there more flights in summer or in winter``, ``who flies more, A or B``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from .... import patterns as re
from .lexicon import load_comparing
from .said import Said

__all__ = ["AT", "more_of"]

AT = r"(?:on|in|at|during|over|with|without|for|from|to|among|by|when|after|before|between|under|inside|outside)"
_MORE = r"(?P<so>more|fewer|less)"
_WHO = r"(?:which|who|what)(?:\s+one)?"
_OR = r"\s*,?\s+or\s+(?P<other>\w.*)$"
_NAME = r"(?P<one>\w[\w'.&-]*(?:\s+[\w'.&-]+){0,2}?)"
_OTHER = r"(?P<other>\w[\w'.&-]*(?:\s+[\w'.&-]+){0,2}?)"
_SEEING = r"(?:(?:we|they|you|i)\s+(?:have|had|get|got|see|saw)\s+)?"
_GOING = re.compile(r"(?:fly|go|travel|sail|drive|run|ship)(?:s|es)?$|flies$|flew$|went$", re.IGNORECASE)
"""What rows do in going somewhere: it says no more than that there are some."""
_GONE = re.compile(r"\s+(?:leave|leaving|left|depart|go|happen|occur|take place|took place|exist)$", re.IGNORECASE)


@cache
def _rows() -> tuple[re.Pattern[str], ...]:
    frames = (
        rf"^(?:are|were|is|was)\s+there\s+{_MORE}\s+(?P<left>\w.*)\s+(?P<one>{AT}\s+\w.*?){_OR}",
        rf"^(?:do|does|did|have|has|had)\s+{_SEEING}{_MORE}\s+(?P<left>\w.*)\s+(?P<one>{AT}\s+\w.*?){_OR}",
        rf"^{_WHO}\s+(?:has|have|had|gets?|got|saw|sees?)\s+{_MORE}\s+(?P<left>\w.*?)\s*[,:;-]\s*(?P<one>\w.*?){_OR}",
    )
    return tuple(re.compile(frame, re.IGNORECASE) for frame in frames)


@cache
def _deeds() -> tuple[re.Pattern[str], ...]:
    frames = (
        rf"^(?:do|does|did)\s+{_NAME}\s*,?\s+or\s+{_OTHER}\s+(?P<deed>\w+)\s+{_MORE}(?P<rest>\s+{AT}\s+\w.*)?$",
        rf"^{_WHO}\s+(?P<deed>\w+)\s+{_MORE}(?P<rest>\s+{AT}\s+\w.*?)?\s*[,:;-]\s*{_NAME}{_OR}",
    )
    return tuple(re.compile(frame, re.IGNORECASE) for frame in frames)


@cache
def _so() -> re.Pattern[str]:
    return re.compile(
        rf"^which\s+is\s+(?P<so>{load_comparing().comparative})\s*[,:;-]\s*(?P<what>\w+)\s+(?P<at>{AT})\s+(?P<one>\w.*?)"
        r"\s*,?\s+or\s+(?P=what)\s+(?P=at)\s+(?P<other>\w.*)$",
        re.IGNORECASE,
    )


def more_of(text: str) -> Iterator[Said]:
    """The ways to take such a question apart: by how many rows there are of each, or by how often each does it."""
    for frame in _rows():
        found = frame.match(text)
        if found is not None and not re.search(r"\bthan\b", text):
            yield Said("", f"number of {_GONE.sub('', found['left'])}", "", found["one"], found["other"], of_two=True)
    so = _so().match(text)
    if so is not None:  # "which is worse, delays in summer or delays in winter"
        yield Said(so["so"], so["what"], "", f"{so['at']} {so['one']}", f"{so['at']} {so['other']}", of_two=True)
        yield Said("", f"average {so['what']}", "", f"{so['at']} {so['one']}", f"{so['at']} {so['other']}", of_two=True)
    for frame in _deeds():
        found = frame.match(text)
        if found is not None and found["rest"] and _GOING.match(found["deed"]):
            yield Said("", f"number of rows{found['rest']}", "", found["one"], found["other"], of_two=True)
        elif found is not None:
            how = "less often" if found["so"].lower() != "more" else "more often"
            yield Said(how, f"{found['deed']}{found['rest'] or ''}", "", found["one"], found["other"], of_two=True)
