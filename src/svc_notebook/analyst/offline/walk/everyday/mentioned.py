"""Words looked for in what people wrote: *complaints that mention rain*, *anything with a garden*."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .....records import dataclass
from ...calendar.periods import find_periods
from ...schema.free_text import is_written_in
from ...schema.nouns import plural
from ...schema.values import ValueMatch
from ...words.rewriting import Found
from ...words.text import Token, singular
from ...words.thesaurus import FILLER
from .wording import Wording

__all__ = ["mentioned"]

_LINKS = frozenset({"that", "which", "who", "where", "whose"})
_MENTIONING = {
    **dict.fromkeys(("mention", "mentions", "mentioned", "mentioning"), ()),
    **dict.fromkeys(("talk", "talks", "talked", "talking", "speak", "speaks", "spoke", "speaking"), ("about", "of")),
    **dict.fromkeys(("complain", "complains", "complained", "complaining"), ("about", "of")),
    **dict.fromkeys(("write", "writes", "wrote", "writing", "say", "says", "said", "saying"), ("about",)),
    **dict.fromkeys(("refer", "refers", "referring"), ("to",)),
    **dict.fromkeys(("contain", "contains", "containing"), ()),
}  # fmt: skip
_DENYING = frozenset({"not", "never", "don't", "doesn't", "didn't", "aren't", "isn't"})
_HELPING = _DENYING | {"are", "is", "were", "was", "do", "does", "did", "all", "ever", "also"}
_SOMETHING = frozenset({"something", "anything", "things"})
_ABOUT = frozenset({"about", "regarding", "concerning"})
_ANYTHING = frozenset({"anything", "something", "everything"})
_ARTICLES = frozenset({"a", "an", "the", "any", "some"})
_WORDS = frozenset({"word", "words", "phrase", "term", "terms", "text"})
_ENDS = frozenset(
    "in from by per for each every since during last this next before after on at where with without who that which "
    "when whose and or but to is are was were has have had grouped sorted ordered over between as than".split()
)
_HOLDING = frozenset({"with", "whose", "where", "having", "in"})
_COUNTED = (["how", "many"], ["number", "of"], ["count", "of"])
_LONGEST = 4  # words that are looked for as one
_KNOWN, _LIKELY = 0.9, 0.55  # how well a value fits, so that it is meant and no text


@dataclass(frozen=True)
class _Cue:
    """What speaks of texts: from where to where it stands, how sure it is that it does, and whether it is denied."""

    start: int
    end: int
    sure: bool
    denied: bool = False


def mentioned(w: Wording, at: int) -> Found | None:
    """A question about what texts hold, with their columns and what they contain."""
    if at or not w.meta.free_texts:
        return None
    for place in range(len(w.tokens)):
        cue = _cue(w, place)
        made = _looked_for(w, cue) if cue is not None else None
        if made is not None:
            return made, len(w.tokens)
    return None


def _cue(w: Wording, at: int) -> _Cue | None:
    behind = at + (w.at(at) in _LINKS)
    while w.at(behind) in _HELPING and w.at(behind) not in _ANYTHING:
        behind += 1
    denied = not _DENYING.isdisjoint(w.words[at:behind])
    follows = _MENTIONING.get(w.at(behind))
    if follows is not None:
        end = behind + 1 + (w.at(behind + 1) in _SOMETHING)
        return _Cue(at, end + bool(follows), True, denied) if not follows or w.at(end) in follows else None
    if w.at(behind) in _ABOUT:
        return _Cue(at, behind + 1, False, denied)
    if w.at(behind) in ("with", "having", "have", "has"):
        worded = w.at(behind + 1) == "the" and w.at(behind + 2) in _WORDS
        quoted = w.tokens[behind + 1].kind == "quoted" if behind + 1 < len(w.tokens) else False
        held = w.at(behind + 1) in ("a", "an") or behind == at and not _ANYTHING.isdisjoint(w.words[:at])
        if worded or quoted or held:
            return _Cue(at, behind + 1, worded or quoted)
    return None


def _looked_for(w: Wording, cue: _Cue) -> list[Token] | None:
    subject = _subject(w, cue.start)
    if subject is None:
        return None
    start, end, relation, paths = subject
    texts, joined, behind = _texts(w, cue.end)
    if not texts or joined == "and" and len(paths) > 1:
        return None
    known = _meant(w, cue.end, _KNOWN if cue.sure else _LIKELY)
    if known is not None:
        return [*w.tokens[: cue.start], *w.said(cue.start, "with"), *w.tokens[known:]] if cue.sure else None
    if not cue.sure and not (_is_unknown(w, texts) and is_written_in(w.meta, paths, _plain(texts[0]))):
        return None
    of_column = len(paths) == 1 and (start, end) != (cue.start, cue.start) and _is_column(w, start, end)
    before = list(w.tokens[:start])
    noun = list(w.tokens[start:end])
    if of_column:
        before, noun = _of_rows(w, before, noun, relation)
    elif start == end or w.at(start) in _ANYTHING:
        noun = w.said(start, *_plural(w, relation))
    between = w.tokens[end : cue.start]
    said = [token for one in _conditions(w, cue, paths, texts, joined or "or") for token in one]
    if len(paths) * len(texts) > 1:
        said = [_mark(w, cue.start, "("), *said, _mark(w, cue.start, ")")]
    return [*before, *noun, *between, *w.said(cue.start, "where"), *said, *w.tokens[behind:]]


def _mark(w: Wording, at: int, text: str) -> Token:
    return replace(w.tokens[at], text=text, lower=text, stem=text, kind="punctuation", value=None)


def _conditions(
    w: Wording, cue: _Cue, paths: Sequence[str], texts: Sequence[Sequence[Token]], joined: str
) -> Iterator[list[Token]]:
    at, verb = cue.start, ("does", "not", "contain") if cue.denied else ("contains",)
    joined = "and" if cue.denied else joined
    for number, (text, path) in enumerate((text, path) for text in texts for path in paths):
        plain = _plain(text)
        quoted = replace(text[0], text=plain, lower=plain.lower(), stem=plain.lower(), kind="quoted", value=None)
        yield [*w.said(at, *[joined] * bool(number), *w.meta.parts(path), *verb), quoted]


def _of_rows(w: Wording, before: list[Token], noun: list[Token], relation: str) -> tuple[list[Token], list[Token]]:
    """Rows in the place of their texts where rows are meant: *how many comments mention*, *parcels with notes that*."""
    words = [token.lower for token in before]
    if tuple(words[:2]) == ("how", "often"):
        return [*w.said(0, "how", "many")], w.said(0, *_plural(w, relation))
    rows = w.said(0, *_plural(w, relation))
    if words[-2:] in _COUNTED:
        return before, rows
    if words and words[-1] in _HOLDING:
        return before[:-1], []
    key = w.meta.key_of(relation)
    if key is None:
        return before, [*noun, *w.said(0, "of"), *rows]
    return before, [*w.said(0, *w.meta.parts(key), "and"), *noun, *w.said(0, "of"), *rows]


def _subject(w: Wording, before: int) -> tuple[int, int, str, tuple[str, ...]] | None:
    """What texts are looked at: where it is named, its relation, and the columns."""
    texts = w.meta.free_texts
    anything = next((place for place in range(before) if w.at(place) in _ANYTHING), None)
    if anything is not None:
        told = Counter(
            relation
            for at in range(len(w.tokens))
            for relation in {m.member.split(".", 1)[0] for m in _values(w, at)} | set(w.rows_at(at))
        )
        (relation, paths), *others = sorted(texts.items(), key=lambda each: -told[each[0]])
        alone = not others or told[others[0][0]] < told[relation]
        return (anything, anything + 1, relation, paths) if alone else None  # anything of what?
    for end in range(before, 0, -1):
        start = w.kind_start(end)
        kinds = (
            w.meta.kind_names.called[tuple(token.stem for token in w.tokens[start:end])] if start is not None else ()
        )
        for kind in kinds if start is not None else ():
            if kind.path is not None and kind.path in texts.get(kind.relation, ()):
                return start or 0, end, kind.relation, (kind.path,)
        for kind in kinds if start is not None else ():
            if kind.path is None and kind.relation in texts:
                return start or 0, end, kind.relation, texts[kind.relation]
    return None


def _is_column(w: Wording, start: int, end: int) -> bool:
    kinds = w.meta.kind_names.called.get(tuple(token.stem for token in w.tokens[start:end]), ())
    return any(kind.path is not None and kind.path in w.meta.free_texts.get(kind.relation, ()) for kind in kinds)


def _texts(w: Wording, at: int) -> tuple[list[list[Token]], str, int]:
    """What is looked for, whether any or all of it, and the place behind."""
    found: list[list[Token]] = []
    joined = ""
    while True:
        place = at
        while w.at(place) in _ARTICLES | _WORDS:
            place += 1
        text: list[Token] = []
        if place < len(w.tokens) and w.tokens[place].kind == "quoted":
            text, place = [w.tokens[place]], place + 1
        else:
            while place < len(w.tokens) and len(text) < _LONGEST and w.tokens[place].kind == "word":
                if w.at(place) in _ENDS or found and not _is_plain(w, place):
                    break
                text.append(w.tokens[place])
                place += 1
        if not text:
            return found, joined, at - 1 if found else at
        found.append(text)
        if w.at(place) not in ("or", "and") or joined not in ("", w.at(place)):
            return found, joined, place
        more = place + 1 + (w.at(place + 1) in _ARTICLES)
        if more >= len(w.tokens) or not (w.tokens[more].kind == "quoted" or _is_plain(w, more)):
            return found, joined, place
        joined, at = w.at(place), place + 1


def _is_plain(w: Wording, at: int) -> bool:
    """Whether a word is none that the model or a question uses."""
    token = w.tokens[at]
    return token.kind == "word" and token.stem not in FILLER and token.stem not in w.meta.vocabulary


def _is_unknown(w: Wording, texts: Sequence[Sequence[Token]]) -> bool:
    return all(token.kind == "quoted" or token.stem not in w.meta.vocabulary for text in texts for token in text[-1:])


def _values(w: Wording, at: int) -> list[ValueMatch]:
    """Values that begin at a place, of columns that nobody writes in."""
    free = {path for paths in w.meta.free_texts.values() for path in paths}
    return [match for match in w.meta.values.find(w.tokens, at) if match.member not in free]


def _meant(w: Wording, at: int, enough: float) -> int | None:
    """The place of a value of a kind, or of a period, that is spoken of instead."""
    place = at
    while w.at(place) in _ARTICLES | _WORDS:
        place += 1
    if place >= len(w.tokens) or w.tokens[place].kind == "quoted":
        return None
    found = _values(w, place)
    dated = any(period.first == place for period in find_periods(w.tokens, w.now, w.default_year, 1))
    return place if dated or any(match.quality >= enough for match in found) else None


def _plain(text: Sequence[Token]) -> str:
    """What is looked for as it is written anywhere: one of it, where many are named."""
    *first, last = (token.text for token in text)
    return " ".join((*first, last if text[-1].kind == "quoted" else singular(last.lower()) if last.islower() else last))


def _plural(w: Wording, relation: str) -> list[str]:
    words = list(w.meta.words_of(relation))
    return [*words[:-1], plural(words[-1])]
