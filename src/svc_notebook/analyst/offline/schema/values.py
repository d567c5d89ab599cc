"""Values of dimensions as this asker may see them: found in a question by spelling, part, code or nationality."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any

from msgspec import Struct

from .... import patterns as re
from ....records import dataclass
from ..calendar.units import UNITS
from ..words.countries import CODES, DEMONYMS
from ..words.families import root
from ..words.text import Token, is_participle, name_parts, singular, stem, within_distance
from ..words.thesaurus import COUNTRIES, FILLER, STATES, related
from .codes import shape_of, shapes_of, with_own_letters

__all__ = ["ValueIndex", "ValueMatch", "kind_of_values"]

_PLACE_NAMES = {
    "usa": ("us", "united states", "united states of america", "america"),
    "us": ("usa", "united states", "america"),
    "united states": ("usa", "us", "america"),
    "uk": ("united kingdom", "great britain"),
    "united kingdom": ("uk", "britain"),
}
_GENDER = {
    "m": ("male", "men", "man", "boys", "boy"),
    "f": ("female", "women", "woman", "girls", "girl"),
    "male": ("m", "men", "man", "boys", "boy"),
    "female": ("women", "woman", "girls", "girl"),
}
_CALLED = {
    place: tuple(word for word, places in DEMONYMS.items() if place in places and place != word)
    for place in {place for places in DEMONYMS.values() for place in places}
}
_STATE_NAMES, _STATE_CODES = frozenset(STATES.values()), frozenset(code.lower() for code in STATES)
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ADDRESS = re.compile(r"@|://")
_ZONE = re.compile(r"(Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc|US)(/[\w+-]+){1,2}")
_NATIONS = frozenset({"country", "nation", "nationality", "origin", "market"})
_BEFORE_PLACES = frozenset({"to", "from", "in", "at", "near", "via", "into"})
_SITES = frozenset(
    map(stem, "airport port harbour harbor station city town village county terminal destination".split())
)
_ADDRESSED = frozenset({"dr", "mr", "mrs", "ms", "miss", "prof", "professor", "doctor"})
_ACTIONS = ("ations", "itions", "ions", "als", "ances", "ments")
_MADE, _SHORTEST = 0.85, 3
_LONG = 7  # letters of two words that are written as one
_CALLED_SO = 0.95  # how well a name fits that the model gives a value
_STEMMED = 0.93  # how well another form of a value's word fits; other names of it fit less
_NEITHER = frozenset({"other", "unknown", "x"})
_GENDERS = 6  # kinds there are at most, whatever those beside two are called


class ValueMatch(Struct, frozen=True):
    """A value found at tokens ``start`` to ``end``; ``quality`` 1 is the whole value as written."""

    member: str
    value: Any
    quality: float
    start: int
    end: int


@dataclass
class ValueIndex:
    """All indexed values by their words."""

    whole: dict[tuple[str, ...], list[tuple[str, Any, float]]] = field(default_factory=lambda: defaultdict(list))
    first: dict[str, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    parts: dict[str, list[tuple[str, Any, int, int]]] = field(default_factory=lambda: defaultdict(list))
    members: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    complete: set[str] = field(default_factory=set)
    deeds: dict[str, list[tuple[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    """What was done, by the root of its verb: *escalations* are what was ``escalated``."""
    letters: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    """By how codes are written (``aa99-99999``) the members whose values are, of which not all are known, with one."""
    inherited: dict[str, frozenset[str]] = field(default_factory=dict)
    """Members that rows have as rows of another kind too, by the stems of what these rows are called."""

    def add(
        self, member: str, values: Sequence[Any], *, complete: bool, called: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        """Index the distinct values of one member; ``complete`` when there are no more than these.

        ``called`` are other names that the model gives them (``meta.value_synonyms``); of values that are not among
        them, since this asker may not see them, nothing is known.
        """
        self.members[member] = tuple(values)
        if complete:
            self.complete.add(member)
        texts = [str(value) for value in values]
        for shape in () if complete else shapes_of(texts):
            self.codes.setdefault(shape, {})[member] = texts[0]
        kind = "country code" if _are_codes(member, texts) else kind_of_values(texts)
        for value, text in zip(values, texts, strict=True):
            words, lower = _words(text), text.lower()
            # Sentences are no names: looked for by their words elsewhere.
            if not words or len(words) > 12:
                continue
            self._enter(words, member, value, 1.0)
            if len(words) == 1 and is_participle(lower):
                self.deeds[root(lower)].append((member, value))
            if text != lower and " " not in text and not text.isupper() and _HUMP.search(text) is not None:
                self._enter(_words(_HUMP.sub(" ", text)), member, value, 0.95)
            for other in called.get(text, ()) if called else ():
                self._enter(_words(other), member, value, _CALLED_SO)
            for other in _aliases(lower, kind):
                self._enter(_words(other), member, value, 0.9)
            # From eight words on, single words of it are anybody's.
            if 1 < len(words) <= 8 and not _is_technical(text):
                for place, word in enumerate(words):
                    # A short word is found everywhere; first in a name it may be what it is called by.
                    if len(word) > 2 or not place and len(word) > 1:
                        self.parts[word].append((member, value, place, len(words)))

    def _enter(self, words: tuple[str, ...], member: str, value: Any, quality: float) -> None:
        if not words:
            return
        known = self.whole[words]
        if not known:
            first = words[0]
            # By their first word: a text is looked through word by word.
            self.first[first].add(words)
            # Slips are only looked for in words long enough to have one.
            if len(first) > 3 and (alike := self.letters[first[0]])[-1:] != [first]:
                alike.append(first)
        known.append((member, value, quality))

    def find(self, tokens: Sequence[Token], start: int) -> list[ValueMatch]:
        """Values that begin at token ``start``, longest first; none behind the last."""
        if start >= len(tokens):
            return []
        token = tokens[start]
        if token.kind == "quoted":
            return self._quoted(token, start)
        if token.kind not in ("word", "number"):
            return []
        if coded := self._coded(token, start):
            return coded
        found: list[ValueMatch] = []
        for words in self.first.get(token.stem, ()):
            end = _aligned(tokens, start, words)
            if end is None:
                continue
            shown = " ".join(t.lower for t in tokens[start:end])
            for member, value, quality in self.whole[words]:
                exact = str(value).lower() == shown
                if len(words) == 1 and self._is_just_a_word(
                    tokens, start, ValueMatch(member, value, quality, start, end)
                ):
                    continue
                if not exact and quality < 1.0 and _is_only_like_state(shown, str(value)):
                    continue
                if not exact and _is_named_after(tokens[end - 1].lower, str(value).lower()):
                    continue
                found.append(ValueMatch(member, value, quality * (1.0 if exact else _STEMMED), start, end))
        # Words that a value is made of only where none is a value itself.
        found = found or self._made_of(tokens, start) or self._in_one_word(tokens, start)
        found = _as_spelt(tokens, self._of_spoken(tokens, found))
        if not found and token.kind == "word" and len(token.lower) > 1 and token.stem not in FILLER:
            found = self._of_spoken(tokens, self._partial(tokens, start))
            if len(token.lower) <= 3:  # "Los Angeles", while "Los" alone is too little
                found = [match for match in found if match.end > start + 1]
        elif found and token.kind == "word" and len(token.lower) <= 3 and all(m.end == start + 1 for m in found):
            longer = [match for match in self._partial(tokens, start) if match.end > start + 1]
            found = longer or found  # "San Francisco" is not the code SAN and some Francisco
        return sorted(
            found, key=lambda match: (-(match.end - match.start), -match.quality, match.member, str(match.value))
        )

    def _coded(self, token: Token, start: int) -> list[ValueMatch]:
        """A code, of a member with more codes than are known, that is written as those are."""
        members = self.codes.get(shape_of(token.text), {}) if token.kind == "word" else {}
        return [ValueMatch(m, with_own_letters(token.text, one), 1.0, start, start + 1) for m, one in members.items()]

    def _is_just_a_word(self, tokens: Sequence[Token], start: int, match: ValueMatch) -> bool:
        """Whether a word that is like a value more likely means itself."""
        token, value = tokens[start], str(match.value)
        # A letter alone is mostly an article or "I".
        if token.text in ("A", "I", "a", "i") and not _is_beside(tokens, start, match.member):
            return True
        # A code of two letters is a word as well (IT, US): only written as the value is.
        if len(token.text) <= 2 and not _same_case(token.text, value, match.quality):
            return True
        # Numbers are bounds and counts; a value that is one has to be said with more.
        if token.kind == "number":
            return True
        shown = " ".join(t.lower for t in tokens[start : match.end])
        if value.lower() == shown:
            return False
        if token.lower in UNITS:
            return True  # "by month" speaks of nothing that is monthly
        return match.quality == 1.0 and self._many(match.member) and singular(shown) != singular(value.lower())

    def _of_spoken(self, tokens: Sequence[Token], found: list[ValueMatch]) -> list[ValueMatch]:
        """The matches without those of professors as people, where no professor is spoken of."""
        if not self.inherited:
            return found
        said = {token.stem for token in tokens}
        return [m for m in found if m.member not in self.inherited or self.inherited[m.member] & said]

    def _made_of(self, tokens: Sequence[Token], start: int) -> list[ValueMatch]:
        """``rainy`` of rain, ``foggy`` of fog, ``icy`` of ice, ``wooden`` of wood: adjectives of values;
        and what was done as a noun: *escalations* are what was ``escalated``.
        """
        deeds = self.deeds_at(tokens, start)
        token = tokens[start]
        word = token.lower
        if deeds:
            return [ValueMatch(m, v, _MADE, start, start + 1) for m, v in deeds]
        if token.kind != "word" or not word.endswith(("y", "en")) or len(word) <= _SHORTEST:
            return []
        cut = word.removesuffix("y").removesuffix("en")
        # Doubled before the ending (foggy), or a silent e lost (icy).
        ends = {cut, cut[:-1] if cut[-1:] == cut[-2:-1] else cut, f"{cut}e"}
        stems = dict.fromkeys(stem(end) for end in sorted(ends))
        named = ((m, v) for one in stems for m, v, q in self.whole.get((one,), ()) if q == 1.0)
        return [ValueMatch(m, v, _MADE, start, start + 1) for m, v in named if str(v).lower() in ends]

    def _in_one_word(self, tokens: Sequence[Token], start: int) -> list[ValueMatch]:
        """``laguardia`` of La Guardia: a value of two words that is written as one."""
        word = tokens[start].lower
        if tokens[start].kind != "word" or len(word) < _LONG:
            return []
        halves = ((word[:cut], word[cut:]) for cut in range(2, len(word) - 2))
        named = (of for one, two in halves for of in self.whole.get((stem(one), stem(two)), ()))
        made = [(m, v) for m, v, q in named if q == 1.0 and "".join(_WORD.findall(str(v).lower())) == word]
        return [ValueMatch(m, v, _MADE, start, start + 1) for m, v in made]

    def deeds_at(self, tokens: Sequence[Token], start: int) -> list[tuple[str, Any]]:
        """What was done that a noun is for: the value ``escalated`` of *escalations*, or of an *escalation rate*."""
        token = tokens[start]
        rated = start + 1 < len(tokens) and tokens[start + 1].lower in ("rate", "rates")
        named = token.kind == "word" and f"{token.lower}{'s' * rated}".endswith(_ACTIONS)
        return self.deeds.get(root(token.lower), []) if named else []

    def _quoted(self, token: Token, start: int) -> list[ValueMatch]:
        words = _words(token.text)
        exact = [
            ValueMatch(m, v, q if str(v).lower() == token.lower else 0.9 * q, start, start + 1)
            for m, v, q in self.whole.get(words, ())
        ]
        # A part of the text only where no value is all of it; bounded, since few letters are in very many.
        return (
            exact
            or [
                ValueMatch(m, v, 0.7, start, start + 1)
                for m, values in self.members.items()
                for v in values
                if len(token.lower) > 2 and token.lower in str(v).lower()
            ][:200]
        )

    def _partial(self, tokens: Sequence[Token], start: int) -> list[ValueMatch]:
        """Some words of a longer value, where they point to few values of the member (``delta`` → Delta Air Lines
        Inc.).
        """
        best: dict[tuple[str, Any], tuple[int, int]] = {}
        done = is_participle(tokens[start].lower)  # of "united" it is no unit that is meant
        ordinary = tokens[start].text == tokens[start].lower and not done and bool(related(tokens[start].stem))
        placed = start > 0 and tokens[start - 1].lower in _BEFORE_PLACES and not ordinary
        for member, value, place, _ in self.parts.get(tokens[start].stem, ()):
            words = _words(str(value))
            end, at = start + 1, place + 1
            if tokens[start].lower in _ADDRESSED and end < len(tokens) and tokens[end].stem == words[-1]:
                end, at = end + 1, len(words)  # "dr okafor" of Dr Grace Okafor
            while end < len(tokens) and at < len(words) and tokens[end].stem == words[at]:
                end, at = end + 1, at + 1
            if not ordinary or end > start + 1:  # "sales" is no part of "Sales Manager", nor "money" of a song
                best[(member, value)] = (end, place)
        if not best:
            return []
        longest = max(end for end, _ in best.values())
        by_member: dict[str, list[tuple[Any, int]]] = defaultdict(list)
        for (member, value), (end, place) in best.items():
            if end == longest:
                by_member[member].append((value, place))
        found = []
        for member, hits in by_member.items():
            # Where one of several begins with it, that one is meant ("Delta" of Delta Air Lines and of two more).
            leading = [value for value, place in hits if place == 0]
            chosen = leading if len(leading) == 1 else [value for value, _ in hits]
            named = longest - start > 1 or tokens[start].text != tokens[start].lower and start > 0
            somewhere = placed and len(leading) == len(hits) and _is_place(member)  # "to chicago", as people type it
            told = not ordinary and len(self.parts[tokens[start].stem]) == 1 and _is_surname(tokens[start], hits[0])
            # More than three that share a word are a kind, and none of them is named.
            if len(chosen) > 3 or not (named or somewhere or told) and (self._many(member) or not leading):
                continue
            for value in chosen:
                quality = 0.5 + 0.4 * (longest - start) / len(_words(str(value))) - (0.1 if len(chosen) > 1 else 0)
                found.append(ValueMatch(member, value, quality, start, longest))
        return found

    def _many(self, member: str) -> bool:
        """Whether a member has too many values to be guessed at by a part or another form of a word."""
        # Of so many values a part of a word is somebody's by chance.
        return len(self.members.get(member, ())) > 60

    def near(self, token: Token) -> list[tuple[str, Any]]:
        """Values of one word within the distance of a typing slip; *median* is none of *media*."""
        one = stem(token.lower) if token.lower not in _ASKING else ""
        words = {
            word
            for word in self.letters.get(token.lower[:1], ())
            # One slip in four letters makes another word.
            if len(one) > 4 and len(word) > 4 and within_distance(one, word)
        }
        return [(m, v) for word in sorted(words) for m, v, _ in self.whole.get((word,), ())]


_ASKING = frozenset("average median number total percentage proportion highest lowest longest shortest latest".split())


def _as_spelt(tokens: Sequence[Token], found: list[ValueMatch]) -> list[ValueMatch]:
    """The matches without those that only share a stem, where the words are another value as they stand:
    ``engineering`` is the department, not each ``Engineer``.
    """

    def spelt(match: ValueMatch) -> bool:
        shown = " ".join(token.lower for token in tokens[match.start : match.end])
        return singular(shown) == singular(str(match.value).lower())

    exact = {match.end for match in found if spelt(match)}
    return [match for match in found if match.end not in exact or match.quality < _STEMMED or spelt(match)]


def _is_named_after(word: str, value: str) -> bool:
    """``bookings``, where a value is ``booked``: a noun for the rows, whatever became of them since."""
    return singular(word).endswith("ing") and is_participle(value)


def _is_surname(token: Token, hit: tuple[Any, int]) -> bool:
    """Whether a word, as people type it, ends a name of its own: ``okafor`` of Grace Okafor."""
    words = str(hit[0]).split()
    return hit[1] == len(words) - 1 > 0 and len(token.lower) > _SHORTEST and all(word.istitle() for word in words)


def _is_place(member: str) -> bool:
    """Whether a member names places, by its own name or by that of its rows: ``airports.name``, ``from_city``."""
    return any(stem(part) in _SITES for name in member.split(".") for part in name_parts(name))


def _is_technical(text: str) -> bool:
    """Whether a value is written for machines, so that none of its words names it: a time zone, an address on the net.

    ``Los Angeles`` is a city, and no part of ``America/Los_Angeles``.
    """
    if "/" not in text and "@" not in text:
        return False
    return _ADDRESS.search(text) is not None or _ZONE.fullmatch(text) is not None


def _is_beside(tokens: Sequence[Token], start: int, member: str) -> bool:
    """Whether a letter stands beside the name of what it is a value of: ``an A licence``, ``class A``."""
    near = {token.stem for token in (*tokens[max(0, start - 1) : start], *tokens[start + 1 : start + 2])}
    named = {stem(part) for part in member.rpartition(".")[2].split("_")}
    return tokens[start].text.isupper() and bool(near & named)


_SMALL_WORDS = frozenset(
    "ad al am an as at be by cm co de do eg et ex ft go he hi hr id ie if in is it kg km la lb me mg mi ml mm my nd no "
    "nr of oh ok on or oz pc pm rd re sq st th to up us vs we yd yo".split()
)
"""What two letters mostly are where they are written small, whatever has such a code."""


def _same_case(written: str, value: str, quality: float) -> bool:
    if written != value and written.upper() == value.upper() and any(letter.isdigit() for letter in value):
        return quality == 1.0  # "tank t2": a code with a number in it is no word
    if written == value:
        return (written.isupper() or len(written) > 1) and quality == 1.0
    if written.islower() and written.upper() == value:
        return quality == 1.0 and written not in _SMALL_WORDS  # "uk", "ny", as people type them
    return written.isupper() and written.lower() in _PLACE_NAMES and quality < 1.0  # from the US


def _aligned(tokens: Sequence[Token], start: int, words: tuple[str, ...]) -> int | None:
    """End of the tokens that spell ``words`` from ``start`` (hyphens and dots between them are skipped)."""
    place = start
    for number, word in enumerate(words):
        while number and place < len(tokens) and tokens[place].kind == "punctuation" and tokens[place].text in "-.&/":
            place += 1
        if place >= len(tokens) or tokens[place].kind == "quoted" or tokens[place].stem != word:
            return None
        place += 1
    return place


@lru_cache(65_536)  # askers of different rights see many of the same values
def _words(text: str) -> tuple[str, ...]:
    lower = text.lower()
    words = [lower] if text.isascii() and text.isalnum() else _WORD.findall(lower.replace("'", "").replace("’", ""))
    # A number at its end is no ending: most codes are left as they are.
    return tuple([word if word[-1].isdigit() else stem(word) for word in words])


def kind_of_values(values: Iterable[str]) -> str | None:
    """``"country"``, ``"state"``, ``"gender"`` or ``"flag"`` when most values are such."""
    lowered = [value.strip().lower() for value in values]
    if not lowered:
        return None
    # More than half: a column of countries has a few that are spelt otherwise.
    if sum(map(COUNTRIES.__contains__, lowered)) * 2 > len(lowered):
        return "country"
    if sum(map(_STATE_NAMES.__contains__, lowered)) * 2 > len(lowered):
        return "state"
    # Codes of states are words of two letters as well (IN, OR, ME): seven of ten.
    if len(lowered) > 1 and sum(map(_STATE_CODES.__contains__, lowered)) * 10 > 7 * len(lowered):
        return "state"
    different = set(lowered)
    sexes = {"m", "f", "male", "female"} & different
    # Beside the two there are a few others at most; alone, one of them needs none but unknown beside it.
    if len(sexes) > 1 and len(different) <= _GENDERS or sexes and different - sexes <= _NEITHER:
        return "gender"
    return "flag" if different <= {"y", "n", "t", "f", "yes", "no", "true", "false"} else None


def _are_codes(member: str, texts: Sequence[str]) -> bool:
    """Whether the values of a column are countries by their codes: by its name, and most of them."""
    named = _NATIONS & set(member.rpartition(".")[2].lower().split("_"))
    return bool(named) and sum(text.lower() in CODES for text in texts) * 10 > 7 * len(texts)


def _aliases(value: str, kind: str | None) -> list[str]:
    names: list[str] = []
    if kind == "gender":
        names.extend(_GENDER.get(value, ()))
    elif kind == "state":
        upper = value.upper()
        names.extend([STATES[upper]] if upper in STATES else [])
    elif kind == "country":
        names.extend(_PLACE_NAMES.get(value, ()))
    elif kind == "country code" and (country := CODES.get(value)) is not None:
        names.extend((country, *_PLACE_NAMES.get(country, ()), *_CALLED.get(country, ())))
    if kind == "country" or len(value) > 3:  # "US" is a country among countries, and may be anything elsewhere
        names.extend(_CALLED.get(value, ()))
    return [*names, *_ways(value)]


def _is_only_like_state(shown: str, code: str) -> bool:
    """Whether a word is only stemmed as the name of a state: *Main* is not Maine."""
    name = STATES.get(code, "").lower()
    return bool(name) and shown != name and _words(shown) == _words(name)


def _ways(value: str) -> list[str]:
    """A way as it is written otherwise: ``main st`` and ``main street``, ``n oak ave`` and ``north oak avenue``."""
    if value.isalnum():  # one word, as most are
        return []
    words = value.replace(".", "").split()
    if len(words) < 2 or words[-1] not in _WAYS:
        return []
    starts = (words[0], *(_POINTS.get(words[0], ()) if len(words) > 2 else ()))
    ends = (words[-1], *_WAYS[words[-1]])
    made = (" ".join((start, *words[1:-1], end)) for start in starts for end in ends)
    return [name for name in made if name != value]


_CUT = {
    "street": ("st", "str"), "avenue": ("ave", "av"), "road": ("rd",), "drive": ("dr",), "boulevard": ("blvd",),
    "square": ("sq",), "court": ("ct",), "lane": ("ln",), "place": ("pl",), "circle": ("cir",), "highway": ("hwy",),
    "parkway": ("pkwy",), "terrace": ("ter", "terr"), "crescent": ("cres",), "close": ("cl",), "trail": ("trl",),
    "turnpike": ("tpke",), "expressway": ("expy",),
}  # fmt: skip
_WAYS = {**_CUT, **{cut: (way, *(o for o in cuts if o != cut)) for way, cuts in _CUT.items() for cut in cuts}}
_POINTS_CUT = {"north": "n", "south": "s", "east": "e", "west": "w"}
_POINTS = {**{p: (c,) for p, c in _POINTS_CUT.items()}, **{c: (p,) for p, c in _POINTS_CUT.items()}}
