"""Which words of a question may name which relation, member or value, and how well: candidates, not decisions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ....records import dataclass
from ..lexicon import persons
from ..words.families import root
from ..words.numbers import dimension_of, unit_of
from ..words.shortened import is_short_for
from ..words.text import Token, is_participle, name_parts, singular, stem, within_distance
from ..words.thesaurus import ADJECTIVES, FILLER, expand, is_like, related, stand_ins
from .happenings import Candidate, are_listed, is_counted, of_rows
from .metadata import Metadata
from .money import MONEY_NOUNS
from .row_nouns import DEEDS
from .sayable import Phrase

__all__ = ["Candidate", "Span", "find_spans", "is_unnamed", "means_nothing", "named_exactly"]

# Little words within names: "type of plane", "attorney's fee".
_SKIPPED = frozenset({"of", "the", "a", "an", "in", "for", "to", "'s"})
_PREPOSITIONS = frozenset(
    {"on", "by", "with", "from", "at", "over", "per", "how", "many", "much", "when", "where", "is", "not", "no"}
)
_WHEREABOUTS = frozenset({"work", "works", "worked", "working", "live", "lives", "lived", "living"})
"""Verbs before a preposition: who *works in Bergen* is asked for no occupation."""
_OWN_WORD = 0.85
_EARNED = 0.9
_EARNING = frozenset({"earn", "earns", "earning", "earned"})
_PAY = frozenset({"salary", "wage", "wages", "pay", "compensation", "remuneration"})
_ASKING = frozenset({
    "which", "what", "per", "each", "every", "by", "different", "distinct", "common", "commonest", "popular", "rarest",
})  # fmt: skip
_MADE = frozenset({"makes"})  # of vehicles; nobody asks how many somebody makes without saying of what
_ANY_ROWS = frozenset(
    "records rows entries results details values items things numbers amounts results charts columns fields tables "
    "variables attributes data".split()
)
_OURSELVES = frozenset("i me my you your we us our".split())
_SPENDING = frozenset("spend spends spent spending cost costs expenditure".split())
_TIMES = frozenset({"date", "dates", "time", "times"})
_WHENEVER = frozenset(map(stem, _TIMES))
_PRICED = frozenset({"price", "cost", "fee", "rate"})
_TAKING = frozenset({"take", "takes", "took", "taken"})
_HAVING = frozenset(map(stem, "has have had is are was were can does did do".split()))
"""Verbs that names of flags begin with."""
_LONGEST = 6
_LIKE, _MEANT = 0.5, 0.84  # how well a like word fits, and one that only one table may be called by
_BEFORE_NOUNS = frozenset({"per", "each", "every", "by", "which", "a", "an", "the", "of"})
_SHORT = 5  # letters of a word written short


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens ``start`` to ``end`` with everything they may name."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]
    size: int


def find_spans(tokens: Sequence[Token], metadata: Metadata, blocked: frozenset[int] = frozenset()) -> list[Span]:
    """All spans of words that name something; spans may overlap."""
    senses = [_senses(token, metadata) if number not in blocked else {} for number, token in enumerate(tokens)]
    # Before the spans, each of which would take the verb for a noun.
    for place in range(len(tokens) - 1):
        if tokens[place].lower in _WHEREABOUTS and tokens[place + 1].lower in _PREPOSITIONS | _SKIPPED:
            senses[place] = {one: quality for one, quality in senses[place].items() if quality == 1.0}
    spans: list[Span] = []
    for start in range(len(tokens)):
        if not senses[start]:
            continue
        taken: list[int] = []
        for end in range(start + 1, min(len(tokens), start + _LONGEST) + 1):
            token = tokens[end - 1]
            if token.kind == "punctuation" and token.text in "_-.":
                continue
            if token.kind not in ("word", "number"):
                break
            # Little words hold a span together once it has begun; none begins with one.
            if token.lower in _SKIPPED and taken and not senses[end - 1]:
                continue
            if not senses[end - 1]:
                break
            taken.append(end - 1)
            asked = start > 0 and tokens[start - 1].lower in _ASKING
            candidates = _candidates([senses[i] for i in taken], [tokens[i] for i in taken], metadata, asked)
            if len(taken) == 1 and tokens[start].lower in _EARNING:
                candidates = _of_pay(candidates, tokens, metadata)
            of = any(token.lower in ("of", "for") for token in tokens[start:end])
            # Before the span is scored: "delay of flights" against the flag of delayed flights.
            if of and not is_participle(tokens[start].lower):
                candidates = tuple(c for c in candidates if not _is_made_so(c, tokens[start], metadata))
            if start and tokens[start - 1].lower == "how":  # "how long does it take" asks for no long haul
                candidates = tuple(c for c in candidates if c.full or not _is_flag(c, metadata))
            candidates = tuple(c for c in candidates if not _by_verb_alone(c, tokens[start:end], metadata))
            if not candidates:
                # Short spans may still grow into a name; from four words on none has begun.
                if len(taken) > 3:
                    break
                continue
            if len(taken) == 1 and (is_counted(tokens, start) or are_listed(tokens, start)):
                candidates = of_rows(tokens[start].lower, candidates, metadata)
                # "how many managers" are not what people said to *My manager supports me*.
                candidates = tuple(c for c in candidates if c.full or not _is_sentence(c, metadata))
                if not candidates:
                    continue
            named = start > 0 and tokens[start - 1].lower in _BEFORE_NOUNS
            noun = named or singular(token.lower) != token.lower  # "sell" is no like word for the rows of sales
            # "which day" is no downtime, however like a time it is.
            counted = token.lower in _TIMES or dimension_of(unit_of(singular(token.lower)) or "") != ""
            if len(taken) == 1 and noun and token.lower not in ADJECTIVES and not counted:
                candidates = _of_one_table(candidates)
            said = {sense for place in taken for sense in senses[place]}
            spans.append(Span(start, end, _of_nameless(candidates, said, metadata), len(taken)))
    spans = [_of_owner(span, spans, tokens) for span in spans]
    # Last, so that words glued together stand beside what each of them names.
    spans.extend(_glued(tokens, metadata, blocked))
    return _of_spoken(spans, tokens, metadata)


def _of_owner(span: Span, spans: Sequence[Span], tokens: Sequence[Token]) -> Span:
    """``seats of the planes``: of the rows that are called planes, and not what other rows call *plane seats*."""
    of = next((at for at in range(span.start, span.end) if tokens[at].lower == "of"), None)
    if of is None:
        return span
    rows = {
        c.relation for other in spans for c in other.candidates
        if other.end == span.end and other.start > of and c.member is None and c.quality >= _EARNED
        and singular(tokens[other.end - 1].lower) != tokens[other.end - 1].lower
        and all(token.lower in _SKIPPED for token in tokens[of : other.start])
    }  # fmt: skip
    own = tuple(
        c for other in spans if (other.start, other.end) == (span.start, of) for c in other.candidates
        if c.member is not None and c.relation in rows and c.full and c.quality >= _EARNED
    )  # fmt: skip
    if not own or any(c.relation in rows for c in span.candidates):
        return span
    return replace(span, candidates=(*own, *(replace(c, quality=c.quality * _OWN_WORD) for c in span.candidates)))


def _of_one_table(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """``buildings`` over ``properties``: a like word for the rows of one table, where it names nothing better."""
    rows = [c for c in candidates if c.member is None]
    if len(rows) != 1 or rows[0].quality < _LIKE or any(c.full for c in candidates):
        return candidates
    return tuple(replace(c, quality=_MEANT, full=True) if c is rows[0] else c for c in candidates)


def _of_spoken(spans: list[Span], tokens: Sequence[Token], metadata: Metadata) -> list[Span]:
    """The spans without what professors have as people, where no professor is spoken of."""
    if not metadata.values.inherited:
        return spans
    said = {token.stem for token in tokens}
    kept = [replace(span, candidates=tuple(c for c in span.candidates if _is_of(c, said, metadata))) for span in spans]
    return [span for span in kept if span.candidates]


def _is_of(candidate: Candidate, said: set[str], metadata: Metadata) -> bool:
    of = metadata.values.inherited.get(candidate.member or "")
    return of is None or bool(of & said)


def _of_nameless(candidates: tuple[Candidate, ...], said: Collection[str], metadata: Metadata) -> tuple[Candidate, ...]:
    """``trip`` of rows that have neither name nor key is the row, and none of what ``trip color`` would be."""
    rows = {candidate.relation for candidate in candidates if candidate.member is None}
    nameless = {name for name in rows if metadata.is_nameless(name)}
    return tuple(
        candidate for candidate in candidates
        if candidate.member is None or candidate.relation not in nameless
        or metadata.member(candidate.member).kind == "measure" or _is_own(candidate.member, said, metadata)
    )  # fmt: skip


def _is_own(member: str, said: Collection[str], metadata: Metadata) -> bool:
    """Whether a word is of the member's own name, and not only of what its rows are called."""
    return any(stem(part) in said for part in metadata.parts(member))


def _is_flag(candidate: Candidate, metadata: Metadata) -> bool:
    known = metadata.members.get(candidate.member or "")
    return known is not None and (known.type == "boolean" or known.kind == "segment")


def _by_verb_alone(candidate: Candidate, said: Sequence[Token], metadata: Metadata) -> bool:
    """``which town has the most``: the verb that a flag begins with (``has_lift``) is no name, nor is *time*."""
    if candidate.member is None:
        return False
    own = {stem(part) for part in metadata.parts(candidate.member)}
    empty = _HAVING | _WHENEVER if _is_flag(candidate, metadata) else _HAVING
    named = own & {token.stem for token in said}
    if not named and _is_time(candidate, metadata):  # "spend" is no date of an expense
        return all(token.lower in _SPENDING for token in said)
    return bool(named) and named <= empty and bool(own - empty)


def _is_sentence(candidate: Candidate, metadata: Metadata) -> bool:
    return candidate.member is not None and not _OURSELVES.isdisjoint(metadata.parts(candidate.member))


def _is_time(candidate: Candidate, metadata: Metadata) -> bool:
    return candidate.member is not None and metadata.is_time(candidate.member)


def _is_made_so(candidate: Candidate, head: Token, metadata: Metadata) -> bool:
    """Whether a name says of its rows that they are so (``delayed flights``): no word for the ``delay of flights``."""
    words = metadata.parts(candidate.member) if candidate.member is not None else []
    return any(is_participle(word) and stem(word) == head.stem for word in words)


def _senses(token: Token, metadata: Metadata, spelt: bool = False) -> dict[str, float]:
    """Stems of the model that a word may stand for, with quality; ``spelt`` right, it is no slip of another."""
    if token.kind not in ("word", "number") or token.lower in _SKIPPED:
        return {}
    senses: dict[str, float] = {}
    vocabulary = metadata.vocabulary
    if token.stem in vocabulary:
        # Whole forms of the model's words come first, then written out, then like ones, then slips: each weighs less
        # than what is surer.
        senses[token.stem] = 1.0
    if token.kind == "number":
        return senses
    for word in expand([token.lower]):
        one = stem(word)
        if one in vocabulary:
            senses.setdefault(one, 0.95)
    if not senses and token.stem not in FILLER and len(token.lower) > 3:
        # Before like words: a patient may be a case, but where there is a table ``pat`` it is one of these.
        for one in _shortened(token.lower, metadata):
            senses.setdefault(one, 0.9)
    for other in related(token.stem) if token.stem not in FILLER and is_like(token.lower) else ():
        if other in vocabulary:
            senses.setdefault(other, 0.6)
    for other in stand_ins(token.stem) if not senses else ():
        if other in vocabulary:
            senses.setdefault(other, 0.6)
    # Words of one family only where nothing fits, but for nouns of deeds: a delivery is also what was delivered.
    if (not senses or token.lower in DEEDS) and token.stem not in FILLER:
        for one in _kin(token.lower, metadata):
            senses.setdefault(one, 0.85)
    # Words of three letters are one slip from each other.
    if not senses and not spelt and token.stem not in FILLER and len(token.lower) > 3:
        for one in _near(token.lower, token.stem, metadata):
            senses.setdefault(one, 0.85)
        for one in () if senses else _derived(token.lower, metadata):
            senses.setdefault(one, 0.8)
    return senses


def means_nothing(token: Token, metadata: Metadata) -> bool:
    """Whether a word stands for no word of the model, by no like word and by no slip."""
    return not _senses(token, metadata)


def is_unnamed(token: Token, metadata: Metadata) -> bool:
    """Whether a word that is spelt right stands for no word of the model, nor for one like it."""
    return not _senses(token, metadata, spelt=True)


def _near(lower: str, stemmed: str, metadata: Metadata) -> list[str]:
    words = _spellings(metadata).get(lower[0], ())
    if (noun := singular(lower)) != lower:  # "states" is the plural of another word than "status"
        # In the singular both: plural endings are no slip.
        return sorted({one for word, one in words if within_distance(noun, singular(word))})
    return sorted({one for word, one in words if within_distance(lower, word) or within_distance(stemmed, one)})


def _kin(lower: str, metadata: Metadata) -> list[str]:
    """Words of the model that are of one family with a word (``arrived`` and ``arrival``)."""
    # Looked up once for a model: a question asks for each of its words.
    if not metadata.families:
        found: dict[str, set[str]] = defaultdict(set)
        for phrase in metadata.phrases:
            known = metadata.members.get(phrase.member or "")
            for word in phrase.words if known is None or known.type != "boolean" else ():  # whether, and not what
                found[root(word)].add(stem(word))
        metadata.families.update({one: sorted(words) for one, words in found.items()})
    return metadata.families.get(root(lower), [])


def _derived(lower: str, metadata: Metadata) -> list[str]:
    """Words of the model that a word is made from, or made into (``originate`` and ``origin``)."""
    return sorted(
        {
            one
            for word, one in _spellings(metadata).get(lower[0], ())
            # Long words only, and not much longer: "port" begins half a dictionary.
            if min(len(word), len(lower)) >= 6
            and abs(len(word) - len(lower)) <= 4
            and (word.startswith(lower) or lower.startswith(word))
        }
    )


def _shortened(lower: str, metadata: Metadata) -> list[str]:
    """Words of the model that write a word short (``mkt`` of market), where one alone may."""
    known = {word: one for word, one in _short(metadata).get(lower[0], ()) if is_short_for(word, singular(lower))}
    # Where two may be meant it is short for neither.
    return sorted(set(known.values())) if len({singular(word) for word in known}) == 1 else []


def _spellings(metadata: Metadata) -> dict[str, list[tuple[str, str]]]:
    if not metadata.spellings:
        metadata.spellings.update(_spelt(4, metadata.phrases))
    return metadata.spellings


def _short(metadata: Metadata) -> dict[str, list[tuple[str, str]]]:
    if not metadata.short:
        spelt = _spelt(2, [phrase for phrase in metadata.phrases if not _is_clip(phrase)])
        metadata.short.update({letter: [w for w in words if len(w[0]) <= _SHORT] for letter, words in spelt.items()})
    return metadata.short


def _is_clip(phrase: Phrase) -> bool:
    """Whether rows are called so by the beginning of their name: ``pro`` of products, short for no other word."""
    noun = phrase.words[0] if phrase.member is None and len(phrase.words) == 1 else ""
    names = name_parts(phrase.relation)
    return bool(noun and names) and noun not in names and names[-1].startswith(noun) and noun != singular(names[-1])


def _spelt(shortest: int, phrases: Sequence[Phrase]) -> dict[str, list[tuple[str, str]]]:
    """The words of the model's names by their first letter, with their stems."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for phrase in phrases:
        for word in phrase.words:
            if len(word) >= shortest:
                found[word[0]].add((word, stem(word)))
    return {letter: sorted(words) for letter, words in found.items()}


def _candidates(
    senses: list[dict[str, float]], tokens: list[Token], metadata: Metadata, asked: bool = False
) -> tuple[Candidate, ...]:
    """Phrases that hold one sense of every word, each phrase word used once; ``asked``: a question word stands before
    them, so that they are a noun.
    """
    scored: dict[tuple[str, str | None], Candidate] = {}
    for number in {number for one in senses[0] for number in metadata.postings.get(one, ())}:
        phrase = metadata.phrases[number]
        found = _used(senses, phrase)
        if found is None:
            continue
        used, quality = found
        full = len(senses) == len(phrase.stems)
        if (
            full
            and quality < _OWN_WORD
            and _is_of_prices(phrase, metadata)
            or _means_other(tokens, phrase, used, metadata)
        ):
            continue
        if full:
            if len(tokens) == 1 and tokens[0].lower in _TAKING and tokens[0].lower not in phrase.words:
                # A measure of takings is called so, and "take" is its stem.
                continue  # what somebody took is no takings
            # Two letters may be a code or a half of a word.
            exact = all(token.lower in phrase.words or len(token.lower) > 2 for token in tokens)
            quality *= phrase.weight * (1.0 if exact else 0.9) * (1.0 if used == sorted(used) else 0.9)
        elif _says_too_little(tokens, phrase, used, metadata, asked):
            continue
        else:
            share, head = len(senses) / len(phrase.stems), (len(phrase.stems) - 1) in used
            # Of a part of a name more is better, its last word says what it is, and its first two are how people
            # begin it.
            quality *= phrase.weight * (
                0.5 + 0.3 * share + (0.08 if head else 0.0) + (0.15 if _begins(tokens, phrase.words) else 0.0)
            )
        key = (phrase.relation, phrase.member)
        if key not in scored or scored[key].quality < quality:
            # A full name that only like words spell is not as good as one that is said.
            scored[key] = Candidate(phrase.relation, phrase.member, round(quality, 4), full and quality > 0.8)
    return tuple(
        sorted(scored.values(), key=lambda c: (-c.quality, metadata.position.get(c.member or "", -1), c.relation))
    )


def _used(senses: Sequence[dict[str, float]], phrase: Phrase) -> tuple[list[int], float] | None:
    """The places of a phrase that hold the words, and how well they do in the mean; None where one has none."""
    if len(senses) > len(phrase.stems):
        return None
    used: list[int] = []
    quality = 0.0
    for sense in senses:
        options = [(sense[one], -place) for place, one in enumerate(phrase.stems) if one in sense and place not in used]
        if not options:
            return None
        # The best fit of each word, the earlier place of equal ones; each place once.
        value, place = max(options)
        used.append(-place)
        quality += value
    return used, quality / len(senses)


def _means_other(tokens: Sequence[Token], phrase: Phrase, used: list[int], metadata: Metadata) -> bool:
    """Whether the words, by their order or by what they do, speak of something else than a phrase that holds them."""
    first, last = tokens[0].lower, tokens[-1].lower
    if used != sorted(used) and (first in ("number", "count", "total", "amount") or last in _PREPOSITIONS):
        return True  # "kwh per month" speaks of no price per kwh
    # Alone a deed may name its rows, and only the deed.
    if len(tokens) == 1:
        return phrase.member is None and _is_of_deed(first, phrase, metadata)
    if _does(last, phrase.words):
        return True
    # "bookings by channel" are told by nobody who booked
    return len(tokens) == 2 and last == "by" and first not in phrase.words and _is_many(tokens[0])


def _says_too_little(tokens: Sequence[Token], phrase: Phrase, used: list[int], metadata: Metadata, asked: bool) -> bool:
    """Whether words that are a part of a phrase name nothing by it."""
    head = (len(phrase.stems) - 1) in used
    if all(token.kind == "number" for token in tokens) or phrase.member is None and not head:
        return True
    if _needs_more(used, phrase, metadata) or _is_what_it_is_per(used, phrase) or _is_priced(tokens, phrase, head):
        return True
    if len(tokens) == 1 and tokens[0].stem in FILLER and not _is_noun(tokens[0].lower, phrase, asked and head):
        return True
    return any(t.lower in _PREPOSITIONS for t in tokens) and not _begins(tokens, phrase.words)


def _is_what_it_is_per(used: list[int], phrase: Phrase) -> bool:
    """Whether words are of a name but for what it is per: tonnes are no ``fee_per_tonne``."""
    return "per" in phrase.stems and min(used) > phrase.stems.index("per")


def _is_priced(tokens: Sequence[Token], phrase: Phrase, head: bool) -> bool:
    """Whether words are so many of what a price is for: ``units`` are no unit price, ``tickets`` no ticket cost."""
    many = len(tokens) == 1 and _is_many(tokens[0]) and tokens[0].lower not in phrase.words
    return many and not head and phrase.member is not None and phrase.words[-1] in _PRICED


def _is_noun(word: str, phrase: Phrase, asked: bool) -> bool:
    """Whether an everyday word stands for what a phrase names all the same."""
    if is_participle(word) and word in phrase.words or phrase.member is None and _are_rows(word, phrase):
        return True
    return (asked or word in _MADE and phrase.member is not None) and singular(word) == singular(phrase.words[-1])


def _is_many(token: Token) -> bool:
    return singular(token.lower) != token.lower and token.lower.endswith("s")


def _are_rows(word: str, phrase: Phrase) -> bool:
    """``cases`` of court cases: an everyday word in the plural that rows are called by."""
    return word == phrase.words[-1] and singular(word) != word and word not in _ANY_ROWS


def _of_pay(candidates: tuple[Candidate, ...], tokens: Sequence[Token], metadata: Metadata) -> tuple[Candidate, ...]:
    """``judges earning more than``: what those are paid who were named, where that is known, and no takings."""
    said, who = {token.stem for token in tokens}, tokens[0].lower == "who"
    paid = [c for c in candidates if c.member is not None and _PAY & set(metadata.parts(c.member))]
    paid = [c for c in paid if who or {stem(word) for word in metadata.words_of(c.relation)} & said]
    return tuple(replace(c, quality=max(c.quality, _EARNED)) for c in paid) or candidates


def _needs_more(used: Sequence[int], phrase: Phrase, metadata: Metadata) -> bool:
    """Whether words are too little of a name: *sales* of a sales rep, *rate* of what a flag's rate is."""
    head = len(phrase.stems) - 1
    if head not in used:
        return phrase.stems[head] in persons() and metadata.members[phrase.member or ""].type == "string"
    return phrase.words[-1] == "rate" and len(used) == 1 and metadata.members[phrase.member or ""].type == "boolean"


def _is_of_prices(phrase: Phrase, metadata: Metadata) -> bool:
    """Whether a word for what was taken in stands for the prices of rows: ``paid`` is no revenue then."""
    known = metadata.members.get(phrase.member or "")
    taken = len(phrase.words) == 1 and phrase.words[0] in MONEY_NOUNS
    return (
        taken and known is not None and known.kind == "dimension" and phrase.words[0] not in metadata.parts(known.path)
    )


def _is_of_deed(word: str, phrase: Phrase, metadata: Metadata) -> bool:
    """``repaired`` is what was done to rows that are called repairs by that alone; a ``delivery`` date is no row."""
    own = {stem(part) for part in metadata.words_of(phrase.relation)}
    alone = is_participle(word) and word not in phrase.words or word in DEEDS
    return alone and stem(phrase.words[-1]) not in own


def _does(word: str, words: Sequence[str]) -> bool:
    """``airline flies`` is somebody doing something, not the name ``airlines flying``."""
    named = word in words or singular(word) in words  # "crossings" are what a crossing is one of
    if not named and not word.endswith("ing") and any(one.endswith("ing") and root(one) == root(word) for one in words):
        return True  # "airline flew"
    return word.endswith("ies") and f"{word[:-3]}ying" in words or word.endswith("s") and f"{word[:-1]}ing" in words


def named_exactly(text: str, metadata: Metadata) -> tuple[Candidate, ...]:
    """Members whose name or title is just this text."""
    wanted = text.strip().lower().replace("_", " ")
    return tuple(
        Candidate(member.relation, member.path, 1.0, True)
        for member in metadata.members.values()
        if wanted in (member.name.lower().replace("_", " "), member.title.lower())
    )


def _begins(tokens: Sequence[Token], words: Sequence[str]) -> bool:
    """A preposition that a name begins with, and the word after it (``on time`` of ``on time share``)."""
    return (
        len(tokens) == 2
        and len(words) > 2
        and tokens[0].lower in _PREPOSITIONS
        and tokens[1].lower not in _PREPOSITIONS
        and [t.lower for t in tokens] == list(words[:2])
    )


def _glued(tokens: Sequence[Token], metadata: Metadata, blocked: frozenset[int]) -> list[Span]:
    """Two or three words that the model writes as one (``author name`` → authorname), and the reverse."""
    joined = _joined(metadata)
    spans = []
    for start in range(len(tokens)):
        for end in (start + 1, start + 2, start + 3):
            if end > len(tokens) or any(i in blocked for i in range(start, end)):
                break
            hyphened = end == start + 3 and tokens[start + 1].text == "-"
            # The hyphen is a token of its own: "check-in" are three.
            if hyphened and {tokens[start].kind, tokens[end - 1].kind} == {"word"}:
                spans.extend(_one_word([tokens[start], tokens[end - 1]], start, end, joined))
                break
            if any(tokens[i].kind not in ("word", "number") for i in range(start, end)):
                if end == start + 2 and tokens[start].kind == "word" and tokens[start + 1].text == "-":
                    continue
                break
            spans.extend(_one_word(tokens[start:end], start, end, joined))
    return spans


def _one_word(tokens: Sequence[Token], start: int, end: int, joined: Mapping[str, tuple[Candidate, ...]]) -> list[Span]:
    head = "".join(token.lower for token in tokens[:-1])
    # Four letters glued by chance are found in every text.
    for form in (head + tokens[-1].lower, head + tokens[-1].stem, singular(head + tokens[-1].lower)):
        if len(form) > 4 and form in joined:
            return [Span(start, end, joined[form], len(tokens))]
    return []


def _joined(metadata: Metadata) -> dict[str, tuple[Candidate, ...]]:
    if not metadata.joined_words:
        table: dict[str, dict[tuple[str, str | None], Candidate]] = defaultdict(dict)
        for phrase in metadata.phrases:
            word = "".join(phrase.words)
            # Glued with the ending of a verb it would be the deed, and no name.
            if phrase.member is None and _is_of_deed(f"{word}ed", phrase, metadata):
                continue
            candidate = Candidate(phrase.relation, phrase.member, 0.96 * phrase.weight, True)
            for form in (word, stem(word)):
                table[form].setdefault((phrase.relation, phrase.member), candidate)
        metadata.joined_words.update({form: tuple(group.values()) for form, group in table.items()})
    return metadata.joined_words
