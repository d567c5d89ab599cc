"""Reading lines: what services send in the wild is read as it was meant; what cannot be read is reported."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.client.errors import LineTooLong, NotAService
from svc_notebook.client.wire.stream import WARNING, FrameDecoder, read_frame
from svc_notebook.protocol.chat import ToolCall


def test_nulls_are_absent() -> None:
    frame = read_frame(b'{"id":"a","role":null,"content":null,"toolCall":null,"sort":null,"isDelta":null}')
    assert frame.id == "a"
    assert frame.role is frame.content is frame.tool_call is frame.sort is msgspec.UNSET


def test_an_object_where_json_text_belongs_is_text() -> None:
    frame = read_frame(b'{"id":"t","toolCall":{"name":"cubeSqlApi","input":{"sqlQuery":"x"},"result":{"data":[]}}}')
    assert frame.tool_call == ToolCall("cubeSqlApi", '{"sqlQuery": "x"}', '{"data": []}')


def test_odd_types_are_read_as_meant() -> None:
    frame = read_frame(
        b'{"id":7,"sort":"3","isDelta":"true","graphPath":"final","content":[{"type":"text","text":"hi"}]}'
    )
    assert (frame.id, frame.sort, frame.is_delta, frame.graph_path, frame.content) == ("7", 3.0, True, ["final"], "hi")


@pytest.mark.parametrize("line", [b"not json", b"[1,2]", b'"text"', b"7", b"null", b'{"id":', b"[" * 100_000])
def test_what_is_no_frame_is_reported(line: bytes) -> None:
    assert read_frame(line).id == WARNING


def test_bytes_that_are_no_utf8_do_not_break_the_stream() -> None:
    assert read_frame(b'{"id":"a","content":"\xff\xfe"}').content == "��"


@given(st.binary())
def test_any_line_is_read(line: bytes) -> None:
    read_frame(line)


def test_separators_inside_text_are_not_line_ends() -> None:
    content = "a\u2028b\u2029c\u0085d\x0be\x0cf"
    line = '{"id":"a","content":"' + content.replace("\x0b", "\\u000b").replace("\x0c", "\\u000c") + '"}\r\n'
    frames = FrameDecoder().decode(line.encode())
    assert [frame.content for frame in frames] == [content]


def test_blank_lines_are_keep_alives_and_the_last_newline_may_lack() -> None:
    decoder = FrameDecoder()
    assert decoder.decode(b'\n\r\n{"id":"a"}') == []
    assert [frame.id for frame in decoder.flush()] == ["a"]


def test_a_page_is_not_a_stream() -> None:
    with pytest.raises(NotAService, match="check the URL"):
        FrameDecoder().decode(b"<!DOCTYPE html>\n<html></html>\n")


def test_a_line_of_markup_within_a_stream_is_a_line_that_is_none() -> None:
    decoder = FrameDecoder()
    assert [frame.id for frame in decoder.decode(b'{"id":"a"}\n<p>\n{"id":"b"}\n')] == ["a", WARNING, "b"]


def test_a_line_has_a_cap() -> None:
    decoder = FrameDecoder(max_line=1000)
    assert [decoder.decode(b"x" * 100) for _ in range(10)] == [[]] * 10
    with pytest.raises(LineTooLong):
        decoder.decode(b"x")
