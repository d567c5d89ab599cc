"""Rows as an Excel workbook that is written while it is sent: a sheet of rows, and one of what is behind them.

The cells of a part are put together as columns of text, by Arrow, and packed as they come: a million rows take seconds
and the memory of one part. No text is a formula: texts are written as texts, whatever they begin with.
Source: ECMA-376, part 1, 18 (SpreadsheetML).
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pyarrow as pa

from ..arrow_compute import pc
from .file_sink import Sink

__all__ = ["SHEET_ROWS", "workbook_parts"]

SHEET_ROWS = 1_048_575
"""Rows that a sheet holds below its head."""
_CHARS = 32_767
_NO_XML = "[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"
_EPOCH = 25_569  # 1970-01-01 as days of a sheet, which are right from 61 on, 1 March 1900
_EXACT = 2.0**53
_DAY = 86_400_000_000
_PLAIN, _DATE, _TIME, _HEAD = range(4)  # as the styles stand in _STYLES

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_DOC = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_SHEETS = ("rows", "evidence")
_STYLES = (
    f'{_XML}<styleSheet {_MAIN}><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/></numFmts>'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4">'
    + "".join(
        f'<xf numFmtId="{kind}" fontId="{font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>'
        for kind, font in ((0, 0), (164, 0), (165, 0), (0, 1))
    )
    + '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)  # fmt: skip


def workbook_parts(schema: pa.Schema, parts: Iterable[pa.Table], about: Mapping[str, str]) -> Iterator[bytes]:
    """The bytes of a workbook for each part of the rows, and those of its end."""
    sink, row = Sink(), 1
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as book:
        for name, text in _frame():
            book.writestr(name, text)
        with book.open("xl/worksheets/sheet1.xml", "w") as sheet:
            sheet.write(_opened(schema))
            for part in parts:
                sheet.write(_rows(part, row + 1))
                row += part.num_rows
                yield sink.taken()
            sheet.write(b"</sheetData></worksheet>")
        book.writestr("xl/worksheets/sheet2.xml", _evidence(about))
    yield sink.taken()


def _frame() -> Iterator[tuple[str, str]]:
    """The files of a workbook that hold no cells."""
    named = list(enumerate(_SHEETS, 1))
    kinds = [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
    kinds += [(f"/xl/worksheets/sheet{n}.xml", "worksheet") for n, _ in named]
    yield (
        "[Content_Types].xml",
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        + "".join(f'<Override PartName="{part}" ContentType="{_TYPE}.{kind}+xml"/>' for part, kind in kinds)
        + "</Types>",
    )
    yield "_rels/.rels", _related([("officeDocument", "xl/workbook.xml")])
    sheets = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in named)
    yield "xl/workbook.xml", f'{_XML}<workbook {_MAIN} xmlns:r="{_DOC}"><sheets>{sheets}</sheets></workbook>'
    links = [("worksheet", f"worksheets/sheet{n}.xml") for n, _ in named]
    yield "xl/_rels/workbook.xml.rels", _related([*links, ("styles", "styles.xml")])
    yield "xl/styles.xml", _STYLES


def _related(links: Sequence[tuple[str, str]]) -> str:
    made = (f'<Relationship Id="rId{n}" Type="{_DOC}/{kind}" Target="{to}"/>' for n, (kind, to) in enumerate(links, 1))
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{"".join(made)}</Relationships>'


def _opened(schema: pa.Schema) -> bytes:
    """A sheet up to its first row of values: its head stays in sight."""
    pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    wide = "".join(
        f'<col min="{n}" max="{n}" width="{_width(field)}" customWidth="1"/>' for n, field in enumerate(schema, 1)
    )
    return (
        f'{_XML}<worksheet {_MAIN}><sheetViews><sheetView workbookViewId="0">{pane}</sheetView></sheetViews>'
        f"{f'<cols>{wide}</cols>' if wide else ''}<sheetData>{_texts(1, schema.names, _HEAD)}"
    ).encode()


def _width(field: pa.Field) -> int:
    """Characters of a column: its title fits, and so does a date, which would else be shown as signs."""
    least = 20 if pa.types.is_timestamp(field.type) else 11
    return min(40, max(least, len(field.name) + 2))


def _evidence(about: Mapping[str, str]) -> bytes:
    lines = "".join(_texts(n, [name[:_CHARS], text[:_CHARS]]) for n, (name, text) in enumerate(about.items(), 1))
    return f"{_XML}<worksheet {_MAIN}><sheetData>{lines}</sheetData></worksheet>".encode()


def _texts(row: int, texts: Sequence[str], style: int = _PLAIN) -> str:
    cells = (
        f'<c r="{_letters(place)}{row}" s="{style}" t="inlineStr"><is><t xml:space="preserve">'
        f"{escape(re.sub(_NO_XML, '', text))}</t></is></c>"
        for place, text in enumerate(texts)
    )
    return f'<row r="{row}">{"".join(cells)}</row>'


def _letters(place: int) -> str:
    """The name of a column: A to Z, AA and so on."""
    before, last = divmod(place, 26)
    return (_letters(before - 1) if before else "") + chr(65 + last)


def _rows(part: pa.Table, first: int) -> bytes:
    """The rows of a part as XML: cells joined over whole columns, and the text that they stand in as one stretch."""
    if not part.num_rows:
        return b""
    numbers = pc.cast(pa.array(range(first, first + part.num_rows)), pa.string())
    cells = [
        _cells(column.combine_chunks(), _letters(place), numbers) for place, column in enumerate(part.itercolumns())
    ]
    rows = _joined('<row r="', numbers, '">', *(pc.fill_null(each, "") for each in cells), "</row>")
    _, starts, letters = rows.buffers()  # texts of an array stand one behind the other
    offsets = np.frombuffer(starts, np.int32)
    return bytes(memoryview(letters)[offsets[rows.offset] : offsets[rows.offset + len(rows)]])


def _cells(values: Any, letter: str, rows: pa.Array) -> pa.Array:
    """A cell for each value, null where there is none."""
    values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    kind, opened = values.type, _joined(f'<c r="{letter}', rows, '"')
    if pa.types.is_boolean(kind):
        return _joined(opened, ' t="b"><v>', pc.cast(pc.cast(values, pa.int8()), pa.string()), "</v></c>")
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        size = pc.cast(values, pa.float64(), safe=False)
        return _either(pc.less(pc.abs(size), _EXACT), opened, values, values, _PLAIN)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        instant = pc.cast(pc.cast(values, pa.timestamp("us"), safe=False), pa.int64())
        days = pc.add(pc.divide(pc.cast(instant, pa.float64()), float(_DAY)), float(_EPOCH))
        style = _DATE if pa.types.is_date(kind) else _TIME
        return _either(pc.greater_equal(days, 61.0), opened, days, values, style)
    return _text_cells(opened, values)


def _either(fits: pa.Array, opened: pa.Array, numbers: pa.Array, values: pa.Array, style: int) -> pa.Array:
    """Cells with numbers where a sheet can hold those, else with the values as text."""
    made = _joined(opened, f' s="{style}"><v>', pc.cast(numbers, pa.string()), "</v></c>")
    if pc.all(pc.fill_null(fits, True)).as_py():
        return made
    return pc.if_else(pc.fill_null(fits, True), made, _text_cells(opened, values))


def _text_cells(opened: pa.Array, values: pa.Array) -> pa.Array:
    text = pc.utf8_slice_codeunits(_as_text(values), 0, _CHARS)
    for sign, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        if pc.any(pc.match_substring(text, sign)).as_py():
            text = pc.replace_substring(text, sign, written)
    if pc.any(pc.match_substring_regex(text, _NO_XML)).as_py():
        text = pc.replace_substring_regex(text, _NO_XML, "")
    return _joined(opened, ' t="inlineStr"><is><t xml:space="preserve">', text, "</t></is></c>")


def _as_text(values: pa.Array) -> pa.Array:
    try:
        return pc.cast(values, pa.string())
    except pa.ArrowNotImplementedError:  # of a type that only Python writes
        return pa.array([None if value is None else str(value) for value in values.to_pylist()], pa.string())


def _joined(*pieces: Any) -> pa.Array:
    return pc.binary_join_element_wise(*pieces, "")
