"""How a number is spread: distributions, curves, box plots, what lies far out."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING

from ..... import patterns as re
from ...plans.phrases import describe
from ...plans.plan import Measure, Plan
from ...schema.metadata import Metadata
from ...words.text import stem
from ..boxes import boxes
from ..curves import Curve
from ..pieces import Found
from ..spread import spread
from .analysis import Analysis, Reader, about
from .words import FEW, SMALL_WORDS, is_mean, numbers_of, without

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["CURVES", "boxed", "curve", "one_number"]

CURVES: dict[Curve, re.Pattern[str]] = {
    "cumulative": re.compile(
        r"\b((empirical )?cumulative distribution( function| plot| curve)?|e?cdf)( of| for)?\b", re.IGNORECASE
    ),
    "density": re.compile(
        r"\b((probability|kernel) density( function| plot| curve)?|density (plot|curve|chart)|density(?= of))"
        r"( of| for)?\b",
        re.IGNORECASE,
    ),
}
_BOXES = re.compile(
    r"\b(an? |as an? |as )?box(es)?[- ]?(and[- ]whiskers?[- ]?)?(plots?|charts?)( of| for)?\b", re.IGNORECASE
)
_NO_BOX = (
    "A box plot shows how the values of one number lie, by one group at most. Name a number that each row has and a "
    "group, as in “box plot of price by country”."
)
_WAYS = frozenset({"direction", "bearing", "heading", "angle", "azimuth"})  # they go round, and have no end
_STEPS = re.compile(r"\b(steps?|bins?|buckets?|intervals?) of \d|\b\d+ bins\b", re.IGNORECASE)
_ASKED_WHAT = re.compile(r"^\s*(what|how) (do|does|did|is|are|was|were)\b( the)?", re.IGNORECASE)


def one_number(
    question: str, metadata: Metadata, read: Reader, cue: re.Pattern[str],
    recipe: Callable[..., Generator[list[str], list[pa.Table], Found | None]], words: str,
) -> Analysis | None:  # fmt: skip
    if not cue.search(question) or _STEPS.search(question):
        return None
    rest = without(cue, question)
    bare = without(SMALL_WORDS, rest)
    # Words that only fill are part of some names: they are taken out only where the question is not read with them.
    for text in (rest, without(_ASKED_WHAT, rest), bare, without(FEW, bare), *_averaged(bare, metadata)):
        plan = read(text) if text else None
        numbers = numbers_of(plan, metadata) if plan is not None else []
        others = [d for d in plan.dimensions if d.member not in numbers] if plan is not None else []
        if plan is not None and len(numbers) == 1 and not others and plan.limit is None:
            number = _of_size(numbers[0], text, metadata)
            said = describe(Plan(plan.scope, shape="rows", columns=(number,)), metadata).removeprefix("a list of ")
            plan = plan if number == numbers[0] else Plan(plan.scope, shape="rows", columns=(number,))
            return about(plan, metadata, words.format(said), partial(recipe, plan, number, metadata))
    return None


def _averaged(words: str, metadata: Metadata) -> list[str]:
    """``delays by airline`` as their average: where rows are called so, and numbers of theirs as well."""
    first = stem(words.split()[0].lower()) if words.split() else ""
    return [f"average {words}"] if metadata.number_names.partly.get((first,)) else []


def _of_size(path: str, words: str, metadata: Metadata) -> str:
    """A number by which rows are large or small: of *wind* how fast it is, where no word asks which way it blows."""
    said = {stem(word) for word in words.split()}
    if not _WAYS & set(metadata.parts(path)) or said & set(map(stem, _WAYS)):
        return path
    relation = metadata.relation(path.split(".", 1)[0])
    others = [m.path for m in relation.members.values() if m.kind == "dimension" and m.path in metadata.members]
    named = [other for other in others if said & {stem(part) for part in metadata.parts(other)}]
    sized = (
        p for p in named if metadata.is_number(p) and not metadata.is_key(p) and not _WAYS & set(metadata.parts(p))
    )
    return next(sized, path)


def curve(question: str, metadata: Metadata, read: Reader, kind: Curve) -> Analysis | None:
    """``cumulative distribution of delay``, ``density plot of price``; a column of densities is one like others."""
    if kind == "density" and any("density" in metadata.parts(path) for path in metadata.members):
        return None
    recipe = partial(spread, drawn_as=kind)
    return one_number(question, metadata, read, CURVES[kind], recipe, "How {} is spread, as a curve")


def boxed(
    question: str, metadata: Metadata, read: Reader, cue: re.Pattern[str] = _BOXES, *, means: bool = False
) -> Analysis | None:
    """``box plot of delay by airline``: the number that is averaged or listed, by at most one group.

    ``means``: only a number that is averaged in groups; sums are distributed over them, and have no boxes.
    """
    if not cue.search(question):
        return None
    rest = without(cue, question)
    bare = without(SMALL_WORDS, rest)
    plans = [plan for text in (rest, bare) if text and (plan := read(text)) is not None]
    if not any(numbers_of(plan, metadata) for plan in plans):
        plans += [plan for text in _averaged(bare, metadata) if (plan := read(text)) is not None]
    for plan in plans:
        numbers = numbers_of(plan, metadata)
        groups = tuple(d for d in plan.dimensions if d.member not in numbers)
        if means and not (groups and plan.measures and is_mean(plan, metadata)):
            continue
        if len(numbers) == 1 and len(groups) < 2 and plan.limit is None:
            average = Measure(numbers[0], "avg")
            plan = plan.with_(shape="aggregate", columns=(), dimensions=groups, measures=(average,))
            words = describe(plan, metadata).replace("average ", "", 1)
            return about(plan, metadata, f"A box plot of {words}", partial(boxes, plan, numbers[0], metadata))
    # A word that means nothing else (box plot) is refused with what it wants; "spread" may be part of another
    # question.
    return Analysis(plans[0], "A box plot", None, _NO_BOX) if plans and cue is _BOXES else None
