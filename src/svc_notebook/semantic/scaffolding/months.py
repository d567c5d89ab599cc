"""Dates whose month is a word, as in ``12. März 2024``; those with English words the engine reads itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["EXAMPLES", "month_tests", "named_date"]

_MONTHS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    # DuckDB's strptime reads English names alone.
    "German": (
        ("januar", "jänner", "jan"), ("februar", "feber", "feb"), ("märz", "maerz", "mär", "mrz"), ("april", "apr"),
        ("mai",), ("juni", "jun"), ("juli", "jul"), ("august", "aug"), ("september", "sept", "sep"),
        ("oktober", "okt"), ("november", "nov"), ("dezember", "dez"),
    ),
    "French": (
        ("janvier", "janv"), ("février", "fevrier", "févr"), ("mars",), ("avril", "avr"), ("mai",), ("juin",),
        ("juillet", "juil"), ("août", "aout"), ("septembre", "sept"), ("octobre", "oct"), ("novembre", "nov"),
        ("décembre", "decembre", "déc"),
    ),
    "Spanish": (
        ("enero", "ene"), ("febrero", "feb"), ("marzo", "mar"), ("abril", "abr"), ("mayo", "may"), ("junio", "jun"),
        ("julio", "jul"), ("agosto", "ago"), ("septiembre", "setiembre", "sept", "sep"), ("octubre", "oct"),
        ("noviembre", "nov"), ("diciembre", "dic"),
    ),
}  # fmt: skip
EXAMPLES = {"German": "31. Dezember 2024", "French": "31 décembre 2024", "Spanish": "31 de diciembre de 2024"}
_WORD = "lower(regexp_extract({x}, '([^ .0-9]+)[.]?( de)? +[0-9]+ *$', 1))"


def month_tests(text: str) -> list[str]:
    """For each language, an aggregate over a text expression: how many values are dates with its months."""
    found = []
    for names in _MONTHS.values():
        words = "|".join(word for month in names for word in month)
        # "1er janvier 2024", "31 de diciembre de 2024", "31. Dez. 2024".
        pattern = f" *[0-9][0-9]?[.]?(er)? *(de )?({words})[.]?( de)? +[12][0-9][0-9][0-9] *"
        found.append(f"count(*) FILTER (WHERE regexp_full_match(lower({text}), '{pattern}'))")
    return found


def named_date(filled: int, counts: Sequence[int]) -> tuple[str, str] | None:
    """The language that reads every value (the first, if two do), and SQL for the date of ``{x}``."""
    language = next((name for name, count in zip(_MONTHS, counts, strict=True) if count == filled), None)
    if language is None:
        return None
    cases = " ".join(
        f"WHEN {_WORD} IN ({', '.join(repr(word) for word in names)}) THEN {number}"
        for number, names in enumerate(_MONTHS[language], 1)
    )
    day, year = "regexp_extract({x}, '[0-9]+')", "regexp_extract({x}, '[0-9]+ *$')"
    return language, f"TRY_STRPTIME(concat_ws('-', trim({year}), CASE {cases} END, {day}), '%Y-%m-%d')"
