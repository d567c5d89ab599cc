"""``svc-notebook ask``: one question, its answer as it comes, then the rows."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from .connection import add_options, open_client, user_fields
from .output import CommandFailed, command, note, print_json

if TYPE_CHECKING:
    from ..client.chat import Chat
    from ..results.answer import Answer

EXAMPLES = """\
examples:
  svc-notebook ask "flights per month by origin"
  svc-notebook ask "average arrival delay by airline" --sql --rows 5
  svc-notebook ask "flights by airline" --as dana --attribute carrier=DL      as somebody who sees less
  svc-notebook ask "orders by month" --data orders=orders.csv                 your own file, no model
  svc-notebook ask "orders by month" --model model/ --database shop.duckdb
  svc-notebook ask "flights by airline" --json | jq '.results[0].rows'

exit codes: 0 answered, 1 not answered (the message says why), 130 stopped
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "ask",
        help="ask a question in the terminal",
        description="Ask a question. The answer appears as it comes; Ctrl-C stops it and keeps what has arrived. "
        "Text and rows go to standard output, remarks to standard error.",
        more=EXAMPLES,
    )
    parser.add_argument("question", nargs="+", help="in plain words")
    parser.add_argument("--chat", metavar="ID", help="go on with this thread (a follow-up question)")
    parser.add_argument("--rows", type=int, default=20, help="rows shown of each result (default: 20)")
    parser.add_argument("--sql", action="store_true", help="also show the SQL over the data model")
    parser.add_argument("--json", action="store_true", help="the whole answer as JSON")
    add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..client.errors import SvcError

    user = user_fields(options)
    try:
        with open_client(options) as client:
            chat = client.chat(chat_id=options.chat, **user)
            answer = _stream(chat, " ".join(options.question), quiet=options.json)
            while not options.json and (number := _taken(answer)):
                answer = _stream(chat, number, quiet=False)
            if options.json:
                print_json(_as_json(answer))
            else:
                _show(answer, options)
            return {"complete": 0, "aborted": 130}.get(answer.status, 1)
    except SvcError as error:
        raise CommandFailed(error.message) from None


def _stream(chat: Chat, question: str, *, quiet: bool) -> Answer:
    """Print what is new of the answer, frame by frame; an interrupt stops the turn at the service too."""
    shown = ""
    with chat.stream(question) as stream:
        try:
            for _ in stream:
                shown = shown if quiet else _print_on(shown, _final_text(stream.answer))
        except KeyboardInterrupt:
            stream.abort()
            note("\nstopped; what had arrived is kept")
        answer = stream.answer
    if not quiet:
        _print_on(shown, answer.text)
        print()
    return answer


def _taken(answer: Answer) -> str:
    """The number of the reading that whoever sits at the terminal means; empty to leave it at that."""
    if not answer.choices or not sys.stdin.isatty():
        return ""
    numbers = [str(number) for number in range(1, len(answer.choices) + 1)]
    for number, choice in zip(numbers, answer.choices, strict=True):
        note(f"  {number}  {choice}")
    try:
        said = input(f"which one? [{'/'.join(numbers)}, Enter: none] ").strip()
    except EOFError:
        return ""
    return said if said in numbers else ""


def _final_text(answer: Answer) -> str:
    return "".join(entry.content for entry in answer.messages if entry.is_final)


def _print_on(shown: str, text: str) -> str:
    """Print what ``text`` adds to what is ``shown``; begin anew where it was taken back."""
    if not text.startswith(shown):
        print("\n")
        shown = ""
    print(text[len(shown) :], end="", flush=True)
    return text


def _show(answer: Answer, options: argparse.Namespace) -> None:
    if answer.reading is not None:
        note(f"read as: {answer.reading}")
    for result in answer.results:
        frame = result.to_frame()
        print(f"\n{result.title or 'Result'}")
        if options.sql:
            print(result.sql)
        print(frame.head(options.rows).to_string(index=False))
        if len(frame) > options.rows or result.truncated:
            note(f"{min(len(frame), options.rows)} of {result.total_rows} rows")
    if answer.status == "failed":
        print(f"svc-notebook: {answer.error}", file=sys.stderr)
    if options.url:  # elsewhere the thread ends with this process
        note(f"\nto go on: svc-notebook ask --chat {answer.chat_id} …")


def _as_json(answer: Answer) -> dict[str, Any]:
    return {
        "question": answer.question,
        "status": answer.status,
        "text": answer.text,
        "reading": answer.reading.to_dict() if answer.reading is not None else None,
        "error": answer.error,
        "chatId": answer.chat_id,
        "choices": [{"question": choice.question, "reading": choice.reading.to_dict()} for choice in answer.choices],
        "suggestions": list(answer.suggestions),
        "results": [
            {
                "title": result.title,
                "sql": result.sql,
                "totalRows": None if result.limited else result.total_rows,
                "truncated": result.truncated,
                "columns": [str(name) for name in result.to_frame().columns],
                "rows": result.to_frame().astype(object).where(result.to_frame().notna(), None).values.tolist(),
                "vegaSpec": result.vega_spec,
            }
            for result in answer.results
        ],
    }
