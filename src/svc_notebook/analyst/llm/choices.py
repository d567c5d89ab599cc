"""A model that asks back: readings of a question, each as SQL of its own, which the asker may take by a click."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...protocol.tools import ToolError
from ...semantic.errors import SemanticError
from ..offline.dialogue import Option, options_of
from ..offline.forms import Form, NoForm, from_sql

if TYPE_CHECKING:
    from ...semantic.catalog import Catalog
    from ..toolbox import Toolbox

__all__ = ["CHOICES_SCHEMA", "CHOICES_TOOL", "CHOICES_WHAT", "offered"]

CHOICES_TOOL = "svcChoices"
CHOICES_WHAT = (
    "Ask which reading is meant, instead of answering: two or three queries, each a complete reading. They are shown "
    "as buttons in words of their own, and the turn ends. Only where they differ in what they give and none is likelier"
)
CHOICES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "queries": {
            "type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3,
            "description": "SQL over the data model, as svcSqlApi takes it; nothing is run",
        },
    },
    "required": ["queries"],
    "additionalProperties": False,
}  # fmt: skip
_MOST = 3


async def offered(arguments: Mapping[str, Any], toolbox: Toolbox) -> tuple[Option, ...] | ToolError:
    """The readings as the asker is shown them, each of which they may ask; or what is wrong with them."""
    queries = arguments.get("queries")
    if not isinstance(queries, list) or not all(isinstance(sql, str) for sql in queries):
        return ToolError('svcChoices takes {"queries": ["SELECT …", "SELECT …"]}')
    if not 2 <= len(queries) <= _MOST:
        return ToolError(f"svcChoices takes two or three queries, not {len(queries)}")
    forms: list[Form] = []
    for place, sql in enumerate(queries, 1):
        try:
            await toolbox.think(toolbox.sight.compile, sql, timezone=toolbox.timezone)
            form = await toolbox.think(_form, sql, toolbox.catalog)
        except SemanticError as refused:
            return ToolError(f"query {place} is refused: {refused}")
        if form is None:
            return ToolError(f"query {place} cannot be put into words: write a plainer one, or ask in your own words")
        forms.append(form)
    options = options_of(forms, toolbox.catalog)
    return options if len(options) == len(queries) else ToolError("two of the queries are one reading: choose others")


def _form(sql: str, catalog: Catalog) -> Form | None:
    try:
        form = from_sql(sql, catalog)
    except NoForm:
        return None
    return form if isinstance(form, Form) else None
