"""What people put around a question: guesses, lines of rows, all of a row, the others, degrees, the year of a deed."""

from __future__ import annotations

from .... import patterns as re
from ..schema.masses import mass_called
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..words.text import singular, stem, tokenize

__all__ = ["put_plainly"]

_UNITS = r"(?P<unit>year|yr|quarter|month|mth|week|day)s?"
_GUESSES = re.compile(
    r"^\W*(?:(?:so|and|well|ok|okay|hey|now|tell me|i wonder)\W+)*(?:is|are|was|were|would|could|might|do|does)\s+"
    r"(?:it|that|they|this|there)\s+(?:be\s+|always\s+|usually\s+|mostly\s+)?(?:on\s+|in\s+|at\s+|the\s+)*"
    r"(?P<guess>[\w'’.&-]+(?:[\s,]+[\w'’.&-]+){0,7}?)\s*(?:,|[–-]|\?)?\s*\bor\s+(?:else\s+|rather\s+|is it\s+)?"
    r"(?=(?:on\s+|in\s+|at\s+|for\s+|by\s+)?(?:what|which|who|whose|when|where)\b)",
    re.IGNORECASE,
)
_RECORD = re.compile(
    r"^\W*(?:(?:please|can|could|would|you|i|we|need|require|want|like|to|see|show|give|get|bring|pull|up|me|us|let|"
    r"look|at|have|print|display|list|what|is|are|find)\s+)*"
    r"(?:everything|(?:all|any)\s+(?:of\s+)?(?:the\s+|our\s+)?(?:details?|info|information|data|fields|columns)|"
    r"(?:the\s+|a\s+)?(?:full|whole|complete|entire)\s+(?:record|entry|row|details?|data|file|information|info))\s+"
    r"(?:(?:that|which|there|is|we|you|i|they|we['’]ve|you['’]ve|i['’]ve|have|has|got|know|known|recorded|stored|kept|"
    r"held|filed|on|about|for|of|under|with|regarding|concerning|the)\s+)+"
    r"(?P<noun>(?:[a-z]+\s+){0,2})(?P<code>(?=[\w./-]*\d)[\w][\w./-]*[\w])"
    r"(?:\s+(?:for me|for us|please|pls|there is))*\W*$",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\s+(?:with|to|against|and|vs\.?|versus)\s+(?:(?:that|those|the one|the same)\s+(?:of|for)\s+)?"
    r"(?:(?:all\s+)?(?:the\s+)?(?:others|rest|other ones|remaining ones|remainder|remaining)|those without"
    r"|the ones without|those that (?:are not|aren['’]t|were not|weren['’]t))\s*(?P<end>[?.!]*)\s*$",
    re.IGNORECASE,
)
_COMPARES = re.compile(r"^\W*(?:(?:please|can you|could you|now|and|to)\s+)*(?:compare|contrast)\b", re.IGNORECASE)
_RELATED = re.compile(r"\b(?P<flag>\w+)[\s-](?:related|involved|affected|caused)\b", re.IGNORECASE)
_DEGREES = re.compile(
    r"\b(?P<of>temp(?:erature)?s?\b(?:[^?.!]*?\b)??)\s*\bin\s+(?:degrees?\s+|deg\.?\s+|°\s*)?(?P<unit>[cf])"
    r"(?=\s*(?:[?.!,]|$|\b(?:by|per|for|of|in|at|on|each|this|last|during|since|and|over)\b))",
    re.IGNORECASE,
)
_DONE_THEN = re.compile(
    rf"\b(?:(?:for|in)\s+)?(?P<by>per|by|each|every)\s+(?:the\s+)?{_UNITS}\s+(?:(?P<they>(?:that\s+|in which\s+)?"
    r"(?:they|it|we|he|she)(?:\s+(?:were|was|got|are|is))?)\s+|of\s+(?P<of>the\s+)?)?(?P<deed>[a-z]+)\s*(?P<end>[,?.!]|$)",
    re.IGNORECASE,
)
_EACH_OF = re.compile(
    r"\b(?P<each>each|every)\s+(?:one\s+)?of\s+(?:the|our|these|those|all)\s+(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\s+"
    r"(?P<noun>[a-z]+s)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?:^|:\s+)(?P<rows>[a-z]+s),\s+(?:number of\s+)?(?P<some>(?:[a-z-]+ ){1,2}(?P=rows))(?=,| and\b)", re.IGNORECASE
)
_PART_OF = re.compile(
    r"^(?:what\s+(?:is\s+|was\s+)?)?(?:the\s+)?(?:share|percentage|percent|proportion|fraction|%)\s+of\s+(?:the\s+|our\s+|all\s+)?"
    r"(?:(?P<mass>[a-z]+)\s+(?:that\s+)?(?:is|was|are|were)\s+(?P<so>[a-z]+)|(?P<flag>[a-z]+)\s+(?P<of>[a-z]+))\b",
    re.IGNORECASE,
)
_LINES = re.compile(r"\b(?P<rows>[a-z]+)[ -](?P<lines>lines|entries|records)\b", re.IGNORECASE)
_DRAWN = re.compile(r"\b(?:plot|draw|charts?|graphs?|trends?|curves?)\b", re.IGNORECASE)
_LONG = {"yr": "year", "mth": "month"}


def put_plainly(question: str, metadata: Metadata) -> str:
    """A question without what only surrounds it, in the words that are read for what it asks."""
    for rule in (
        _lines_of_rows,
        _without_guesses,
        _whole_record,
        _beside_others,
        _in_degrees,
        _when_done,
        _of_so_many,
        _all_of_them,
        _part_of,
    ):
        question = rule(question, metadata)
    return question


def _lines_of_rows(question: str, metadata: Metadata) -> str:
    """``sales lines with a discount``: the rows, and nothing to be drawn."""
    said = _LINES.search(question)
    if said is None or _DRAWN.search(question) or stem(said["lines"].lower()) in metadata.vocabulary:
        return question
    if stem(said["rows"].lower()) not in metadata.kind_names.rows:
        return question
    return f"{question[: said.start()]}{plural(singular(said['rows']))}{question[said.end() :]}"


def _all_of_them(question: str, metadata: Metadata) -> str:
    """``flights, cancelled flights and their delay``: the number of all before that of some, where the model has it."""
    said = _ALL.search(question)
    if said is None or not any(one.called == said["some"].lower() for one in metadata.counted_rows):
        return question
    return f"{question[: said.start('rows')]}number of {question[said.start('rows') :]}"


def _part_of(question: str, metadata: Metadata) -> str:
    """``what share of downtime is planned``: the planned share of how long it was, and not of how often."""
    said = _PART_OF.match(question)
    mass = mass_called(metadata, (said["mass"] or said["of"]).lower()) if said is not None else None
    if said is None or mass is None:
        return question
    so = (said["so"] or said["flag"]).lower()
    if not {so, so.removeprefix("un")} & metadata.kind_names.told:
        return question
    return f"{so} share of the {' '.join(metadata.parts(mass))}{question[said.end() :]}"


def _of_so_many(question: str, metadata: Metadata) -> str:
    """``each of the three depots``: each depot, however many there are."""
    return _EACH_OF.sub(lambda said: f"{said['each']} {singular(said['noun'])}", question)


def _without_guesses(question: str, metadata: Metadata) -> str:
    """``Is it Sundays, or what day …``: what somebody guesses before asking restricts nothing."""
    said = _GUESSES.match(question)
    return question[said.end() :] if said is not None else question


def _whole_record(question: str, metadata: Metadata) -> str:
    """``everything we have on INC-40001``: all columns of that row."""
    said = _RECORD.match(question)
    if said is None:
        return question
    nouns = " ".join(word for word in said["noun"].split() if stem(word.lower()) in metadata.vocabulary)
    return f"show all columns of {nouns or _rows_called(said['code'], metadata)} {said['code']}".replace("  ", " ")


def _rows_called(code: str, metadata: Metadata) -> str:
    """What the rows are called that a code is the key of, where it is that of one table."""
    matches = metadata.values.find(tokenize(code), 0)
    found = sorted({m.member.split(".", 1)[0] for m in matches if _is_own_key(m.member, metadata)})
    cubes = [name for name in found if metadata.catalog.relations[name].kind == "cube"]
    return " ".join(metadata.words_of(cubes[0])) if len(cubes) == 1 else ""


def _is_own_key(path: str, metadata: Metadata) -> bool:
    return path in metadata.members and (metadata.members[path].primary_key or metadata.profile(path).unique)


def _beside_others(question: str, metadata: Metadata) -> str:
    """``compare the cost of urgent jobs with that of the others``: both sides of what was said."""
    said = _OTHERS.search(question)
    if said is None or not _COMPARES.match(question):
        return question
    flags = {metadata.parts(path)[-1]: path for path, m in metadata.members.items() if m.type == "boolean"}
    head = _RELATED.sub(
        lambda one: one["flag"] if one["flag"].lower() in flags else one.group(), question[: said.start()]
    )
    return f"{head} with that of the rest{said['end']}"


def _in_degrees(question: str, metadata: Metadata) -> str:
    """``avg temp in c by shop``: a unit, whatever else is called C."""
    said = _DEGREES.search(question)
    if said is None:
        return question
    unit = {"c": "celsius", "f": "fahrenheit"}[said["unit"].lower()]
    return f"{question[: said.start()]}{said['of']} in {unit}{question[said.end() :]}"


def _when_done(question: str, metadata: Metadata) -> str:
    """``by mail per year paid``, ``for each year they paid``: by the time that is called so, and no other."""
    said = _DONE_THEN.search(question)
    if said is None:
        return question
    times = [path for path, m in metadata.members.items() if m.type == "time" and m.kind == "dimension"]
    root = stem(said["deed"].lower())
    named = [path for path in times if root in {stem(part) for part in metadata.parts(path)[:1]}]
    if len(named) != 1:
        return question
    unit = _LONG.get(said["unit"].lower(), said["unit"].lower())
    if stem(unit) in metadata.vocabulary:
        return question  # a year of its own
    name = " ".join(metadata.parts(named[0]))
    known = f", where {name} is known" if metadata.may_be_missing(named[0]) and said["they"] else ""
    told = f"by {unit} of {name}{known}"
    return f"{question[: said.start()]}{told}{said['end']}{question[said.end() :]}"
