"""PostgreSQL's templates for times (``YYYY-MM-DD HH24:MI``) as the engine's formats; what is not known is refused."""

from __future__ import annotations

from collections.abc import Iterator

from .... import patterns as re
from ...errors import InvalidQuery
from .times import quarter_as_text

__all__ = ["format_of", "pieces_of"]

_PLAIN = {
    "YYYY": "%Y", "YY": "%y", "MM": "%m", "DDD": "%j", "DD": "%d", "HH24": "%H", "HH12": "%I", "HH": "%I", "MI": "%M",
    "SS": "%S", "MS": "%g", "US": "%f", "IYYY": "%G", "IW": "%V", "ID": "%u", "AM": "%p", "PM": "%p",
}  # fmt: skip
_SHORT = {"YYYY": "%Y", "MM": "%-m", "DDD": "%-j", "DD": "%-d", "HH24": "%-H", "HH12": "%-I", "HH": "%-I", "MI": "%-M",
          "SS": "%-S"}  # fmt: skip
_NAMES = {"MONTH": "%B", "MON": "%b", "DAY": "%A", "DY": "%a"}
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|(?P<other>[^A-Za-z"])|(?P<short>FM)?'
    # Longer codes stand before those that they begin with.
    r"(?P<code>HH24|HH12|IYYY|YYYY|MONTH|DDD|MON|DAY|DY|YY|MM|DD|HH|MI|SS|MS|US|IW|ID|AM|PM|Q)",
    re.IGNORECASE,
)  # fmt: skip


def pieces_of(template: str) -> Iterator[str]:
    """The pieces of a template, each as SQL over ``{0}``, the time.

    Raises
    ------
    InvalidQuery
        If the template holds a pattern that is not known here.
    """
    run = ""
    for token in _tokens(template):
        code = (token["code"] or "").upper()
        if code == "Q" or code in _NAMES:
            if run:
                yield _strftime(run)
            run = ""
            # strftime knows no quarter, and names only as Monday, not as MONDAY.
            yield quarter_as_text("{0}") if code == "Q" else _name(token)
        else:
            run += _piece(token, code)
    if run:
        yield _strftime(run)


def format_of(template: str) -> str:
    """A template for reading texts as one format of the engine."""
    text = ""
    for token in _tokens(template):
        code = (token["code"] or "").upper()
        if code == "Q" or code in ("DAY", "DY", "ID"):
            raise InvalidQuery(f"A time cannot be read by the pattern '{token[0]}'; leave it out.")
        text += _NAMES.get(code) or _piece(token, code)
    return text


def _tokens(template: str) -> Iterator[re.Match[str]]:
    at = 0
    while at < len(template):
        token = _TOKEN.match(template, at)
        if token is None:
            raise InvalidQuery(
                f"The time pattern '{template[at : at + 9]}' is not read here; known are YYYY YY Q MM Mon Month DD DDD "
                'Day Dy HH24 HH12 MI SS MS US AM IYYY IW ID, FM before one, and text in "…".'
            )
        yield token
        at = token.end()


def _piece(token: re.Match[str], code: str) -> str:
    if not code:
        return (token["quoted"] if token["quoted"] is not None else token["other"]).replace("%", "%%")
    return (_SHORT.get(code) if token["short"] else None) or _PLAIN[code]


def _name(token: re.Match[str]) -> str:
    """The name of a month or day in the case the pattern is written in, padded to nine places where it is whole."""
    written = token["code"]
    text = f"strftime({{0}}, '{_NAMES[written.upper()]}')"
    if written.isupper() or written.islower():
        text = f"{'upper' if written.isupper() else 'lower'}({text})"
    whole = written.upper() in ("MONTH", "DAY") and not token["short"]
    # Nine letters, as long as September and Wednesday: PostgreSQL pads so.
    return f"rpad({text}, 9, ' ')" if whole else text


def _strftime(form: str) -> str:
    # The braces are doubled: this is a form itself.
    return "strftime({0}, '" + form.replace("'", "''").replace("{", "{{").replace("}", "}}") + "')"
