"""Completion in the shells themselves, where they are installed; examples in every help; progress at a terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from svc_notebook.cli import COMMANDS, main, make_parser
from svc_notebook.cli.progress import counted, waiting

NAMES = [module.__name__.rpartition(".")[2].replace("evaluate", "eval") for module in COMMANDS]


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    for shell in ("bash", "zsh", "fish"):
        done = subprocess.run(
            [sys.executable, "-m", "svc_notebook.cli", "completion", shell], capture_output=True, text=True, check=True
        )
        (tmp_path / shell).write_text(done.stdout)
    return tmp_path


def offered(shell: str, script: Path, line: str) -> set[str]:
    """What bash or fish offers at the end of a line."""
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    if shell == "fish":
        command = ["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"]
    else:
        words = line.split(" ")
        asked = (
            f"source {script}\nCOMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}\n_svc_notebook\n"
        )
        command = ["bash", "--norc", "-c", asked + 'printf "%s\\n" "${COMPREPLY[@]}"\n']
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return {word.split("\t")[0] for word in done.stdout.splitlines() if word}


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_commands_and_options_are_offered(shell: str, scripts: Path) -> None:
    assert offered(shell, scripts / shell, "svc-notebook ") >= set(NAMES)
    assert offered(shell, scripts / shell, "svc-notebook va") == {"validate"}
    assert offered(shell, scripts / shell, "svc-notebook validate --st") == {"--strict"}
    assert {"--model", "--json", "--as"} <= offered(shell, scripts / shell, "svc-notebook ask --")


def test_zsh_completes_what_is_typed(scripts: Path) -> None:
    """At a terminal of its own, in a zsh that has not set completion up: the line of the help, then the Tab key."""
    if shutil.which("zsh") is None:
        pytest.skip("no zsh here")
    terminal, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "PS1": "> ", "HOME": str(scripts)}
    shell = subprocess.Popen(
        ["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    said = ""

    def until(text: str) -> None:
        nonlocal said
        while text not in said:
            ready, _, _ = select.select([terminal], [], [], 60)
            assert ready, said
            said += os.read(terminal, 10_000).decode(errors="replace")

    try:
        os.write(terminal, f'eval "$(cat {scripts / "zsh"})"; echo set-"up"\n'.encode())
        until("set-up")
        os.write(terminal, b"svc-notebook va\t--st\t")
        until("validate")
        until("--strict")
        assert "command not found" not in said
    finally:
        shell.kill()
        shell.wait()
        os.close(terminal)


@pytest.mark.parametrize("name", NAMES)
def test_every_help_ends_with_examples_that_are_understood(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    examples = capsys.readouterr().out.partition("\nexamples:\n")[2]
    lines = re.findall(r'^ +(?:eval "\$\()?svc-notebook (.*?)(?:\)".*| {3,}.*| \|.*| [<>].*)?$', examples, re.MULTILINE)
    assert lines
    for line in lines:
        assert make_parser().parse_args(shlex.split(line)).command == name


def test_steps_are_lines_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(counted([1, 2], ["one", "two"])) == [1, 2]
    with waiting("looking"):
        pass
    said = capsys.readouterr()
    assert said.err == "1/2 one\n2/2 two\n"
    assert said.out == ""


def test_at_a_terminal_a_bar_moves_and_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for item in counted(["a", "b"], ["one", "two"]):
        assert terminal.getvalue().endswith({"a": "1/2 one", "b": "2/2 two"}[item])
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert terminal.getvalue().count("━") == 12


def test_waiting_tells_the_seconds_at_a_terminal() -> None:
    code = (
        "import time\n"
        "from svc_notebook.cli import progress\n"
        "progress.AGAIN = 0.01\n"
        "import sys, threading\n"
        "seen = threading.Event()\n"
        "draw = progress._draw\n"
        "progress._draw = lambda text: (draw(text), seen.set())\n"
        "with progress.waiting('looking into big.csv'):\n"
        "    assert seen.wait(30)\n"
    )
    ours, theirs = pty.openpty()
    done = subprocess.run([sys.executable, "-c", code], stderr=theirs, check=False, timeout=60)
    os.close(theirs)
    said = os.read(ours, 10_000).decode()
    os.close(ours)
    assert done.returncode == 0, said
    assert "looking into big.csv … 0 s" in said
    assert said.endswith("\x1b[K")


def test_serve_says_that_its_port_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    import socket

    pytest.importorskip("uvicorn")
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        number = holder.getsockname()[1]
        assert main(["serve", "--port", str(number)]) == 1
    said = capsys.readouterr().err
    assert f"port {number}" in said
    assert "--port" in said
