"""``svc-notebook store``: copies of the state store, one person's data out of it, and what is due to go."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .output import CommandFailed, command, note, print_json

EXAMPLES = """\
examples:
  svc-notebook store backup copy.sqlite --store state.sqlite                 while the service runs
  svc-notebook store restore copy.sqlite --store state.sqlite --yes          with the service stopped
  svc-notebook store export-user --store state.sqlite --external ana         everything kept of ana, as JSON
  svc-notebook store delete-user --store state.sqlite --external ana --yes
  svc-notebook store prune --store state.sqlite --threads-older-than 90      and what has expired

Stores in PostgreSQL are copied with pg_dump and pg_restore; the other actions work there too.
"""
_DAY = 86_400.0


def add(commands: Any) -> None:
    parser = command(
        commands,
        "store",
        help="back up, restore and clean a state store; export or delete a person's data",
        description="Keep a state store: copy it and put a copy back, write out or remove everything that is kept of "
        "one person, remove what has expired.",
        more=EXAMPLES,
    )
    parser.add_argument("action", choices=sorted(ACTIONS), help="what to do; see the examples")
    parser.add_argument("file", nargs="?", type=Path, help="the copy, for backup and restore")
    parser.add_argument("--store", required=True, help="a path, or a database URL")
    parser.add_argument("--account", default="local", help="the account of the person (default: local)")
    parser.add_argument("--external", metavar="ID", help="the person, by external id")
    parser.add_argument("--internal", metavar="EMAIL", help="the person, by e-mail address of an internal user")
    parser.add_argument("--embed-tenant", default="", metavar="NAME", help="the embed tenant of an external user")
    parser.add_argument("--threads-older-than", type=float, metavar="DAYS", help="prune threads untouched for so long")
    parser.add_argument("--yes", action="store_true", help="do what cannot be undone")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..protocol.errors import ServiceError

    try:
        ACTIONS[options.action](options)
    except ServiceError as error:
        raise CommandFailed(" ".join([error.message, *getattr(error, "__notes__", ())])) from None
    return 0


def _backup(options: argparse.Namespace) -> None:
    from ..service.store.keeping import backup

    backup(_path(options), _file(options))
    note(f"wrote {options.file}")


def _restore(options: argparse.Namespace) -> None:
    from ..service.store.keeping import restore

    target = _path(options)
    if target.exists():
        _sure(options, f"what {target} holds is replaced")
    restore(_file(options), target)
    note(f"{target} holds what {options.file} holds")


def _export(options: argparse.Namespace) -> None:
    from ..service.store.keeping import export_user, find_user

    account, named = _who(options)
    print_json(_asked(options, lambda connection: export_user(connection, find_user(connection, account, **named))))


def _delete(options: argparse.Namespace) -> None:
    from ..service.store.keeping import delete_user, find_user

    account, named = _who(options)
    _sure(options, "everything that is kept of this person is removed")
    _asked(options, lambda connection: delete_user(connection, find_user(connection, account, **named)), write=True)
    note("removed")


def _prune(options: argparse.Namespace) -> None:
    from ..service.store.keeping import prune

    days = options.threads_older_than
    before = None if days is None else time.time() - days * _DAY
    gone = _asked(options, lambda connection: prune(connection, time.time(), threads_before=before), write=True)
    note("removed " + ", ".join(f"{count:,} {what}" for what, count in gone.items()))


ACTIONS: dict[str, Callable[[argparse.Namespace], None]] = {
    "backup": _backup, "restore": _restore, "export-user": _export, "delete-user": _delete, "prune": _prune,
}  # fmt: skip


def _asked(options: argparse.Namespace, work: Callable[[Any], Any], *, write: bool = False) -> Any:
    from ..service.store import open_store

    if "://" not in options.store and not Path(options.store).is_file():
        raise CommandFailed(f"there is no state store {options.store}")
    store = open_store(options.store)
    try:
        return store.write(work) if write else store.read(work)
    finally:
        store.close()


def _who(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    if (options.external is None) == (options.internal is None):
        raise CommandFailed("who? Give --external ID or --internal EMAIL")
    return options.account, {
        "external": options.external, "internal": options.internal, "scope": options.embed_tenant,
    }  # fmt: skip


def _path(options: argparse.Namespace) -> Path:
    if "://" in options.store and not options.store.startswith("sqlite:///"):
        raise CommandFailed("a store in PostgreSQL is copied with pg_dump and pg_restore")
    return Path(options.store.removeprefix("sqlite:///"))


def _file(options: argparse.Namespace) -> Path:
    if options.file is None:
        raise CommandFailed(f"which file? svc-notebook store {options.action} copy.sqlite --store {options.store}")
    file: Path = options.file
    return file


def _sure(options: argparse.Namespace, what: str) -> None:
    if not options.yes:
        raise CommandFailed(f"{what}, which cannot be undone: say --yes")
