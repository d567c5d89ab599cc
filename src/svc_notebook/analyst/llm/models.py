"""From ``"provider:model"`` or a base URL to a model object of the provider-neutral library."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ..errors import AnalystUnavailable
from .gathering import hooks

if TYPE_CHECKING:
    from pydantic_ai.models import Model

__all__ = ["resolve_model"]

_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


def resolve_model(spec: str | Model[Any], *, api_key: str | None = None, base_url: str | None = None) -> Model[Any]:
    """The model that ``spec`` names.

    Parameters
    ----------
    spec
        ``"anthropic:…"``, ``"openai:…"``, ``"ollama:…"``, ``"https://host/v1#model"`` (any OpenAI-compatible base
        URL), another provider the library knows, or a model object, which is returned as it is.
    api_key
        The key; by default the provider's own environment variable (``SVC_LLM_API_KEY`` for a base URL).
    base_url
        Another address of the same protocol.

    Raises
    ------
    AnalystUnavailable
        The extra ``llm`` is not installed, the key is missing, or the name is not understood. No message holds a key.
    """
    if not isinstance(spec, str):
        return spec
    try:
        return _resolved(spec, api_key, base_url)
    except ImportError as error:
        raise AnalystUnavailable(
            f"{spec.partition(':')[0]!r} needs the extra `llm`: pip install 'svc-notebook[llm]' ({error.name} is not "
            'installed); analyst="offline" needs nothing'
        ) from error


def _resolved(spec: str, api_key: str | None, base_url: str | None) -> Model[Any]:
    import pydantic_ai.models as library

    if spec.startswith(("http://", "https://")):
        url, _, name = spec.partition("#")
        if not name:
            raise AnalystUnavailable(f"{spec!r} names no model: write it behind a '#', as in {url}#my-model")
        return _openai(name, url, api_key or os.environ.get("SVC_LLM_API_KEY") or "none")
    provider, _, name = spec.partition(":")
    if not name:
        raise AnalystUnavailable(
            f"{spec!r} is not an analyst: write 'offline', 'provider:model' or 'https://host/v1#model'"
        )
    key = api_key or _key_of(provider)
    if provider == "openai":
        return _openai(name, base_url, key)
    if provider == "anthropic":
        from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        http = DefaultAsyncHttpxClient(event_hooks=hooks())
        client = AsyncAnthropic(api_key=key, base_url=base_url, max_retries=0, http_client=http)
        return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client))
    if provider == "ollama":
        address = base_url or os.environ.get("OLLAMA_BASE_URL") or "http://localhost:11434/v1"
        return _openai(name, address, api_key or os.environ.get("OLLAMA_API_KEY") or "none")
    try:
        return library.infer_model(spec)
    except Exception as error:  # the library raises a different type for each provider that is not set up
        raise AnalystUnavailable(f"{provider!r} cannot be used here: {error}") from error


def _key_of(provider: str) -> str | None:
    variable = _KEYS.get(provider)
    if variable is None:
        return None
    key = os.environ.get(variable)
    if not key:
        raise AnalystUnavailable(f"{variable} is not set: {provider!r} needs a key; analyst='offline' needs none")
    return key


def _openai(name: str, base_url: str | None, key: str | None) -> Model[Any]:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    http = DefaultAsyncHttpxClient(event_hooks=hooks())
    client = AsyncOpenAI(base_url=base_url, api_key=key, max_retries=0, http_client=http)  # who asks again tells of it
    return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=client))
