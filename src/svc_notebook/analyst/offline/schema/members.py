"""The members this asker sees, and what each is: a number, a key, a year, a category, a flow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property

from ....records import dataclass
from ....semantic.catalog import Catalog, Member, Relation
from ..calendar.fiscal import month_number
from ..forms.words import Words
from ..words.numbers import exact_unit
from ..words.text import is_participle, name_parts, singular, stem
from ..words.thesaurus import expand
from .deeds import PARTICIPLES
from .derivations import expression_of, is_derived, is_product, name_of, summed
from .profiles import EMPTY, Profile, as_number
from .sayable import called, of_rows
from .values import ValueIndex, kind_of_values

__all__ = ["BEGUN", "Members"]

_KEY_WORDS = frozenset({"id", "key", "uuid", "guid", "pk", "sk", "fk", "code", "zip", "postal", "phone", "isbn", "vin"})
_FLOW = frozenset(
    map(
        stem,
        (
            "sales revenue gross income turnover amount total quantity cost payment spend spending count "
            "profit earning volume "
            "donation paid refund loss deposit units sold stock number transactions views clicks orders expense "
            "premium "
            "precipitation rainfall tonnage kwh mwh output produced".split()
        ),
    )
)
_COUNTED = frozenset(
    "minutes hours days nights weeks seats points goals units copies pieces tickets kilometers miles "
    "tonnes tons litres liters gallons barrels bushels bales crates pallets kilos kilograms kg".split()
)
_COORDINATES = frozenset({"latitude", "longitude", "lat", "lon", "lng"})
_CLOCK = frozenset({"hour", "month", "week", "weekday", "quarter", "day", "minute"})
_KINDS = frozenset({"group", "band", "tier", "bracket"})
_FLAGS = frozenset({"is", "has", "was", "can", "had", "does"})
_TALLIES = ("count", "cnt")


BEGUN = frozenset("built founded opened established launched introduced released made constructed manufactured".split())
"""What was done to a thing when it began."""


class _Visible(dict[str, Member]):
    """Members by path. What is derived of two of them is in no list of them, and is known by its path all the same."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        super().__init__((m.path, m) for r in catalog.relations.values() for m in r.members.values() if not m.masked)

    def __missing__(self, path: str) -> Member:
        if not is_derived(path):
            raise KeyError(path)
        # A derived number is asked about like a column; its title is said by its form.
        relation, name = path.split(".", 1)
        title = Words(self._catalog).of(expression_of(path))
        return Member(relation, name, "dimension", "number", title[:1].upper() + title[1:])


@dataclass
class Members:
    """What is known of single members. ``measure_profile`` runs one query under the asker's policy and may fail."""

    catalog: Catalog
    values: ValueIndex
    measure_profile: Callable[[Member], Profile | None] = lambda member: None
    _profiles: dict[str, Profile] = field(default_factory=dict)
    _numeric_texts: dict[str, bool] = field(default_factory=dict)
    _parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def relation(self, name: str) -> Relation:
        return self.catalog.relations[name]

    @cached_property
    def position(self) -> dict[str, int]:
        """Place of a member in the order of declaration: of equal readings, the earlier is meant."""
        return {path: number for number, path in enumerate(self.members)}

    @cached_property
    def members(self) -> dict[str, Member]:
        """All visible, unmasked members by path; by its path also what is derived of them."""
        return _Visible(self.catalog)

    def member(self, path: str) -> Member:
        return self.members[path]

    def profile(self, path: str) -> Profile:
        """The member's profile, asked for once; an empty one when it cannot be had."""
        if path not in self._profiles:
            self._profiles[path] = self.measure_profile(self.members[path]) or EMPTY
        return self._profiles[path]

    @cached_property
    def fiscal_start(self) -> int | None:
        """The month a fiscal year begins in, where a relation's ``meta.fiscal_year_start`` says so."""
        said = (month_number((r.meta or {}).get("fiscal_year_start")) for r in self.catalog.relations.values())
        return next((month for month in said if month is not None), None)

    def parts(self, path: str) -> tuple[str, ...]:
        if path not in self._parts:
            name = name_of(path) if is_derived(path) else called(self.members[path]).name
            self._parts[path] = tuple(expand(name_parts(name)))
        return self._parts[path]

    def tally_of(self, relation: str) -> str | None:
        """The number that says how many things a row stands for: a column named ``count`` and no more."""
        path = next((f"{relation}.{name}" for name in _TALLIES if f"{relation}.{name}" in self.members), None)
        return path if path is not None and self.is_number(path) and not self.is_key(path) else None

    def words_of(self, relation: str) -> tuple[str, ...]:
        """The words of a relation's name that say what its rows are, each in the singular."""
        return tuple(singular(word) for word in expand(of_rows(name_parts(relation))))

    def is_measure(self, path: str) -> bool:
        return self.members[path].kind == "measure"

    def is_time(self, path: str) -> bool:
        member = self.members[path]
        return member.kind == "dimension" and member.type == "time"

    def tells_time(self, path: str | None) -> bool:
        """Whether a path is that of a member at all, and of a time."""
        return path is not None and path in self.members and self.is_time(path)

    def is_number(self, path: str) -> bool:
        member = self.members[path]
        return member.kind == "dimension" and (member.type == "number" or self.is_numeric_text(path))

    def is_flag(self, path: str) -> bool:
        """A yes or no kept as 1 and 0 (``is_open``, ``has_parking``)."""
        member, parts = self.members[path], self.parts(path)
        if member.kind != "dimension" or member.type != "number" or not parts or parts[0] not in _FLAGS:
            return False
        # Their name alone may lie: has_children may count them.
        profile = self.profile(path)
        return (as_number(profile.low), as_number(profile.high)) in ((0, 1), (0, 0), (1, 1))

    def is_numeric_text(self, path: str) -> bool:
        """A text whose values are all numbers (amounts kept as text), and no key."""
        member = self.members[path]
        if (
            member.kind != "dimension"
            or member.type != "string"
            or self.is_key(path)
            # Text that is not known whole may hold anything in what is not.
            or path not in self.values.complete
            or self.parts(path)[-1:] == ("number",)
        ):
            return False
        if path not in self._numeric_texts:
            values = [v for v in self.values.members.get(path, ()) if str(v).strip()]
            self._numeric_texts[path] = bool(values) and all(
                as_number(v) is not None
                # A leading nought is part of a code ("007"), unless it is the number itself.
                and not str(v).startswith("0")
                or str(v) in ("0", "0.0")
                or str(v).startswith("0.")
                for v in values
            )
        return self._numeric_texts[path]

    @cached_property
    def has_numeric_texts(self) -> bool:
        """Whether any text of the model holds nothing but numbers."""
        return any(self.is_numeric_text(path) for path in self.members)

    def is_key(self, path: str) -> bool:
        """Whether the member identifies something, so that sums and averages of it mean nothing."""
        member = self.members[path]
        parts = self.parts(path)
        named = bool(parts and (parts[-1] in _KEY_WORDS or parts[0] == "id"))
        return member.primary_key or named or member.meta.get("kind") == "id"

    def is_year(self, path: str) -> bool:
        """A number (or text) that holds a year."""
        parts = self.parts(path)
        if not parts or self.is_time(path) or self.is_measure(path):
            return False
        begun = len(parts) > 2 and parts[-2] == "year" and parts[-1] in BEGUN  # plane_year_built
        if "year" not in (parts[-1], parts[0]) and self.members[path].meta.get("kind") != "year" and not begun:
            return False
        profile = self.profile(path)
        low, high = as_number(profile.low), as_number(profile.high)
        if begun:
            return low is not None and high is not None and low >= 1000 and high <= 2200
        return (
            low is None
            # Where nothing is known of its values, the name decides.
            or high is None
            or (1000 <= low <= 2200 and high <= 2200)
            # Two digits: a year of a century that everybody knows.
            or (parts[-1] == "year" and low >= 0 and high < 100)
        )

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
            value is None or float(value).is_integer() for value in (as_number(profile.low), as_number(profile.high))
        )
        # 53: the weeks that a year may touch.
        told = set(self.parts(path)) & _CLOCK or set(self.parts(path)[-1:]) & _KINDS
        if whole and told and 0 < profile.distinct <= 53:
            return True
        # Eight values of at least five rows each: a few sizes, and no measurement that happens to repeat.
        return whole and 0 < profile.distinct <= 8 and profile.rows >= 5 * profile.distinct

    def is_coordinate(self, path: str) -> bool:
        """A place on a map, of which no average says anything."""
        return self.is_number(path) and bool(_COORDINATES & set(self.parts(path)[-1:]))

    def is_flow(self, path: str) -> bool:
        """A quantity that adds up over time (sales), not a level (weight, rating)."""
        if is_derived(path):
            pair = summed(path)
            # The sum of two levels is no flow.
            return is_product(path) or bool(pair) and all(map(self.is_flow, pair))
        parts = self.parts(path)
        return self.is_counted(path) or "per" not in parts and any(stem(part) in _FLOW for part in parts)

    def adds_up(self, path: str) -> bool:
        """Whether a number is summed where nobody says how: as the model tells, else by its name."""
        told = self.members[path].meta.get("aggregate")
        return told == "sum" if told in ("sum", "avg", "none") else self.is_flow(path)

    def is_done(self, path: str) -> bool:
        """How much of a unit was done, by its name: *minutes watched*, *km driven*."""
        parts = self.parts(path)
        return (
            len(parts) > 1
            and exact_unit(parts[0]) is not None
            and (is_participle(parts[-1]) or parts[-1] in PARTICIPLES)
        )

    def is_counted(self, path: str) -> bool:
        """A number of things or units by its whole name (days, seats): it is summed unless an average is asked for."""
        parts = self.parts(path)
        return len(parts) == 1 and parts[0] in _COUNTED

    def cardinality(self, path: str) -> int:
        # The index may hold a part only; then the rows were counted.
        known = self.values.members.get(path)
        return len(known) if known is not None and path in self.values.complete else self.profile(path).distinct

    def kind(self, path: str) -> str | None:
        known = self.values.members.get(path)
        # Two hundred tell what the rest is; a model may have a hundred thousand.
        return kind_of_values(map(str, known[:200])) if known else None
