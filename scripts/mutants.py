"""One-line breaks of the code that guards rights, and whether the tests notice.

    python scripts/mutants.py                        every mutant of every guard
    python scripts/mutants.py --sample 15 --seed 3   a few of them
    python scripts/mutants.py --only semantic/policy --list

A mutant is one change of one expression or statement: a condition negated, `and` for `or`, a comparison turned, a set
emptied, a filter of a query or of a comprehension left out, a refusal not raised, a call not made, nothing returned. It
is made in a copy of the tree; its tests run in a child that has the libraries loaded already, nearest and quickest
tests first. It is killed if one fails that passes without it. A survivor is either a missing test or no break at all:
those are listed, with the reason, in `scripts/mutants_equivalent.txt`.
"""

from __future__ import annotations

import argparse
import ast
import functools
import hashlib
import io
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path("src/svc_notebook")
EQUIVALENT = ROOT / "scripts" / "mutants_equivalent.txt"
SECONDS = 300
KILLER = "killer.txt"

GUARDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "semantic/policies/policy.py": (("tests/semantic_model/test_access_rules.py",), ()),
    "service/callers/auth.py": (("tests/service/test_doors.py",), ()),
    "service/callers/secrets.py": (("tests/service/test_doors.py",), ()),
    "service/deployments/sites.py": (("tests/service/test_doors.py", "tests/service/test_sites.py"), ()),
    "service/store/sessions.py": (("tests/service/test_doors.py",), ()),
    "service/runtime.py": (("tests/service/test_sites.py",), ("agent", "site")),
    "service/callers/scope.py": (("tests/service/test_scope.py",), ()),
    "service/callers/places.py": (("tests/service/test_turn_opening.py", "tests/service/test_scope.py"), ()),
    "lanes/quiet.py": (("tests/lanes/test_lane.py",), ()),
    "lanes/turns.py": (("tests/lanes/test_turns.py", "tests/lanes/test_lane.py"), ()),
    "lanes/place.py": (
        ("tests/lanes/test_turns.py", "tests/lanes/test_lane.py", "tests/service/test_scope.py"),
        ("Lanes", "Place", "fetch"),
    ),
    "service/turns/asking.py": (("tests/service/test_asking.py",), ()),
    "service/storedesk.py": (("tests/service/test_storedesk.py", "tests/service/test_outages.py"), ()),
    "service/turns/turn_opening.py": (("tests/service/test_turn_opening.py",), ("foresee", "_followed")),
    "lanes/admission.py": (("tests/lanes/test_lane.py", "tests/service/test_overload.py"), ()),
    "service/endpoints/exchange.py": (("tests/service/test_sites.py", "tests/conformance/test_around.py"), ()),
    "service/callers/identity.py": (("tests/service/test_identity.py", "tests/service/test_turn_opening.py"), ()),
    "semantic/policies/filter_values.py": (("tests/semantic_model/test_filters_written.py",), ()),
    "semantic/policies/row_filters.py": (("tests/semantic_model/test_filters_written.py",), ()),
    "service/endpoints/data_api.py": (
        ("tests/service/test_data_asking.py",),
        ("asking", "_only_names", "row_filters", "explain_sql", "data_body", "opened"),
    ),
    "semantic/compiler/policy/row_policy.py": (
        (
            "tests/semantic_sql/test_policy_places.py",
            "tests/semantic_sql/test_policies_below.py",
        ),
        (),
    ),
    "semantic/compiler/join_tree/asked.py": (
        (
            "tests/semantic_sql/test_policy_places.py",
            "tests/semantic_sql/test_policies_below.py",
        ),
        (),
    ),
    "semantic/compiler/policy/masks.py": (
        (
            "tests/semantic_sql/test_mask_places.py",
            "tests/semantic_model/test_asker_values.py",
            "tests/semantic_model/test_masks_by_group.py",
        ),
        (),
    ),
    "semantic/compiler/policy/proof.py": (("tests/soundness/test_plan_proof.py",), ()),
    "semantic/compiler/query/failing.py": (("tests/soundness/test_plan_proof.py",), ()),
    "semantic/compiler/query/stopping.py": (("tests/semantic_sql/test_stopping.py",), ()),
    "semantic/dialects/duckdb/barrier.py": (("tests/semantic_sql/test_stopping.py",), ()),
    "service/turns/threads.py": (
        ("tests/service/test_branch_rights.py", "tests/service/test_sites.py"),
        ("own_thread", "known_thread", "room_of"),
    ),
    "service/endpoints/chat.py": (("tests/service/test_branch_rights.py",), ("_branch",)),
}
"""Module → the tests that hold it, quickest first, and the functions that count (none named: all)."""


@dataclass(frozen=True)
class Mutant:
    """One break. ``key`` names it whatever line it stands on."""

    module: str
    function: str
    what: str
    was: str
    line: int
    number: int
    place: int

    @property
    def key(self) -> str:
        return f"{self.module} | {self.function} | {self.what} | {self.was}"


# --- breaks ---------------------------------------------------------------------------------------------------------

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip
_SETS = {"set", "frozenset"}


def breaks(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Every break of one node: what it is, and what stands in its place."""
    if isinstance(node, ast.If | ast.IfExp):
        negated = deepcopy(node)
        negated.test = ast.UnaryOp(ast.Not(), negated.test)
        yield "condition negated", negated
    if isinstance(node, ast.BoolOp):
        swapped = deepcopy(node)
        swapped.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and/or swapped", swapped
        for place in range(len(node.values)):
            rest = [value for at, value in enumerate(node.values) if at != place]
            yield f"operand {place} left out", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _TURNED:
        yield "comparison turned", ast.Compare(node.left, [_TURNED[type(node.ops[0])]()], node.comparators)
    if isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            without = deepcopy(node)
            del without.ifs[place]
            yield f"filter {place} of a comprehension left out", without
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.Sub):
        yield "left operand alone", node.left
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.BitAnd | ast.BitOr):
        yield "emptied", ast.Assign([node.target], ast.Call(ast.Name("set", ast.Load()), [], []))
        yield "not done", ast.Pass()
    if isinstance(node, ast.Call):
        yield from _of_call(node)
    if isinstance(node, ast.Raise):
        yield "not raised", ast.Pass()
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
        yield "not called", ast.Pass()
    if isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield "nothing returned", ast.Return(ast.Constant(None))
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant turned", ast.Constant(not node.value)


def _of_call(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in {"all", "any"}:
        yield "all/any swapped", ast.Call(ast.Name("any" if name == "all" else "all", ast.Load()), node.args, [])
    if name in _SETS and node.args:
        yield "emptied", ast.Call(node.func, [], [])
    if name == "where":
        for place in range(len(node.args)):
            yield (
                f"condition {place} of where left out",
                ast.Call(node.func, node.args[:place] + node.args[place + 1 :], []),
            )


class _Broken(ast.NodeTransformer):
    """The tree with one node exchanged."""

    def __init__(self, target: ast.AST, instead: ast.AST) -> None:
        self._target, self._instead = target, instead

    def visit(self, node: ast.AST) -> ast.AST:
        return self._instead if node is self._target else self.generic_visit(node)


def mutants_of(module: str) -> list[Mutant]:
    """Every mutant of a module's guarding functions, in order."""
    wanted = GUARDS[module][1]
    found: dict[str, Mutant] = {}
    for number, (function, node) in enumerate(_nodes(ast.parse(_source(module)))):
        if not function or (wanted and not set(function.split(".")) & set(wanted)) or _aside(node):
            continue
        was = ""
        for place, (what, _) in enumerate(breaks(node)):
            was = was or " ".join(ast.unparse(node).split())[:160]
            mutant = Mutant(module, function, what, was, getattr(node, "lineno", 0), number, place)
            found.setdefault(mutant.key, mutant)
    return list(found.values())


def broken(mutant: Mutant) -> str:
    """The module's source with the break."""
    tree = ast.parse(_source(mutant.module))
    node = list(_nodes(tree))[mutant.number][1]
    instead = list(breaks(node))[mutant.place][1]
    return ast.unparse(ast.fix_missing_locations(_Broken(node, instead).visit(tree)))


@functools.cache
def _source(module: str) -> str:
    """The module as it was at first: an edit while mutants run changes none of them."""
    return (ROOT / PACKAGE / module).read_text("utf-8")


def _aside(node: ast.AST) -> bool:
    """What guards nothing: texts, assertions about types, imports for type checkers."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _nodes(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Every node that may be broken, with the function it stands in; annotations and decorators say nothing."""
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "args" if isinstance(tree, ast.FunctionDef) else ""}:
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or isinstance(
                node, ast.Assert | ast.Import | ast.ImportFrom | ast.JoinedStr
            ):
                continue
            named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            inner = f"{function}.{node.name}".lstrip(".") if named else function  # type: ignore[attr-defined]
            yield function, node
            yield from _nodes(node, inner)


# --- runs -----------------------------------------------------------------------------------------------------------


def copied(into: Path) -> Path:
    """The tree that mutants are made in; the real one is never touched."""
    for name in ("src", "tests", "docs", "pyproject.toml", "README.md"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, into / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules", ".git"))
        elif source.exists():
            shutil.copy(source, into / name)
    return into


def outcome(tree: Path, tests: tuple[str, ...], seconds: float = SECONDS) -> str:
    """``killed``, ``survived`` or ``endless``: of the tests over the tree as it is now, in a child of this process."""
    (tree / KILLER).write_text("")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = _tested(tree, tests)
        finally:  # whatever breaks here, nothing of the parent's is tidied up by its child
            os._exit(code)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return "survived" if os.waitstatus_to_exitcode(status) == 0 else "killed"
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "endless"


def _tested(tree: Path, tests: tuple[str, ...]) -> int:
    """Exit code of the tests over the tree as it is; libraries stay loaded, our own modules are read again."""
    os.setsid()
    for name in [name for name in sys.modules if name.split(".")[0] in {"svc_notebook", "tests"}]:
        del sys.modules[name]
    return _pytest(tree, "-x", *tests)


class _Killer:
    """Writes down which test failed first (a file that cannot be read: its name)."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._failed(report)

    def pytest_collectreport(self, report: Any) -> None:
        self._failed(report)

    def _failed(self, report: Any) -> None:
        if report.failed and not self._path.read_text("utf-8"):
            self._path.write_text(report.nodeid, "utf-8")


def _pytest(tree: Path, *words: str) -> int:
    """Pytest's exit code: 0 if every test passed."""
    import pytest

    os.chdir(tree)
    sys.path[:0] = [str(tree / "src"), str(tree)]
    sys.dont_write_bytecode = True
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return int(pytest.main(["-q", "-p", "no:cacheprovider", "--tb=no", *words], plugins=[_Killer(tree / KILLER)]))


def known_equivalents() -> dict[str, str]:
    """Mutants that break nothing, by key, with the reason."""
    if not EQUIVALENT.exists():
        return {}
    lines = [line for line in EQUIVALENT.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {key.strip(): reason.strip() for key, _, reason in (line.rpartition(" => ") for line in lines)}


def chosen(options: argparse.Namespace) -> list[Mutant]:
    """The mutants to run: no listed equivalents, and of those ``--sample`` by ``--seed``."""
    known = known_equivalents()
    modules = [module for module in GUARDS if not options.only or any(part in module for part in options.only)]
    found = [mutant for module in modules for mutant in mutants_of(module) if mutant.key not in known]
    found = [mutant for mutant in found if options.matching in mutant.key]
    if options.sample is not None:
        found = sorted(found, key=lambda mutant: _drawn(options.seed, mutant.key))[: options.sample]
    return found


def _drawn(seed: int, key: str) -> bytes:
    """The lot that a mutant draws: an edit elsewhere changes none, so that a sample stays what it was."""
    return hashlib.sha256(f"{seed} {key}".encode()).digest()


def run(found: list[Mutant], say: Callable[[str], None]) -> list[Mutant]:
    """Those of the mutants that no test notices."""
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory(prefix="svc-mutants-") as place:
        tree = copied(Path(place))
        (tree / KILLER).touch()
        _pytest(tree, "--collect-only", *sorted({test for mutant in found for test in GUARDS[mutant.module][0]}))
        killers: set[str] = set()
        for mutant in found:
            path = tree / PACKAGE / mutant.module
            real = path.read_text("utf-8")
            began = time.monotonic()
            path.write_text(broken(mutant), "utf-8")
            result = outcome(tree, GUARDS[mutant.module][0])
            path.write_text(real, "utf-8")
            if result == "survived":
                survivors.append(mutant)
            if result == "killed":
                killers.add((tree / KILLER).read_text("utf-8").partition("[")[0])
            say(f"{result:9} {time.monotonic() - began:5.1f} s  {mutant.module}:{mutant.line}  {mutant.key}")
        if killers and outcome(tree, tuple(sorted(killers))) != "survived":  # what fails anyway would kill every mutant
            raise SystemExit(
                f"a test fails without any break: {(tree / KILLER).read_text('utf-8') or 'none was named'}"
            )
    return survivors


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Break the code that guards rights, and see whether the tests notice.")
    parser.add_argument("--sample", type=int, help="this many, by the seed (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], metavar="PART", help="modules whose path holds this")
    parser.add_argument("--matching", default="", metavar="TEXT", help="mutants whose name holds this")
    parser.add_argument("--list", action="store_true", help="name them, run nothing")
    options = parser.parse_args(arguments)
    found = chosen(options)
    if options.list:
        print("\n".join(f"{mutant.module}:{mutant.line}  {mutant.key}" for mutant in found))
        return 0
    survivors = run(found, lambda text: print(text, flush=True))
    print(f"{len(found)} mutants, {len(found) - len(survivors)} killed, {len(survivors)} survived, "
          f"{len(known_equivalents())} listed as equivalent")  # fmt: skip
    for mutant in survivors:
        print(f"survived: {mutant.key}")
    return 1 if survivors else 0


if __name__ == "__main__":
    raise SystemExit(main())
