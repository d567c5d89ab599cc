"""How the site is built: ``make docs``.

The source folder is the project itself, so that a link between a page, a notebook and a file of the package is written
once and works on the site, in an editor and on a code host alike. Nothing is fetched: no inventory, no font, no script.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

from svc_notebook import __version__  # noqa: E402

project = "svc-notebook"
author = "the svc-notebook developers"
copyright = "the svc-notebook developers, MIT licence"  # noqa: A001 (Sphinx reads this name)
version = release = __version__
language = "en"
smartquotes_action = "D"  # dashes only

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "generated",
    "page_head",
    "drawn_charts",
]
root_doc = "docs/index"
include_patterns = ["docs/*.md", "notebooks/*.ipynb", "CHANGELOG.md", "src/svc_notebook/demo/data/README.md"]
exclude_patterns = ["**/.*", "**/node_modules", "site", "build", "dist", "tests", "docs/_*"]

# --- pages -------------------------------------------------------------------------------------------------------

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
nb_execution_mode = "off"  # outputs are stored; tests/notebooks compares every one
nb_custom_formats = {".ipynb": "notebook_outputs.read"}
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # by default a script of another host
nb_merge_streams = True
suppress_warnings = [
    "mystnb.unknown_mime_type",
    "mystnb.mime_priority",
]

# --- reference ---------------------------------------------------------------------------------------------------

napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
napoleon_preprocess_types = False
autodoc_typehints = "description"
autodoc_typehints_description_target = "all"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

# --- look --------------------------------------------------------------------------------------------------------

html_theme = "furo"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
html_title = "svc-notebook"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_use_index = True
html_additional_pages = {"index": "front_door.html"}
html_theme_options = {"navigation_with_keys": True, "footer_icons": []}
