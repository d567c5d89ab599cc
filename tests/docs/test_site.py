"""The built site: complete, linked, described, and without a request to anybody else."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import svc_notebook as svc

bs4 = pytest.importorskip("bs4", reason="comes with the extra `docs`")
# Beside those that look at the site in a browser, so that it is built once: that takes longer than all these tests.
pytestmark = pytest.mark.browser

ELSEWHERE = re.compile(r"^(https?:)?//")
LOADS = {
    "script": "src",
    "img": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "object": "data",
}
MADE_BY_SPHINX = {"genindex.html", "search.html", "py-modindex.html"}


@cache
def soup(page: Path):
    return bs4.BeautifulSoup(page.read_text("utf-8"), "html.parser")


class _Loaded(HTMLParser):
    """What a page has its browser fetch; of the source of a module this is known without a tree of it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in LOADS:
            self.found.append((tag, dict(attrs).get(LOADS[tag]) or ""))


def loaded(page: Path) -> list[tuple[str, str]]:
    """Elements with the addresses that they load from."""
    parser = _Loaded()
    parser.feed(page.read_text("utf-8"))
    return parser.found


def written(site: Path) -> list[Path]:
    """Pages with text of ours."""
    return [
        page
        for page in sorted(site.rglob("*.html"))
        if page.name not in MADE_BY_SPHINX and "_modules" not in page.parts
    ]


def test_every_page_and_notebook_is_there(site: Path, root: Path):
    assert (site / "index.html").exists()
    for page in sorted((root / "docs").glob("*.md")):
        assert (site / "docs" / f"{page.stem}.html").exists(), page.name
    for notebook in sorted((root / "notebooks").glob("*.ipynb")):
        assert (site / "notebooks" / f"{notebook.stem}.html").exists(), notebook.name


@cache
def anchors(page: Path) -> frozenset[str]:
    return frozenset(tag["id"] for tag in soup(page).find_all(id=True))


def test_every_link_and_anchor_leads_somewhere(site: Path):
    broken = []
    for page in sorted(site.rglob("*.html")):
        for tag in soup(page).find_all(href=True):
            link = urlsplit(tag["href"])
            if link.scheme or link.netloc:
                continue
            target = (page.parent / unquote(link.path)).resolve() if link.path else page
            if not target.exists() or (
                link.fragment and target.suffix == ".html" and unquote(link.fragment) not in anchors(target)
            ):
                broken.append(f"{page.relative_to(site)}: {tag['href']}")
    assert sorted(set(broken)) == []


def test_nothing_is_loaded_from_another_host(site: Path):
    found = []
    for page in sorted(site.rglob("*.html")):
        for name, address in loaded(page):
            if ELSEWHERE.match(address):
                found.append(f"{page.relative_to(site)}: <{name}> {address}")
    for sheet in sorted(site.rglob("*.css")):
        text = sheet.read_text("utf-8")
        found += [
            f"{sheet.relative_to(site)}: {url}"
            for url in re.findall(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^)'\"]+)", text)
        ]
    for script in sorted(site.rglob("*.js")):
        text = script.read_text("utf-8")
        found += [
            f"{script.relative_to(site)}: {url}"
            for url in re.findall(r"(?:import\(|import |fetch\(|src ?= ?)['\"](https?://[^'\"]+)", text)
        ]
    assert found == []


def test_every_page_has_a_title_and_a_description_of_its_own(site: Path):
    described: dict[str, Path] = {}
    for page in written(site):
        title = soup(page).title.get_text(strip=True)
        assert len(title) >= 8, page
        tags = soup(page).find_all("meta", attrs={"name": "description"})
        assert len(tags) == 1, page
        description = tags[0]["content"]
        assert 30 <= len(description) <= 200, f"{page}: {description}"
        assert description not in described, f"{page} and {described[description]} have one description"
        described[description] = page


def test_every_picture_says_what_it_shows(site: Path):
    silent = [
        f"{page.relative_to(site)}: {image['src']}"
        for page in written(site)
        for image in soup(page).find_all("img")
        if not image.get("alt") or image["alt"].endswith(".png")
    ]
    assert silent == []


def test_every_public_name_is_in_the_api_reference(site: Path):
    ids = anchors(site / "docs/api.html")
    missing = [name for name in svc.__all__ if not {f"svc_notebook.{name}", f"module-svc_notebook.client.{name}"} & ids]
    assert missing == []


@pytest.mark.parametrize("name", ["Client", "AsyncClient", "Chat", "Answer", "Result", "Session"])
def test_every_public_method_is_in_the_api_reference_and_says_something(site: Path, name: str):
    public = [member for member in dir(getattr(svc, name)) if not member.startswith("_")]
    assert [member for member in public if f"svc_notebook.{name}.{member}" not in anchors(site / "docs/api.html")] == []
    silent = [member for member in public if not (getattr(getattr(svc, name), member).__doc__ or "").strip()]
    assert silent == []


def test_docstrings_are_rendered_not_shown(site: Path):
    """No underlined headings, no roles and no doubled backticks are left in the text of the reference."""
    text = soup(site / "docs/api.html").find("article").get_text("\n")
    assert re.findall(r"^-{4,}$|:(?:meth|class|attr|func):|``", text, re.MULTILINE) == []


def test_charts_stand_in_the_notebooks_as_pictures_with_their_specification(site: Path, root: Path):
    drawn = 0
    for page in sorted((site / "notebooks").glob("*.html")):
        notebook = json.loads((root / "notebooks" / f"{page.stem}.ipynb").read_text("utf-8"))
        outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
        stored = sum("application/vnd.vegalite.v5+json" in output.get("data", {}) for output in outputs)
        specifications = soup(page).select("script.drawn-chart")
        assert len(specifications) == stored, page.name
        assert all(specification.find_previous("img")["src"].endswith(".png") for specification in specifications)
        assert bool(soup(page).select('script[src*="charts.js"]')) == bool(stored), page.name
        drawn += stored
    assert drawn > 5
    assert (site / "_static/vega.js").stat().st_size > 500_000
