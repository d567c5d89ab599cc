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
from .conversions import as_text, cased, compared_bytewise, float_of, rounded
from .names import type_name
from .operators import literal

__all__ = ["CALLS", "FUNCTIONS"]


class Said(Struct, frozen=True):
    """``form`` over the arguments (``{0}``), which are of the kinds ``takes``; the result is of ``kind``."""

    form: str
    kind: Kind
    takes: tuple[str, ...]
    args: tuple[str, ...] = ("this", "expression")


_T, _TT, _F, _FF = ("text",), ("text", "text"), ("float",), ("float", "float")

_FORMS: Mapping[type[exp.Expr], Said] = {
    exp.StrPosition: Said("CAST(strpos({0}, {1}) AS bigint)", INT8, _TT, ("this", "substr")),
    exp.StartsWith: Said("starts_with({0}, {1})", BOOL, _TT),
    # PostgreSQL has starts_with() only.
    exp.EndsWith: Said("(right({0}, length({1})) = {1})", BOOL, _TT),
    exp.Contains: Said("(strpos({0}, {1}) > 0)", BOOL, _TT),
    exp.Ascii: Said("ascii({0})", INT4, _T),
    exp.MD5: Said("md5({0})", TEXT, _T),
    exp.Translate: Said("translate({0}, {1}, {2})", TEXT, ("text",) * 3, ("this", "from_", "to")),
    exp.Replace: Said("replace({0}, {1}, {2})", TEXT, ("text",) * 3, ("this", "expression", "replacement")),
    exp.Sqrt: Said("sqrt({0})", FLOAT8, _F),
    exp.Cbrt: Said("cbrt({0})", FLOAT8, _F),
    exp.Exp: Said("exp({0})", FLOAT8, _F),
    exp.Ln: Said("ln({0})", FLOAT8, _F),
    exp.Degrees: Said("degrees({0})", FLOAT8, _F),
    exp.Radians: Said("radians({0})", FLOAT8, _F),
    exp.Sin: Said("sin({0})", FLOAT8, _F),
    exp.Cos: Said("cos({0})", FLOAT8, _F),
    exp.Tan: Said("tan({0})", FLOAT8, _F),
    exp.Cot: Said("cot({0})", FLOAT8, _F),
    exp.Atan: Said("atan({0})", FLOAT8, _F),
    exp.Asin: Said("asin({0})", FLOAT8, _F),
    exp.Acos: Said("acos({0})", FLOAT8, _F),
    exp.Atan2: Said("atan2({0}, {1})", FLOAT8, _FF),
    exp.Pow: Said("power({0}, {1})", FLOAT8, _FF),
    exp.IsNan: Said("({0} = CAST('NaN' AS double precision))", BOOL, _F),
    exp.Pi: Said("pi()", FLOAT8, ()),
}  # fmt: skip


def _said(w: Writer, node: exp.Func) -> Value:
    said = _FORMS[type(node)]
    values = [w.value(node.args[name]) for name in said.args[: len(said.takes)]]
    refuse_others(node, said.args[: len(said.takes)])
    if any(value.kind == NULL for value in values):
        return Value(f"CAST(NULL AS {type_name(said.kind)})", said.kind)
    texts = [_taken(w, node, value, wanted) for value, wanted in zip(values, said.takes, strict=True)]
    return Value(said.form.format(*texts), said.kind)


def _taken(w: Writer, node: exp.Expr, value: Value, wanted: str) -> str:
    if wanted == "float" and value.kind.is_number:
        return float_of(value)
    if wanted == "text" and value.kind == TEXT:
        return value.sql
    raise Unsaid(f"{name_of(node)}() of a {value.kind.duckdb}")


def _letters(w: Writer, node: exp.Expr) -> Value:
    value = w.value(node.this)
    if value.kind == NULL:
        return Value("CAST(NULL AS text)", TEXT)
    return Value(cased(w, "lower" if isinstance(node, exp.Lower) else "upper", _taken(w, node, value, "text")), TEXT)


def _end(w: Writer, node: exp.Expr) -> Value:
    """``left`` and ``right``."""
    text, count = w.value(node.this), w.value(node.expression)
    if not count.kind.is_number:
        raise Unsaid(f"{name_of(node)}() by a {count.kind.duckdb}")
    # left() takes int4, to which nothing wider is cast unasked.
    number = count.sql if count.kind == INT4 else f"CAST({count.sql} AS integer)"
    return Value(f"{name_of(node)}({_taken(w, node, text, 'text')}, {number})", TEXT)


def _split_part(w: Writer, node: exp.SplitPart) -> Value:
    text, between = w.value(node.this), w.value(node.args["delimiter"])
    place = constant_of(w.value(node.args["part_index"]))
    if not isinstance(place, int) or not constant_of(between):
        raise Unsaid("split_part() at a place, or between texts, that are no constants")
    # DuckDB's part 0 is empty, PostgreSQL's an error.
    if place == 0:
        return Value(f"(CASE WHEN {text.sql} IS NOT NULL THEN '' END)", TEXT)
    return Value(f"split_part({_taken(w, node, text, 'text')}, {between.sql}, {place})", TEXT)


def _substring(w: Writer, node: exp.Substring) -> Value:
    text = w.value(node.this)
    numbers = [w.value(node.args[name]) for name in ("start", "length") if node.args.get(name) is not None]
    places = [number.constant for number in numbers]
    # From a negative place DuckDB counts from the end, PostgreSQL from before the beginning.
    if not all(isinstance(place, int) and place >= 0 for place in places):
        raise Unsaid("substring() at places that are no constants, or count from the end", "write right(x, n)")
    return Value(f"substring({_taken(w, node, text, 'text')}, {', '.join(map(str, places))})", TEXT)


def _trim(w: Writer, node: exp.Trim) -> Value:
    name = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(str(node.args.get("position") or "").upper(), "btrim")
    texts = [_taken(w, node, w.value(node.this), "text")]
    if node.args.get("expression") is not None:
        texts.append(_taken(w, node, w.value(node.args["expression"]), "text"))
    return Value(f"{name}({', '.join(texts)})", TEXT)


def _pad(w: Writer, node: exp.Pad) -> Value:
    name = "lpad" if node.args.get("is_left") else "rpad"
    size = w.value(node.expression).constant
    fill = node.args.get("fill_pattern")
    if not isinstance(size, int):
        raise Unsaid(f"{name}() to a length that is no constant")
    text = _taken(w, node, w.value(node.this), "text")
    return Value(f"{name}({text}, {size}{', ' + w.value(fill).sql if fill is not None else ''})", TEXT)


def _concat(w: Writer, node: exp.Concat | exp.ConcatWs) -> Value:
    # concat() passes over NULLs, and a bare NULL has no type that PostgreSQL could take.
    values = [value for value in w.all(node.expressions) if value.kind != NULL]
    name = "concat_ws" if isinstance(node, exp.ConcatWs) else "concat"
    if name == "concat_ws" and len(values) < len(node.expressions):
        raise Unsaid("concat_ws() of NULL")
    if not values:
        return Value("CAST('' AS text)", TEXT)
    return Value(compared_bytewise(w, f"{name}({', '.join(as_text(w, value).sql for value in values)})"), TEXT)


# --- patterns ------------------------------------------------------------------------------------------------------

# What RE2 and PostgreSQL's regular expressions read alike: no look-around, back references or possessive quantifiers.
_SHARED = re.compile(r"(?:[^\\\[\](){}|*+?^$.]|\\[.^$|()\[\]{}*+?\\dwsDWS/\-]"
                     r"|\[\^?(?:[^\\\[\]]|\\[.^$|()\[\]{}*+?\\\-])+\]"
                     r"|\((?!\?)|\(\?:|\)|\||[*+?](?!\+)|\{\d{1,3}(?:,\d{0,3})?\}|[.^$])*")  # fmt: skip


def _matches(w: Writer, node: exp.Expr, *, whole: bool = False, fold: bool = False, dots: bool = False) -> Value:
    """Whether a pattern is found; only patterns that both engines read alike."""
    text, pattern = w.value(node.this), constant_of(w.value(node.expression))
    flag = node.args.get("flag") or node.args.get("options")
    if flag is not None:
        flags = str(constant_of(w.value(flag)))
        if set(flags) - {"i", "s"}:
            raise Unsaid(f"a pattern with the options '{flags[:9]}'")
        fold, dots = fold or "i" in flags, dots or "s" in flags
    if not isinstance(pattern, str) or _SHARED.fullmatch(pattern) is None or "[[:" in pattern:
        raise Unsaid("this regular expression, which the engine would read otherwise", "write LIKE or contains(…)")
    if not pattern.isascii() and fold:
        raise Unsaid("a regular expression with letters beyond ASCII, without regard to their case")
    # RE2's dot is no line break. (?p) says so to PostgreSQL, and changes [^…] with it, which must not be there then.
    newlines = "" if dots or "." not in pattern else "(?p)"
    if newlines and "[^" in pattern:
        raise Unsaid("a regular expression with both '.' and '[^…]'")
    form = f"^(?:{pattern})$" if whole else pattern
    sign = "~*" if fold else "~"
    value = _taken(w, node, text, "text")
    # Under "C" \w and \d are ASCII, as RE2's are.
    return Value(f'(({value} COLLATE "C") {sign} {literal(newlines + form)})', BOOL)


# --- numbers -------------------------------------------------------------------------------------------------------


def _same_kind(w: Writer, node: exp.Expr) -> Value:
    """``abs``, ``floor``, ``ceil``; the latter two of a whole number are a DOUBLE."""
    value = w.value(node.this)
    if value.kind == NULL:
        return Value("CAST(NULL AS double precision)", FLOAT8)
    if not value.kind.is_number:
        raise Unsaid(f"{name_of(node)}() of a {value.kind.duckdb}")
    if isinstance(node, exp.Abs):
        return Value(f"abs({value.sql})", value.kind)
    if value.kind.is_whole:
        return Value(float_of(value), FLOAT8)
    kind = FLOAT8 if value.kind == FLOAT8 else Kind("numeric", 0)
    return Value(f"{'floor' if isinstance(node, exp.Floor) else 'ceil'}({value.sql})", kind)


def _sign(w: Writer, node: exp.Sign) -> Value:
    value = w.value(node.this)
    return Value(f"CAST(sign({float_of(value)}) AS integer)", INT4)


def _round(w: Writer, node: exp.Round) -> Value:
    value, places = w.value(node.this), 0
    if node.args.get("decimals") is not None:
        found = w.value(node.args["decimals"]).constant
        # A double has 15 digits that are its own.
        if not isinstance(found, int) or not -15 <= found <= 15:
            raise Unsaid("round() to places that are no constant")
        places = found
    refuse_others(node, ("this", "decimals"))
    if not value.kind.is_number:
        raise Unsaid(f"round() of a {value.kind.duckdb}")
    if value.kind.is_whole:
        return value if places >= 0 else Value(f"round(CAST({value.sql} AS numeric), {places})", Kind("huge"))
    if value.kind.name == "numeric" and value.kind.scale is not None and places >= value.kind.scale:
        return value
    return rounded(value, places)


def _trunc(w: Writer, node: exp.Trunc) -> Value:
    value, places = w.value(node.this), 0
    if node.args.get("decimals") is not None:
        found = w.value(node.args["decimals"]).constant
        if not isinstance(found, int):
            raise Unsaid("trunc() to places that are no constant")
        places = found
    refuse_others(node, ("this", "decimals", "fractions_supported"))
    if value.kind.is_whole and not places:
        return value
    if value.kind == FLOAT8 and not places:
        return Value(f"trunc({value.sql})", FLOAT8)
    if value.kind.name == "numeric" and places >= 0:
        return Value(f"trunc({value.sql}, {places})", Kind("numeric", places))
    raise Unsaid(f"trunc() of a {value.kind.duckdb} to {places} places")


def _log(w: Writer, node: exp.Log) -> Value:
    base = w.value(node.this).constant
    if base != 10 or node.args.get("expression") is None:
        raise not_declared(node)
    return Value(f"log({float_of(w.value(node.expression))})", FLOAT8)


# --- lists ---------------------------------------------------------------------------------------------------------


def _list_has(w: Writer, node: exp.ArrayContains) -> Value:
    held, value = w.value(node.this), w.value(node.expression)
    if held.kind.item is None or held.kind.item != value.kind:
        raise Unsaid(f"whether a {held.kind.duckdb} holds a {value.kind.duckdb}")
    # Not = ANY: that is NULL where the list holds a NULL, DuckDB's list_contains is not.
    found = f"array_position({held.sql}, {value.sql}) IS NOT NULL"
    return Value(f"(CASE WHEN {held.sql} IS NOT NULL AND {value.sql} IS NOT NULL THEN {found} END)", BOOL)


def _list_text(w: Writer, node: exp.ArrayToString) -> Value:
    held, between = w.value(node.this), w.value(node.expression)
    if held.kind.item != TEXT:
        raise Unsaid(f"a {held.kind.duckdb} as text")
    return Value(compared_bytewise(w, f"array_to_string({held.sql}, {between.sql})"), TEXT)


def _list_extract(w: Writer, node: exp.Anonymous) -> Value:
    held, place = w.value(node.expressions[0]), w.value(node.expressions[1]).constant
    if held.kind.item is None or not isinstance(place, int) or place < 1:
        raise not_declared(node)
    return Value(f"({held.sql})[{place}]", held.kind.item)


def _len(w: Writer, node: exp.Expr) -> Value:
    """How long a text or a list is."""
    held = w.value(node.expressions[0] if isinstance(node, exp.Anonymous) else node.this)
    if held.kind in (TEXT, NULL):
        # DuckDB's length is BIGINT, PostgreSQL's int4.
        return Value(f"CAST(length({held.sql}) AS bigint)", INT8)
    if held.kind.item is None:
        raise Unsaid(f"length() of a {held.kind.duckdb}")
    return Value(f"CAST(cardinality({held.sql}) AS bigint)", INT8)


def _array(w: Writer, node: exp.Array) -> Value:
    values, kind = w.together(w.all(node.expressions))
    return Value(f"ARRAY[{', '.join(value.sql for value in values)}]", Kind("list", item=kind))


FUNCTIONS: Mapping[type[exp.Expr], Rule] = {
    **dict.fromkeys(_FORMS, _said),
    exp.Lower: _letters,
    exp.Upper: _letters,
    exp.Left: _end,
    exp.Right: _end,
    exp.SplitPart: _split_part,
    exp.Substring: _substring,
    exp.Trim: _trim,
    exp.Pad: _pad,
    exp.Concat: _concat,
    exp.ConcatWs: _concat,
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
