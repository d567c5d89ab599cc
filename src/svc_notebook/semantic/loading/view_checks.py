"""What can be checked of a view once all cubes are read: its names, its beginnings, what its policy leaves open."""

from __future__ import annotations

from ..model import DataModel, View
from .join_graph import JoinGraph
from .openings import check_openings
from .problems import Problems

__all__ = ["check_view"]


def check_view(view: View, model: DataModel, graph: JoinGraph, problems: Problems) -> None:
    """Report names that are taken, beginnings that nothing connects, and cubes that stay open under a policy."""
    for name in (m.name for m in view.own_members):
        if name in model.cubes:
            problems.warning(f"'{name}' of view '{view.name}' is also the name of a cube", view.source, at=name)
    _check_roots(view, graph, problems)
    _check_open_cubes(view, model, problems)
    check_openings(view, model, problems)


def _check_roots(view: View, graph: JoinGraph, problems: Problems) -> None:
    roots = {member.join_path[0] for member in view.members}
    # Measures of several roots meet in a cube that all of them lead to.
    shared = set.intersection(*({root, *graph.reach(root)} for root in roots)) if roots else set()
    if len(roots) > 1 and not shared and not graph.connected(roots):
        names = ", ".join(sorted(roots))
        problems.warning(
            f"no joins connect {names}, the beginnings of view '{view.name}': measures of them can stand "
            f"together only where nothing is grouped",
            view.source,
        )


def _check_open_cubes(view: View, model: DataModel, problems: Problems) -> None:
    """A policy closes the view alone: a public cube under it that has none can be asked by everybody."""
    if not view.access_policy:
        return
    names = dict.fromkeys(member.join_path[-1] for member in view.members)
    cubes = (model.cubes[name] for name in names if name in model.cubes)
    open_ones = [cube.name for cube in cubes if cube.public and cube.access_policy is None]
    if open_ones:
        problems.warning(
            f"view '{view.name}' has an access policy, but everybody can ask {', '.join(open_ones)} directly: write "
            f"'public: false' there, or a policy",
            view.source,
        )
