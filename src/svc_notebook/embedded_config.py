"""The configuration of an embedded service, completed: the operator, a key of this process, what the policies name."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from .service.config import (
    AgentConfig,
    ApiKey,
    AttributeDefinition,
    GroupSeed,
    InternalUser,
    ServiceConfig,
    TenantConfig,
    load_config,
)

if TYPE_CHECKING:
    from .semantic.model import Cube, DataModel, Policy, View

__all__ = ["OPERATOR", "complete_config", "config_file", "policy_attributes", "policy_groups", "read_config"]

OPERATOR = InternalUser(username="operator", email="operator@svc.local", unrestricted=True)
# Both spellings: models of other semantic layers write either.
_ATTRIBUTE = re.compile(r"\buser(?:Attributes|_attributes)\.(\w+)")


def read_config(config: Any, model: Any = None) -> ServiceConfig:
    """``config`` as given; without one, the ``service.yml`` in or beside the model's folder; else the defaults."""
    if isinstance(config, ServiceConfig):
        return config
    if config is None and isinstance(model, (str, Path)):
        config = config_file(Path(model))
    return load_config(config)


def config_file(model: Path) -> Path | None:
    """The ``service.yml`` in or beside the folder of a model."""
    folder = model if model.is_dir() else model.parent
    places = [folder / "service.yml", folder.parent / "service.yml"]
    return next((place for place in places if place.is_file()), None)


def complete_config(
    config: ServiceConfig,
    model: DataModel,
    api_key: str,
    *,
    attributes: Mapping[str, Any] | None = None,
    groups: Sequence[str] | None = None,
    agent: Mapping[str, Any] | None = None,
) -> ServiceConfig:
    """``config`` with the operator and the key in its first account, and every attribute and group that is used."""
    first, *others = config.tenants
    return replace(
        config, tenants=[_completed(first, model, api_key, attributes or {}, groups or (), agent or {}), *others]
    )


def policy_attributes(model: DataModel) -> list[str]:
    """The user attributes that the model's policies refer to."""
    return sorted({name for text in _texts(_policies(model)) for name in _ATTRIBUTE.findall(text)})


def policy_groups(model: DataModel) -> list[str]:
    """The groups that the model's policies name."""
    return sorted({name for policy in _policies(model) for name in policy.groups if name != "*"})


def _completed(
    tenant: TenantConfig,
    model: DataModel,
    api_key: str,
    attributes: Mapping[str, Any],
    groups: Sequence[str],
    agent: Mapping[str, Any],
) -> TenantConfig:
    declared = {definition.name: definition for definition in tenant.attributes}
    declared |= {name: _definition(name, given) for name, given in attributes.items()}
    for name in policy_attributes(model):
        # A policy on an attribute that nobody has defined denies everybody, and no session could set it.
        declared.setdefault(name, AttributeDefinition(name))
    seeds = {seed.name: seed for seed in tenant.groups}
    for name in (*groups, *policy_groups(model)):
        seeds.setdefault(name, GroupSeed(name))
    users = tenant.internal_users
    if not any(user.email == OPERATOR.email for user in users):
        users = [*users, OPERATOR]
    return replace(
        tenant,
        attributes=list(declared.values()),
        groups=list(seeds.values()),
        internal_users=users,
        api_keys=[
            *tenant.api_keys,
            ApiKey(key=api_key, name="this process", admin=True, temporary=True, branches=True),
        ],
        agents=[replace(each, **agent) for each in tenant.agents or [AgentConfig()]],
    )


def _definition(name: str, given: Any) -> AttributeDefinition:
    return AttributeDefinition(name, **given) if isinstance(given, Mapping) else AttributeDefinition(name, given)


def _policies(model: DataModel) -> list[Policy]:
    relations: list[Cube | View] = [*model.cubes.values(), *model.views.values()]
    return [policy for relation in relations for policy in relation.access_policy or ()]


def _texts(value: Any) -> Iterator[str]:
    """Every text within nested dataclasses, mappings and sequences."""
    if isinstance(value, str):
        yield value
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _texts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            yield from _texts(each)
