"""``svc-notebook completion``: completion for bash, zsh and fish, from the same parser that reads the command line."""

from __future__ import annotations

import argparse
from typing import Any

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


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "completion",
        help="print shell completion (bash, zsh, fish)",
        description='Print completion for your shell.  bash, zsh: eval "$(svc-notebook completion bash)"  '
        "fish: svc-notebook completion fish | source",
    )
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    known = _options()
    if options.shell == "fish":
        for command, flags in known.items():
            print(f"complete -c svc-notebook -n __fish_use_subcommand -f -a {command}")
            within = f"complete -c svc-notebook -n '__fish_seen_subcommand_from {command}'"
            for flag in flags:
                print(f"{within} -l {flag.removeprefix('--')}")
        return 0
    cases = "\n".join(
        f'        {command}) [[ "$current" == -* ]] && COMPREPLY=($(compgen -W "{" ".join(flags)}" -- "$current"));;'
        for command, flags in known.items()
    )
    if options.shell == "zsh":
        print("autoload -U +X bashcompinit && bashcompinit")
    print(BASH.format(commands=" ".join(known), cases=cases), end="")
    return 0


def _options() -> dict[str, list[str]]:
    """Long options by command."""
    from . import make_parser

    actions = make_parser()._subparsers
    assert actions is not None
    commands: dict[str, argparse.ArgumentParser] = actions._group_actions[0].choices  # type: ignore[assignment]
    return {
        name: sorted(flag for action in parser._actions for flag in action.option_strings if flag.startswith("--"))
        for name, parser in commands.items()
    }
