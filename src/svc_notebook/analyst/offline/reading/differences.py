"""One number less another, each added up: *difference between quoted and paid per customer*, *income minus costs*;
of what does not add up the average of each row's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from .... import patterns as re
from ..forms import Aggregate, Arithmetic, Clause, Form, Limit, Member, Order
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from ..words.text import stem
from .one_number import LONGEST, OneNumber, one_number, together
from .read_back import read_back

if TYPE_CHECKING:
    from .reading import Reading

__all__ = ["difference"]

_ASKED = r"(?:\W*(?:show(?: me)?|give me|what(?:['’]s| is| are| was| were)?)\s+)?(?:the\s+)?(?:total\s+)?"
_GAP = r"(?:difference|gap|shortfall|discrepancy)"
_GROUP = r"(?P<group>\s*,?\s+(?:per|by|for each|for every|in each|of each|across)\s+[\w ]+?)?"
_TIME = r"(?P<time>\s+(?:in|since|before|after|during|this|last)\s+[\w ]+?)?"
_BETWEEN = re.compile(
    rf"^{_ASKED}{_GAP}\s+between\s+(?P<one>[\w' -]+?)\s+and\s+(?P<other>[\w' -]+?){_GROUP}{_TIME}$", re.IGNORECASE
)
_MINUS = re.compile(
    rf"^{_ASKED}(?P<one>[\w' -]+?)\s+(?:minus|net of)\s+(?P<other>[\w' -]+?){_GROUP}{_TIME}$", re.IGNORECASE
)
_MOST = re.compile(
    rf"^\W*(?:which|what)\s+(?P<of>[\w ]+?)\s+(?:has|have|had|shows?|is|with)\s+the\s+"
    rf"(?P<most>biggest|largest|highest|greatest|widest|most|smallest|lowest|least|narrowest)\s+{_GAP}\s+between\s+"
    rf"(?P<one>[\w' -]+?)\s+and\s+(?P<other>[\w' -]+?){_TIME}$",
    re.IGNORECASE,
)
_LEAST = frozenset({"smallest", "lowest", "least", "narrowest"})
_LEAD = re.compile(
    r"^(?:the\s+|their\s+|its\s+|our\s+)?(?:(?:what|how much|the amount|amount)\s+"
    r"(?:(?:we|they|you|is|was|were|has|have|been|got|gets?|actually|really)\s+)*)?(?:total\s+)?",
    re.IGNORECASE,
)
_FOLDED = re.compile(r"\b(?:average|mean|median|typical|highest|lowest|maximum|minimum)\b", re.IGNORECASE)
_EACH = re.compile(rf"^(?P<asked>{_ASKED})(?:average|mean|avg)\s+", re.IGNORECASE)
_ENDS = ("departure", "arrival")
_IN_THE_AIR = r"(?:\s+(?:in the air|en route|in flight|on the way|while flying|during (?:the )?flight|underway))?"
_MADE_UP = re.compile(
    rf"^\W*(?:(?:which|what)\s+(?P<which>[a-z]+)\s+(?:makes?|made)\s+up\s+(?:the\s+)?(?P<most>most|least)\s+time{_IN_THE_AIR}"
    rf"(?P<behind>\s+.+)?|{_ASKED}(?:average\s+)?(?:(?:how much\s+)?time\s+(?:(?:do|does|did)\s+[\w ]+?\s+make\s+up"
    rf"|(?:is\s+|was\s+|gets?\s+)?made up)){_IN_THE_AIR}(?P<rest>\s+.+)?)$",
    re.IGNORECASE,
)


class _Said(NamedTuple):
    one: str
    other: str
    behind: str
    most: str = ""


def difference(question: str, metadata: Metadata, read: Callable[[str], Reading]) -> Form | None:
    """The form of the difference of two sums over the same rows; none where either is no number of theirs."""
    if len(question) > LONGEST:
        return None
    text = " ".join(question.split()).rstrip("?.! ")
    text = _made_up(text, metadata)
    each = _EACH.sub(r"\g<asked>", text)  # "average a minus b": of each row
    said = _said(each)
    if said is None:
        return None
    said = said._replace(one=_whole(said.one, said.other, metadata))
    one = _total(said.one, said.behind, metadata, read)
    other = _total(said.other, said.behind, metadata, read) if one is not None else None
    if one is None or other is None or one.relation != other.relation or one.plain.member == other.plain.member:
        return None
    if one.conditions != other.conditions:
        return None
    made = _less(one, other, metadata) if each == text or not _adds_up(one, other, metadata) else None
    return _ranked(made, said.most) if made is not None and said.most else made


def _made_up(text: str, metadata: Metadata) -> str:
    """``how much time do they make up in the air``: how much less late rows come than they went."""
    said = _MADE_UP.match(text)
    ends = {end: [p for p in metadata.number_names.paths if {end, "delay"} <= {*metadata.parts(p)}] for end in _ENDS}
    names = {end: {" ".join(metadata.parts(path)) for path in paths} for end, paths in ends.items()}
    if said is None or any(len(known) != 1 for known in names.values()):
        return text
    went, came = (names[end].pop() for end in _ENDS)
    if said["which"]:
        most = "smallest" if said["most"].lower() in ("least", "fewest") else "biggest"
        return f"which {said['which']} has the {most} difference between {went} and {came}{said['behind'] or ''}"
    return f"difference between {went} and {came}{said['rest'] or ''}"


def _whole(one: str, other: str, metadata: Metadata) -> str:
    """*departure* as *departure delay* before *arrival delay*."""
    told = f"{one} {other.split()[-1]}"
    return told if tuple(map(stem, told.lower().split())) in metadata.number_names.called else one


def _adds_up(one: OneNumber, other: OneNumber, metadata: Metadata) -> bool:
    return any(metadata.adds_up(number.plain.member or "") for number in (one, other))


def _said(text: str) -> _Said | None:
    if _FOLDED.search(text) and not _MOST.match(text):
        return None  # of each row, and folded: no difference of sums
    if (most := _MOST.match(text)) is not None:
        return _Said(most["one"], most["other"], f" by {most['of']}{most['time'] or ''}", most["most"].lower())
    found = _BETWEEN.match(text) or _MINUS.match(text)
    return _Said(found["one"], found["other"], f"{found['group'] or ''}{found['time'] or ''}") if found else None


def _total(said: str, behind: str, metadata: Metadata, read: Callable[[str], Reading]) -> OneNumber | None:
    found = one_number(f"total {_LEAD.sub('', said)}{behind}", metadata, read)
    return found if found is not None and found.plain.aggregate == "sum" and found.plain.member else None


def _less(one: OneNumber, other: OneNumber, metadata: Metadata) -> Form | None:
    plan = together(one, (other.plain,), (other.plan,), metadata)
    form = read_back(write_sql(plan, metadata).sql, metadata) if plan is not None else None
    numbers = [clause.expression for clause in form.measures] if isinstance(form, Form) else []
    if not isinstance(form, Form) or len(numbers) != 2 or not all(isinstance(n, Aggregate) for n in numbers):
        return None
    if not _adds_up(one, other, metadata):  # delays: of each row, on average
        of_each = Arithmetic("-", Member(one.plain.member or ""), Member(other.plain.member or ""))
        return form.with_(measures=(Clause(Aggregate("avg", of_each)),), order=())
    return form.with_(measures=(Clause(Arithmetic("-", numbers[0], numbers[1])),), order=())


def _ranked(form: Form, most: str) -> Form:
    by = form.measures[0].expression
    return form.with_(order=(Order(by, descending=most not in _LEAST),), limit=Limit(1))
