"""What was answered before, by world or by the file that asks: what a change changes is seen, asked for or not.

A test holds what its question must give; this holds all that is said besides, and the SQL. An answer is stored as
question, SQL, chart and text in ``stored/``, and compared whenever some test asks the question again. An answer that
has changed is looked at, and written anew where it is better: ``SVC_GOLDEN=write pytest FILE``. Questions that are not
stored are written then, too; nothing else is asked for them.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

__all__ = ["hold", "hold_all", "hold_verdicts", "is_written"]

FOLDER = Path(__file__).parent / "stored"
_BEGIN = "? "


def hold(world: str, questions: Sequence[str], answer: str) -> None:
    """The last answer of a conversation is the one that is stored, if one is."""
    hold_all(world, {" | ".join(" ".join(question.split()) for question in questions): answer})


def hold_all(world: str, answers: Mapping[str, str]) -> None:
    """The answers, each by what was asked, are those that are stored."""
    if is_written():
        _write(world, answers)
        return
    stored = _stored(world)
    changed = [asked for asked, answer in answers.items() if stored.get(asked, answer) != answer]
    assert not changed, "\n".join(
        (*(f"“{asked}” is answered otherwise than it was" for asked in changed), f"{world}; SVC_GOLDEN=write takes it")
    )


def is_written() -> bool:
    """Whether this run writes anew what is stored."""
    return os.environ.get("SVC_GOLDEN") == "write"


def hold_verdicts(name: str, found: Mapping[str, str], *, whole: bool = True) -> None:
    """What came out right stays so, and nothing more is wrong without a word; ``whole``: all that is stored is asked."""
    path = FOLDER / f"{name}.txt"
    if is_written():
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{found[asked]:10s} {asked}\n" for asked in sorted(found)), "utf-8")
    lines = (line.partition(" ") for line in path.read_text("utf-8").splitlines())
    stored = {asked.strip(): verdict for verdict, _, asked in lines if whole or asked.strip() in found}
    worse = {
        asked: (was, found.get(asked)) for asked, was in stored.items() if was == "right" and found.get(asked) != was
    }
    assert worse == {}
    assert {asked for asked, verdict in found.items() if verdict == "silent" != stored.get(asked)} == set()


@cache
def _stored(world: str) -> dict[str, str]:
    path = FOLDER / f"{world}.txt"
    return _read(path.read_text("utf-8")) if path.exists() else {}


def _read(text: str) -> dict[str, str]:
    cases = (case.partition("\n") for case in text.removeprefix(_BEGIN).split(f"\n{_BEGIN}"))
    return {asked: answer.rstrip("\n") for asked, _, answer in cases if asked}


def _write(world: str, answers: Mapping[str, str]) -> None:
    """With what others wrote in the meantime: files of tests run beside each other."""
    path = FOLDER / f"{world}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        known = {**_read(file.read()), **answers}
        file.truncate(0)
        file.write("".join(f"{_BEGIN}{one}\n{known[one]}\n" for one in sorted(known)))
