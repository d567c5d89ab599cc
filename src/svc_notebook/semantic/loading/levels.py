"""Values of rows and values over rows; what stands where the other one is needed is refused when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

from ... import patterns as re
from ...records import dataclass
from ..model import Dimension, Measure
from .fragments import Fragment
from .problems import Problems

__all__ = ["Levels"]

_COMPUTED = ("number", "string", "time", "boolean")
_LITERAL = re.compile(r"'(?:[^']|'')*'")
_AGGREGATE = re.compile(r"\b(sum|count|avg|min|max)\s*\(", re.IGNORECASE)
_OWN_ROWS = re.compile(r"\b(?:over|select)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Levels:
    """``find`` gives a dimension or measure by relation and name."""

    find: Callable[[str, str], Dimension | Measure | None]
    problems: Problems

    def of_fragment(self, fragment: Fragment) -> None:
        """An aggregate written inside the value of a row."""
        # 'sum (EUR)' in a label aggregates nothing.
        bare = _LITERAL.sub("''", fragment.sql)
        call = _AGGREGATE.search(bare)
        if call is None or fragment.role == "table" or _OWN_ROWS.search(bare):
            return
        user = self.find(fragment.relation, fragment.member)
        if isinstance(user, Measure) and fragment.role in ("sql", "mask") and user.type != "count":
            return  # what else a measure aggregates is looked at where its SQL is read
        self.problems.warning(
            f"the SQL of '{fragment.member}' aggregates rows ({call[1]}) inside the value of a row, and queries with "
            "it are refused; write a measure of the type number",
            fragment.source,
            at=call[1],
        )

    def of_reference(self, fragment: Fragment, used: Dimension | Measure | None, written: str) -> None:
        """A reference to ``used``: a row cannot hold a measure, and a measure does not aggregate another."""
        user = self.find(fragment.relation, fragment.member)
        if isinstance(user, Dimension) and isinstance(used, Measure) and not (user.sub_query or user.multi_stage):
            self.problems.warning(
                f"dimension '{user.name}' refers to measure {written}, and queries with it are refused; add "
                "'sub_query: true' to it, 'multi_stage: true' with add_group_by, or make it a measure",
                fragment.source,
                at=written,
            )
        if (
            isinstance(user, Measure)
            and isinstance(used, Measure)
            and fragment.role == "filter"
            and not user.multi_stage
        ):
            self.problems.warning(
                f"a filter of measure '{user.name}' refers to measure {written}, and queries with it are refused; "
                "filters are over rows",
                fragment.source,
                at=written,
            )
        if (
            isinstance(user, Measure)
            and isinstance(used, Measure)
            and fragment.role == "sql"
            and user.type not in _COMPUTED
            and not user.multi_stage
        ):
            self.problems.warning(
                f"measure '{user.name}' of type {user.type} refers to measure {written}, and queries with it are "
                "refused; a calculation over measures has the type number",
                fragment.source,
                at=written,
            )
