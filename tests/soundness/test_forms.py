"""Thirteen forms × four shapes of policy × a base and a big fixture: no bound between visible and hidden values tells.

Here each takes two of the members; the long run (`make soundness`) takes all, with many more bounds.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from svc_notebook.semantic.engine.locks import CONFIG

from .forms import BOUNDS, FORMS, SHAPES, SIZES, open_shops, told

Shops = dict[str, dict[str, tuple]]  # type: ignore[type-arg]


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shops]:
    folder = tmp_path_factory.mktemp("forms")
    with open_shops(folder, "base") as base, open_shops(folder, "big") as big:
        yield {"base": base, "big": big}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("form", FORMS)
def test_a_form_tells_nothing(shops: Shops, form: str, shape: str, size: str) -> None:
    first = zlib.crc32(f"{form} {shape} {size}".encode())
    for member in [list(BOUNDS)[(first + more) % len(BOUNDS)] for more in (0, 2)]:
        found = told(shops[size][shape], shape, form, member, steps=2)
        assert found is None, found


def test_the_forms_tell_where_the_engine_plans_by_what_tables_hold(tmp_path: Path) -> None:
    """Without this the test above could pass over forms that nobody needs to fear."""
    rules = ",".join(set(CONFIG["disabled_optimizers"].split(",")) - {"statistics_propagation"})
    with open_shops(tmp_path, "base", {"disabled_optimizers": rules}) as shops:
        telling = {form for form in FORMS if told(shops["list"], "list", form, "amount", steps=2)}
    assert telling == set(FORMS)
