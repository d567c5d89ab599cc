from __future__ import annotations

from collections.abc import Iterator

import pytest

from svc_notebook.semantic.layer import SemanticLayer

from .shop import open_shop


@pytest.fixture(scope="session")
def shop() -> Iterator[SemanticLayer]:
    layer = open_shop()
    yield layer
    layer.close()
