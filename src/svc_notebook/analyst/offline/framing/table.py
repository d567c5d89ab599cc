"""What people say around a question, by language: a data file, loaded and typed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib import resources

from .... import word_tables
from ....records import dataclass
from .phrases import Kinds, Phrases
from .said import Word, lowered

__all__ = ["Frames", "load_frames"]


@dataclass(frozen=True)
class Frames:
    """``talk`` goes from the front, ``set_off`` where a mark follows; behind ``asked`` stands a question, behind
    ``sought`` a thing, behind ``commanded`` what is to be done. ``ending`` goes from the end, ``behind`` where a mark
    stands before it; ``named_too`` asks that what there may be (``existing``) is told. A clause with ``restating``
    before it says again what was asked (``again``: nothing else), one with ``purpose`` what for. ``ever`` stands
    behind what is the most of all; ``light`` are words that restrict nothing, ``weak`` where the model does not know
    them; they, ``deeds`` and ``whether`` say what is put in their place. ``noticed`` and ``was`` begin what ``why``
    asks for; ``as_part`` asks for a share of ``many``.
    """

    talk: Phrases
    set_off: Phrases
    asked: Phrases
    sought: Phrases
    commanded: Phrases
    ending: Phrases
    behind: Phrases
    named_too: Phrases
    existing: Phrases
    restating: Phrases
    again: Phrases
    purpose: Phrases
    light: Phrases
    weak: Phrases
    ever: Phrases
    noticed: Phrases
    was: Phrases
    why: Phrases
    as_part: Phrases
    many: Phrases
    deeds: Phrases
    whether: Phrases
    of_all: Phrases
    which: Phrases
    share: Phrases
    words: Mapping[str, frozenset[str]]

    @cached_property
    def fronts(self) -> tuple[tuple[str, Phrases], ...]:
        """What may stand at the front; of equally long ones the first is taken."""
        return (
            ("asked", self.asked), ("sought", self.sought), ("commanded", self.commanded), ("talk", self.talk),
            ("set_off", self.set_off),
        )  # fmt: skip

    def asks(self, words: Sequence[Word]) -> bool:
        """Whether words begin as a question that may stand in another: *how many*, *in which month*, *whether*."""
        ahead = lowered(words[:3])
        while ahead and ahead[0] in self.words["before"]:
            ahead = ahead[1:]
        return bool(ahead) and ahead[0] in self.words["words"] | self.words["whether"]


@cache
def load_frames(language: str = "en") -> Frames:
    """The frames in the folder ``language``."""
    table = word_tables.loads((resources.files(__package__) / language / "frames.toml").read_text("utf8"))
    kinds = Kinds(table["kind"])
    phrases = {name: Phrases(_meant(group), kinds) for name, group in table.items() if name not in _OTHER}
    words = {name: frozenset(listed) for name, listed in table["question"].items()}
    return Frames(**phrases, words=words)


_OTHER = ("kind", "question")


def _meant(group: Mapping[str, str | list[str]]) -> dict[str, str]:
    """What each phrase stands for: nothing, where they are only listed."""
    listed = group.get("phrases")
    return dict.fromkeys(listed, "") if isinstance(listed, list) else {one: str(said) for one, said in group.items()}
