"""What a view shows of its cubes that their own policies hide or mask from the same people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model import Cube, DataModel, View, ViewMember
from ..policies.policy import Grant, granted, kept_back
from ..rules import Policy
from .problems import Problems

__all__ = ["check_openings"]


def check_openings(view: View, model: DataModel, problems: Problems) -> None:
    """Warn of what a view opens: its own policy decides on its members, and without one it is open."""
    kept = {name: kept_back(cube) for name, cube in model.cubes.items() if cube.access_policy}
    shown = [m for m in view.members if m.kind != "hierarchy" and m.member in kept.get(m.cube, ())]
    if shown and not view.access_policy:
        problems.warning(
            f"view '{view.name}' has no access policy and shows {_names(shown)}, which a policy of its cube hides "
            "or masks: what is masked there is masked here, what is hidden there is seen here; leave it out, or "
            "write a policy for the view",
            view.source,
        )
    for policy in view.access_policy or () if shown else ():
        for whom, opened in _opened(view, policy, shown, model.cubes):
            problems.warning(
                f"the policy of view '{view.name}' for '{whom}' shows {_names(opened)}, which "
                f"{_owners(opened)} hides or masks for '{whom}': a view's own policy decides; leave it out with "
                "member_level, mask it with member_masking, or show it to them in the cube too",
                policy.source,
            )


def _opened(
    view: View, policy: Policy, shown: list[ViewMember], cubes: Mapping[str, Cube]
) -> Iterator[tuple[str, list[ViewMember]]]:
    """Each group of a view's policy, with the members it sees there and not in the cube."""
    given = granted(view, policy)
    for group in policy.groups:
        opened = [m for m in shown if m.name in given.full and _is_kept(cubes[m.cube], m.member, group, given)]
        if opened:
            yield group, opened


def _is_kept(cube: Cube, member: str, group: str, given: Grant) -> bool:
    """Whether a cube keeps a member from people of a group who meet the conditions of the view's policy, on some rows.

    Where none of its policies is theirs it gives them no rows, through the view neither: nothing is opened.
    """
    theirs = [p for p in cube.access_policy or () if {"*", group} & set(p.groups)]
    sure = [p for p in theirs if set(p.conditions) <= set(given.policy.conditions)]
    full = [g for g in (granted(cube, p) for p in sure) if member in g.full]
    if not theirs or any(g.rows is None for g in full):
        return False
    return not full or (given.rows is None and len(full) < len(theirs))


def _names(members: list[ViewMember]) -> str:
    return ", ".join(m.name for m in members)


def _owners(members: list[ViewMember]) -> str:
    return ", ".join(f"cube '{name}'" for name in dict.fromkeys(m.cube for m in members))
