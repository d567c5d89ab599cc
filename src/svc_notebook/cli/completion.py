"""``svc-notebook completion``: completion for bash, zsh and fish, from the same parser that reads the command line."""

from __future__ import annotations

import argparse
from typing import Any

from .output import command

BASH = """\
_svc_notebook() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}"
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands}" -- "$current"))
        return
    fi
    case "$command" in
{cases}
    esac
}}
complete -o default -F _svc_notebook svc-notebook
"""
ZSH = """\
(( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit -u }}
_svc_notebook() {{
    local -a commands=(
{commands}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    case $words[2] in
{cases}
    esac
}}
compdef _svc_notebook svc-notebook
"""

EXAMPLES = """\
examples:
  eval "$(svc-notebook completion bash)"                 in ~/.bashrc
  eval "$(svc-notebook completion zsh)"                  in ~/.zshrc
  svc-notebook completion fish | source                  in ~/.config/fish/config.fish
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "completion",
        help="print shell completion (bash, zsh, fish)",
        description="Print completion for your shell: commands, their options, files.",
        more=EXAMPLES,
    )
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="your shell")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell](), end="")
    return 0


def _bash() -> str:
    cases = "\n".join(
        f'        {name}) [[ "$current" == -* ]] && COMPREPLY=($(compgen -W "{" ".join(flags)}" -- "$current"));;'
        for name, flags in _options().items()
    )
    return BASH.format(commands=" ".join(_options()), cases=cases)


def _zsh() -> str:
    def plain(text: str) -> str:
        """Without what ``_describe`` and ``_arguments`` read as their own signs."""
        return text.translate(str.maketrans("'[]:", "’(),"))

    commands = "\n".join(f"        '{name}:{plain(text)}'" for name, text in _helps().items())
    cases = []
    for name, flags in _options().items():
        told = " ".join(f"'{flag}[{plain(text)}]'" for flag, text in flags.items())
        cases.append(f"        {name}) _arguments {told} '*:file:_files';;")
    return ZSH.format(commands=commands, cases="\n".join(cases))


def _fish() -> str:
    lines = []
    for name, text in _helps().items():
        plain = text.replace("'", "\\'")
        lines.append(f"complete -c svc-notebook -n __fish_use_subcommand -f -a {name} -d '{plain}'")
        within = f"complete -c svc-notebook -n '__fish_seen_subcommand_from {name}'"
        for flag, said in _options()[name].items():
            told = said.replace("'", "\\'")
            lines.append(f"{within} -l {flag.removeprefix('--')} -d '{told}'")
    return "\n".join(lines) + "\n"


def _parsers() -> argparse._SubParsersAction[argparse.ArgumentParser]:
    from . import make_parser

    groups = make_parser()._subparsers
    assert groups is not None
    found = groups._group_actions[0]
    assert isinstance(found, argparse._SubParsersAction)
    return found


def _helps() -> dict[str, str]:
    """What each command is for."""
    return {action.dest: str(action.help) for action in _parsers()._choices_actions}


def _options() -> dict[str, dict[str, str]]:
    """Long options with their help, by command."""
    return {
        name: {
            flag: str(action.help or "")
            for action in sorted(parser._actions, key=lambda action: list(action.option_strings))
            for flag in action.option_strings
            if flag.startswith("--")
        }
        for name, parser in _parsers().choices.items()
    }
