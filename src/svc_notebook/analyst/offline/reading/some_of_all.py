"""What some rows come to of all: *lost parcels as a share of all parcels*, *what part of the fees is from cellos*."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from .... import patterns as re
from ..forms import Aggregate, Clause, Form, Ratio
from ..plans.plan import Measure
from ..plans.sql import write_sql
from ..schema.member_kinds import is_column
from ..words.shares_said import SHARE_OR_PART
from .one_number import LONGEST, OneNumber, one_number, together
from .read_back import read_back

if TYPE_CHECKING:
    from ..schema.metadata import Metadata
    from .reading import Reading

__all__ = ["is_of_rows", "some_of_all"]

_ASKED = r"(?:\W*(?:show(?: me)?|give me|what(?:['’]s| is| are| was| were)?|which)\s+)?(?:the\s+)?"
_GROUP = r"(?P<group>\s*,?\s+(?:per|by|for each|for every|in each|of each)\s+[\w ]+?)?"
_AS = re.compile(
    rf"^{_ASKED}(?P<some>[\w' -]+?)\s+as\s+an?\s+{SHARE_OR_PART}\s+of\s+(?:all\s+|the\s+|total\s+)*"
    rf"(?P<all>[\w' -]+?){_GROUP}$",
    re.IGNORECASE,
)
_AS_BEHIND = re.compile(
    rf"^{_ASKED}(?:(?:number|count)\s+of\s+)?(?P<some>[\w' -]+?)"
    r"(?P<group>\s*,?\s+(?:per|by|for each|for every|in each|of each)\s+[\w ]+?)\s*,?\s+"
    rf"as\s+an?\s+{SHARE_OR_PART}\s+of\s+(?:all\s+|their\s+|its\s+|the\s+|own\s+|total\s+)*(?P<all>[\w' -]+?)$",
    re.IGNORECASE,
)
_SUCH = re.compile(
    rf"^{_ASKED}(?P<such>\w+)\s+share\s+of\s+(?:all\s+|the\s+|total\s+)*"
    rf"(?P<all>[\w' -]+?){_GROUP}$",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"^{_ASKED}{SHARE_OR_PART}\s+of\s+(?:all\s+|the\s+|our\s+|total\s+)*(?P<all>[\w' -]+?)\s+"
    r"(?:(?:that|which)\s+)?(?:(?:comes?|came|stems?|stemmed)\s+from|(?:is|was|are|were)\s+from|(?:is|was)\s+due\s+to|"
    rf"(?:went|goes|go)\s+(?:to|on))\s+(?:the\s+)?(?P<whom>[\w' .&-]+?){_GROUP}$",
    re.IGNORECASE,
)

_WHOLE = r"(?:the\s+|all\s+|our\s+)*(?:total|overall|whole)\s+(?P<all>[\w' -]+?)"
_IN = re.compile(
    rf"^{_ASKED}{SHARE_OR_PART}\s+of\s+(?:the\s+)?(?P<whom>[\w' .&-]+?)\s+(?:in|of|within)\s+{_WHOLE}{_GROUP}$",
    re.IGNORECASE,
)
_OWN = re.compile(
    rf"^{_ASKED}(?P<whom>[\w .&-]+?)['’]s?\s+{SHARE_OR_PART}\s+of\s+{_WHOLE}{_GROUP}$",
    re.IGNORECASE,
)
_PUT_TOGETHER = frozenset({"sum", "count", "count_distinct"})
_OF_SUCH = re.compile(
    rf"^{_ASKED}{SHARE_OR_PART}\s+of\s+(?:the\s+|our\s+|all\s+)?(?P<some>[\w.&-]+(?:\s+[\w.&-]+)?)\s+"
    rf"(?P<all>[a-z]+s){_GROUP}$",
    re.IGNORECASE,
)
_ARE_SUCH = re.compile(
    rf"^{_ASKED}{SHARE_OR_PART}\s+of\s+(?:the\s+|our\s+|all\s+)?(?:(?P<who>[\w.&-]+(?:\s+[\w.&-]+)??['’]?s?)\s+)?"
    r"(?P<all>[a-z]+s)\s+(?:is|are|was|were)\s+(?:made by\s+|from\s+|by\s+)?(?P<some>(?!not\b)[\w.&-]+"
    rf"(?:\s+[\w.&-]+)?){_GROUP}$",
    re.IGNORECASE,
)


def some_of_all(question: str, metadata: Metadata, read: Callable[[str], Reading]) -> Form | None:
    """The form of a share in percent, where what is a part of what is said in two halves, each of them one number."""
    text = " ".join(question.split()).rstrip("?.! ")
    for some, every in (*_halves(text), *_things(text, metadata)) if len(text) <= LONGEST else ():
        whole = one_number(every, metadata, read)
        part = one_number(some, metadata, read) if whole is not None else None
        if whole is None or part is None or part.relation != whole.relation:
            continue
        if (made := _share(part, whole, metadata)) is not None:
            return made
    return None


def is_of_rows(share: Form) -> bool:
    """Whether rows are counted in a share, and nothing of theirs is added up."""
    of = share.measures[0].expression
    return isinstance(of, Ratio) and isinstance(of.below, Aggregate) and of.below.function == "rows"


def _halves(text: str) -> Iterator[tuple[str, str]]:
    """The part and the whole, each with the group that is said behind."""
    for pattern in (_AS, _AS_BEHIND, _SUCH, _FROM, _IN, _OWN):
        if (said := pattern.match(text)) is None:
            continue
        group, every = said["group"] or "", said["all"]
        found = said.groupdict()
        if found.get("whom"):
            plain = every.removesuffix(" money").removesuffix(" amount")  # "pledged money" of what was pledged
            for number in dict.fromkeys((every, plain)):
                yield f"total {number} from {found['whom']}{group}", f"total {number}{group}"
                yield f"total {number} for {found['whom']}{group}", f"total {number}{group}"
        elif found.get("such"):
            yield f"total {found['such']} {every}{group}", f"total {every}{group}"
            yield f"number of {found['such']} {every}{group}", f"number of {every}{group}"
        else:
            some = found["some"]
            yield f"number of {some}{group}", f"number of {every}{group}"
            yield f"total {some}{group}", f"total {every}{group}"


def _things(text: str, metadata: Metadata) -> Iterator[tuple[str, str]]:
    """``share of Volvo coaches by operator`` where rows are trips: of the different coaches, and not of those trips."""
    said = _OF_SUCH.match(text) or _ARE_SUCH.match(text)
    if said is None or not is_column(said["all"], metadata):
        return
    group, who = said["group"] or "", (said.groupdict().get("who") or "").removesuffix("'s").removesuffix("’s")
    whose = f"{who} " if who else ""
    yield (
        f"number of different {whose}{said['some']} {said['all']}{group}",
        (f"number of different {whose}{said['all']}{group}"),
    )


def _share(part: OneNumber, whole: OneNumber, metadata: Metadata) -> Form | None:
    inner = part.beyond(whole)
    same = replace(part.plain, conditions=()) == replace(whole.plain, conditions=())
    if not inner or not same or whole.plain.conditions or whole.plain.aggregate not in _PUT_TOGETHER:
        return None
    counted = whole.plain.member is None
    every = Measure(None, "count", entity=whole.relation) if counted else whole.plain
    plan = together(whole, (replace(every, conditions=inner),), (part.plan,), metadata)
    if plan is None:
        return None
    form = read_back(write_sql(plan.with_(measures=(every, plan.measures[1])), metadata).sql, metadata)
    numbers = [clause.expression for clause in form.measures] if isinstance(form, Form) else []
    if not isinstance(form, Form) or len(numbers) != 2 or not all(isinstance(one, Aggregate) for one in numbers):
        return None
    return form.with_(measures=(Clause(Ratio(numbers[1], numbers[0], percent=True)),), order=())
