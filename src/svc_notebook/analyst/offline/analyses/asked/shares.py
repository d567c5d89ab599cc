"""How few hold how much."""

from __future__ import annotations

from functools import partial

from ..... import patterns as re
from ...plans.phrases import describe
from ...schema.metadata import Metadata
from ..shares import concentration
from .analysis import Analysis, Reader, about
from .words import without

__all__ = ["concentrated"]

_MOST = re.compile(
    r"\b(?:make|makes|making|made) up|\baccounts? for|\b(?:are |is )?responsible for|\bgenerates?|\bbrings? in"
    r"|\bcontributes?( to)?",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*(?:%|per ?cent|percent)", re.IGNORECASE)
_EACH_SHARE = re.compile(
    r"\b(less|more|fewer|under|over|below|above|at most|up to)( than)?\W+(an? )?(\d|one\b)", re.IGNORECASE
)
_MOST_OF = re.compile(
    r"\b(?:makes?|making|made|accounts? for|brings?|generates?|responsible for|earns?|spends?|have|has|holds?|gets?"
    r"|causes?)"
    r"( up| in)? (?:the )?(?:most|majority|bulk|lion['’]s share) of\b(?!\s+(?:them|these|those|it)\b)",
    re.IGNORECASE,
)
_FEW_GROUPS = re.compile(
    r"^\s*(do|does|is|are)?\s*(it )?(only )?(just )?(a )?(few|handful of|small number of)\b", re.IGNORECASE
)
_PARETO = re.compile(r"\b(pareto|concentrated|concentration)( of| in| chart)?\b", re.IGNORECASE)


def concentrated(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    percent = _PERCENT.search(question)
    most = _MOST.search(question)
    most_of = _MOST_OF.search(question)
    if not (_PARETO.search(question) or percent and most or most_of):
        return None
    if most and _EACH_SHARE.search(question[most.end() :]):  # of each by itself, and not of the largest together
        return None
    # Most of something is more than half of it; without a number Pareto's four fifths are meant.
    share = float(percent[1]) / 100 if percent else 0.5 if most_of else 0.8
    if not 0 < share < 1:
        return None
    if (at := most_of or most) and (percent or most_of):
        who = without(
            _FEW_GROUPS, re.sub(r"^\s*(which|what|how many|the)\b", "", question[: at.start()], flags=re.IGNORECASE)
        )
        what = re.sub(
            r"\b(of|the|all|our)\b", " ", without(_PERCENT, question[at.end() :]), flags=re.IGNORECASE
        ).strip()
        text = f"{what} by {who}"
    else:
        text = without(_PARETO, question)
    plan = read(text)
    if plan is None or len(plan.measures) != 1 or len(plan.dimensions) != 1 or plan.dimensions[0].grain:
        return None
    return about(
        plan,
        metadata,
        f"How far {describe(plan, metadata)} is concentrated",
        partial(concentration, plan, metadata, share),
    )
