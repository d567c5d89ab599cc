"""What the finders of analyses share: words taken out of a question, the numbers a plan speaks of."""

from __future__ import annotations

from ..... import patterns as re
from ...plans.plan import Measure, Plan
from ...schema.metadata import Metadata

__all__ = ["FAR", "FEW", "LEAD", "MOVED", "SMALL_WORDS", "counts_rows", "is_mean", "numbers_of", "without"]

MOVED = re.compile(
    r"\b(chang(e[sd]?|ing)|differ(s|ed|ence|ent)?|grow(n|s|ing)?|grew|growth|increas(e[sd]?|ing)|decreas(e[sd]?|ing)"
    r"|ris(e|en|ing)|rose|fall(s|en|ing)?|fell|drop(s|ped)?|declin(e[sd]?|ing)|develop(s|ed)?|improv(e[sd]?|ing)"
    r"|compar(e[sd]?|ing|ison)|get|got|gone|gotten|(go|goes|going|went) (up|down|wrong)( or (up|down))?"
    r"|better|worse|higher|lower|more|fewer|less|much|percent(age)?|than|vs|versus|against|since)\b|%",
    re.IGNORECASE,
)
LEAD = re.compile(
    r"^\s*(why|what (explains|drove|caused|is behind)|reasons? (why|for)|by how much( percent)?|how( much)?"
    r"|what('?s| is| was)?)?\s*"
    r"(the )?(did|do|does|has|have|is|was|were|are|there)?\s*(there|the)?\b",
    re.IGNORECASE,
)
FAR = re.compile(
    r"\b(outliers?|anomal(y|ies|ous)|unusual(ly)?|strange(ly)?|odd(ly)?|extreme values?|abnormal(ly)?|far out"
    r"|weird(ly)?|suspicious(ly)?|peculiar(ly)?|implausib(le|ly)|(that )?looks? (way |far |completely )?out of line"
    r"|(stands?|stood|standing) out|out of the ordinary)\b",
    re.IGNORECASE,
)
FEW = re.compile(
    r"\b(were|was|are|is|anything|something|few|many|low|high|per|data|values?|which|what|when)\b", re.IGNORECASE
)
SMALL_WORDS = re.compile(
    r"\b(between|of|in|the|with|to|for|do|does|is|there|any|a|an|how|are|our|show|find|me|strong|strongly|much|widely)\b",
    re.IGNORECASE,
)


def without(pattern: re.Pattern[str], text: str, filling: str = " ") -> str:
    """A question without what the pattern finds in it, and without its question mark."""
    return " ".join(pattern.sub(filling, text).replace("?", " ").split())


def is_mean(plan: Plan, metadata: Metadata) -> bool:
    """Whether a number can be set against that of all other rows: a sum of a month and of eleven cannot."""
    number = plan.measures[0] if plan.measures else Measure()
    member = metadata.members.get(number.member or "")
    if number.aggregate == "measure":
        return member is not None and member.agg_type not in ("count", "sum")
    return number.aggregate in ("avg", "share_true")


def numbers_of(plan: Plan, metadata: Metadata) -> list[str]:
    """The numbers of rows that a plan speaks of."""
    found = [metadata.plain(m).member for m in plan.measures if metadata.plain(m).aggregate in ("avg", "sum", "median")]
    found += list(plan.columns) + [d.member for d in plan.dimensions] + [o.member for o in plan.order]
    numeric = [p for p in found if p and p in metadata.members and metadata.is_number(p) and not metadata.is_key(p)]
    return list(dict.fromkeys(numeric))


def counts_rows(measure: Measure, metadata: Metadata) -> bool:
    """Whether a number counts the rows themselves, and not things that these name."""
    known = metadata.members.get(measure.member or "")
    if measure.aggregate == "measure":
        return known is not None and known.agg_type == "count"
    return measure.aggregate == "count" and not measure.exists
