"""Folding: replay, order, deltas and wholes, and what other services send."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.client.wire.stream import FrameDecoder, read_frame
from svc_notebook.protocol.chat import Message
from svc_notebook.protocol.ndjson import encode_line
from svc_notebook.results.fold import EMPTY, Snapshot, final_entry, finish, fold, fold_thread


def folded(frames: list[Message], start: Snapshot = EMPTY) -> Snapshot:
    for frame in frames:
        start = fold(frame, start)
    return start


def text(snapshot: Snapshot) -> str:
    final = final_entry(snapshot)
    return final.content if final else ""


def answer(sort: int, content: str, *, delta: bool = True, **more: Any) -> Message:
    return Message(
        id="f",
        role="assistant",
        graph_path=["final"],
        content=content,
        is_delta=delta,
        is_in_process=delta,
        sort=sort,
        **more,
    )


pieces = st.lists(st.text(max_size=5), min_size=1, max_size=12)


@st.composite
def streams(draw: st.DrawFn) -> list[Message]:
    """A turn as the service sends it: every frame with a higher ``sort`` than the one before."""
    made: list[Message] = [Message(id="__cutoff__", role="assistant", state={"chatId": "c"}, sort=0)]
    made.append(Message(id="u", role="user", content=draw(st.text()), sort=1))
    for thought in draw(pieces):
        made.append(
            Message(id="a", role="assistant", thinking=thought, is_delta=True, is_in_process=True, sort=len(made))
        )
    if draw(st.booleans()):
        call = {"name": "svcSqlApi", "input": "{}"}
        made.append(read_frame(encode_line({"id": "t", "toolCall": call, "isInProcess": True, "sort": len(made)})))
        made.append(
            read_frame(
                encode_line({"id": "t", "toolCall": call | {"result": "{}"}, "isInProcess": False, "sort": len(made)})
            )
        )
    deltas = draw(pieces)
    made += [answer(len(made) + place, piece) for place, piece in enumerate(deltas)]
    if draw(st.booleans()):
        made.append(answer(len(made), "".join(deltas), delta=False))
        made.append(Message(id="__state__", state={"chatId": "c"}, sort=len(made)))
    return made


@given(streams())
def test_a_replay_changes_nothing(frames: list[Message]) -> None:
    once = folded(frames)
    assert folded(frames, once) == once


@given(streams(), st.data())
def test_a_stream_that_broke_and_is_replayed_from_the_start_ends_the_same(
    frames: list[Message], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(frames)))
    assert folded(frames, folded(frames[:cut])) == folded(frames)


@given(streams())
def test_the_answer_is_the_deltas_joined(frames: list[Message]) -> None:
    deltas = [frame.content for frame in frames if frame.id == "f" and frame.is_delta is True]
    assert text(folded(frames)) == "".join(piece for piece in deltas if isinstance(piece, str))


@given(streams(), st.data())
def test_bytes_may_be_split_anywhere(frames: list[Message], data: st.DataObject) -> None:
    wire = b"".join(map(encode_line, frames))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=20)))
    decoder = FrameDecoder()
    read = [f for a, b in pairwise([0, *cuts, len(wire)]) for f in decoder.decode(wire[a:b])] + decoder.flush()
    assert folded(read) == folded(frames)


@given(st.permutations([3, 1, 2, 5, 4]))
def test_messages_stand_by_sort(order: list[int]) -> None:
    snapshot = folded([Message(id=str(sort), role="assistant", content="x", sort=sort) for sort in order])
    assert [entry.id for entry in snapshot.ordered()] == ["1", "2", "3", "4", "5"]


def test_messages_without_sort_keep_their_place() -> None:
    snapshot = folded([Message(id="b", sort=2), Message(id="x"), Message(id="a", sort=1), Message(id="c", sort=3)])
    assert [entry.id for entry in snapshot.ordered()] == ["a", "b", "x", "c"]


def test_folding_does_not_touch_what_was_there() -> None:
    before = folded([answer(1, "a")])
    fold(answer(2, "b"), before)
    assert text(before) == "a"


def test_a_whole_replaces_and_deltas_go_on_from_it() -> None:
    snapshot = folded([answer(1, "first"), answer(2, "again: ", delta=False), answer(3, "second")])
    assert text(snapshot) == "again: second"


def test_deltas_without_sort_are_appended() -> None:
    frames = [Message(id="f", graph_path=["final"], content=piece, is_delta=True) for piece in ("ha", "ha", "!")]
    assert text(folded(frames)) == "haha!"


def test_one_sort_for_all_frames_of_a_message_is_read_too() -> None:
    assert text(folded([answer(7, piece) for piece in ("re", "ven", "ue")])) == "revenue"


def test_only_the_final_node_is_the_answer() -> None:
    working = Message(id="a", role="assistant", content="let me look", graph_path=["svc_data_analyst_agent"], sort=1)
    deep = Message(id="d", role="assistant", content="inner", graph_path=["final", "x", "y"], sort=9)
    assert text(folded([working, answer(2, "done", delta=False), deep])) == "done"


def test_where_no_final_is_sent_the_last_whole_message_is_the_answer() -> None:
    frames = [
        Message(id="a", role="assistant", content="working", is_in_process=False, sort=1),
        Message(id="b", role="assistant", content="42", is_in_process=False, sort=2),
        Message(id="__state__", state={}),
    ]
    assert text(folded(frames)) == "42"


def test_ends() -> None:
    assert folded([answer(1, "x"), Message(id="__state__", state={"suggestions": ["y"]})]).status == "complete"
    assert folded([Message(id="__aborted__", type="abort", error="stopped")]).status == "aborted"
    assert folded([Message(id="__aborted__"), Message(id="__state__", state={})]).status == "aborted"
    failed = folded([Message(error={"message": "Bad branch"})])
    assert (failed.status, failed.error) == ("failed", "Bad branch")
    assert finish(folded([answer(1, "x")])).status == "failed"
    assert finish(folded([answer(1, "x", delta=False)])).status == "complete"


def test_unknown_sentinels_are_ignored() -> None:
    assert folded([Message(id="__later__", content="?")]).entries == {}
    assert folded([Message(id="__mine", content="?")]).entries.keys() == {"__mine"}


def tool(sort: int, *, done: bool, content: str = "") -> Message:
    call = {"name": "svcSqlApi", "input": "{}"} | ({"result": "{}"} if done else {})
    line = {"id": "t", "role": "assistant", "toolCall": call, "content": content, "isInProcess": False, "sort": sort}
    return read_frame(encode_line(line))


QUESTION = Message(id="u", role="user", content="how many", sort=1)
SAID = Message(id="a", role="assistant", content="42", is_in_process=False, sort=5)


@pytest.mark.parametrize(
    ("frames", "status"),
    [
        ([QUESTION, tool(2, done=True), SAID], "complete"),
        ([QUESTION], "failed"),
        ([QUESTION, tool(2, done=False), SAID], "failed"),
        ([QUESTION, SAID, tool(6, done=True, content="ran")], "failed"),
    ],
    ids=["said last and whole", "nothing but the question", "a tool still runs", "a tool came last"],
)
def test_a_stream_without_an_end_is_whole_where_an_assistant_spoke_last(frames: list[Message], status: str) -> None:
    assert finish(folded(frames)).status == status


def test_a_thread_keeps_its_name_where_it_is_not_said_again() -> None:
    frames = [Message(id="__cutoff__", state={"chatId": "c"}), Message(id="__cutoff__", state={"memory": "m"})]
    frames.append(Message(id="__cutoff__"))
    assert (folded(frames).chat_id, folded(frames).state) == ("c", {"chatId": "c", "memory": "m"})


def test_what_stopped_a_turn_is_told() -> None:
    told = folded([Message(id="__suspended__", error={"message": "Out of credit"})])
    assert (told.status, told.error) == ("failed", "Out of credit")
    assert folded([Message(id="__suspended__")]).error == "The turn was suspended"
    assert folded([Message(id="__warning__"), Message(id="__warning__", content="odd")]).warnings == ("", "odd")


def test_a_whole_with_the_sort_of_the_last_delta_is_no_replay() -> None:
    assert text(folded([answer(1, "4"), answer(2, "2"), answer(2, "42.", delta=False)])) == "42."


def test_what_is_known_cannot_be_changed() -> None:
    snapshot = folded([answer(1, "a")])
    with pytest.raises(AttributeError):
        snapshot.entries["f"].content = "b"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        snapshot.status = "complete"  # type: ignore[misc]


def test_a_thread_is_split_at_its_questions() -> None:
    frames = [
        Message(id="__cutoff__", state={"chatId": "c"}, sort=0),
        Message(id="u1", role="user", content="one", sort=1),
        Message(id="f1", role="assistant", graph_path=["final"], content="1", sort=2),
        Message(id="u2", role="user", content="two", sort=3),
        Message(
            id="f2", role="assistant", graph_path=["final"], content="2", sort=4, is_in_process=True, is_delta=True
        ),
    ]
    turns: tuple[Snapshot, ...] = ()
    for frame in frames + frames:  # and replayed
        turns = fold_thread(frame, turns)
    assert [text(turn) for turn in turns] == ["1", "2"]
    assert [turn.status for turn in turns] == ["complete", "streaming"]
    assert [turn.chat_id for turn in turns] == ["c", "c"]


def test_the_next_turn_keeps_what_is_the_thread_s() -> None:
    turns: tuple[Snapshot, ...] = ()
    ended = Message(id="__state__", state={"chatId": "c", "memory": "m", "suggestions": ["y"], "outcome": "answered"})
    for frame in (QUESTION, answer(2, "1", delta=False), ended, Message(id="u2", role="user", content="two", sort=9)):
        turns = fold_thread(frame, turns)
    assert turns[-1].state == {"chatId": "c", "memory": "m"}


def split_anywhere(words: str, cuts: list[int]) -> list[str]:
    """The text as a service in JavaScript cuts it: by UTF-16 units, through characters."""
    units = words.encode("utf-16-le", "surrogatepass")
    places = sorted({0, len(units), *(2 * (cut % (len(units) // 2 + 1)) for cut in cuts)})
    return [units[start:end].decode("utf-16-le", "surrogatepass") for start, end in pairwise(places)]


@given(st.text(alphabet="a 😀𝄞é", max_size=30), st.lists(st.integers(0, 60), max_size=8))
def test_a_character_that_is_split_over_two_deltas_arrives_whole(words: str, cuts: list[int]) -> None:
    snapshot = EMPTY
    for sort, piece in enumerate(split_anywhere(words, cuts)):
        line = b'{"id":"f","role":"assistant","graphPath":["final"],"isDelta":true,"isInProcess":true,"sort":%d,"content":%s}'
        snapshot = fold(read_frame(line % (sort, json.dumps(piece).encode())), snapshot)
        text(snapshot).encode()  # at every moment it can be written
        assert words.startswith(text(snapshot))
    assert text(snapshot) == words


def test_half_a_character_that_stays_alone_spoils_nothing() -> None:
    half = "\ud83d"
    assert text(folded([answer(1, f"a{half}"), answer(2, "b")])) == "a\ufffdb"
    assert text(folded([answer(1, f"a{half}")])) == "a"
    assert text(folded([answer(1, f"whole {half}", delta=False)])) == "whole \ufffd"
