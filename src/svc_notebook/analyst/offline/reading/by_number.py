"""Numbers spoken of by a quality or a deed: *how high is the fee*, *stronger than magnitude 6*, *km they rode*.

The number is named beside it, so the other word says nothing of its own.
"""

from __future__ import annotations

from functools import partial

from .... import patterns as re
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.families import PAST, is_same_deed, root
from ..words.numbers import exact_unit
from ..words.shares_said import SHARE
from ..words.text import singular, stem
from ..words.undone import is_undone

__all__ = ["by_number"]

_FOLD = r"average|mean|median|typical|usual|total"
_COUNTED = rf"number|{SHARE}|rate|sum|total|amount"
_HOW_HIGH = said_so(
    r"^how (?:high|low|large|big|great|small|steep) (?P<be>is|are|was|were|do|does|did) "
    r"(?:the |our |its |their |his |her |an? )?(?P<what>.+?)(?P<end>\W*)$"
)
_FRONT = said_so(r"^(?:for|in|on|at|per|during|since|from|over|among|of) [^,?]+, (?=(?:how|what|which|who)\b)")
_HIGH_IT_IS = said_so(
    r"^(?P<how>how (?:high|low|large|big|great|small|steep)) (?P<what>(?:the|our|its|their|his|her) [^,?]+?) "
    r"(?P<be>is|are|was|were)\b(?P<rest>.*)$"
)
_HAD_BEEN = said_so(r"^(how \w+) ha[ds] (?P<what>.+?) been\b(?! \w+ed\b)")
_COMES_OUT = said_so(r" (?:come out|come|get|turn out|go)\b(?: at| to)?")
_ON_AVERAGE = said_so(r",? on average\b")
_LEADING = said_so(rf"^(?:(?P<fold>{_FOLD}) )?(?P<name>[\w-]+(?: [\w-]+){{0,4}})")
_A_COUNT = said_so(rf"^(?:{_COUNTED}) of\b|^(?:{_FOLD}) (?:number|share|amount)\b")
_BY = r"(?:going by|in terms of|judging by|judged by|measured by|measured in|as measured by|when it comes to)"
_GOING_BY = said_so(
    rf"^how (?P<quality>[a-z]+) (?P<rows>[^,?]+?),? {_BY} (?:their |its |the |our |his |her )?"
    rf"(?P<name>(?:(?:{_FOLD}) )?[\w -]+?)(?P<end>\W*)$"
)
_BE = said_so(r"\b(?:is|are|was|were)\b")
_NUMBER = r"[$€£]?\d+(?:[.,]\d+)*"
_THAN = said_so(
    r"(?P<was>(?:(?:that|which|who) )?(?:is|are|was|were) )?(?P<more>more [a-z]+|less [a-z]+|[a-z]+er) than "
    rf"(?:an? |the )?(?P<name>[a-z]+(?: (?!of\b)[a-z]+)?) (?:of )?(?P<number>{_NUMBER})\b"
)
_HIGH = frozenset(
    "higher larger bigger greater longer heavier stronger deeper dearer costlier pricier steeper taller warmer hotter "
    "thicker wider farther further".split()
)
_LOW = frozenset("lower smaller shorter lighter weaker shallower cheaper colder cooler thinner narrower nearer".split())
_MORE_OF_IT = frozenset({"expensive", "costly", "pricey", "powerful", "intense"})
_PAYING = frozenset("pay owe spend earn charge save borrow lend sell buy".split())  # which sum it is
_PERCENT = ("percent", "pct", "percentage")
_HOW_MUCH = said_so(
    r"^how much (?P<name>[a-z]+(?: [a-z]+)?) (?:do|does|did) (?P<who>[a-z ]+?) (?P<deed>[a-z]+)(?P<behind>[^,?]*?),? "
    r"on average\b(?P<rest>.*)$"
)
_MOST_EVER = said_so(
    r"\bthe (?P<most>most|least|highest|lowest)(?: amount| sum| price)? (?:that )?(?:anybody|anyone|somebody|someone"
    r"|people|we|they|one)(?:['’]ve|['’]s| has| have)?(?: ever)? (?P<deed>[a-z]+)(?: us)?"
    r"(?=\W*$| in | for | on | this | last | since )"
)
_THEY_DID = said_so(
    r"\b(?P<name>[a-z]+) (?:they|he|she|it|everybody|everyone)(?:['’]ve)? (?:have |has |had )?(?P<deed>[a-z]+)"
    r"(?= on average| in total|,| and | per | in | this | last | since |\W*$)"
)
_DID_MOST = said_so(
    r"^(?P<who>(?:which|what) [\w -]+?|who) (?:have |has |had )?(?P<deed>[a-z]+)(?: us| in| up)?"
    r" the (?P<most>most|least|highest|lowest|largest|smallest) (?P<name>[a-z]+(?: [a-z]+)?)"
)


def by_number(question: str, metadata: Metadata) -> str:
    """A question with the name of a number alone, where a quality or a deed is said beside it."""
    front = _FRONT.match(question)
    start = front.end() if front is not None else 0
    return f"{question[:start]}{_by_number(question[start:], metadata)}"


def _by_number(question: str, metadata: Metadata) -> str:
    question = _HAD_BEEN.sub(r"\1 was \g<what>", _HIGH_IT_IS.sub(r"\g<how> \g<be> \g<what>\g<rest>", question))
    question = _how_high(question, metadata)
    question = _going_by(question, metadata)
    question = _MOST_EVER.sub(partial(_most_of, metadata), _on_average(question, metadata))
    question = _THAN.sub(partial(_bound, metadata), question)
    question = _THEY_DID.sub(partial(_without_deed, metadata), question)
    most = _DID_MOST.match(question)
    if most is None or not _is_empty(most["deed"], metadata) or not _begins(most["name"], metadata):
        return question
    return f"{most['who']} has the {most['most']} {question[most.start('name') :]}"


def _how_high(question: str, metadata: Metadata) -> str:
    """``how high is the fee on average`` → ``what is the average fee``."""
    said = _HOW_HIGH.match(question)
    if said is None:
        return question
    what, be = said["what"], said["be"].lower()
    if be.startswith("d"):  # "how high do the fees come out"
        come = _COMES_OUT.search(what)
        if come is None:
            return question
        what, be = f"{what[: come.start()]}{what[come.end() :]}", "is"
    if _A_COUNT.match(what):
        return f"what {be} the {what}{said['end']}"
    leading = _LEADING.match(what)
    if leading is None or not _begins(leading["name"], metadata):
        return question
    if not leading["fold"] and _ON_AVERAGE.search(what):
        what = f"average {_ON_AVERAGE.sub('', what)}"
    return f"what {be} the {what}{said['end']}"


def _on_average(question: str, metadata: Metadata) -> str:
    """``how much discount do we give on average`` → ``what is the average discount``."""
    said = _HOW_MUCH.match(question)
    if said is None or not _is_whole(said["name"], metadata) or not _is_empty(said["deed"], metadata):
        return question
    who = "" if said["who"].lower() in ("we", "they", "you", "people", "customers") else f" of {said['who']}"
    rest = re.sub(r"^\s+on\b", " of", said["rest"], flags=re.IGNORECASE)
    return f"what is the average {said['name']}{who}{said['behind']}{rest}"


def _most_of(metadata: Metadata, said: re.Match[str]) -> str:
    """``the most anybody has ever offered`` → ``the highest offer``, where rows, or a number of them, are called so."""
    numbers = {name for name in metadata.number_names.called if any(is_same_deed(part, said["deed"]) for part in name)}
    rows = [
        word
        for name in metadata.edges
        for word in metadata.words_of(name)[-1:]
        if is_same_deed(word, said["deed"].lower())
    ]
    way = "highest" if said["most"].lower() in ("most", "highest") else "lowest"
    if len(numbers) == 1:
        return f"the {way} {' '.join(next(iter(numbers)))}"
    return f"the {way} {singular(rows[0])}" if len(rows) == 1 and not numbers else said[0]


def _going_by(question: str, metadata: Metadata) -> str:
    """``how strong were the tremors in May, going by their average magnitude`` → ``average magnitude of …``."""
    said = _GOING_BY.match(question)
    named = _LEADING.match(said["name"]) if said is not None else None
    if said is None or named is None or not _is_whole(named["name"], metadata) or not _BE.search(said["rows"]):
        return question
    if not _is_empty(said["quality"], metadata):
        return question
    rows = " ".join(_BE.sub(" ", said["rows"], count=1).split())
    fold = "average " if not named["fold"] and _ON_AVERAGE.search(rows) else ""
    return f"what is the {fold}{said['name']} of {_ON_AVERAGE.sub('', rows)}{said['end']}"


def _bound(metadata: Metadata, said: re.Match[str]) -> str:
    """``that were stronger than magnitude 6`` → ``with a magnitude above 6``."""
    more, _, quality = said["more"].lower().partition(" ")
    below = more in _LOW or more == "less"
    known = quality in _MORE_OF_IT if quality else below or more in _HIGH
    if not known or not _is_whole(said["name"], metadata):
        return said[0]
    way = "below" if below else "above"
    was = (said["was"] or "").lower().split()
    having = "with" if len(was) != 1 else "have" if was[0] in ("is", "are") else "had"
    return f"{having} a {said['name']} {way} {said['number']}"


def _without_deed(metadata: Metadata, said: re.Match[str]) -> str:
    """``how many km they rode`` → ``how many km``."""
    measured = exact_unit(said["name"].lower()) is not None or _is_whole(said["name"], metadata)
    return said["name"] if measured and _is_empty(said["deed"], metadata) else said[0]


def _is_empty(deed: str, metadata: Metadata) -> bool:
    """Whether a word is one that the model does not know, and denies nothing."""
    if PAST.get(root(deed.lower()), root(deed.lower())) in _PAYING:
        return False
    return (
        stem(deed.lower()) not in metadata.vocabulary and PAST.get(deed.lower(), deed) not in metadata.vocabulary
        and not is_undone(deed.lower())
    )  # fmt: skip


def _is_whole(name: str, metadata: Metadata) -> bool:
    """Whether words are all of what a number of rows is called, or all but that it is in percent."""
    said, called = tuple(map(stem, name.lower().split())), metadata.number_names.called
    return said in called or any((*said, stem(part)) in called for part in _PERCENT)


def _begins(words: str, metadata: Metadata) -> bool:
    """Whether words begin with what a number of rows is called."""
    said = words.split()
    return any(_is_whole(" ".join(said[:size]), metadata) for size in range(1, len(said) + 1))
