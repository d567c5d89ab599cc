"""``only arrival, nights and total price`` of a list: these columns of it, of the same rows."""

from __future__ import annotations

from .... import patterns as re
from ..dialogue import Followed, earlier, passed_over
from ..dialogue.expressing import relations_of
from ..forms import Clause, Form, Member
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.text import singular
from .asked import AskedTurn
from .forming import as_edit, is_sayable

__all__ = ["columns_alone"]

_SAID = re.compile(
    r"^\W*(?:(?:and|ok|okay|now|please)\W+)*(?:(?:show|give|list|tell|keep)(?: me| us)? )?(?:only|just)"
    r"(?: (?:show|give|list|keep)(?: me| us)?)? (?:the )?(?P<what>\S.*?)(?:,? (?:please|columns?|instead))*\W*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*")
_ARTICLE = re.compile(r"^(?:the|their|its|his|her) ", re.IGNORECASE)
_WHEN = (["date"], ["day"], ["time"], ["when"])
_FEWEST = 2


def columns_alone(asked: AskedTurn) -> Understood | None:
    """The list that was shown with nothing but the columns that are named; None where other words are said."""
    said = _SAID.match(asked.question) if asked.turn.history and not passed_over(asked.turn) else None
    forms = earlier(asked.turn, asked.metadata.catalog) if said is not None else []
    if said is None or not forms or not forms[0].form.columns:
        return None
    names = [_ARTICLE.sub("", one.strip().lower()) for one in _BETWEEN.split(said["what"])]
    found = [_column(name, forms[0].form, asked.metadata) for name in names]
    paths = [path for path in found if path]
    if len(paths) < max(_FEWEST, len(names)):
        return None
    form = forms[0].form.with_(columns=tuple(Clause(Member(path)) for path in dict.fromkeys(paths)))
    if not is_sayable(form, asked.metadata):
        return None
    return as_edit(Followed(form, forms[0], "table", sure=forms[0].sure), asked.reading, asked.metadata)


def _column(words: str, form: Form, metadata: Metadata) -> str:
    """The column of the rows that is called just so."""
    said = [singular(word) for word in words.split()]
    own = [m.path for one in (relations_of(form) or ())[:1] for m in metadata.relation(one).members.values()]
    plain = [path for path in own if path in metadata.members and metadata.members[path].kind == "dimension"]
    exact = [path for path in plain if said in _names(path, metadata)]
    part = [path for path in plain if any(set(said) <= set(name) for name in _names(path, metadata))]
    times = [path for path in plain if metadata.is_time(path)] if said in _WHEN else []
    return next((found[0] for found in (exact, part, times) if len(found) == 1), "")


def _names(path: str, metadata: Metadata) -> list[list[str]]:
    titles = (" ".join(metadata.parts(path)), metadata.members[path].title.lower())
    return [[singular(word) for word in title.split()] for title in titles]
