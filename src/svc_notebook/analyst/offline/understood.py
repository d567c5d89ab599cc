"""What a turn was read as."""

from __future__ import annotations

from typing import Any

from ...records import dataclass
from ..base import Turn
from .analyses import Analysis
from .dialogue import Between, Followed, Help, Option, Unmet
from .forms import Form
from .languages import Rendered
from .plans.plan import Condition, Plan
from .plans.statement import Statement
from .reading.reading import Reading
from .schema.metadata import Metadata

__all__ = ["Understood"]


@dataclass(frozen=True)
class Understood:
    """What a turn was read as: one of a plan, a form, something told without a query, readings to choose, a refusal."""

    metadata: Metadata
    reading: Reading
    plan: Plan | None
    refined: bool
    statement: Statement | None = None
    before: Plan | None = None
    group: Condition | None = None
    fragments: str = ""
    lost: tuple[str, ...] = ()  # what was read and has no place in the plan
    followed: Followed | None = None  # the earlier form that was edited
    options: tuple[Option, ...] = ()  # readings to choose from
    left: tuple[str, ...] = ()  # what all of those leave out
    between: Between | None = None  # what they are edits of, where the turn before was not answered
    taken: Form | None = None  # the one that was chosen
    again: str = ""  # why that was taken without asking, where it was not chosen now
    told: Help | None = None  # what is said without a query
    unmet: Unmet | None = None  # why an earlier answer cannot be changed so
    form: Form | None = None  # what is asked, where no plan can say it
    claim: tuple[Any, ...] = ()  # what is said of the form's two groups with yes or no
    sure: float = 1.0  # how likely that is what was meant
    unread: tuple[str, ...] = ()  # what the form leaves out
    too_long: str = ""  # why it was not read at all
    analysis: Analysis | None = None  # what takes more than one query
    turn: Turn | None = None  # the turn as it was read, where it was asked in another language
    heard: Rendered | None = None  # how its question was said
