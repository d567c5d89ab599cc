"""Functions of texts, numbers and lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from sqlglot import exp

from .... import patterns as re
from ..walk.kinds import BOOL, FLOAT8, INT4, INT8, NULL, TEXT, Kind, Value
from ..walk.operators import constant_of
from ..walk.parts import refuse_others
from ..walk.refusal import Unsaid, name_of, not_declared
from ..walk.writer import Rule, Writer
from .conversions import as_text, failing, float_of, rounded, truncated
from .names import literal, type_name

__all__ = ["CALLS", "FUNCTIONS"]


class Said(Struct, frozen=True):
    """``form`` over the arguments (``{0}``), which are of the kinds ``takes``; the result is of ``kind``.

    ``fails``: where DuckDB has an error and Spark NULL or no number.
    """

    form: str
    kind: Kind
    takes: tuple[str, ...]
    args: tuple[str, ...] = ("this", "expression")
    fails: str = ""


_T, _TT, _F, _FF = ("text",), ("text", "text"), ("float",), ("float", "float")

_FORMS: Mapping[type[exp.Expr], Said] = {
    exp.StrPosition: Said("CAST(instr({0}, {1}) AS BIGINT)", INT8, _TT, ("this", "substr")),
    exp.StartsWith: Said("startswith({0}, {1})", BOOL, _TT),
    exp.EndsWith: Said("endswith({0}, {1})", BOOL, _TT),
    exp.Contains: Said("contains({0}, {1})", BOOL, _TT),
    exp.Ascii: Said("ascii({0})", INT4, _T),
    # Spark's md5 is of bytes.
    exp.MD5: Said("md5(CAST({0} AS BINARY))", TEXT, _T),
    exp.Translate: Said("translate({0}, {1}, {2})", TEXT, ("text",) * 3, ("this", "from_", "to")),
    exp.Replace: Said("replace({0}, {1}, {2})", TEXT, ("text",) * 3, ("this", "expression", "replacement")),
    exp.Lower: Said("lower({0})", TEXT, _T),
    exp.Upper: Said("upper({0})", TEXT, _T),
    exp.Sqrt: Said("sqrt({0})", FLOAT8, _F, fails="{0} < 0"),
    exp.Cbrt: Said("cbrt({0})", FLOAT8, _F),
    exp.Exp: Said("exp({0})", FLOAT8, _F),
    exp.Ln: Said("ln({0})", FLOAT8, _F, fails="{0} <= 0"),
    exp.Degrees: Said("degrees({0})", FLOAT8, _F),
    exp.Radians: Said("radians({0})", FLOAT8, _F),
    exp.Sin: Said("sin({0})", FLOAT8, _F),
    exp.Cos: Said("cos({0})", FLOAT8, _F),
    exp.Tan: Said("tan({0})", FLOAT8, _F),
    exp.Atan: Said("atan({0})", FLOAT8, _F),
    exp.Asin: Said("asin({0})", FLOAT8, _F, fails="abs({0}) > 1"),
    exp.Acos: Said("acos({0})", FLOAT8, _F, fails="abs({0}) > 1"),
    exp.Atan2: Said("atan2({0}, {1})", FLOAT8, _FF),
    exp.Pow: Said("power({0}, {1})", FLOAT8, _FF),
    exp.IsNan: Said("({0} = CAST('NaN' AS DOUBLE))", BOOL, _F),
    exp.Pi: Said("pi()", FLOAT8, ()),
}  # fmt: skip


def _said(w: Writer, node: exp.Func) -> Value:
    said = _FORMS[type(node)]
    values = [w.value(node.args[name]) for name in said.args[: len(said.takes)]]
    refuse_others(node, said.args[: len(said.takes)])
    if any(value.kind == NULL for value in values):
        return Value(w.null(said.kind), said.kind)
    texts = [_taken(node, value, wanted) for value, wanted in zip(values, said.takes, strict=True)]
    text = said.form.format(*texts)
    if said.fails:
        error = failing(said.fails.format(*texts), "out of range", said.kind)
        # The error is NULL where nothing fails, so that the value is looked at next.
        text = f"COALESCE({error}, {text})"
    return Value(text, said.kind)


def _taken(node: exp.Expr, value: Value, wanted: str) -> str:
    if wanted == "float" and value.kind.is_number:
        return float_of(value)
    if wanted == "text" and value.kind == TEXT:
        return value.sql
    raise Unsaid(f"{name_of(node)}() of a {value.kind.duckdb}")


def _small(n: str) -> str:
    """A number of letters; no text has as many as the most of these."""
    most = 1_000_000_000
    return f"CAST(CASE WHEN {n} > {most} THEN {most} WHEN {n} < -{most} THEN -{most} ELSE {n} END AS INT)"


def _end(w: Writer, node: exp.Expr) -> Value:
    """``left`` and ``right``; of a negative number, all but so many letters of the other end."""
    text, count = w.value(node.this), w.value(node.expression)
    if not count.kind.is_whole:
        raise Unsaid(f"{name_of(node)}() by a {count.kind.duckdb}")
    x, n = _taken(node, text, "text"), _small(count.sql)
    if isinstance(node, exp.Left):
        return Value(f"substring({x}, 1, CASE WHEN {n} < 0 THEN greatest(length({x}) + {n}, 0) ELSE {n} END)", TEXT)
    start = f"CASE WHEN {n} < 0 THEN 1 - {n} ELSE greatest(length({x}) - {n}, 0) + 1 END"
    return Value(f"substring({x}, {start})", TEXT)


def _split_part(w: Writer, node: exp.SplitPart) -> Value:
    text, between = w.value(node.this), w.value(node.args["delimiter"])
    place = constant_of(w.value(node.args["part_index"]))
    if not isinstance(place, int) or not constant_of(between):
        raise Unsaid("split_part() at a place, or between texts, that are no constants")
    x = _taken(node, text, "text")
    if place == 0:
        return Value(f"(CASE WHEN {x} IS NOT NULL THEN '' END)", TEXT)
    return Value(f"split_part({x}, {between.sql}, {place})", TEXT)


def _substring(w: Writer, node: exp.Substring) -> Value:
    text = w.value(node.this)
    numbers = [w.value(node.args[name]).constant for name in ("start", "length") if node.args.get(name) is not None]
    places = [place for place in numbers if isinstance(place, int) and 0 <= place < 2**31]
    if len(places) < len(numbers):
        raise Unsaid("substring() at places that are no constants, or count from the end", "write right(x, n)")
    if places[0] == 0:  # the place before the first letter, which Spark takes for the first
        places = [1, *(max(0, length - 1) for length in places[1:])]
    return Value(f"substring({_taken(node, text, 'text')}, {', '.join(map(str, places))})", TEXT)


def _trim(w: Writer, node: exp.Trim) -> Value:
    side = str(node.args.get("position") or "").upper()
    side = side if side in ("LEADING", "TRAILING") else "BOTH"
    # DuckDB's trim takes off blanks alone.
    letters = "' '"
    if node.args.get("expression") is not None:
        letters = _taken(node, w.value(node.args["expression"]), "text")
    return Value(f"trim({side} {letters} FROM {_taken(node, w.value(node.this), 'text')})", TEXT)


def _pad(w: Writer, node: exp.Pad) -> Value:
    name = "lpad" if node.args.get("is_left") else "rpad"
    size = w.value(node.expression).constant
    fill = node.args.get("fill_pattern")
    if not isinstance(size, int):
        raise Unsaid(f"{name}() to a length that is no constant")
    text = _taken(node, w.value(node.this), "text")
    return Value(f"{name}({text}, {size}{', ' + w.value(fill).sql if fill is not None else ''})", TEXT)


def _concat(w: Writer, node: exp.Concat) -> Value:
    texts = [as_text(w, value).sql for value in w.all(node.expressions) if value.kind != NULL]
    # Spark's concat is NULL if one text is; DuckDB's passes over it.
    return Value(f"concat({', '.join(f'''COALESCE({text}, '')''' for text in texts)})" if texts else "''", TEXT)


def _concat_ws(w: Writer, node: exp.ConcatWs) -> Value:
    values = w.all(node.expressions)
    if any(value.kind == NULL for value in values):
        raise Unsaid("concat_ws() of NULL")
    return Value(f"concat_ws({', '.join(as_text(w, value).sql for value in values)})", TEXT)


# --- patterns ------------------------------------------------------------------------------------------------------

# No & in a class: && is an intersection in Java.
_CLASS = r"\[\^?(?:[^\\\[\]&]|\\[.^$|()\[\]{}*+?\\\-])+\]"
_PART = re.compile(r"(?P<plain>[^\\\[\](){}|*+?^$.])|(?P<escape>\\[.^$|()\[\]{}*+?\\dwDW/\-])"
                   r"|(?P<klass>" + _CLASS + r")|(?P<group>\((?!\?)|\(\?:|\)|\|)"
                   r"|(?P<count>(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})(?!\+))"
                   r"|(?P<start>\^)|(?P<end>\$)|(?P<dot>\.)")  # fmt: skip


def _in_java(pattern: str, *, dots: bool) -> str:
    """A pattern that both engines read alike, in Java's words."""
    out, at = "", 0
    while at < len(pattern):
        found = _PART.match(pattern, at)
        if found is None:
            raise Unsaid("this regular expression, which the engine would read otherwise", "write LIKE or contains(…)")
        name, text = found.lastgroup, found[0]
        # RE2's ^ and $ are the ends of the text, and its dot is all but \n; Java's dot leaves out other line ends as
        # well.
        out += {"start": r"\A", "end": r"\z", "dot": "." if dots else r"[^\n]"}.get(name or "", text)
        at = found.end()
    return out


def _matches(w: Writer, node: exp.Expr, *, whole: bool = False) -> Value:
    """Whether a pattern is found; only patterns that both engines read alike."""
    text, pattern = w.value(node.this), constant_of(w.value(node.expression))
    fold = dots = False
    flag = node.args.get("flag") or node.args.get("options")
    if flag is not None:
        flags = str(constant_of(w.value(flag)))
        if set(flags) - {"i", "s"}:
            raise Unsaid(f"a pattern with the options '{flags[:9]}'")
        fold, dots = "i" in flags, "s" in flags
    if not isinstance(pattern, str):
        raise Unsaid("a regular expression that is no constant")
    if not pattern.isascii() and fold:
        raise Unsaid("a regular expression with letters beyond ASCII, without regard to their case")
    said = _in_java(pattern, dots=dots)
    flags = ("i" if fold else "") + ("s" if dots else "")
    form = (f"(?{flags})" if flags else "") + (rf"\A(?:{said})\z" if whole else said)
    return Value(f"({_taken(node, text, 'text')} RLIKE {literal(form)})", BOOL)


# --- numbers -------------------------------------------------------------------------------------------------------


def _same_kind(w: Writer, node: exp.Expr) -> Value:
    """``abs``, ``floor``, ``ceil``; the latter two of a whole number are a DOUBLE."""
    value = w.value(node.this)
    if value.kind == NULL:
        return Value(w.null(FLOAT8), FLOAT8)
    if not value.kind.is_number:
        raise Unsaid(f"{name_of(node)}() of a {value.kind.duckdb}")
    if isinstance(node, exp.Abs):
        return Value(f"abs({value.sql})", value.kind)
    if value.kind.is_whole:
        return Value(float_of(value), FLOAT8)
    down, x = isinstance(node, exp.Floor), value.sql
    if value.kind == FLOAT8:  # Spark's are whole numbers, which end at 9.2e18
        beyond = f"rint({x}) {'>' if down else '<'} {x}"
        return Value(f"(CASE WHEN {beyond} THEN rint({x}) {'-' if down else '+'} 1 ELSE rint({x}) END)", FLOAT8)
    return Value(f"{'floor' if down else 'ceil'}({x})", Kind("numeric", 0))


def _sign(w: Writer, node: exp.Sign) -> Value:
    return Value(f"CAST(sign({float_of(w.value(node.this))}) AS INT)", INT4)


def _places(w: Writer, node: exp.Expr) -> int:
    if node.args.get("decimals") is None:
        return 0
    found = w.value(node.args["decimals"]).constant
    if not isinstance(found, int) or not -15 <= found <= 15:
        raise Unsaid(f"{name_of(node)}() to places that are no constant")
    return found


def _round(w: Writer, node: exp.Round) -> Value:
    value, places = w.value(node.this), _places(w, node)
    refuse_others(node, ("this", "decimals"))
    if not value.kind.is_number:
        raise Unsaid(f"round() of a {value.kind.duckdb}")
    if value.kind == FLOAT8:
        return Value(rounded(value, places), FLOAT8)
    if value.kind.is_whole:
        huge = Kind("huge")
        return value if places >= 0 else Value(f"round(CAST({value.sql} AS {type_name(huge)}), {places})", huge)
    if value.kind.scale is not None and places >= value.kind.scale:
        return value
    return Value(f"round({value.sql}, {places})", Kind("numeric", max(places, 0)))


def _trunc(w: Writer, node: exp.Trunc) -> Value:
    value, places = w.value(node.this), _places(w, node)
    refuse_others(node, ("this", "decimals", "fractions_supported"))
    if value.kind.is_whole and not places:
        return value
    if value.kind == FLOAT8 and not places:
        return Value(truncated(value.sql), FLOAT8)
    if value.kind.name == "numeric" and places >= 0:
        if value.kind.scale is not None and places >= value.kind.scale:
            return value
        x, kind = value.sql, Kind("numeric", places)
        # Spark has trunc() for dates only.
        cut = f"CASE WHEN {x} < 0 THEN ceil({x}, {places}) ELSE floor({x}, {places}) END"
        return Value(f"CAST({cut} AS {type_name(kind)})", kind)
    raise Unsaid(f"trunc() of a {value.kind.duckdb} to {places} places")


def _log(w: Writer, node: exp.Log) -> Value:
    if w.value(node.this).constant != 10 or node.args.get("expression") is None:
        raise not_declared(node)
    x = float_of(w.value(node.expression))
    return Value(f"COALESCE({failing(f'{x} <= 0', 'out of range', FLOAT8)}, log10({x}))", FLOAT8)


# --- lists ---------------------------------------------------------------------------------------------------------


def _list_has(w: Writer, node: exp.ArrayContains) -> Value:
    held, value = w.value(node.this), w.value(node.expression)
    if held.kind.item is None or held.kind.item != value.kind:
        raise Unsaid(f"whether a {held.kind.duckdb} holds a {value.kind.duckdb}")
    # array_contains is NULL where the list holds a NULL; DuckDB's is not.
    found = f"COALESCE(array_contains({held.sql}, {value.sql}), FALSE)"
    return Value(f"(CASE WHEN {held.sql} IS NOT NULL AND {value.sql} IS NOT NULL THEN {found} END)", BOOL)


def _list_text(w: Writer, node: exp.ArrayToString) -> Value:
    held, between = w.value(node.this), w.value(node.expression)
    if held.kind.item != TEXT:
        raise Unsaid(f"a {held.kind.duckdb} as text")
    return Value(f"array_join({held.sql}, {between.sql})", TEXT)


def _list_extract(w: Writer, node: exp.Anonymous) -> Value:
    held, place = w.value(node.expressions[0]), w.value(node.expressions[1]).constant
    if held.kind.item is None or not isinstance(place, int) or place < 1:
        raise not_declared(node)
    # element_at past the end is an error in Spark.
    return Value(f"try_element_at({held.sql}, {place})", held.kind.item)


def _len(w: Writer, node: exp.Expr) -> Value:
    """How long a text or a list is."""
    held = w.value(node.expressions[0] if isinstance(node, exp.Anonymous) else node.this)
    if held.kind == NULL:
        return Value(w.null(INT8), INT8)
    if held.kind == TEXT:
        return Value(f"CAST(length({held.sql}) AS BIGINT)", INT8)
    if held.kind.item is None:
        raise Unsaid(f"length() of a {held.kind.duckdb}")
    return Value(f"CAST(array_size({held.sql}) AS BIGINT)", INT8)


def _array(w: Writer, node: exp.Array) -> Value:
    values, kind = w.together(w.all(node.expressions))
    return Value(f"array({', '.join(value.sql for value in values)})", Kind("list", item=kind))


FUNCTIONS: Mapping[type[exp.Expr], Rule] = {
    **dict.fromkeys(_FORMS, _said),
    exp.Left: _end,
    exp.Right: _end,
    exp.SplitPart: _split_part,
    exp.Substring: _substring,
    exp.Trim: _trim,
    exp.Pad: _pad,
    exp.Concat: _concat,
    exp.ConcatWs: _concat_ws,
    exp.RegexpLike: _matches,
    exp.RegexpFullMatch: lambda w, node: _matches(w, node, whole=True),
    exp.Abs: _same_kind,
    exp.Floor: _same_kind,
    exp.Ceil: _same_kind,
    exp.Sign: _sign,
    exp.Round: _round,
    exp.Trunc: _trunc,
    exp.Log: _log,
    exp.ArrayContains: _list_has,
    exp.ArrayToString: _list_text,
    exp.ArraySize: _len,
    exp.Length: _len,
    exp.Array: _array,
}

CALLS: Mapping[str, Callable[[Writer, exp.Anonymous], Value]] = {
    "list_extract": _list_extract,
    "len": _len,
}
