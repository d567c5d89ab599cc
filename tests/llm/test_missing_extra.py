"""What a language model needs and is not installed is said in a sentence with the name of the extra."""

from __future__ import annotations

import sys

import pytest

from svc_notebook.analyst.errors import AnalystUnavailable
from svc_notebook.analyst.registry import make_analyst
from svc_notebook.protocol.errors import ServiceError
from svc_notebook.service.config import AgentConfig
from svc_notebook.service.deployments.sites import Site, Sites

from ..service.service_world import make_config


@pytest.mark.parametrize("spec", ["openai:m", "anthropic:m", "http://127.0.0.1:9/v1#m", "ollama:m"])
@pytest.mark.parametrize("missing", ["pydantic_ai.models", "openai", "anthropic"])
def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, spec: str, missing: str) -> None:
    if missing == "anthropic" and spec != "anthropic:m" or missing == "openai" and spec == "anthropic:m":
        pytest.skip("needs another package")
    for name in [name for name in sys.modules if name.partition(".")[0] in {"pydantic_ai", "openai", "anthropic"}]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(AnalystUnavailable, match=r"needs the extra `llm`: pip install 'svc-notebook\[llm\]'"):
        make_analyst(spec, options={"api_key": "sk-x"})


def test_the_service_says_it_in_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai.models", None)
    agent = AgentConfig(analyst="http://127.0.0.1:9/v1#m")
    with pytest.raises(ServiceError, match=r"Agent data-analyst: .* needs the extra `llm`") as caught:
        Sites(make_config(), {}).analyst(Site("acme", 32), agent)
    assert caught.value.status == 501
