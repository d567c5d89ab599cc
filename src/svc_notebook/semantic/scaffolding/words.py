"""Words of names as databases abbreviate and glue them: ``sbCustName`` → customer name, ``authorid`` → author ID."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

from ... import patterns as re
from ..naming import UNITS, begun, words_of
from ..search import stem
from .headings import plain

__all__ = ["SHORT_WORDS", "Vocabulary", "identifier", "plural", "singular"]

# Read for meaning and for titles; the member's name keeps the column's own letters.
SHORT_WORDS = {
    "acct": "account", "addr": "address", "amt": "amount", "approx": "approximate", "appt": "appointment",
    "arr": "arrival", "avg": "average", "bal": "balance", "batt": "battery", "bkd": "booked", "bldg": "building",
    "bud": "budget", "canc": "cancelled", "cap": "capacity", "cat": "category", "cd": "code", "chk": "checked",
    "cnt": "count", "ctry": "country", "cust": "customer", "dept": "department", "desc": "description",
    "descr": "description", "dest": "destination", "dim": "dimension", "disc": "discount", "dist": "distance",
    "dob": "date of birth", "dt": "date", "dur": "duration", "elev": "elevation", "emp": "employee",
    "est": "estimated", "fname": "first name", "freq": "frequency", "fy": "fiscal year", "grp": "group",
    "hgt": "height", "hrs": "hours", "instr": "instructor", "inv": "invoice", "lat": "latitude", "len": "length",
    "lic": "license", "ln": "line", "lname": "last name", "lng": "longitude", "loc": "location", "lon": "longitude",
    "lvl": "level", "mbr": "member", "mech": "mechanic", "mfr": "manufacturer", "mgr": "manager", "mins": "minutes",
    "msg": "message", "mth": "month", "nbr": "number", "nm": "name", "num": "number", "org": "organization",
    "orig": "origin", "pax": "passengers", "pct": "percent", "pd": "paid", "prio": "priority", "prod": "product",
    "qtr": "quarter", "qty": "quantity", "rcvd": "received", "ref": "reference", "resv": "reservation",
    "rev": "revenue", "sched": "scheduled", "spp": "species", "stat": "status", "stn": "station", "sts": "status",
    "supp": "supplier", "svc": "service", "temp": "temperature", "tot": "total", "ts": "timestamp",
    "tx": "transaction", "txn": "transaction", "typ": "type", "usr": "user", "val": "value", "veh": "vehicle",
    "ver": "version", "vol": "volume", "whse": "warehouse", "wk": "week", "wt": "weight", "yob": "year of birth",
    "yr": "year",
}  # fmt: skip
_LAYERS = frozenset("dim fact fct stg tbl tb vw raw src".split())
_ACRONYMS = frozenset(
    "id url uri ip vat gdp usd eur gbp iban bic sku isbn zip api uuid ssn vin html json xml pdf utc iso".split()
)
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "account address age airline airport amount area average author balance begin birth bonus book brand "
        "budget building "
        "campaign capacity card category channel city class client close code color colour comment company "
        "contact content cost "
        "count country county course create created creation credit currency customer daily date day delivery "
        "department "
        "description discount distance district domain duration email employee end event expense field file film "
        "first flight "
        "full gender genre goal grade gross group height high home host hotel hour id image income industry "
        "international "
        "interest inventory invoice item job journal key keyword kind label language last latitude length level "
        "line list "
        "location long longitude low manager market maker max mean medium member message method middle min model "
        "month movie "
        "name nation net number open order organization owner page paper parent party password patient pay "
        "payment percent "
        "performance person phone photo place plan player point policy population position postal price product profit "
        "project publication quantity quarter rank rate rating ratio reason record region registration release "
        "report result "
        "revenue review salary sale sales school score season second section segment sex share shipping short "
        "size source "
        "stadium staff start state station status stock store street student supplier tag tax teacher team text "
        "ticket time "
        "title total track transaction type unit update url user value vehicle vendor version view volume "
        "website week weight "
        "width work year zip",
    )
)


def singular(word: str) -> str:
    # The words of questions are cut to the same stems, so that both meet.
    one = stem(word.lower())
    return _IRREGULAR.get(one, one)


_COUNTED, _NUMBERED = re.compile(r"^\s*#\s*(?=\w)"), re.compile(r"(?<=\w)[ _]*#\s*$")  # "# items", "receipt #"
_UNCHANGED = frozenset("staff personnel crew people equipment inventory stock feedback traffic aircraft series".split())
_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman"}


def plural(word: str) -> str:
    """``customer`` → ``customers``; a word that is plural already stays, and so does one that has no plural."""
    if word.lower() in _UNCHANGED:
        return word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        # category, but not day, whose y follows a vowel.
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh", "z")) else "s")


def identifier(name: str, otherwise: str = "n_") -> str:
    """A member or cube name: lower case, words joined by ``_``; ``otherwise`` where no letter can be kept."""
    text = "_".join(word.lower() for word in words_of(name))
    # NFKD takes the accent off its letter; ß has none to take off.
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode()
    text = re.sub(r"[^a-z0-9_]", "_", plain).strip("_")
    if not text:
        return otherwise
    # An identifier of the format begins with a letter.
    return f"n_{text}" if text[0].isdigit() else text


_FORMULA = re.compile(r"\b(co|so|pm|q) (\d+)\b")  # CO2, PM10, Q1
_DONE = {"inst": "installed", "decom": "decommissioned", "upd": "updated", "mod": "modified"}  # before a date
_DATES = frozenset({"dt", "date", "ts", "on", "at"})


def _written_out(words: list[str]) -> list[str]:
    said = [_DONE.get(word, word) if {*words[at + 1 : at + 2]} & _DATES else word for at, word in enumerate(words)]
    return [SHORT_WORDS.get(word, word) for word in said]


class Vocabulary:
    """The words of one database: its own, and those that every database uses."""

    def __init__(self, tables: Iterable[str], columns: Iterable[str]) -> None:
        tables, columns = list(tables), list(columns)
        heads = Counter(words_of(name)[0].lower() for name in (*tables, *columns) if len(words_of(name)) > 1)
        most, count = heads.most_common(1)[0] if heads else ("", 0)
        # "sbCustomer", "sbTxAmount": a prefix that (nearly) every name bears says nothing
        self._prefix = most if count > 5 and count >= 0.95 * len([*tables, *columns]) and 2 <= len(most) <= 4 else ""
        own = {word.lower() for name in (*tables, *columns) for word in words_of(name) if len(words_of(name)) > 1}
        own |= {word.lower() for name in tables for word in words_of(name)}
        own |= {singular(word) for word in own}
        # Words of two letters would take too many others apart.
        self._known = _COMMON | {word for word in own if len(word) > 2} | {"id"}

    def words(self, name: str) -> list[str]:
        """The words of a name, lower case, glued ones taken apart, a common prefix left out."""
        name = _NUMBERED.sub(" no", _COUNTED.sub("number of ", plain(name)))
        words = [part for word in words_of(name) for part in self._apart(word)]
        return words[1:] if len(words) > 1 and words[0] == self._prefix else words

    def title(self, name: str) -> str:
        """A title with abbreviations written out."""
        words = _written_out(self.words(name))
        words = [word.upper() if word in _ACRONYMS else UNITS.get(word, word) for word in words]
        text = _FORMULA.sub(lambda found: "".join(found.groups()).upper(), " ".join(words)) or name
        return begun(text)

    def thing(self, table: str) -> str:
        """What a table is about, in words: its name without schema and without ``dim_``, ``fact_`` and the like."""
        words = self.words(table.rpartition(".")[2])
        kept = words[1:] if len(words) > 1 and words[0] in _LAYERS else words
        return " ".join(SHORT_WORDS.get(word, word) for word in kept)

    def _apart(self, word: str) -> list[str]:
        lower = word.lower()
        # Short names are abbreviations rather than two words in one.
        if len(lower) < 5 or lower in self._known or singular(lower) in self._known or not lower.isalpha():
            return [lower]
        return self._split(lower) or [lower]

    def _split(self, word: str) -> list[str] | None:
        """The word as two or three known words, longest first; None if it is no such compound."""
        # The longest head first: a shorter one is often its beginning only.
        for at in range(len(word) - 2, 2, -1):
            head, tail = word[:at], word[at:]
            if head not in self._known and singular(head) not in self._known:
                continue
            if tail in self._known or singular(tail) in self._known:
                return [head, tail]
            inner = self._split(tail) if len(tail) > 5 else None
            if inner is not None and len(inner) == 2:
                return [head, *inner]
        return None
