"""What the walk over the items collects before a plan is made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ....records import dataclass
from ..plans.plan import Condition, Dimension, Measure
from ..schema.metadata import Metadata
from ..words.text import Token
from .resolve import Resolution
from .segments import Item

__all__ = ["Draft", "Mention", "OrderWish"]


@dataclass
class Mention:
    """A member named without a sign of its use; ``role`` is the cue before it (``by``, ``over``, ``versus``)."""

    member: str
    place: int
    role: str = ""
    axis: str = ""
    counted: bool = False
    clause: bool = False  # said of the rows (``who have a licence``), not asked for


@dataclass
class OrderWish:
    """An order asked for: by an axis, a member or a measure; ``descending`` None until a direction is said."""

    descending: bool | None = None
    axis: str | None = None
    member: str | None = None
    measure: Measure | None = None
    place: int = 0
    implied: bool = False  # said by "by" alone: an order only where a superlative stands with it


@dataclass
class Draft:
    """Everything said, in the order said."""

    tokens: Sequence[Token]
    items: Sequence[Item]
    metadata: Metadata
    resolution: Resolution
    measures: list[Measure] = field(default_factory=list)
    dimensions: list[Dimension] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    entities: list[tuple[str, int]] = field(default_factory=list)
    grouped_entities: list[tuple[str, int]] = field(default_factory=list)
    counted_entities: list[tuple[str, int]] = field(default_factory=list)
    conditions: list[tuple[str, Condition, int]] = field(default_factory=list)  # joiner, condition, place
    having: list[tuple[Measure, str, tuple[float, ...]]] = field(default_factory=list)
    against_all: str | None = None  # groups are compared with all rows by the number that is shown of them
    orders: list[OrderWish] = field(default_factory=list)
    calculations: list[str] = field(default_factory=list)
    series: list[str] = field(default_factory=list)
    facets: list[str] = field(default_factory=list)
    axes: dict[str, str] = field(default_factory=dict)
    grains: list[tuple[str, int, bool]] = field(default_factory=list)
    mark: str | None = None
    table: bool = False
    stacked: bool = False
    grouped: bool = False
    panels: bool = False
    horizontal: bool = False
    bins: bool = False
    bin_width: float | None = None
    bin_count: int | None = None
    spread: bool = False
    trend: bool = False
    relate: bool = False
    unique: bool = False
    listing: bool = False
    drawing: bool = False
    which: bool = False
    yesno: bool = False
    why: bool = False
    when: bool = False
    compare: bool = False
    counting: str | None = None  # "count" or "distinct" without a noun yet
    top: tuple[str, int | None, int] | None = None  # direction, how many, place
    limit: int | None = None
    noun_number: int | None = None
    each: set[str] = field(default_factory=set)
    cumulative: bool = False
    window: int | None = None
    unread: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    lacked: dict[str, list[Condition]] = field(default_factory=dict)  # what rows are like that others are denied
    roles: set[str] = field(default_factory=set)
    markers: list[tuple[str, int]] = field(default_factory=list)  # relations of keys only, several of them
    unmet: list[str] = field(default_factory=list)  # said, and not in the plan
    clauses: set[int] = field(default_factory=set)  # places inside a clause about the rows
    returned: int | None = None  # where a sentence begins that names the columns
    grouped_places: set[int] = field(default_factory=set)

    def add_dimension(self, member: str, grain: str | None = None) -> None:
        """Group by a member once (a second mention may bring the grain)."""
        for number, known in enumerate(self.dimensions):
            if known.member == member and (known.grain == grain or known.grain is None or grain is None):
                self.dimensions[number] = Dimension(member, known.grain or grain, known.bin)
                return
        self.dimensions.append(Dimension(member, grain))

    def add_measure(self, measure: Measure) -> None:
        if measure not in self.measures:
            self.measures.append(measure)
