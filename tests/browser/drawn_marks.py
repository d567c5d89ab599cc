"""What a chart that a page has drawn shows, apart from its size: its marks, where they stand in their frame, in what colour."""

from __future__ import annotations

from typing import Any

__all__ = ["MARKS", "difference"]

MARKS = r"""(root) => {
    const svg = root.querySelector("svg");
    if (!svg) return null;
    const placed = (el) => {
        const box = el.getBBox(), to = el.getCTM();
        const corners = [[box.x, box.y], [box.x + box.width, box.y + box.height]].map(([x, y]) =>
            [to.a * x + to.c * y + to.e, to.b * x + to.d * y + to.f]);
        const [[x0, y0], [x1, y1]] = corners;
        return {x: (x0 + x1) / 2, y: (y0 + y1) / 2, w: Math.abs(x1 - x0), h: Math.abs(y1 - y0)};
    };
    const unseen = ["transparent", "none", "", null];  // as the cells around points that take the mouse
    const painted = (el) => el.tagName === "image" || !["fill", "stroke"].every((paint) => unseen.includes(el.getAttribute(paint)));
    const frameOf = (el) => {
        for (let at = el.parentElement; at; at = at.parentElement) {
            const own = [...at.children].find((child) => child.matches("path.background"));
            if (own) return placed(own);
        }
        return placed(svg);
    };
    const groups = [...svg.querySelectorAll("g.role-mark")].filter((g) => !g.matches(".mark-group"));
    return groups.map((group) => {
        const kind = /mark-(\w+)/.exec(group.getAttribute("class"))[1];
        const frame = frameOf(group);
        const items = [...group.children].filter((el) => el.getBBox && el.getAttribute("d") !== "" && getComputedStyle(el).display !== "none" && painted(el));
        return [kind, items.map((el) => {
            const at = placed(el);
            const share = (value, whole) => whole ? value / whole : value;
            const side = Math.min(frame.w, frame.h);
            const place = kind === "arc" ? [share(at.x - frame.x, side), share(at.y - frame.y, side)] : [share(at.x - (frame.x - frame.w / 2), frame.w), share(at.y - (frame.y - frame.h / 2), frame.h)];
            const sized = ["rect", "line", "area", "trail", "rule"].includes(kind) ? [share(at.w, frame.w), share(at.h, frame.h)]
                : kind === "arc" ? [share(at.w, side), share(at.h, side)] : [];
            const paint = ["text", "rule", "image"].includes(kind) ? "" : [el.getAttribute("fill"), el.getAttribute("stroke")].join(" ").replace(/url\([^)]*/g, "url(");
            return [kind === "text" ? el.textContent : paint, [...place, ...sized]];
        })];
    });
}"""

_CLOSE = 0.012  # of a frame's side
_TEXT = 0.06  # words stand some pixels from their place, whatever its size


def difference(one: Any, other: Any) -> str:
    """The first place where two drawings differ; empty where they show the same."""
    if one is None or other is None:
        return "one of them is not drawn"
    kinds = [[kind for kind, _ in drawing] for drawing in (one, other)]
    if kinds[0] != kinds[1]:
        return f"marks {kinds[0]} against {kinds[1]}"
    for (kind, items), (_, others) in zip(one, other, strict=True):
        if len(items) != len(others):
            return f"{len(items)} {kind} against {len(others)}"
        limit = _TEXT if kind == "text" else _CLOSE
        for (said, place), (other_said, other_place) in zip(items, others, strict=True):
            if said != other_said:
                return f"{kind}: {said!r} against {other_said!r}"
            if any(abs(a - b) > limit for a, b in zip(place, other_place, strict=True)):
                return f"{kind}: at {[round(a, 3) for a in place]} against {[round(b, 3) for b in other_place]}"
    return ""
