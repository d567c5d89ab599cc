"""A specification whose words are said in another language: titles, legends, tooltips, names of groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .... import patterns as re
from ...charts import wrapped
from ..plans.condition_words import MONTH_NAMES, WEEKDAY_NAMES
from .axes import axes_in
from .phrases import NoPhrase, Phrases
from .sayings import Speaker

__all__ = ["picture_in"]

_TITLE, _BELOW = 70, 80  # characters of a line
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")
_CODE = ("labelExpr", "calculate")
_DATA = ("data", "datasets", "domain", "field", "fold", "as", "groupby", "sort", "filter", "scale")


def picture_in(spec: dict[str, Any] | None, speaker: Speaker, phrases: Phrases) -> dict[str, Any] | None:
    """A specification as it is drawn in a language.

    Raises
    ------
    NoPhrase
        Where the language has no words for something in it.
    """
    if spec is None:
        return None
    return axes_in(_Words(speaker, phrases).part(spec), phrases)


class _Words:
    def __init__(self, speaker: Speaker, phrases: Phrases) -> None:
        self._speaker = speaker
        months, days = (tuple(name[:3] for name in names[1:]) for names in (MONTH_NAMES, WEEKDAY_NAMES))
        short = (*phrases.locale.short_months, *phrases.locale.short_weekdays)
        self._names = dict(zip((*months, *days), short, strict=True))
        self._names["other"] = phrases.say("rest")

    def part(self, part: Any) -> Any:
        if isinstance(part, list):
            return [self.part(each) for each in part]
        if not isinstance(part, Mapping):
            return part
        return {key: self._entry(key, value) for key, value in part.items()}

    def _entry(self, key: str, value: Any) -> Any:
        if key in _DATA:
            return value
        if key == "title" and isinstance(value, Mapping):
            below = {"subtitle": self._lines(value["subtitle"], _BELOW)} if value.get("subtitle") else {}
            return {**value, "text": self._lines(value["text"], _TITLE), **below}
        if key == "title" and value:
            return self._lines(value, _TITLE)
        if key == "description" and isinstance(value, str):
            return f"{self._speaker.heading(value.removesuffix('.'))}."
        if key in _CODE and isinstance(value, str):
            return _QUOTED.sub(self._group, value)
        return self.part(value)

    def _lines(self, text: str | list[str], width: int) -> str | list[str]:
        """Lines anew; the last of several may be a remark of its own."""
        if isinstance(text, str):
            return wrapped(self._speaker.heading(text), width)
        try:
            return wrapped(self._speaker.heading(" ".join(text)), width)
        except NoPhrase:
            lines = [wrapped(self._speaker.heading(part), width) for part in (" ".join(text[:-1]), text[-1])]
            return [line for part in lines for line in ([part] if isinstance(part, str) else part)]

    def _group(self, found: re.Match[str]) -> str:
        """A name of a group inside an expression; what is no name stays."""
        text = found[1]
        said = self._names.get(text) or (self._speaker.group(text) if text.startswith("no ") else text)
        return "'" + said.replace("\\", "\\\\").replace("'", "’") + "'" if said != text else found[0]
