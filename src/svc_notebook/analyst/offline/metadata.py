"""The model as this asker sees it, prepared for reading: relations, members, phrases, joins, value profiles."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ...semantic.catalog import Catalog, Member, Relation
from .fiscal import month_number
from .joins import JoinGraph
from .plan import Measure
from .text import name_parts, singular, stem
from .thesaurus import expand
from .values import ValueIndex, kind_of_values

__all__ = ["Metadata", "Phrase", "Profile"]

_LITTLE = frozenset({"of", "the", "a", "an", "in", "and", "for", "to", "s", "is"})
_KEY_WORDS = frozenset({"id", "key", "uuid", "guid", "pk", "sk", "fk", "code", "zip", "postal", "phone", "isbn", "vin"})
_FLOW = frozenset(
    map(
        stem,
        (
            "sales revenue gross income turnover amount total quantity cost payment spend spending count "
            "profit earning volume "
            "donation paid refund loss deposit units sold stock number transactions views clicks orders expense "
            "premium "
            "precipitation rainfall tonnage".split()
        ),
    )
)
_COUNTED = frozenset(
    "minutes hours days nights weeks seats points goals units copies pieces tickets kilometers miles".split()
)
_PREPOSITIONS = frozenset({"from", "to", "in", "at", "on", "by", "for", "with", "of", "when", "where", "who", "per"})
_CLOCK = frozenset({"hour", "month", "week", "weekday", "quarter", "day", "minute"})
_AMOUNTS = frozenset({"amount", "value", "total", "price", "cost", "quantity"})
_KEEPING = frozenset(  # how rows are kept, not what they are
    "daily weekly monthly yearly hourly log logs table tbl data history records snapshot fact facts dim".split()
)
_FLAGS = frozenset({"is", "has", "was", "can", "had", "does"})
_FARTHEST = 9  # relations in one query whose joins are walked in both directions
_TALLIES = ("count", "cnt")
_LABEL_WORDS = ("name", "title", "label", "fullname")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to say a member or a relation (``member`` None): stems, and how much it weighs against the name itself."""

    relation: str
    member: str | None
    stems: tuple[str, ...]
    weight: float
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """How the values of a member lie: number of rows, of distinct and of missing values, extremes."""

    rows: int
    distinct: int
    missing: int
    low: Any = None
    high: Any = None

    @property
    def unique(self) -> bool:
        """Whether (nearly) every row has its own value."""
        return self.rows > 0 and self.distinct >= 0.9 * (self.rows - self.missing) and self.distinct > 1


_EMPTY = Profile(0, 0, 0)


@dataclass
class Metadata:
    """Everything reading needs to know. ``measure_profile`` runs one query under the asker's policy and may fail."""

    catalog: Catalog
    values: ValueIndex
    measure_profile: Callable[[Member], Profile | None] = lambda member: None
    _profiles: dict[str, Profile] = field(default_factory=dict)
    _numeric_texts: dict[str, bool] = field(default_factory=dict)
    _bridges: dict[tuple[str, ...], tuple[str, ...] | None] = field(default_factory=dict)
    spellings: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    joined_words: dict[str, tuple[Any, ...]] = field(default_factory=dict)

    def relation(self, name: str) -> Relation:
        return self.catalog.relations[name]

    @cached_property
    def position(self) -> dict[str, int]:
        """Place of a member in the order of declaration: of equal readings, the earlier is meant."""
        return {path: number for number, path in enumerate(self.members)}

    @cached_property
    def members(self) -> dict[str, Member]:
        """All visible, unmasked members by path."""
        return {m.path: m for r in self.catalog.relations.values() for m in r.members.values() if not m.masked}

    def member(self, path: str) -> Member:
        return self.members[path]

    def profile(self, path: str) -> Profile:
        """The member's profile, asked for once; an empty one when it cannot be had."""
        if path not in self._profiles:
            self._profiles[path] = self.measure_profile(self.members[path]) or _EMPTY
        return self._profiles[path]

    @cached_property
    def fiscal_start(self) -> int | None:
        """The month a fiscal year begins in, where a relation's ``meta.fiscal_year_start`` says so."""
        said = (month_number((r.meta or {}).get("fiscal_year_start")) for r in self.catalog.relations.values())
        return next((month for month in said if month is not None), None)

    # ---- what a member is ----

    def parts(self, path: str) -> tuple[str, ...]:
        return tuple(expand(name_parts(self.members[path].name)))

    def tally_of(self, relation: str) -> str | None:
        """The number that says how many things a row stands for: a column named ``count`` and no more."""
        path = next((f"{relation}.{name}" for name in _TALLIES if f"{relation}.{name}" in self.members), None)
        return path if path is not None and self.is_number(path) and not self.is_key(path) else None

    def words_of(self, relation: str) -> tuple[str, ...]:
        """The words of a relation's name, each in the singular."""
        return tuple(singular(word) for word in expand(name_parts(relation)))

    def is_measure(self, path: str) -> bool:
        return self.members[path].kind == "measure"

    def is_time(self, path: str) -> bool:
        member = self.members[path]
        return member.kind == "dimension" and member.type == "time"

    def is_number(self, path: str) -> bool:
        member = self.members[path]
        return member.kind == "dimension" and (member.type == "number" or self.is_numeric_text(path))

    def is_flag(self, path: str) -> bool:
        """A yes or no kept as 1 and 0 (``is_open``, ``has_parking``)."""
        member, parts = self.members[path], self.parts(path)
        if member.kind != "dimension" or member.type != "number" or not parts or parts[0] not in _FLAGS:
            return False
        profile = self.profile(path)
        return (_as_number(profile.low), _as_number(profile.high)) in ((0, 1), (0, 0), (1, 1))

    def is_numeric_text(self, path: str) -> bool:
        """A text whose values are all numbers (amounts kept as text), and no key."""
        member = self.members[path]
        if (
            member.kind != "dimension"
            or member.type != "string"
            or self.is_key(path)
            or path not in self.values.complete
            or self.parts(path)[-1:] == ("number",)
        ):
            return False
        if path not in self._numeric_texts:
            values = [v for v in self.values.members.get(path, ()) if str(v).strip()]
            self._numeric_texts[path] = bool(values) and all(
                _as_number(v) is not None
                and not str(v).startswith("0")
                or str(v) in ("0", "0.0")
                or str(v).startswith("0.")
                for v in values
            )
        return self._numeric_texts[path]

    def is_key(self, path: str) -> bool:
        """Whether the member identifies something, so that sums and averages of it mean nothing."""
        member = self.members[path]
        parts = self.parts(path)
        return member.primary_key or bool(parts and (parts[-1] in _KEY_WORDS or parts[0] == "id"))

    def is_year(self, path: str) -> bool:
        """A number (or text) that holds a year."""
        parts = self.parts(path)
        if not parts or "year" not in (parts[-1], parts[0]) or self.is_time(path) or self.is_measure(path):
            return False
        profile = self.profile(path)
        low, high = _as_number(profile.low), _as_number(profile.high)
        return low is None or high is None or (1000 <= low <= 2200 and high <= 2200) or (low >= 0 and high < 100)

    def is_category(self, path: str) -> bool:
        """Whether the member groups: text, flags, years, and numbers of few different values."""
        member = self.members[path]
        if member.kind != "dimension":
            return False
        if member.type in ("string", "boolean", "time"):
            return True
        return self.is_key(path) or self.is_year(path) or self.is_small(path)

    def is_small(self, path: str) -> bool:
        """A whole number of few values over many rows (cylinders, floors)."""
        if self.members[path].meta and self.members[path].meta.get("ordinal"):
            return True
        profile = self.profile(path)
        whole = all(
            value is None or float(value).is_integer() for value in (_as_number(profile.low), _as_number(profile.high))
        )
        if whole and set(self.parts(path)) & _CLOCK and 0 < profile.distinct <= 53:
            return True
        return whole and 0 < profile.distinct <= 8 and profile.rows >= 5 * profile.distinct

    def is_flow(self, path: str) -> bool:
        """A quantity that adds up over time (sales), not a level (weight, rating)."""
        return self.is_counted(path) or any(stem(part) in _FLOW for part in self.parts(path))

    def is_counted(self, path: str) -> bool:
        """A number of things or units by its whole name (days, seats): it is summed unless an average is asked for."""
        parts = self.parts(path)
        return len(parts) == 1 and parts[0] in _COUNTED

    def cardinality(self, path: str) -> int:
        known = self.values.members.get(path)
        return len(known) if known is not None and path in self.values.complete else self.profile(path).distinct

    def kind(self, path: str) -> str | None:
        known = self.values.members.get(path)
        return kind_of_values(map(str, known[:200])) if known else None

    # ---- relations ----

    @cached_property
    def edges(self) -> dict[str, tuple[str, ...]]:
        relations = self.catalog.relations
        return {name: tuple(j for j in relation.joins if j in relations) for name, relation in relations.items()}

    @cached_property
    def _reach(self) -> dict[str, dict[str, tuple[str, ...]]]:
        reach: dict[str, dict[str, tuple[str, ...]]] = {}
        for root in self.edges:
            paths: dict[str, tuple[str, ...]] = {root: ()}
            queue = deque([root])
            while queue:
                here = queue.popleft()
                for there in self.edges[here]:
                    if there not in paths:
                        paths[there] = (*paths[here], there)
                        queue.append(there)
            reach[root] = paths
        return reach

    def join_keys(self, source: str, target: str) -> tuple[str, str] | None:
        """Visible members a join of one column each compares: ``(source.fk, target.key)``."""
        pairs = self.joins.between(source, target) if target in self.edges[source] else ()
        return pairs[0] if len(pairs) == 1 else None

    @cached_property
    def joins(self) -> JoinGraph:
        """The joins that compare members, walkable in both directions."""
        return JoinGraph(self.catalog, self.members, self._is_empty)

    def _is_empty(self, path: str) -> bool:
        profile = self.profile(path)
        return profile.rows > 0 and profile.missing == profile.rows

    def scope(self, relations: Iterable[str], prefer: Sequence[str] = ()) -> tuple[str, ...] | None:
        """The cubes of a query that needs ``relations``: the root that reaches all of them with the fewest joins,
        then those.
        """
        needed = list(dict.fromkeys(relations))
        if len(needed) == 1:
            return (needed[0],)
        best: tuple[tuple[float, ...], tuple[str, ...]] | None = None
        for order, (root, paths) in enumerate(self._reach.items()):
            if any(name not in paths for name in needed):
                continue
            joined = list(dict.fromkeys(step for name in needed for step in paths[name]))
            key = (len({root, *joined}), 0 if root in prefer else 1, 0 if root in needed else 1, order)
            if best is None or key < best[0]:
                best = (key, (root, *(name for name in joined if name != root)))
        if best is not None:
            return best[1]
        known = tuple(needed)
        if known not in self._bridges:
            tree = self.joins.tree(needed)
            self._bridges[known] = tree if tree is not None and len(tree) <= _FARTHEST else None
        return self._bridges[known]

    def is_bridged(self, scope: Sequence[str]) -> bool:
        """Whether no relation of a scope reaches all others: then its joins are walked in both directions."""
        return any(relation not in self._reach[scope[0]] for relation in scope)

    def facts_of(self, relation: str) -> str | None:
        """The relation whose rows point at ``relation``'s and so say how often it occurs: with a time rather than
        without, the nearest.
        """
        found = []
        for order, (name, paths) in enumerate(self._reach.items()):
            if name != relation and relation in paths and not self.is_marker(name):
                found.append((not self.times([name]), len(paths[relation]), -len(self.edges[name]), order, name))
        return min(found)[-1] if found else None

    def is_island(self, relation: str) -> bool:
        """A cube that joins nothing in a model whose other cubes do."""
        joined = {name for name, others in self.edges.items() if others} | {
            other for others in self.edges.values() for other in others
        }
        return len(joined) > 2 and relation not in joined and self.relation(relation).kind == "cube"

    def is_marker(self, relation: str) -> bool:
        """A relation of nothing but keys: that it has a row is all it says (a payment among amounts)."""
        dimensions = [
            m.path for m in self.relation(relation).members.values() if m.kind == "dimension" and m.path in self.members
        ]
        links = len(dimensions) == 2 and all(self.members[path].primary_key for path in dimensions)
        return (
            0 < len(dimensions) <= 2
            and not (links and len(self.edges.get(relation, ())) > 1)  # rows that link two others mark neither
            and all(self.is_key(path) for path in dimensions)
            and bool(self.edges.get(relation))
        )

    def amount_of(self, relation: str) -> str | None:
        """The number that says how much a row of ``relation`` is: its amount, or that of the rows it marks."""
        places = [relation, *self.edges.get(relation, ())] if self.is_marker(relation) else [relation]
        for place in places:
            numbers = [
                m.path
                for m in self.relation(place).members.values()
                if m.path in self.members and self.is_number(m.path) and not self.is_key(m.path)
            ]
            named = [path for path in numbers if self.parts(path)[-1] in _AMOUNTS]
            if len(named) == 1:
                return named[0]
        return None

    def label_of(self, relation: str) -> str | None:
        """The member that names a row of ``relation``: its name or title, else its key."""
        dimensions = [m for m in self.relation(relation).members.values() if m.kind == "dimension" and not m.masked]
        own = {stem(p) for p in name_parts(relation)}
        ranked = []
        for place, member in enumerate(dimensions):
            parts = self.parts(member.path)
            rest = [p for p in parts if stem(p) not in own]
            if member.type == "string" and parts and parts[-1] in _LABEL_WORDS and len(rest) <= 1:
                ranked.append((0, _LABEL_WORDS.index(parts[-1]), place, member.path))
            elif member.type == "string" and not rest:
                ranked.append((1, 0, place, member.path))
            elif member.type == "string" and parts[-1:] == ("number",) and len(rest) <= 2 < len(parts) + len(own):
                ranked.append((1, 1, place, member.path))
            elif member.primary_key:
                ranked.append((2, 0, place, member.path))
        return min(ranked)[3] if ranked else None

    def key_of(self, relation: str) -> str | None:
        """The single primary key of ``relation``."""
        keys = [m.path for m in self.relation(relation).members.values() if m.primary_key and m.kind == "dimension"]
        return keys[0] if len(keys) == 1 else None

    def keys_of(self, relation: str) -> list[str]:
        """All members of the primary key of ``relation``."""
        members = self.relation(relation).members.values()
        return [m.path for m in members if m.primary_key and m.kind == "dimension" and m.path in self.members]

    def plain(self, measure: Measure) -> Measure:
        """A measure of the model as an aggregate over its dimension, where its name and kind say which."""
        if measure.aggregate != "measure" or measure.member is None:
            return measure
        known = self.members[measure.member]
        if known.agg_type == "count":
            return replace(measure, member=None, aggregate="count", entity=known.relation)
        base = known.path.split(".", 1)[1].partition("_")[2]
        column = f"{known.relation}.{base}"
        if column in self.members and known.agg_type in ("sum", "avg", "min", "max", "median", "count_distinct"):
            return replace(measure, member=column, aggregate=known.agg_type)  # type: ignore[arg-type]  # one of those just named
        return measure

    def times(self, relations: Iterable[str]) -> list[str]:
        """Time dimensions of the relations in order of declaration."""
        return [
            m.path
            for r in relations
            for m in self.relation(r).members.values()
            if m.type == "time" and m.kind == "dimension" and not m.masked
        ]

    # ---- phrases ----

    @cached_property
    def phrases(self) -> list[Phrase]:
        """Every way to say a relation or a member."""
        found: list[Phrase] = []
        for relation in self.catalog.relations.values():
            found.extend(_relation_phrases(relation))
            found.extend(self._label_phrases(relation))
            prefix = _common_prefix(relation)
            for member in relation.members.values():
                if not member.masked:
                    found.extend(_member_phrases(relation, member, prefix))
                    found.extend(self._kind_phrases(member))
        return found

    def _label_phrases(self, relation: Relation) -> list[Phrase]:
        """``company name`` for the member that names a company, whatever it is called."""
        label = self.label_of(relation.name)
        own = name_parts(relation.title) or name_parts(relation.name)
        key = self.key_of(relation.name)
        keyed = (
            [Phrase(relation.name, key, (stem(singular(own[-1])), "id"), 0.95, (singular(own[-1]), "id"))]
            if key and own
            else []
        )
        if label is None or not own or self.members[label].primary_key or "name" in self.parts(label):
            return keyed
        noun = singular(own[-1])
        return [*keyed, Phrase(relation.name, label, (stem(noun), "nam"), 0.93, (noun, "name"))]

    def _kind_phrases(self, member: Member) -> list[Phrase]:
        """A member whose values are countries may be called country, region or nation, whatever its name."""
        words = {
            "country": (("country", 0.85), ("nation", 0.8), ("region", 0.62)),
            "state": (("state", 0.8),),
            "gender": (("gender", 0.9), ("sex", 0.9)),
        }
        if member.type == "boolean" and member.kind == "dimension":
            flag = self.parts(member.path)[-1]
            return [Phrase(member.relation, member.path, (stem(flag), stem("rate")), 0.9, (flag, "rate"))]
        return [
            Phrase(member.relation, member.path, (stem(word),), weight, (word,))
            for word, weight in words.get(self.kind(member.path) or "", ())
        ]

    @cached_property
    def postings(self) -> dict[str, list[int]]:
        """Places in :attr:`phrases` by stem."""
        table: dict[str, list[int]] = defaultdict(list)
        for number, phrase in enumerate(self.phrases):
            for one in dict.fromkeys(phrase.stems):
                table[one].append(number)
        return dict(table)

    @cached_property
    def vocabulary(self) -> set[str]:
        return set(self.postings)


def content_stems(words: Iterable[str]) -> tuple[str, ...]:
    """Stems of the words of a name without its little words."""
    return tuple(stem(word) for word in words if word not in _LITTLE)


def _relation_phrases(relation: Relation) -> list[Phrase]:
    names = [(relation.name, 1.0), (relation.title, 1.0), *((synonym, 0.95) for synonym in relation.synonyms)]
    root = next((m.cube for m in relation.members.values() if m.cube), "") if relation.kind == "view" else ""
    names += [(root, 0.95)] if root else []
    words = name_parts(relation.name)
    core = [word for word in words if word not in _KEEPING]
    names += [(" ".join(core), 0.96)] if core and len(core) < len(words) else []
    return _dedupe(
        Phrase(relation.name, None, stems, weight, words) for text, weight in names for words, stems in _forms(text)
    )


def _member_phrases(relation: Relation, member: Member, prefix: int) -> list[Phrase]:
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
                continue
            found.append(Phrase(relation.name, member.path, stems, weight, words))
            if text == member.name and 0 < prefix < len(words):
                found.append(Phrase(relation.name, member.path, content_stems(words[prefix:]), weight, words[prefix:]))
            for cut in range(1, len(words) - 1) if text == member.name else ():
                found.append(Phrase(relation.name, member.path, content_stems(words[cut:]), 0.96 * weight, words[cut:]))
            for noun, share in nouns:
                if noun not in words and stem(noun) not in stems and len(words) <= 2:
                    found.append(
                        Phrase(relation.name, member.path, (stem(noun), *stems), share * weight, (noun, *words))
                    )
    return _dedupe(found)


def _dedupe(phrases: Iterable[Phrase]) -> list[Phrase]:
    best: dict[tuple[str, ...], Phrase] = {}
    for phrase in phrases:
        if phrase.stems and (phrase.stems not in best or best[phrase.stems].weight < phrase.weight):
            best[phrase.stems] = phrase
    return list(best.values())


def _forms(text: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Words and stems of a name as written, with abbreviations written out, and without a trailing number."""
    plain = name_parts(re.sub(r"[()]", " ", text))
    forms = [plain]
    longer = expand(plain)
    if longer != plain:
        forms.append(longer)
    return [(words, content_stems(words)) for words in forms if content_stems(words)]


def _common_prefix(relation: Relation) -> int:
    """Words that (nearly) all members of a relation begin with (``sbTx…``)."""
    names = [name_parts(m.name) for m in relation.members.values() if m.kind == "dimension"]
    if len(names) < 3:
        return 0
    length = 0
    while True:
        counts = Counter(name[: length + 1] for name in names if len(name) > length + 1)
        if not counts or counts.most_common(1)[0][1] < 0.8 * len(names):
            return length
        length += 1


def _as_number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
