"""Lines out of bytes: the same however the bytes were cut, and none longer than allowed."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.protocol.ndjson import LineDecoder, LineTooLong

pieces = st.one_of(
    st.binary(max_size=8), st.integers(1_000, 5_000).map(lambda size: b"x" * size), st.sampled_from([b"", b" ", b"\r"])
)


@given(st.lists(pieces, max_size=12), st.lists(st.integers(0, 20_000), max_size=8))
def test_lines_do_not_depend_on_where_the_bytes_were_cut(lines: list[bytes], cuts: list[int]) -> None:
    whole = b"\n".join(lines)
    edges = sorted({0, *(min(cut, len(whole)) for cut in cuts), len(whole)})
    decoder = LineDecoder()
    found = [line for a, b in itertools.pairwise(edges) for line in decoder.decode(whole[a:b])]
    assert [*found, *decoder.flush()] == [line for line in whole.split(b"\n") if line.strip()]


@pytest.mark.parametrize("cut", [1, 50, 200])
def test_a_line_that_is_too_long_is_refused_before_it_ends(cut: int) -> None:
    decoder, text = LineDecoder(max_line=100), b"ok\n" + b"x" * 200
    parts = (text[start : start + cut] for start in range(0, len(text), cut))
    with pytest.raises(LineTooLong):
        list(map(decoder.decode, parts))
