"""Finding members by what people call them: BM25F over words, with character bigrams for slips of the finger.

The index is built from a catalog, which holds only what the asker may see; so does, therefore, every answer.
Words are weighed by where they stand (name and title before synonyms before description) and by how rare they are.
A word the catalog does not know is replaced by the known words that share most of its bigrams.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from ..records import dataclass
from .catalog import Catalog, Member, Relation
from .naming import words_of

__all__ = ["Hit", "SearchIndex", "stem"]

# Weights of fields as of BM25F, found by measuring: names most, the relation around a member least.
_NAME, _SYNONYM, _DESCRIPTION, _RELATION = 3.0, 2.5, 0.7, 0.6
# BM25's k1 and b, b smaller than the usual 0.75: titles are short, and their lengths tell little.
_SATURATION, _LENGTH = 1.2, 0.5
_NEAR, _NEAR_TERMS, _FUZZY = 0.45, 6, 0.7
_HITS_PER_RELATION = 24
_WORTH = 0.12  # of the best score; what scores less is noise
_STOPWORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by did do does each for from give had has have how i in is it list many me much of on "
        "or our per please show tell than that the their there these they this those to us was we were what when where "
        "which who whose will with you your",
    )
)


@dataclass(frozen=True, slots=True)
class Hit:
    """One found relation (``member`` is None) or member."""

    score: float
    relation: Relation
    member: Member | None


def stem(word: str) -> str:
    """A word without its plural: ``cities`` → ``city``, ``boxes`` → ``box``, ``delays`` → ``delay``."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


class SearchIndex:
    """A search index over the relations and members of ``catalog``."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._targets: list[tuple[Relation, Member | None]] = []
        counts: list[dict[str, float]] = []
        for relation in catalog.relations.values():
            self._targets.append((relation, None))
            counts.append(_weights(_relation_fields(relation)))
            for member in relation.members.values():
                self._targets.append((relation, member))
                counts.append(_weights(_member_fields(relation, member)))
        self._postings = _postings(counts)
        self._by_bigram: dict[str, list[str]] = defaultdict(list)
        self._sizes: dict[str, int] = {}
        for term in self._postings:
            grams = _bigrams(term)
            self._sizes[term] = len(grams)
            for gram in grams:
                self._by_bigram[gram].append(term)

    def rank(self, query: str, limit: int = 8) -> list[Hit]:
        """The best relations and members, best first; ties in order of declaration."""
        scores: dict[int, float] = defaultdict(float)
        for term, weight in self._terms(query).items():
            for target, value in self._postings[term]:
                scores[target] += weight * value
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return [Hit(score, *self._targets[target]) for target, score in best]

    def search(self, query: str, limit: int = 8) -> list[tuple[Relation, list[Member]]]:
        """At most ``limit`` relations, best first, each with its members that fit, best first.

        A relation that fits by its own name but not by any member comes with its first members. An empty query lists
        everything.
        """
        if not _words(query):
            relations = dict.fromkeys(relation.name for relation, _ in self._targets)
            by_name = {relation.name: relation for relation, _ in self._targets}
            return [(by_name[name], list(by_name[name].members.values())) for name in relations][:limit]
        found: dict[str, tuple[Relation, list[Member]]] = {}
        hits = self.rank(query, limit * _HITS_PER_RELATION)
        for hit in hits:
            if hit.score < hits[0].score * _WORTH:
                break
            if hit.relation.name not in found and len(found) == limit:
                continue
            members = found.setdefault(hit.relation.name, (hit.relation, []))[1]
            if hit.member is not None and len(members) < _HITS_PER_RELATION:
                members.append(hit.member)
        return [(r, members or list(r.members.values())[:_HITS_PER_RELATION]) for r, members in found.values()]

    def _terms(self, query: str) -> Mapping[str, float]:
        """The index terms a query stands for, with how much each counts."""
        terms: dict[str, float] = defaultdict(float)
        words = _words(query)
        for word in [word for word in words if word not in _STOPWORDS] or words:
            known = stem(word)
            if known in self._postings:
                terms[known] = max(terms[known], 1.0)
            else:
                for term, likeness in self._near(known):
                    terms[term] = max(terms[term], _FUZZY * likeness)
        return terms

    def _near(self, word: str) -> list[tuple[str, float]]:
        grams = _bigrams(word)
        shared: Counter[str] = Counter()
        for gram in grams:
            shared.update(self._by_bigram.get(gram, ()))
        # Dice's measure.
        near = [(2 * n / (len(grams) + self._sizes[term]), term) for term, n in shared.items()]
        best = sorted((pair for pair in near if pair[0] >= _NEAR), key=lambda pair: (-pair[0], pair[1]))[:_NEAR_TERMS]
        return [(term, likeness) for likeness, term in best]


@lru_cache(8_192)  # a relation's names are read again for each of its members
def _words(text: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in words_of(text))


@lru_cache(8_192)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(map(stem, _words(text)))


def _bigrams(word: str) -> frozenset[str]:
    padded = f"^{word}$"
    return frozenset(padded[i : i + 2] for i in range(len(padded) - 1))


def _weights(fields: Iterable[tuple[float, str]]) -> dict[str, float]:
    """Weighted counts of an entry's words, a field's longer texts counting less per word."""
    counts: dict[str, float] = defaultdict(float)
    for weight, text in fields:
        words = _stems(text)
        share = weight / (1 - _LENGTH + _LENGTH * max(len(words), 1) / 3)
        for word in words:
            counts[word] += share
        if 1 < len(words) <= 3 and weight >= _SYNONYM:
            counts["".join(words)] += share  # "arrdelay" finds arr_delay
    return counts


def _postings(counts: list[dict[str, float]]) -> dict[str, list[tuple[int, float]]]:
    holders: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for target, words in enumerate(counts):
        for word, count in words.items():
            holders[word].append((target, count))
    total = len(counts)
    return {
        word: [(target, _rarity(total, len(found)) * count / (count + _SATURATION)) for target, count in found]
        for word, found in holders.items()
    }


def _rarity(total: int, holding: int) -> float:
    # BM25's rarity, which stays above nothing for words that nearly all have.
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _relation_fields(relation: Relation) -> list[tuple[float, str]]:
    return [
        *((_NAME, text) for text in _names(relation.name, relation.title)),
        *((_SYNONYM, synonym) for synonym in relation.synonyms),
        (_DESCRIPTION, f"{relation.description or ''} {_hints(relation.meta)}"),
    ]


def _member_fields(relation: Relation, member: Member) -> list[tuple[float, str]]:
    return [
        *((_NAME, text) for text in _names(member.name, member.title)),
        *((_SYNONYM, synonym) for synonym in member.synonyms),
        (_DESCRIPTION, f"{member.description or ''} {_hints(member.meta)}"),
        (_RELATION, " ".join(_names(relation.name, relation.title))),
    ]


def _names(name: str, title: str) -> tuple[str, ...]:
    return (name,) if _words(name) == _words(title) else (name, title)


def _hints(meta: Mapping[str, Any]) -> str:
    """What the model's author wrote for the analyst, ``meta.ai_context``: a text, or a mapping of texts."""
    hints = meta.get("ai_context", "")
    if isinstance(hints, Mapping):
        hints = " ".join(str(value) for key, value in hints.items() if key != "synonyms")
    return re.sub(r"\s+", " ", str(hints))
