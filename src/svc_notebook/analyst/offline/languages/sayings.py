"""Sentences of analyses in another language: each is known by its English, whose parts are named by what they are.

``{t}`` in a saying is a title of the model or one made of them, ``{v}`` a number with its unit, ``{c}`` a difference
(and its share), ``{w}`` a step (and its share of the mean), ``{n}`` a bare number, ``{p}`` a period, ``{gr}`` a unit of
time, ``{k}`` what groups are called, ``{g}`` a group, ``{s}`` words that are a saying of their own, ``{l}`` a list of
these, ``{x}`` a name that stays as it is, ``{h}`` a time of the day. ``[is|are]`` is either.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from importlib.resources import files

from .... import patterns as re
from .... import word_tables
from ....records import dataclass
from ..plans.condition_words import MONTH_NAMES, WEEKDAY_NAMES
from ..plans.plan import Measure
from ..schema.metadata import Metadata
from ..schema.nouns import flag_words, member_title, plural
from ..telling.phrased import Phrased
from .figures import moment
from .lexicon import LANGUAGES
from .phrases import NoPhrase, Phrases, phrases_of

__all__ = ["Speaker", "names_of", "speaker"]

_NUMBER = r"[-+]?[$€£]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
_VALUE = rf"(?:{_NUMBER}°?(?: [^\s,;:()*]+){{0,3}}?|no value|\d{{4}}-\d\d-\d\d(?: \d\d:\d\d)?)"
_UNITS = ("year", "quarter", "month", "week", "day", "hour", "weekday")
_STEP = rf"{_VALUE}(?: \({_VALUE} of the mean\))?"
_KINDS = {
    "n": _NUMBER, "v": _VALUE, "e": _VALUE, "c": rf"{_VALUE}(?:, {_VALUE})?", "w": _STEP,
    "gr": rf"(?:{'|'.join(_UNITS)})s?", "t": ".+?", "k": ".+?", "p": ".+?", "g": ".+?", "x": "[^,;:]+?",
    "h": r"\d\d:\d\d", "s": ".*?", "l": ".+",
}  # fmt: skip
_SLOT = re.compile(r"\{([a-z]+)(\d*)\}")
_EITHER = re.compile(r"\\\[((?:[^\[\]]|\\\|)+?)\\\]")
_SPLIT = re.compile(r", (?![^()]*\))| and (?![^()]*\))")
_MONTH = "|".join(name for name in MONTH_NAMES if name)
_DATED = re.compile(rf"(?:(?P<day>\d{{1,2}}) )?(?P<month>{_MONTH})(?: (?P<year>\d{{4}}))?")
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?")
_TOLD = {
    "avg": ("average ", "mean "),
    "sum": ("total ", "sum of "),
    "median": ("median ",),
    "min": ("minimum ", "smallest "),
    "max": ("maximum ", "largest "),
}
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class _Saying:
    """What is said in English, as a pattern, and how it is said here."""

    english: re.Pattern[str]
    here: str
    kinds: Mapping[str, str]


@dataclass(frozen=True)
class Sayings:
    """The sayings of one language, and its words for units of time."""

    sentences: Sequence[_Saying]
    parts: Sequence[_Saying]
    titles: Sequence[_Saying]
    units: Mapping[str, str]
    phrases: Phrases
    here: Mapping[str, str]  # of every saying, by its English


@lru_cache(maxsize=len(LANGUAGES))
def sayings_of(code: str) -> Sayings:
    """The sayings of a code of :data:`LANGUAGES`."""
    told = word_tables.loads((files(__package__) / code / "sayings.toml").read_text("utf8"))
    kinds: list[Mapping[str, str]] = [told.get(part, {}) for part in ("sentences", "parts", "titles")]
    sentences, parts, titles = ([_saying(english, here) for english, here in kind.items()] for kind in kinds)
    here = {english: said for kind in reversed(kinds) for english, said in kind.items()}
    return Sayings(sentences, parts, titles, told.get("units", {}), phrases_of(code), here)


def _saying(english: str, here: str) -> _Saying:
    kinds = {f"{kind}{number}": kind for kind, number in _SLOT.findall(english)}
    pattern = _EITHER.sub(lambda m: f"(?:{m[1].replace(chr(92) + '|', '|')})", re.escape(english))
    pattern = re.sub(r"\\\{([a-z]+)(\d*)\\\}", lambda m: f"(?P<{m[1]}{m[2]}>{_KINDS[m[1]]})", pattern)
    return _Saying(re.compile(pattern), here, kinds)


class Speaker:
    """Says in one language what was said in English about one model.

    Each method raises :class:`NoPhrase` for what the language has no words for.
    """

    def __init__(self, sayings: Sayings, metadata: Metadata) -> None:
        self._known, self._phrases = sayings, sayings.phrases
        self._values = metadata.values.members
        self._names, self._units = (
            names_of(metadata, sayings.phrases),
            {*sayings.phrases.locale.units, *_units(metadata)},
        )
        self._by_kind: dict[str, Callable[[str], str]] = {
            "n": self.number, "v": self.value, "e": self.value, "c": self._difference, "w": self._step,
            "gr": self._unit,
            "t": self.title, "k": self._groups, "p": self.period, "g": self.group, "x": str, "h": str, "s": self._part,
            "l": self._list,
        }  # fmt: skip

    def sentence(self, text: str) -> str:
        """A sentence, or lines of them; its marks (``**``) are kept."""
        if isinstance(text, Phrased):
            return self._begun(text, self._phrased(text))
        if "\n" in text:
            return "\n".join(self.sentence(line) if line.strip() else line for line in text.split("\n"))
        return self._begun(text, self._said(text, self._known.sentences))

    def heading(self, text: str) -> str:
        """What stands over a table or a picture: a title, or a finding and what it is about, divided by ``; ``."""
        pieces = text.split("; ")
        try:
            return "; ".join(self._begun(piece, self._whole_heading(piece)) for piece in pieces)
        except NoPhrase:
            if len(pieces) == 1:
                raise
            return self._begun(text, self._whole_heading(text))

    def _whole_heading(self, text: str) -> str:
        if text in self._units:
            return self._phrases.locale.units.get(text, text)
        if (counted := re.fullmatch(r"(.+) \(([^()]+)\)", text)) is not None and counted[2] in self._units:
            return f"{self.title(counted[1])} ({self._phrases.locale.units.get(counted[2], counted[2])})"
        for known in (self._known.titles, self._known.parts):
            try:
                return self._said(text, known)
            except NoPhrase:
                continue
        return self.title(text)

    @staticmethod
    def _begun(english: str, here: str) -> str:
        return here[:1].upper() + here[1:] if english[:1].isupper() else here

    def _said(self, text: str, sayings: Sequence[_Saying]) -> str:
        for saying in sayings:
            found = saying.english.fullmatch(text)
            if found is None:
                continue
            try:
                parts = {name: self._by_kind[kind](found[name]) for name, kind in saying.kinds.items()}
            except NoPhrase:
                continue
            return saying.here.format(**parts)
        raise NoPhrase(text)

    def _phrased(self, text: Phrased) -> str:
        """What knows its phrase and its parts."""
        here = self._known.here.get(text.phrase)
        if here is None:
            raise NoPhrase(text.phrase)
        return here.format(**{name: self._spoken(name.rstrip("0123456789"), part) for name, part in text.parts.items()})

    def _spoken(self, kind: str, part: str | Sequence[str]) -> str:
        if isinstance(part, Phrased):
            return self._phrased(part)
        if isinstance(part, str):
            return self._by_kind[kind](part)
        items = [self._phrased(item) if isinstance(item, Phrased) else self._item(item) for item in part]
        return self._phrases.joined(items)

    def _item(self, text: str) -> str:
        try:
            return self._said(text, self._known.parts)
        except NoPhrase:
            return self.group(text)

    def _part(self, text: str) -> str:
        return self._said(text, self._known.parts) if text else ""

    def _list(self, text: str) -> str:
        items = []
        for item in _SPLIT.split(text):
            if "; " in re.sub(r"\([^)]*\)", "", item):
                raise NoPhrase(text)
            items.append(self._item(item))
        return self._phrases.joined(items)

    # ---- what things are called ----

    def title(self, text: str) -> str:
        """A title of the model, or one made of them."""
        key = text.lower().strip()
        if key in self._names:
            return self._names[key]
        try:
            return self._said(text[:1].lower() + text[1:], self._known.titles)
        except NoPhrase:
            pieces = _SPLIT.split(text)
            if len(pieces) == 1:
                raise
            return self._phrases.joined([self.title(piece) for piece in pieces])

    def _groups(self, text: str) -> str:
        """What several groups are called: months by their name, others as the model calls one of them, or groups."""
        return self._known.units.get(text) or self._known.units["groups"]

    def _unit(self, text: str) -> str:
        return self._known.units[text]

    def group(self, text: str) -> str:
        """A group: a period or a range as it is said here, a value of the data as it is."""
        if " / " in text:
            return " / ".join(self.group(part) for part in text.split(" / "))
        if self._is_value(text):
            return text
        try:
            return self.period(text)
        except NoPhrase:
            pass
        if (ends := re.fullmatch(rf"({_NUMBER}) to ({_NUMBER})", text)) is not None:
            return self._phrases.say("bin", low=self.number(ends[1]), high=self.number(ends[2]))
        for english, name in (("no ", "without"), ("without ", "without"), ("not ", "not_so")):
            title = self._names.get(text.removeprefix(english).lower()) if text.startswith(english) else None
            if title is not None:
                return self._phrases.say(name, title=title)
        return text

    def _is_value(self, text: str) -> bool:
        """Whether the data hold it: their weekdays are written as they are there, also in the table."""
        return any(text in values for values in self._values.values())

    # ---- numbers and moments ----

    def number(self, text: str) -> str:
        """A number without its unit."""
        sign, digits = re.fullmatch(r"([-+]?[$€£]?)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
        mark = f" {sign[-1]}" if sign and sign[-1] in "$€£" else ""
        return f"{sign.rstrip('$€£')}{_DIGITS.sub(lambda found: self._phrases.locale.digits(found[0]), digits)}{mark}"

    def value(self, text: str) -> str:
        """A number with its unit."""
        if text == "no value":
            return self._phrases.say("no_value")
        if _ISO.fullmatch(text):
            return self.period(text)
        bare = text.strip()
        digits, _, unit = bare.partition(" ")
        said = self.number(digits)
        if unit in ("percentage points", "points"):
            return self._phrases.say("points", gap=said)
        return (
            f"{said} {self._phrases.locale.units.get(unit, self._phrases.locale.units.get(f'{unit}s', unit))}"
            if unit
            else said
        )

    def _difference(self, text: str) -> str:
        gap, comma, share = text.partition(", ")
        return f"{self.value(gap)}{comma}{self.value(share)}" if comma else self.value(gap)

    def _step(self, text: str) -> str:
        step, of, share = text.partition(" (")
        if not of:
            return self.value(step)
        share = self.value(share.removesuffix(" of the mean)"))
        return f"{self.value(step)} ({self._phrases.say('of_mean', share=share)})"

    def period(self, text: str) -> str:
        """A period, a day, a weekday or an hour."""
        dates = self._phrases.locale.dates
        if text in WEEKDAY_NAMES[1:]:
            return self._phrases.locale.weekdays[WEEKDAY_NAMES.index(text) - 1]
        if (hour := re.fullmatch(r"(\d{1,2}):00", text)) is not None:
            return self._phrases.say("hour", hour=hour[1])
        if re.fullmatch(r"\d{4}", text):
            return text
        if _ISO.fullmatch(text) is not None:
            return moment(datetime.fromisoformat(text), self._phrases)
        if (quarter := re.fullmatch(r"Q(\d) (\d{4})", text)) is not None:
            return dates["quarter"].format(quarter=quarter[1], year=quarter[2])
        if (found := _DATED.fullmatch(text)) is not None:
            month = self._phrases.locale.months[MONTH_NAMES.index(found["month"]) - 1]
            if found["year"] is None:
                return month if found["day"] is None else self._phrases.say("day_month", day=found["day"], month=month)
            unit = "day" if found["day"] else "month"
            return dates[unit].format(day=found["day"], month=month, year=found["year"])
        if (week := re.fullmatch(rf"[Tt]he week of (\d+) ({_MONTH}) (\d{{4}})", text)) is not None:
            month = self._phrases.locale.months[MONTH_NAMES.index(week[2]) - 1]
            return dates["week"].format(day=week[1], month=month, year=week[3])
        if (ends := re.fullmatch(r"(.+) to (.+)", text)) is not None:
            return self._phrases.say("bin", low=self.period(ends[1]), high=self.period(ends[2]))
        for word, name in (("before ", "before_period"), ("since ", "since_period")):
            if text.startswith(word):
                return self._phrases.say(name, period=self.period(text.removeprefix(word)))
        if (half := re.fullmatch(r"the (first|second) half of (\d{4})", text)) is not None:
            return self._phrases.say("first_half" if half[1] == "first" else "second_half", year=half[2])
        if text == "all others":
            return self._phrases.say("all_others")
        if re.search(r"\b\d{4}$", text) or text == self._phrases.say("all_others"):  # said here already
            return text
        raise NoPhrase(text)


def speaker(code: str, metadata: Metadata) -> Speaker:
    """Who says it in a language, about one model."""
    return Speaker(sayings_of(code), metadata)


def names_of(metadata: Metadata, phrases: Phrases) -> dict[str, str]:
    """What the model calls things, by how a sentence may say it: small, in the plural, with whose it is.

    A measure whose title only says how a member is put together is called so here.
    """
    names: dict[str, str] = {}
    for relation in metadata.catalog.relations.values():
        title = relation.title.split(" with ")[0]
        for name in (title, plural(title.lower())):
            names.setdefault(name.lower(), title)
    for path, member in metadata.members.items():
        title = _made(path, metadata, phrases) or member.title
        for name in (member.title, plural(member.title.lower()), whole := member_title(path, metadata)):
            names.setdefault(name.lower(), whole if name == whole != member.title else title)
        if member.type == "boolean":
            held = flag_words(member.title, True).removeprefix("with ")
            names.setdefault(held, f"{held[:1].upper()}{held[1:]}")
    return names


def _made(path: str, metadata: Metadata, phrases: Phrases) -> str:
    """What a measure is called that is told by what it computes of which member; "" where there is no phrase for it."""
    try:
        return _computed(path, metadata, phrases)
    except NoPhrase:
        return ""


def _computed(path: str, metadata: Metadata, phrases: Phrases) -> str:
    member = metadata.members[path]
    if member.kind != "measure":
        return ""
    plain = metadata.plain(Measure(path, "measure"))
    words = _TOLD.get(plain.aggregate, ())
    counts = plain.aggregate == "count" and plain.member is None and not plain.conditions
    if counts and member.title.lower().startswith("number of "):
        return phrases.say("count_rows", rows=metadata.relation(member.relation).title)
    if plain.member is None or plain.conditions or not member.title.lower().startswith(tuple(words)):
        return ""
    return phrases.say(plain.aggregate, of=metadata.member(plain.member).title) if words else ""


def _units(metadata: Metadata) -> set[str]:
    """What numbers of the model are counted in."""
    found = [(member.currency, (member.meta or {}).get("unit")) for member in metadata.members.values()]
    return {unit for pair in found for unit in pair if isinstance(unit, str)}
