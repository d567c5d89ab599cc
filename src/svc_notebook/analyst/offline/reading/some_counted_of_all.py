"""One count in a hundred of another: *what share of all violations are critical* of ``viol_tot`` and ``viol_crit``,
*share of damaged crates* of ``crates`` and ``damaged_crates``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .... import patterns as re
from ..forms import Aggregate, Clause, Form, Limit, Order, Ratio
from ..plans.sql import write_sql
from ..schema.derivations import expression_of
from ..words.shares_said import SHARE_OR_PART
from ..words.text import singular, stem
from .one_number import LONGEST, one_number
from .read_back import read_back

if TYPE_CHECKING:
    from ..schema.metadata import Metadata
    from .reading import Reading

__all__ = ["some_counted_of_all"]

_SAID = re.compile(
    r"^\W*(?:what(?:['’]s| is| are| was)?|which|show(?: me)?|give me)?\s*(?:the\s+)?"
    rf"{SHARE_OR_PART}\s+of\s+(?:all\s+|the\s+|our\s+)*(?P<all>[a-z][\w ]*?)\s+"
    r"(?:(?:that|which)\s+)?(?:are|were|is|was)\s+(?P<so>[a-z]+)(?P<rest>\b.*?)\W*$",
    re.IGNORECASE,
)
_SO_FIRST = re.compile(
    r"^\W*(?:(?:what(?:['’]s| is| are| was)?|which|show(?: me)?|give me)\s+)?(?:the\s+)?"
    rf"{SHARE_OR_PART}\s+of\s+(?:all\s+|the\s+|our\s+)*(?P<so>[a-z]+)\s+(?P<all>[a-z]+)\b(?P<rest>.*?)\W*$",
    re.IGNORECASE,
)
_SHARE_LAST = re.compile(
    rf"^\W*(?:the\s+)?(?P<so>[a-z]+)\s+(?P<all>[a-z]+)\s+(?:{SHARE_OR_PART}|rate)\b(?P<rest>.*?)\W*$", re.IGNORECASE
)
_RANKED = re.compile(
    r"^\W*(?:which|what)\s+(?P<kind>[a-z]+(?:\s+[a-z]+)?)\s+(?:has|have|had|with)\s+the\s+"
    rf"(?P<end>highest|largest|biggest|greatest|lowest|smallest|best|worst)\s+{SHARE_OR_PART}\s+of\s+"
    r"(?P<some>[a-z]+\s+[a-z]+)\b(?P<rest>.*?)\W*$",
    re.IGNORECASE,
)
_LOW = frozenset({"lowest", "smallest", "best"})
_WHOLE = frozenset({"total", "count", "all", "number", "overall"})
_LEAST = 3  # letters of a name that is written short


def some_counted_of_all(question: str, metadata: Metadata, read: Callable[[str], Reading]) -> Form | None:
    """The form of all of one number over all of another, where both count the same and one of them only some."""
    if len(question) > LONGEST:
        return None
    if (ranked := _RANKED.match(question)) is not None:
        each = some_counted_of_all(f"share of {ranked['some']} by {ranked['kind']}{ranked['rest']}", metadata, read)
        return _first(each, high=ranked["end"].lower() not in _LOW) if each is not None else None
    first = _SO_FIRST.match(question) or _SHARE_LAST.match(question)
    if first is not None and not _is_number_so(first, metadata):
        first = None
    said = first or _SAID.match(question)
    if said is None:
        return None
    rest = said["rest"].replace(",", " ")
    rest = re.sub(r"\b(\w+) by \1\b", r"by \1", rest)
    whole = one_number(f"total {said['all']} {rest}", metadata, read)
    if whole is None or whole.plain.member is None or whole.plain.aggregate != "sum" or whole.plain.conditions:
        return None
    some = _some(whole.plain.member, said["so"].lower(), metadata)
    form = read_back(write_sql(whole.plan, metadata).sql, metadata)
    if some is None or not isinstance(form, Form) or len(form.measures) != 1:
        return None
    above, below = (Aggregate("sum", expression_of(path)) for path in (some, whole.plain.member))
    return form.with_(measures=(Clause(Ratio(above, below, percent=True)),), order=())


def _first(form: Form, *, high: bool) -> Form:
    share = form.measures[0].expression
    return form.with_(order=(Order(share, descending=high),), limit=Limit(1)).settled()


def _some(path: str, so: str, metadata: Metadata) -> str | None:
    """The one number that counts those of what another counts that are so."""
    relation, first = path.split(".", 1)[0], metadata.parts(path)[0]
    if not _WHOLE & set(metadata.parts(path)[1:]) and len(metadata.parts(path)) > 1:
        return None
    others = [p for p in metadata.number_names.paths if p.split(".", 1)[0] == relation and p != path]
    found = [
        p for p in others
        if len(parts := metadata.parts(p)) > 1 and (
            parts[0] == first and any(_is(so, part) for part in parts[1:])
            or metadata.parts(path) == parts[1:] and _is(so, parts[0])
        )
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _is_number_so(said: re.Match[str], metadata: Metadata) -> bool:
    """Whether a number and the same of some of it are both kept: ``crates`` and ``damaged_crates``."""
    called = metadata.number_names.called
    return (stem(said["all"].lower()),) in called and (stem(said["so"].lower()), stem(said["all"].lower())) in called


def _is(said: str, part: str) -> bool:
    return stem(singular(said)) == stem(part) or len(part) >= _LEAST and said.startswith(part)
