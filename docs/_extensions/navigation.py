"""The order of the pages, beside the text."""

__all__ = ["navigation"]

PARTS = {
    "Start here": ["quickstart", "concepts", "troubleshooting"],
    "Course": ["/notebooks/*"],
    "In the notebook": ["client", "widgets", "charts", "analyst", "gallery", "language-model", "jupyterlite"],
    "The data": [
        "data-model",
        "sql",
        "policies",
        "migrating-from-cube",
        "engines",
        "spark",
        "demo",
        "/src/svc_notebook/demo/data/README",
    ],
    "For a team": ["service", "wire", "security", "soundness", "performance", "scale"],
    "Reference": ["api", "endpoints", "command-line", "architecture", "dependencies", "/CHANGELOG"],
}


def navigation() -> str:
    """A hidden table of contents for each part: the site shows it at the side."""
    return "\n\n".join(
        f"```{{toctree}}\n:hidden:\n:glob:\n:caption: {part}\n\n" + "\n".join(pages) + "\n```"
        for part, pages in PARTS.items()
    )
