"""Questions whose head stands last, as in a telegram: *per class, the longest trip*, *trip km, median*."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .... import patterns as re
from ..lexicon import persons
from ..schema.metadata import Metadata
from ..words.text import singular, stem, tokenize

__all__ = ["heads_first"]

_LONGEST = 200  # characters
_FOLDS = r"median|average|avg|mean|max(?:imum)?|min(?:imum)?"
_ENDS = r"\W*$"
_FOLDED = re.compile(rf"^(?P<what>[^,:;?]+?)\s*[,:]\s*(?P<fold>{_FOLDS}){_ENDS}", re.IGNORECASE)
_FOLD_BEHIND = re.compile(
    rf"^(?P<what>[a-z][a-z ]*?)\s+(?P<fold>total|sum|{_FOLDS})\s+(?=(?:by|per|for each|each|in|for|last|this|since)\b)",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"^(?P<what>[^:;?]+?)(?:\s*[,:]\s*(?:how many|count|number)|\s+count){_ENDS}", re.IGNORECASE)
_GROUPED = re.compile(
    rf"^(?:per|each|every)\s+(?P<group>[a-z ]+?)\s*,\s*(?:the\s+)?(?P<what>[^,:;?]+?){_ENDS}", re.IGNORECASE
)
_DATED = re.compile(
    r"^(?:the\s+)?(?P<end>latest|last|most recent|newest|first|earliest|oldest)\s+(?P<rows>[a-z]+)\s+date"
    rf"(?:\s+(?:we have|we've got|there is|on file|so far|in (?:here|there)))?{_ENDS}",
    re.IGNORECASE,
)
_OF_EACH = re.compile(rf"^(?P<who>[a-z]+s)['’]\s+(?P<end>first|last|latest)\s+(?P<what>[a-z]+){_ENDS}", re.IGNORECASE)
_TOP = re.compile(
    rf"^top\s+(?P<what>[a-z]+(?:\s[a-z]+)?)(?P<rest>\s+(?:for|by|of|in|at|per)\s+[^,:;?]+?)?{_ENDS}", re.IGNORECASE
)
_BY_RATE = re.compile(
    r"^(?P<rows>[a-z ]+?)\s+by\s+(?P<rate>(?!number\b|total\b|average\b)[a-z -]+?\s(?:rate|share))\s*,?\s*"
    rf"(?P<way>(?:worst|best|highest|lowest)(?:\s+ones?)?\s+first){_ENDS}",
    re.IGNORECASE,
)
_LACKING = re.compile(
    rf"^(?P<what>[^,:;?]+?)\s*,\s*no\s+(?P<lack>[a-z]+)(?:\s+(?:yet|so far|booked|on file))?{_ENDS}", re.IGNORECASE
)
_BOUNDED = re.compile(
    rf"^(?P<bound>(?:at least|over|more than|under|fewer than|less than)\s+\d+\s+[^,:;?]+?)\s*[,:-]\s*"
    rf"(?:(?P<who>who)|which\s+(?P<rows>[a-z]+)){_ENDS}",
    re.IGNORECASE,
)
_OF_WHICH = re.compile(
    rf"^(?P<value>[^,:;?]+?)(?:\s*[,:]|\s+[-–])\s*(?:which|what)\s+(?P<unit>[a-z]+(?:\s[a-z]+)?){_ENDS}", re.IGNORECASE
)
_ASKED = re.compile(r"\b(?:by|each|every|which|who|how|show|list|first$)\b", re.IGNORECASE)
_ON_TOP = re.compile(rf"(?P<which>\b[a-z]+st)\s+(?:ones?\s+)?(?:at|on)\s+(?:the\s+)?top{_ENDS}", re.IGNORECASE)
_TOLD = re.compile(
    r"\b(?:how|number of|count|total|sum|average|avg|mean|median|max|min|by|per|each|every|which|who|what|when"
    r"|top|most|why|share|percentage|rate|is|are|was|were|do|does|did)\b",
    re.IGNORECASE,
)
_WITH_COLUMNS = re.compile(
    rf"^(?P<what>[^,:;?]+?)\s+[-–]\s+(?P<first>[a-z ]+?)\s*,\s*(?P<others>[a-z ,]+?){_ENDS}", re.IGNORECASE
)
_SURE = 0.85  # how well a value fits that is meant
_FEW = 30  # values of a column of kinds
_SOLD = frozenset(map(stem, "product item article sku brand model dish title track song book service plan".split()))


def heads_first(question: str, metadata: Metadata) -> str:
    """A telegram with its head in front; any other question as it is."""
    if len(question) > _LONGEST:
        return question
    question = _ON_TOP.sub(r"\g<which> first", question)
    for pattern, said_so in _WAYS:
        said = pattern.match(question)
        if said is not None and (told := said_so(said, metadata)):
            return told
    return question


def _folded(said: re.Match[str], metadata: Metadata) -> str:
    return "" if _TOLD.search(said["what"].split(" by ")[0]) else f"{said['fold']} {said['what']}"


def _fold_behind(said: re.Match[str], metadata: Metadata) -> str:
    """``deposit total by channel``: of a number that is not called a total."""
    words = tuple(token.stem for token in tokenize(said["what"]))
    whole = (*words, stem(said["fold"].lower()))
    names = metadata.number_names.called
    if words not in names or any(tuple(map(stem, metadata.parts(path))) == whole for path in metadata.members):
        return ""
    return f"{said['fold']} {said['what']} {said.string[said.end() :]}"


def _counted(said: re.Match[str], metadata: Metadata) -> str:
    what = said["what"]
    if _TOLD.search(what) or not any(singular(word) != word for word in what.lower().split()):
        return ""
    return f"number of {what}"


def _grouped(said: re.Match[str], metadata: Metadata) -> str:
    what, group = said["what"], tokenize(said["group"])
    is_kind = metadata.kind_names.end(group, 0) == len(group)
    return f"{what} per {said['group']}" if is_kind and not _ASKED.search(what) else ""


def _dated(said: re.Match[str], metadata: Metadata) -> str:
    """``latest trip date``: when the latest was, where no date is called so."""
    rows = stem(said["rows"].lower())
    named = any({rows, "date"} <= set(map(stem, metadata.parts(path))) for path in metadata.members)
    return "" if named or rows not in metadata.kind_names.rows else f"when was the {said['end']} {said['rows']}"


def _of_each(said: re.Match[str], metadata: Metadata) -> str:
    rows = singular(said["what"].lower())
    known = stem(rows) in metadata.kind_names.rows
    return f"{said['end']} {rows} of each {singular(said['who'].lower())}" if known else ""


def _top(said: re.Match[str], metadata: Metadata) -> str:
    """``top reason``: the commonest, of a column of kinds; who is at the top is one by what was sold."""
    words, rest = said["what"].lower().split(), said["rest"] or ""
    if singular(words[-1]) != words[-1] or not _is_kind([stem(word) for word in words], metadata):
        return ""
    tokens = tokenize(rest)
    if tokens and tokens[0].lower in ("by", "per") and metadata.kind_names.end(tokens, 1) != len(tokens):
        return ""  # by an amount
    return f"most common {said['what']}{re.sub(r'^ for ', ' of ', rest)}"


def _is_kind(stems: Sequence[str], metadata: Metadata) -> bool:
    """Whether words name a column of a few kinds of rows, nobody who has a name, and nothing that is sold."""
    for path, values in metadata.values.members.items():
        home = path.split(".", 1)[0]
        own = [*map(stem, metadata.parts(path))]
        if not _SOLD.isdisjoint(own):
            continue  # the top one is by what was sold of it
        if own == [*stems] and len(values) <= _FEW and path not in (metadata.label_of(home), metadata.key_of(home)):
            return not persons() & {*own}
    return False


def _by_rate(said: re.Match[str], metadata: Metadata) -> str:
    return f"{said['rate']} by {singular(said['rows'].lower())}, {said['way']}"


def _lacking(said: re.Match[str], metadata: Metadata) -> str:
    return "" if _TOLD.search(said["what"]) else f"{said['what']} without a {said['lack']}"


def _bounded(said: re.Match[str], metadata: Metadata) -> str:
    return f"who has {said['bound']}" if said["who"] else f"which {said['rows']} have {said['bound']}"


def _with_columns(said: re.Match[str], metadata: Metadata) -> str:
    """``trips over 20 km - guide, boat``: what is shown of them."""
    shown = f"{said['first']}, {said['others']}"
    told = _TOLD.search(said.string) or re.search(r"\b(?:first|last|and|only)\b", shown, re.IGNORECASE)
    return "" if told else f"{said['what']} with {' and '.join(re.split(r', *', shown))}"


def _of_which(said: re.Match[str], metadata: Metadata) -> str:
    tokens = tokenize(said["value"])
    whole = any(match.quality >= _SURE and match.end == len(tokens) for match in metadata.values.find(tokens, 0))
    return f"which {said['unit']} has {said['value']}" if whole else ""


_WAYS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Metadata], str]], ...] = (
    (_FOLDED, _folded), (_FOLD_BEHIND, _fold_behind), (_COUNTED, _counted), (_GROUPED, _grouped), (_DATED, _dated),
    (_OF_EACH, _of_each), (_TOP, _top), (_BY_RATE, _by_rate), (_LACKING, _lacking), (_BOUNDED, _bounded),
    (_OF_WHICH, _of_which), (_WITH_COLUMNS, _with_columns),
)  # fmt: skip
