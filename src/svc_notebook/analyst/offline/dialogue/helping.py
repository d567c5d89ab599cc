"""Questions about the data themselves, and small talk: answered from the model and from what its values are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime

from .... import patterns as re
from ....records import dataclass
from ....semantic.catalog import Member, Relation
from ..linking.lattice import Lattice
from ..schema.metadata import Metadata
from ..schema.nouns import lowered
from ..suggestions import questions_near, starting_questions
from .hearing import Heard

__all__ = ["Help", "help_for"]

_MEANS = re.compile(
    r"^\W*(?:what (?:does|do|is meant by|is the meaning of|is the definition of)|what's the meaning of|define|"
    r"explain|meaning of|definition of|how (?:is|are)|tell me about|describe)\s+(?:the\s+|an?\s+)?(.+?)"
    r"(?:\s+(?:mean|means|stand for|stands for|defined|computed|calculated|measured))?\W*$",
    re.IGNORECASE,
)
_SAYS = re.compile(r"\b(?:mean|means|stand for|stands for|defined|computed|calculated|measured)\W*$", re.IGNORECASE)
_DEFINES = re.compile(
    r"^\W*(?:define|explain|meaning of|definition of|describe|tell me about|what is meant|"
    r"what is the (?:meaning|definition))",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^\W*what (?:data|information|columns|fields|details) (?:do (?:you|we) have|is there|are there|is available|are "
    r"available|exist) (?:about|on|for|in|of|regarding)\s+(?:the\s+)?(.+?)\W*$",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"^\W*(?:(?:please|remind me|remind us|tell me|sorry|wait|hey|ok|okay|so|and|again)\W+)*"
    r"(?:what(?:['’]?s| is| are| was| does| do| exactly is)?\s+)?(?:the meaning of\s+)?"
    r"(?:(?P<article>this|that|the|our|these|those)\s+)?"
    r"(?P<noun>(?:column|field|variable)\s+(?:called\s+|named\s+)?)?[`'\"“”]?(?P<name>[a-z]\w*)[`'\"“”]?"
    r"(?P<behind>\s+(?:column|field|variable|thing))?"
    r"(?:\s+(?:all about|about|again|for|mean|means|there for|supposed to be|supposed to mean|stand for|stands for))*"
    r"\s*(?P<equal>=\s*(?:\?|what\b))?\W*$",
    re.IGNORECASE,
)  # "mins_over = ?", "what's this mins_over column all about": a column by the name that is written over it
_PARTED = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z0-9][A-Z]")
_ASKS = re.compile(r"^\W*(?:\w+\W+){0,3}what\b", re.IGNORECASE)
_MOST = 12  # members of a relation that are named
_RELATIONS = 8
_NAMED = 24  # tables that are named at the head of the list
_EXAMPLES = 5

Linker = Callable[[str], Lattice]


@dataclass(frozen=True, slots=True)
class Help:
    """What is said, and questions to go on with; ``reset``: nothing said before is meant any more."""

    sentences: tuple[str, ...]
    offers: tuple[str, ...] = ()
    reset: bool = False


_NO_PART = re.compile(
    r"\b(?:the|a|an|our|column|field|measure|table|dimension|data|dataset|values?|of)\b", re.IGNORECASE
)
_TOLD_ABOUT = re.compile(r"^\W*(describe|tell me about)\b", re.IGNORECASE)


def help_for(heard: Heard, metadata: Metadata, link: Linker) -> Help | None:
    """The answer to a turn that asks about the data or about me, or is small talk; None for any other."""
    made = _HELP.get(heard.wants)
    if made is not None:
        return made(metadata)
    asked = _ABOUT.match(heard.text)
    if asked is not None:
        return _meaning(asked.group(1), metadata, link)
    means = _MEANS.match(heard.text)
    if means is not None and (_SAYS.search(heard.text) or _DEFINES.match(heard.text)):
        return _meaning(means.group(1), metadata, link, heard.text)
    return _written(heard.text, metadata)


def _written(text: str, metadata: Metadata) -> Help | None:
    """What a column is that is asked about by the name that is written over it; None where rows may be meant."""
    said = _WRITTEN.match(text)
    if said is None or not (said["equal"] or _ASKS.match(text)):
        return None
    spoken_of = said["noun"] or said["behind"] or said["equal"]
    if not spoken_of and not _PARTED.search(said["name"]):
        return None  # "what are the statuses" asks for what there is
    name = _plain(said["name"])
    columns = [member for member in metadata.members.values() if member.kind == "dimension"]
    named = [member for member in columns if _plain(member.path.split(".", 1)[1]) == name]
    if not named:
        return None
    told = " ".join(_member(member, metadata.relation(member.path.split(".", 1)[0]), metadata) for member in named)
    relations = tuple(dict.fromkeys(member.path.split(".", 1)[0] for member in named))
    return Help((told,), tuple(questions_near(metadata, relations, 3)))


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _offers(metadata: Metadata) -> tuple[str, ...]:
    return tuple(starting_questions(metadata, 4))


def _listed(questions: Sequence[str]) -> str:
    return "\n\n" + "\n".join(f"- {question}" for question in questions)


def _greeting(metadata: Metadata) -> Help:
    offers = _offers(metadata)
    return Help((f"Hello! Ask me about {_subjects(metadata)}, for example:{_listed(offers[:3])}",), offers)


def _thanks(metadata: Metadata) -> Help:
    return Help(("You are welcome.",), ())


def _bye(metadata: Metadata) -> Help:
    return Help(("Goodbye. The thread is kept, and you can go on with it.",), ())


def _who(metadata: Metadata) -> Help:
    about = f"I am a program that reads questions about {_subjects(metadata)} and answers them from the data."
    return Help((about, "No language model is asked, and nothing leaves this service."), _offers(metadata))


def _abilities(metadata: Metadata) -> Help:
    offers = _offers(metadata)
    return Help((
        f"Ask about {_subjects(metadata)}: how many, how much, by what, when, which are the top ones.{_listed(offers)}",
        "\n\nThen go on in a few words: *only …*, *and by …*, *top 5*, *as a percentage*, *as a table*, *undo*.",
    ), offers)  # fmt: skip


def _reset(metadata: Metadata) -> Help:
    offers = _offers(metadata)
    return Help((f"We start anew; nothing asked before is kept. For example:{_listed(offers[:3])}",), offers, True)


def _contents(metadata: Metadata) -> Help:
    relations = list(metadata.catalog.relations.values())
    if not relations:
        return Help(("There is nothing in the data model that you may see.",))
    lines = [_line(relation, metadata) for relation in relations[:_RELATIONS]]
    more = len(relations) - _RELATIONS
    if more > 0:
        lines.append(f"- and {more} more")
    named = [f"**{lowered(relation.title)}**{_size(relation, metadata)}" for relation in relations[:_NAMED]]
    beyond = len(relations) - _NAMED
    first = "Here is what you can ask about: " + ", ".join([*named, *([f"{beyond} more"] if beyond > 0 else [])])
    return Help((f"{first}.\n\n{chr(10).join(lines)}",), _offers(metadata))


def _size(relation: Relation, metadata: Metadata) -> str:
    """How many rows a table has, where a column of it is known."""
    columns = (m for m in relation.members.values() if m.kind == "dimension" and m.path in metadata.members)
    column = next(columns, None)
    rows = metadata.profile(column.path).rows if column is not None and not column.masked else 0
    return f" ({rows:,} rows)" if rows else ""


def _line(relation: Relation, metadata: Metadata) -> str:
    said = f" ({_sentence(relation.description)})" if relation.description else ""
    return f"- **{relation.title}** (`{relation.name}`){said}: {_members(relation, metadata)}"


def _members(relation: Relation, metadata: Metadata) -> str:
    visible = [member for member in relation.members.values() if member.path in metadata.members]
    measures = [lowered(member.title) for member in visible if member.kind == "measure"]
    groups = [lowered(member.title) for member in visible if member.kind == "dimension"]
    parts = []
    if measures:
        parts.append(f"numbers {_some(measures)}")
    if groups:
        parts.append(f"by {_some(groups)}")
    return "; ".join(parts) or "nothing you may see"


def _some(names: Sequence[str]) -> str:
    shown = list(dict.fromkeys(names))
    more = f" and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
    return ", ".join(shown[:_MOST]) + more


def _subjects(metadata: Metadata) -> str:
    relations = metadata.catalog.relations.values()
    titles = list(dict.fromkeys(lowered(relation.title.split(" with ")[0]) for relation in relations))[:4]
    return ", ".join(titles[:-1]) + f" and {titles[-1]}" if len(titles) > 1 else "".join(titles) or "your data"


def _spans(metadata: Metadata) -> list[tuple[Relation, Member, date, date]]:
    """The times of each relation with their first and last value, the first time of each relation alone."""
    found = []
    for relation in metadata.catalog.relations.values():
        for path in metadata.times([relation.name])[:1]:
            profile = metadata.profile(path)
            if isinstance(profile.low, date) and isinstance(profile.high, date):
                found.append((relation, metadata.member(path), profile.low, profile.high))
    return found


def _fresh(metadata: Metadata) -> Help:
    spans = _spans(metadata)
    if not spans:
        return Help(("No table that you may see has a date that would say how fresh it is.",), _offers(metadata))
    lines = [f"- {r.title}: the newest {lowered(m.title)} is **{_day(high)}**" for r, m, _, high in spans]
    return Help(("As far as the data say themselves:\n\n" + "\n".join(lines),), _offers(metadata))


def _period(metadata: Metadata) -> Help:
    spans = _spans(metadata)
    if not spans:
        return Help(("No table that you may see has a date.",), _offers(metadata))
    lines = [
        f"- {r.title}: {lowered(m.title)} from **{_day(low)}** to **{_day(high)}** ({_months(low, high)})"
        for r, m, low, high in spans
    ]
    return Help(("The data reach:\n\n" + "\n".join(lines),), _offers(metadata))


def _months(low: date, high: date) -> str:
    count = (high.year - low.year) * 12 + high.month - low.month + 1
    return f"{low:%B %Y}" if count == 1 else f"{count} months, {low:%B %Y} to {high:%B %Y}"


def _day(value: date) -> str:
    return (value.date() if isinstance(value, datetime) else value).isoformat()


def _meaning(words: str, metadata: Metadata, link: Linker, asked: str = "") -> Help | None:
    """What a relation or member is, where the words name one."""
    lattice = link(words)
    named = [
        (mention.end - mention.start, one.quality, one)
        for starting in lattice.starting
        for mention in starting
        if mention.kind == "name"
        for one in mention.names[:1]
        if one.full
    ]
    if not named:
        return None
    size, _, best = max(named, key=lambda item: item[:2])
    about = _NO_PART.sub("", words).split()
    if _TOLD_ABOUT.match(asked) and (size < len(about) or any(word.isdigit() for word in about)):
        return None  # "carrier UA": of one value, and not of what it is a value of
    relation = metadata.relation(best.relation)
    near = tuple(questions_near(metadata, (best.relation,), 3))
    if best.member is None and not relation.description and _TOLD_ABOUT.match(asked):
        return None  # the rows themselves say more
    if best.member is None:
        said = _sentence(relation.description) if relation.description else f"{relation.title} is a table of the data"
        return Help((f"**{relation.title}**: {said}. It has {_members(relation, metadata)}.",), near)
    return Help((_member(metadata.member(best.member), relation, metadata),), near)


def _member(member: Member, relation: Relation, metadata: Metadata) -> str:
    kind = _KINDS.get(member.agg_type or "", "a measure") if member.kind == "measure" else _TYPES.get(member.type)
    said = [f"**{member.title}** (`{member.path}`) is {kind or 'a column'} of {lowered(relation.title)}."]
    refers = metadata.relation_referred(member.path) if member.kind == "dimension" else relation.name
    if refers != relation.name:
        said.append(f"It says which row of **{lowered(metadata.relation(refers).title)}** is meant.")
    if member.description:
        said.append(f"{_sentence(member.description)}.")
    if member.synonyms:
        said.append(f"It is also called {', '.join(member.synonyms[:_EXAMPLES])}.")
    values = metadata.values.members.get(member.path)
    if values:
        more = "" if len(values) <= _EXAMPLES and member.path in metadata.values.complete else " and others"
        said.append(f"Its values are {', '.join(str(value) for value in values[:_EXAMPLES])}{more}.")
    return " ".join([*said, *_range(member, metadata)])


def _range(member: Member, metadata: Metadata) -> list[str]:
    """From where to where the values of a column go, and how many rows have none."""
    profile = metadata.profile(member.path) if member.kind == "dimension" and member.type != "string" else None
    if profile is None or member.masked or not profile.rows:
        return []
    said, unit = [], member.currency or member.meta.get("unit")
    if member.type in ("number", "time") and profile.low is not None and profile.high is not None:
        low, high = (
            _day(v) if isinstance(v, date) else f"{v:,}".removesuffix(".0") for v in (profile.low, profile.high)
        )
        said.append(f"It goes from **{low}** to **{high}**{f' {unit}' if unit else ''}.")
    if profile.missing:
        said.append(f"{profile.missing:,} of {profile.rows:,} rows have none.")
    return said


_KINDS = {
    "sum": "a total", "avg": "an average", "count": "a count of rows", "count_distinct": "a count of different ones",
    "min": "the smallest value", "max": "the largest value", "median": "a median", "number": "a computed number",
}  # fmt: skip
_TYPES = {"time": "a date or time", "number": "a number", "string": "a text", "boolean": "a yes or no"}


def _sentence(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


_HELP: dict[str, Callable[[Metadata], Help]] = {
    "greeting": _greeting, "thanks": _thanks, "bye": _bye, "who": _who, "abilities": _abilities, "contents": _contents,
    "fresh": _fresh, "period": _period, "reset": _reset,
}  # fmt: skip
