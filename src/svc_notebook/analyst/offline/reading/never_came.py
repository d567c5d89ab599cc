"""Who registered and never came: people without a row that says that they did."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.shortened import is_short_for
from ..words.text import stem
from .called import tables_called

__all__ = ["never_came"]

_CAME = r"(?:came|come|showed up|shown up|show up|turned up|turn up|visited|attended|appeared|been(?: here)?)"
_NEVER = said_so(
    r"^(?P<who>who|[\w-]+)(?: (?:who|that|which))?(?: (?:has|have))? (?P<deed>registered|signed up|enrolled|joined) "
    rf"(?:but|and|yet) (?:(?:has|have) )?(?:then )?never (?:actually )?{_CAME}(?: in| by| back)?"
    r"(?: even)?(?: once)?(?: at all)?\W*$"
)
_REGISTERED = frozenset(map(stem, "reg registered registration signup signed enrolled joined since".split()))
_COMING = frozenset("appointment visit lesson session class attendance booking training workout".split())
_DONE = ("done", "completed", "attended", "finished", "held", "showed", "came")


def never_came(question: str, metadata: Metadata) -> str:
    """``who registered but never came``: those without a visit that took place, where one table alone says that."""
    said = _NEVER.match(question)
    if said is None:
        return question
    found = [
        (people, events) for people in _meant(said["who"], metadata)
        if len(events := [name for name in metadata.edges if _are_of(name, people, metadata)]) == 1
    ]  # fmt: skip
    if len(found) != 1:
        return question
    someone, [came] = found[0]
    who = said["who"] if said["who"].lower() != "who" else _plural(someone, metadata)
    state = _done_in(came, metadata)
    done = f" where {' '.join(metadata.parts(state[0]))} is {state[1]}" if state is not None else ""
    return f"{who} without {_plural(came, metadata)}{done}"


def _meant(who: str, metadata: Metadata) -> list[str]:
    """The tables of those who register: all that say when they did, or the ones that are named."""
    named = tables_called(who, metadata) if who.lower() != "who" else list(metadata.edges)
    return [
        name for name in named
        if any(_REGISTERED & {stem(part) for part in metadata.parts(path)} for path in metadata.times([name]))
        and metadata.label_of(name) is not None
    ]  # fmt: skip


def _are_of(relation: str, people: str, metadata: Metadata) -> bool:
    """Whether rows say that people came."""
    word = metadata.words_of(relation)[-1]
    comes = word in _COMING or any(is_short_for(word, coming) for coming in _COMING)
    return comes and relation != people and metadata.leads_to(relation, people)


def _done_in(relation: str, metadata: Metadata) -> tuple[str, str] | None:
    """The column that says of each row whether it took place, with the value that says so."""
    known = [(path, word) for word in _DONE for path, _, _ in metadata.values.whole.get((stem(word),), ())]
    return next(((path, word) for path, word in known if path.startswith(f"{relation}.")), None)


def _plural(relation: str, metadata: Metadata) -> str:
    *before, last = metadata.words_of(relation)
    whole = last if last in _COMING else next((word for word in sorted(_COMING) if is_short_for(last, word)), last)
    return " ".join([*before, f"{whole}s"])
