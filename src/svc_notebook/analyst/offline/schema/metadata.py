"""The model as this asker sees it, prepared for reading: relations, members, phrases, joins, value profiles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from ....records import dataclass
from ....semantic.catalog import Member, Relation
from ....semantic.results.cache import Cache
from ..lexicon import customers, heads, persons
from ..words.families import root
from ..words.numbers import CURRENCIES
from ..words.shortened import is_short_for
from ..words.text import name_parts, singular, stem
from ..words.thesaurus import ANY_ROW_NOUNS, ROW_NOUNS, related
from .alike import twins
from .counted import CountedRows, counted_rows
from .doers import doers
from .free_text import free_texts
from .initials import without_initials
from .kind_names import KindNames
from .money import MONEY_NOUNS, taken_in
from .number_names import NumberNames
from .person_columns import PersonColumn, person_columns
from .rates import Rate, rates_in
from .referred import referred
from .relations import Relations
from .row_nouns import row_nouns
from .sayable import Phrase, common_prefix, member_phrases, relation_phrases

__all__ = ["Metadata"]


_LATENESS = frozenset({"delay", "delays", "lateness", "late"})
_DELAYS = frozenset({"delay", "lateness"})
_LIKE = frozenset(
    "sex gender age nationality origin country city region state place language type kind category class group status "
    "level tier segment race ethnicity education occupation job role race experience size colour color".split()
)
"""What somebody is like, by which nobody is known."""
_UNITS = {
    "milliseconds": ("length", "duration", "runtime"), "seconds": ("length", "duration", "runtime"),
    "ms": ("length", "duration", "runtime"), "minutes": ("length", "duration", "runtime"),
    "mins": ("length", "duration", "runtime"),
    "bytes": ("size", "storage"), "kb": ("size", "storage"), "mb": ("size", "storage"),
}  # fmt: skip # what a number is that is called by its unit
_QUANTITIES = {
    "kwh": ("consumption", "usage", "use", "energy"), "mwh": ("consumption", "usage", "use", "energy"),
    "wh": ("consumption", "usage", "use", "energy"), "kg": ("weight", "mass"), "grams": ("weight", "mass"),
    "lbs": ("weight", "mass"), "km": ("distance", "mileage"), "miles": ("distance", "mileage"),
    "kmh": ("speed", "velocity"), "mph": ("speed", "velocity"), "celsius": ("temperature",),
    "fahrenheit": ("temperature",), "sqm": ("area", "size"), "m2": ("area", "size"), "hectares": ("area", "size"),
    "litres": ("volume",), "liters": ("volume",), "eur": ("amount",), "usd": ("amount",), "gbp": ("amount",),
}  # fmt: skip # what a number is that is called by its unit alone


_NO_SIZE = frozenset("per price rate cost fee tariff max maximum min minimum limit capacity load".split())
"""Of what a number with a unit is no size: *price per kwh* is no consumption."""


_MADE = frozenset(
    "gen generated generation produced production made output yield export exported solar pv sold".split()
)
"""Words of energy that nobody used."""
_FORMS, _FORM = 2_097_152, 8_192  # bytes, about, of all that is remembered of queries, and of one


@dataclass
class Metadata(Relations):
    """Everything reading needs to know."""

    spellings: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    short: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    families: dict[str, list[str]] = field(default_factory=dict)
    joined_words: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    forms: Cache[tuple[Any, ...]] = field(default_factory=lambda: Cache(_FORMS, lambda form: _FORM))

    @cached_property
    def kind_names(self) -> KindNames:
        """What rows can be parted by is called."""
        return KindNames(self)

    @cached_property
    def number_names(self) -> NumberNames:
        """What the numbers of rows are called."""
        return NumberNames(self)

    @cached_property
    def rates(self) -> tuple[Rate, ...]:
        """The rates among the numbers, and what each of them is of."""
        return tuple(rates_in(self))

    @cached_property
    def counted_rows(self) -> tuple[CountedRows, ...]:
        """The rows that are counted under a name of their own."""
        return tuple(counted_rows(self))

    @cached_property
    def flows(self) -> tuple[str, str] | None:
        """What went out and what came in of the one amount that has both signs."""
        sides = {str((one.meta or {}).get("flow")): path for path, one in self.members.items() if one.meta}
        return (sides["out"], sides["in"]) if {"out", "in"} <= sides.keys() else None

    @cached_property
    def free_texts(self) -> Mapping[str, tuple[str, ...]]:
        """The columns of each relation that people write in."""
        return free_texts(self)

    @cached_property
    def person_columns(self) -> tuple[PersonColumn, ...]:
        """The columns whose values are persons that no table lists."""
        return person_columns(self)

    @cached_property
    def referred(self) -> Mapping[tuple[str, ...], tuple[str, ...]]:
        """What rows that others refer to are called there, with the columns that name them."""
        return referred(self)

    @cached_property
    def phrases(self) -> list[Phrase]:
        """Every way to say a relation or a member."""
        found: list[Phrase] = []
        for relation in self.catalog.relations.values():
            found.extend(relation_phrases(relation))
            found.extend(self._label_phrases(relation))
            prefix = common_prefix(relation)
            for member in relation.members.values():
                if not member.masked:
                    found.extend(member_phrases(relation, member, prefix))
                    found.extend(self._kind_phrases(member))
        # What is derived from names comes behind them: where words are taken, they are not given again.
        return [
            *found, *self._row_phrases(found), *self._money_phrases(found), *self._head_phrases(found),
            *self._customer_phrases(found), *row_nouns(self, found, self._tables),
            *doers(self, found, self._tables), *without_initials(self, found, self._tables),
        ]  # fmt: skip

    def _head_phrases(self, named: Sequence[Phrase]) -> list[Phrase]:
        """``headcount``, where one relation is of people."""
        people = [name for name in self._tables if self.is_of_people(name)]
        known = {phrase.stems for phrase in named}
        # Of two tables of people it is not known whose heads.
        ways = [tuple(word.split()) for word in heads()] if len(people) == 1 else []
        return [Phrase(people[0], None, said, 0.9, w) for w in ways if (said := tuple(map(stem, w))) not in known]

    def _customer_phrases(self, named: Sequence[Phrase]) -> list[Phrase]:
        """``customers``, where one relation is of accounts, subscribers or the like and nothing is called so."""
        nouns, paying = customers()
        known = {one for phrase in named for one in phrase.stems}
        held = [name for name in self._tables if stem(singular(self.words_of(name)[-1])) in paying]
        if len(held) != 1 or known & set(map(stem, nouns)):
            return []
        return [Phrase(held[0], None, (stem(noun),), 0.9, (noun,)) for noun in nouns]

    @cached_property
    def _tables(self) -> list[str]:
        """Cubes, without those that are another one in a role of its own (``manager_employees``)."""
        cubes = {relation.name: relation for relation in self.catalog.relations.values() if relation.kind == "cube"}

        def is_role(name: str) -> bool:
            # By the same members as well: a name that ends like another table's need be no role of it.
            own = cubes[name].members.keys()
            ends = (name[at + 1 :] for at, letter in enumerate(name) if letter == "_")
            return any(end in cubes and cubes[end].members.keys() == own for end in ends)

        return [name for name in cubes if not is_role(name)]

    def _money_phrases(self, named: Sequence[Phrase]) -> list[Phrase]:
        """Words for what was taken in, where nothing of the model is called so."""
        words = {singular(word.lower()) for phrase in named for word in phrase.words}
        sum_of = taken_in(self) if not words & set(map(singular, MONEY_NOUNS)) else None
        if sum_of is None:
            return []
        # "taken on" is no takings, and says nothing of income.
        known = {one for phrase in named for one in phrase.stems}
        nouns = [noun for noun in MONEY_NOUNS if stem(noun) not in known]
        return [Phrase(sum_of.split(".", 1)[0], sum_of, (stem(noun),), 0.9, (noun,)) for noun in nouns]

    def _row_phrases(self, named: Sequence[Phrase]) -> list[Phrase]:
        """General nouns for one row (``rides``, ``incidents``), and the end of a name of one word (``webvisits``)."""
        fact = self.main_facts()
        if fact is None:
            return []
        known = {one for phrase in named for one in phrase.stems}
        # "patients" of a ``patient_id`` are no cases.
        columns = {one for phrase in named if phrase.member for one in phrase.stems}
        nouns = [noun for noun in ROW_NOUNS if stem(noun) not in known and not related(stem(noun)) & columns]
        # Of a name glued together (webvisits) its end is tried: at least three letters cut, at least four left.
        own = name_parts(self.relation(fact).name)
        ends = [own[-1][cut:] for cut in range(3, len(own[-1]) - 4)] if own else []
        nouns += [end for end in ends if stem(end) not in known]
        nouns += self._people_of(fact, named)
        nouns += self._head_of(fact, named)
        # A table that is written short has rows of its own: patients are those of ``pat``, not whatever has most rows.
        short = [name_parts(self.relation(name).name)[-1] for name in self._tables if name != fact]
        nouns = [noun for noun in nouns if not any(is_short_for(one, singular(noun)) for one in short)]
        # Over one table any noun for rows is its own.
        if len(self._tables) == 1:
            alone = {phrase.stems[0] for phrase in named if len(phrase.stems) == 1}
            nouns += [noun for noun in ANY_ROW_NOUNS if stem(noun) not in alone]
        return [Phrase(fact, None, (stem(noun),), 0.9, (noun,)) for noun in dict.fromkeys(nouns)]

    def _head_of(self, fact: str, named: Sequence[Phrase]) -> list[str]:
        """``orders`` of the one table ``ecommerce_orders``, where nothing else is called so and no more."""
        head = self.words_of(fact)[-1]
        taken = {phrase.stems for phrase in named}
        alone = len(self._tables) == 1 and len(self.words_of(fact)) > 1 and (stem(head),) not in taken
        return [head] if alone and head.isalpha() and head != "sale" else []  # sales are money as well

    def _people_of(self, fact: str, named: Sequence[Phrase]) -> list[str]:
        """``patients`` where a row has a patient age, and nothing says which patient it is."""
        alone = {phrase.stems[0] for phrase in named if len(phrase.stems) == 1}
        text = {one for phrase in named if phrase.member and self._tells(phrase.member) for one in phrase.stems}
        numbers = [m for m in self.relation(fact).members.values() if m.kind == "dimension" and m.type == "number"]
        first = {parts[0] for m in numbers if not m.masked and len(parts := self.parts(m.path)) > 1}
        return sorted(word for word in first if stem(word) in persons() and stem(word) not in alone | text)

    def _tells(self, path: str) -> bool:
        """Whether a column may say who somebody is; a ``driver_sex`` does not."""
        known = self.members.get(path)
        if known is None or known.kind != "dimension":
            return False
        parts = self.parts(path)
        return self.is_key(path) or known.type == "string" and (len(parts) < 2 or parts[-1] not in _LIKE)

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
        called = next((names for unit, names in _UNITS.items() if unit in self.parts(member.path)), ())
        if not called and len(self.parts(member.path)) == 1:
            called = _QUANTITIES.get(self.parts(member.path)[0], ())
        if not called and member.kind == "dimension" and member.type == "number":
            return self._used_phrases(member) or self._measured_phrases(member)
        if called and member.kind == "dimension" and member.type == "number":
            noun = singular(name_parts(member.relation)[-1])
            ways = [way for name in called for way in ((name,), (noun, name))]
            return [Phrase(member.relation, member.path, tuple(stem(w) for w in way), 0.85, way) for way in ways]
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

    def _used_phrases(self, member: Member) -> list[Phrase]:
        """``usage``, ``consumption`` of ``kwh_used``: of that before any other number in its unit."""
        unit, *done = self.parts(member.path) or ("",)
        called = _QUANTITIES.get(unit, ()) if done in (["used"], ["consumed"]) else ()
        return [Phrase(member.relation, member.path, (stem(name),), 0.95, (name,)) for name in called]

    def _measured_phrases(self, member: Member) -> list[Phrase]:
        """``net weight``, and ``weight``, of a ``net_kg``, where its name does not say itself what is measured."""
        *like, unit = self.parts(member.path) or ("",)
        called = _QUANTITIES.get(unit, ()) if like and unit not in CURRENCIES else ()
        if _NO_SIZE & set(like):
            return []
        if unit.endswith("wh"):
            called = self._energy_called(member, like, called)
        elif set(called) & set(like):
            return []
        alone = 0.88 if like == ["net"] else 0.86  # of a load its own weight is meant, rather than with what carries it
        ways = [((*like, name), 0.97) for name in called] + [((name,), alone) for name in called]
        return [Phrase(member.relation, member.path, tuple(map(stem, way)), fits, way) for way, fits in ways]

    def _energy_called(self, member: Member, like: Sequence[str], called: tuple[str, ...]) -> tuple[str, ...]:
        """What a number of energy is called besides its name: what is made or sent away is not used."""
        numbers = [one for one in self.relation(member.relation).members.values() if one.kind == "dimension"]
        others = {word for one in numbers if one is not member for word in self.parts(one.path)}
        if _MADE & set(like) or "energy" in like or set(called[:-1]) & others:
            return ()
        # "farms that use more": what says so itself has no need of the verb.
        return tuple(name for name in called[:2] if name not in like) if set(called) & set(like) else called

    @cached_property
    def amount_words(self) -> frozenset[str]:
        """Stems of the words that numbers are called by."""
        numbers = [path for path, member in self.members.items() if member.kind == "dimension" and self.is_number(path)]
        return frozenset(stem(part) for path in numbers for part in self.parts(path))

    @cached_property
    def knows_people(self) -> bool:
        """Whether a relation or a text is called like a person."""
        texts = [
            path for path, member in self.members.items() if member.kind == "dimension" and member.type == "string"
        ]
        called = [word for name in self.catalog.relations for word in self.words_of(name)]
        called += [part for path in texts for part in self.parts(path)]
        return not persons().isdisjoint(stem(word) for word in called)

    @cached_property
    def people_columns(self) -> list[str]:
        """Texts that are called by a word for people."""
        texts = [p for p, m in self.members.items() if m.kind == "dimension" and m.type == "string" and not m.masked]
        return [path for path in texts if stem(self.parts(path)[-1]) in persons()]

    def is_of_people(self, relation: str) -> bool:
        """Whether the rows of a relation are people, by its name."""
        return not persons().isdisjoint(stem(word) for word in self.words_of(relation))

    @cached_property
    def lists_of_people(self) -> list[str]:
        """The tables whose rows are people, by the noun that heads their names: not ``member_visits``."""
        return [name for name in self._tables if stem(singular(self.words_of(name)[-1])) in persons()]

    @cached_property
    def measured_by(self) -> dict[str, str]:
        """By the stem of a unit, the name of the one number that is measured in it: ``minute``, ``duration``."""
        named: dict[str, list[str]] = defaultdict(list)
        for member in self.members.values():
            unit = member.meta.get("unit") if member.kind == "dimension" and member.type == "number" else None
            if isinstance(unit, str) and unit.isalpha() and unit.lower() not in self.vocabulary:
                named[stem(unit.lower())].append(member.title.lower())
        return {unit: names[0] for unit, names in named.items() if len(names) == 1 and names[0].isalpha()}

    @cached_property
    def delays(self) -> list[str]:
        """The numbers that are called a delay."""
        return [path for path in self.number_names.paths if _DELAYS & {*self.parts(path)}]

    @cached_property
    def late_by(self) -> dict[str, tuple[str, str]]:
        """By the root of what is done, how late it was: ``arrival delay``, where one number is called so."""
        found: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for path, member in self.members.items():
            said = self.parts(path)
            if member.kind == "dimension" and member.type == "number" and len(said) > 1 and said[1] in _LATENESS:
                found[root(said[0])].add((said[0], said[1]))
        return {done: next(iter(names)) for done, names in found.items() if len(names) == 1}

    @cached_property
    def postings(self) -> dict[str, list[int]]:
        """Places in :attr:`phrases` by stem."""
        table: dict[str, list[int]] = defaultdict(list)
        for number, phrase in enumerate(self.phrases):
            for one in dict.fromkeys(phrase.stems):
                table[one].append(number)
        return dict(table)

    @cached_property
    def twins(self) -> dict[str, str]:
        """Members by those that hold much the same values: home team and away team."""
        return twins(self.catalog.relations.values(), self.values.members)

    @cached_property
    def vocabulary(self) -> set[str]:
        return set(self.postings)
