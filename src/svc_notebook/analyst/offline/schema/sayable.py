"""Every way to say a relation or a member, from names, titles and synonyms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from ....records import dataclass
from ....semantic.catalog import Member, Relation
from ..words.text import name_parts, singular, stem
from ..words.thesaurus import expand

__all__ = ["Phrase", "called", "common_prefix", "content_stems", "member_phrases", "of_rows", "relation_phrases"]

_LITTLE = frozenset({"of", "the", "a", "an", "in", "and", "for", "to", "s", "is"})
_PREPOSITIONS = frozenset({"from", "to", "in", "at", "on", "by", "for", "with", "of", "when", "where", "who", "per"})
_UNITS = frozenset("second minute hour day week month quarter year".split())
_KEEPING = frozenset(  # how rows are kept, not what they are
    "daily weekly monthly yearly hourly log logs table tbl data history records snapshot fact facts dim dataset "
    "metadata details export extract dump file cleaned clean raw final".split()
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to say a member or a relation (``member`` None): stems, and how much it weighs against the name itself."""

    relation: str
    member: str | None
    stems: tuple[str, ...]
    weight: float
    words: tuple[str, ...] = ()


def content_stems(words: Iterable[str]) -> tuple[str, ...]:
    """Stems of the words of a name without its little words."""
    return tuple(stem(word) for at, word in enumerate(words) if word not in _LITTLE or at == 0 and word == "to")


def relation_phrases(relation: Relation) -> list[Phrase]:
    names = [(relation.name, 1.0), (relation.title, 1.0), *((synonym, 0.95) for synonym in relation.synonyms)]
    root = next((m.cube for m in relation.members.values() if m.cube), "") if relation.kind == "view" else ""
    names += [(root, 0.95)] if root else []
    words = name_parts(relation.name)
    core = of_rows(words)
    names += [(" ".join(core), 0.96)] if len(core) < len(words) else []
    return _dedupe(
        Phrase(relation.name, None, stems, weight, words) for text, weight in names for words, stems in _forms(text)
    )


def of_rows(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a table's name that say what its rows are, and not how they are kept: no *daily*, no year."""
    return tuple(word for word in words if word not in _KEEPING and not word.isdigit()) or tuple(words)


def called(member: Member) -> Member:
    """A member as people call it: the ``ticket`` of lines that belong to tickets is the number of one."""
    # A column that numbers something is called by what it numbers, which rows are called by too.
    if "numbers" not in member.meta:
        return member
    return replace(member, name=f"{member.name}_no", title=f"{member.title} no", synonyms=())


def member_phrases(relation: Relation, member: Member, prefix: int) -> list[Phrase]:
    path, member = member.path, called(member)
    names = [(member.name, 1.0), (member.title, 1.0), *((synonym, 0.97) for synonym in member.synonyms)]
    found = []
    own = name_parts(relation.title) or name_parts(relation.name)
    nouns = (
        [(singular(word), 0.97 if word == own[-1] else 0.92) for word in own[::-1] if word not in _LITTLE]
        if member.kind == "dimension"
        else []
    )
    for text, weight in names:
        for words, stems in _forms(text):
            if all(word in _PREPOSITIONS for word in words):
                # Prepositions alone would be found everywhere.
                continue
            found.append(Phrase(relation.name, path, stems, weight, words))
            if text == member.name and 0 < prefix < len(words):
                found.append(Phrase(relation.name, path, content_stems(words[prefix:]), weight, words[prefix:]))
            # Names begin with what they are of: without it they are still called so, a little less.
            for cut in range(1, len(words) - 1) if text == member.name else ():
                if words[cut] == "per":  # "replies per week" are no ``days at home per week``
                    break
                if words[cut] in ("of", "in") and len(words) == cut + 2 and words[-1] in _UNITS:
                    break  # "calls per day" are by no ``time of day``
                found.append(Phrase(relation.name, path, content_stems(words[cut:]), 0.96 * weight, words[cut:]))
            for noun, share in nouns:
                if noun not in words and stem(noun) not in stems and len(words) <= 2:
                    # Names of more than two words are long enough without it.
                    found.append(Phrase(relation.name, path, (stem(noun), *stems), share * weight, (noun, *words)))
    return _dedupe(found)


def _dedupe(phrases: Iterable[Phrase]) -> list[Phrase]:
    best: dict[tuple[str, ...], Phrase] = {}
    for phrase in phrases:
        if phrase.stems and (phrase.stems not in best or best[phrase.stems].weight < phrase.weight):
            best[phrase.stems] = phrase
    return list(best.values())


@lru_cache(4_096)  # many tables have an id, a name and a status
def _forms(text: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Words and stems of a name as written, with abbreviations written out, and without a trailing number."""
    plain = name_parts(re.sub(r"[()]", " ", text))
    forms = [plain]
    longer = expand(plain)
    if longer != plain:
        forms.append(longer)
    return tuple((words, stems) for words in forms if (stems := content_stems(words)))


def common_prefix(relation: Relation) -> int:
    """Words that (nearly) all members of a relation begin with (``sbTx…``)."""
    names = [name_parts(m.name) for m in relation.members.values() if m.kind == "dimension"]
    if len(names) < 3:
        return 0
    length = 0
    while True:
        # Four of five, since a few columns are always called otherwise.
        counts = Counter(name[: length + 1] for name in names if len(name) > length + 1)
        if not counts or counts.most_common(1)[0][1] < 0.8 * len(names):
            return length
        length += 1
