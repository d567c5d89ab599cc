"""Asking back: one to three readings of a question, and which of them the next words take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .... import patterns as re
from ....protocol.reading import Choice
from ....records import dataclass
from ....semantic.catalog import Catalog
from ...base import Turn
from ..forms import CannotWrite, Form, NoForm, from_sql, in_words, to_sql
from ..forms.wire.sending import reading_of
from ..languages.phrases import Phrases, phrases_of
from ..words.text import stem
from .expressing import paths_of
from .hearing import Heard
from .lexicon import load_discourse
from .thread import left_open, unsorted

__all__ = [
    "Option", "also_read", "asked_back", "chart_of", "choices_of", "chosen", "kept_options", "numbered", "offered",
    "options_of", "question_back", "says_yes",
]  # fmt: skip

_MOST = 3
_WAYS = {2: "two_ways", 3: "three_ways"}
_FEW = 3  # words that choose
_PLACES = {
    "first": 0, "1st": 0, "one": 0, "1": 0, "a": 0, "former": 0, "second": 1, "2nd": 1, "two": 1, "2": 1, "b": 1,
    "third": 2, "3rd": 2, "three": 2, "3": 2, "c": 2, "last": -1, "latter": -1,
}  # fmt: skip
_PLACE = re.compile(
    rf"^\W*(?:(?:the|number|option|choice|no\.?|nr\.?|take|i mean|i meant|yes|ok)\W+)*({'|'.join(_PLACES)})"
    r"(?:\W+(?:one|option|choice|reading|please))*\W*$",
    re.IGNORECASE,
)


_ROW = re.compile(
    r"\b(?:one|row|line|of (?:them|those|these))\b", re.IGNORECASE
)  # of what was answered, and no reading
_SENTENCE = re.compile(r"^\W*(?:show|list|give|display|return|find|what|which|who|how|count)\b", re.IGNORECASE)
_TAKEN = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|ja|genau|oui|sure|exactly|right|correct|ok|okay|please|please do|go ahead|do that)"
    r"(?:\W+(?:please|that|that's|it|is|right|one|i|do|did|mean|meant|exactly))*\W*$",
    re.IGNORECASE,
)


_REFINING = frozenset(("only", "keep", "remove", "add", "split", "every", "compare", "opposite"))  # of what is there
_OTHERWISE = frozenset(("instead",))  # than the readings that were asked back with


@dataclass(frozen=True, slots=True)
class Option:
    """A reading that is offered: in words, and its form."""

    question: str
    form: Form


def options_of(forms: Sequence[Form], catalog: Catalog, least: int = 2) -> tuple[Option, ...]:
    """Up to three readings that differ in words and can be asked; none where there are not at ``least`` so many."""
    found: dict[str, Option] = {}
    for form in forms:
        try:
            to_sql(form)
        except CannotWrite:
            continue
        words = in_words(form, catalog)
        found.setdefault(words, Option(words[:1].upper() + words[1:], form))
    options = tuple(found.values())[:_MOST]
    return options if len(options) >= least else ()


def numbered(options: Sequence[Option]) -> str:
    """The readings as a list: plain text for whoever shows no buttons."""
    return "\n".join(f"{place}. {option.question}" for place, option in enumerate(options, 1))


def question_back(options: Sequence[Option], words: Phrases | None = None, lead: str = "") -> str:
    """The readings, numbered, and the question which one is meant, behind what is to be said of them first."""
    words = words or phrases_of("en")
    ways, which = ("one_way", "say_yes") if len(options) == 1 else (_WAYS[len(options)], "which")
    return f"{lead or words.say(ways)}\n\n{numbered(options)}\n\n{words.say(which)}"


def also_read(options: Sequence[Option], words: Phrases | None = None) -> str:
    """What is said beside an answer of the first reading, where others are about as near."""
    others = "; ".join(f"{place}. {option.question}" for place, option in enumerate(options[1:], 2))
    return (words or phrases_of("en")).say("also", others=others)


def choices_of(options: Sequence[Option], catalog: Catalog) -> tuple[Choice, ...]:
    """The readings on the wire."""
    return tuple(Choice(option.question, reading_of(option.form, catalog)) for option in options)


def kept_options(options: Sequence[Option]) -> list[dict[str, str]]:
    """What the thread keeps of them."""
    return [{"question": option.question, "sql": to_sql(option.form)} for option in options]


def chosen(heard: Heard, turn: Turn, catalog: Catalog, *, whole: bool = False) -> Form | None:
    """The reading that the words take of those the turn before offered.

    ``whole``: they are a question of their own, which takes none of the readings that stood beside an answer, none that
    stood alone, and as a sentence none at all.
    """
    place = left_open(turn)
    last = turn.history[place] if place is not None else None
    options = offered(last.memory, catalog) if last is not None else ()
    if not options:
        return None
    if len(options) == 1 and says_yes(turn.question):
        return options[0].form
    said_place = _PLACE.match(heard.text)
    answered = last is not None and "reading" in last.memory
    if said_place is not None and not (answered and heard.wants in ("at_first", "at_last") and _ROW.search(heard.text)):
        at = _PLACES[said_place.group(1).lower()]
        return options[at].form if at < len(options) else None
    if set(heard.acts) & (_REFINING if answered else _REFINING | _OTHERWISE):
        return None
    if len(options) == 1 and heard.is_piece:
        return None  # more of it is meant: its words need not tell it from others
    said = _stems(heard.rest)
    if (
        len(said) > _FEW
        or "back" in heard.acts
        or whole
        and (answered or len(options) == 1 or _SENTENCE.match(heard.text))
    ):
        return None  # a question of its own, or about an answer before
    words = [set(_stems(option.question)) for option in options]
    fits = [at for at, known in enumerate(words) if said and all(one in known for one in said)]
    if len(fits) != 1 or answered and fits[0] == 0:  # what was answered need not be chosen: more of it is meant
        return None
    return options[fits[0]].form


def says_yes(text: str) -> bool:
    """Whether a turn is nothing but a yes."""
    return _TAKEN.match(text) is not None


def chart_of(turn: Turn) -> str:
    """The picture that was wished for of the readings that are left to be chosen from."""
    place = left_open(turn)
    memory = turn.history[place].memory if place is not None else {}
    return "" if "reading" in memory else str(memory.get("chart") or "")


def asked_back(turn: Turn, options: Sequence[Option], catalog: Catalog) -> tuple[Form, str] | None:
    """The reading to take without asking, and why: chosen in this thread before, or by the model's owner for all."""
    chosen_before = _chosen_before(turn, options, catalog)
    if chosen_before is not None:
        return chosen_before, "chosen before in this thread"
    default = _by_default(turn.question, options, catalog)
    return (default, "the data model says it is meant") if default is not None else None


def _by_default(question: str, options: Sequence[Option], catalog: Catalog) -> Form | None:
    """The one reading with members that the model names as the default for words of the question."""
    said = f" {' '.join(_stems(question))} "
    wanted = {
        f"{relation.name}.{member.name}"
        for relation in catalog.relations.values()
        for member in relation.members.values()
        for phrase in _phrases(member.meta.get("default_for"))
        if phrase and f" {' '.join(_stems(phrase))} " in said
    }
    shared = set.intersection(*(paths_of(option.form) for option in options)) if options else set()
    fits = [option.form for option in options if (paths_of(option.form) - shared) & wanted]
    return fits[0] if len(fits) == 1 else None


def _phrases(given: Any) -> list[str]:
    return [given] if isinstance(given, str) else [str(one) for one in given or ()]


def _chosen_before(turn: Turn, options: Sequence[Option], catalog: Catalog) -> Form | None:
    for past, following in zip(turn.history, turn.history[1:], strict=False):
        before = offered(past.memory, catalog)
        clicked = "plan" not in following.memory
        taken = _form(following.memory.get("reading"), catalog) if clicked or following.memory.get("took") else None
        if taken is None or not any(option.form == taken for option in before):
            continue
        others = [option.form for option in before if option.form != taken]
        wanted = paths_of(taken) - {path for form in others for path in paths_of(form)}
        refused = {path for form in others for path in paths_of(form)} - paths_of(taken)
        fits = [o.form for o in options if paths_of(o.form) & wanted and not paths_of(o.form) & refused]
        rest = [o.form for o in options if paths_of(o.form) & refused]
        if len(fits) == 1 and len(rest) == len(options) - 1:
            return fits[0]
    return None


def offered(memory: Mapping[str, Any], catalog: Catalog) -> tuple[Option, ...]:
    """The readings that a turn was told with, those that can still be asked."""
    kept = memory.get("choices")
    found = []
    for item in kept if isinstance(kept, list) else []:
        form = _form(item.get("sql"), catalog) if isinstance(item, dict) else None
        if form is not None:
            found.append(Option(str(item.get("question", "")), unsorted(form)))
    return tuple(found)


def _form(sql: Any, catalog: Catalog) -> Form | None:
    if not isinstance(sql, str):
        return None
    try:
        form = from_sql(sql, catalog)
    except NoForm:
        return None
    return unsorted(form) if isinstance(form, Form) else None


def _stems(text: str) -> list[str]:
    empty = load_discourse().empty | {"by", "the", "a", "an", "number", "option"}
    return [stem(word) for word in re.findall(r"\w+", text.lower()) if word not in empty]
