"""What an operator decides: accounts with their plan, keys, catalogs, internal users and agents; lifetimes and limits.

A configuration is made in Python or read from a ``service.yml`` beside the data model (:func:`load_config`). Keys are
hashed before they are stored; a configuration never shows them in its ``repr``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from ..protocol.sessions import AttributeType
from .callers.secrets import named_secret
from .typed_faults import fault

__all__ = [
    "PLANS_WITH_EMBEDDING", "AgentConfig", "ApiKey", "AttributeDefinition", "ConfigError", "Dashboard", "Deployment",
    "GroupSeed", "InternalUser", "ServiceConfig", "TenantConfig", "Tile", "is_branch_name",
    "load_config",
]  # fmt: skip

PLANS_WITH_EMBEDDING = frozenset({"premium", "enterprise"})
# Narrower than git's own rule, since the name also becomes a folder and an argument of git's.
_BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*", re.ASCII)


_ORIGIN = re.compile(r"'(?:self|none)'|https?://(?:\*\.)?[A-Za-z0-9.-]+(?::(?:\d+|\*))?", re.ASCII)


class ConfigError(ValueError):
    """The configuration cannot be used; the message says which key and what is expected there."""


class AttributeDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tenant-wide user attribute."""

    name: str
    type: AttributeType = "string_array"
    display_name: str | None = None
    description: str | None = None
    default_value: str | None = None


class GroupSeed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tenant-wide group."""

    name: str
    description: str | None = None


class InternalUser(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A platform user with permissions of its own. ``unrestricted`` is the operator: policies do not apply."""

    username: str
    email: str
    groups: list[str] = []
    user_attributes: dict[str, Any] = {}
    security_context: dict[str, Any] = {}
    unrestricted: bool = False


class ApiKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account key. ``deployments`` limits it to those; ``key_env`` names the environment variable that holds it,
    or with ``_FILE`` behind it the path of a file that does.

    With ``branches`` it may chat over the development branches that a deployment lists. A ``temporary`` key is never
    stored: it opens the service that was given it, for as long as that lives, and no other one on the same store.
    """

    key: str = ""
    name: str = ""
    admin: bool = False
    deployments: list[int] | None = None
    key_env: str = ""
    temporary: bool = False
    branches: bool = False

    def __repr__(self) -> str:
        return f"ApiKey(name={self.name!r}, admin={self.admin}, deployments={self.deployments}, key=***)"

    def __reduce__(self) -> Any:
        if self.key:
            raise TypeError("An account key is not pickled: name the environment variable that holds it, key_env.")
        return type(self), tuple(getattr(self, name) for name in self.__struct_fields__)

    def __deepcopy__(self, _known: Any) -> ApiKey:
        return self

    def secret(self) -> str:
        """The key itself, from the configuration or from the environment variable it names."""
        try:
            value = self.key or (named_secret(self.key_env) if self.key_env else "")
        except (OSError, UnicodeDecodeError) as error:
            why = f"the file that {self.key_env}_FILE names cannot be read: {error}"
            raise ConfigError(f"api_keys: {why} (key {self.name or 'without a name'})") from None
        if not value:
            source = f"the environment variable {self.key_env} is not set" if self.key_env else "no key is given"
            raise ConfigError(f"api_keys: {source} (key {self.name or 'without a name'})")
        return value


class AgentConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An agent: who answers in the chat.

    ``analyst`` is a name such as ``offline``, or an Analyst object. With a ``deployment`` the agent is only for keys
    and sessions of that deployment.
    """

    id: str = "data-analyst"
    name: str = "Data analyst"
    analyst: Any = "offline"
    deployment: int | None = None
    instructions: str = ""
    certified_queries: list[dict[str, str]] = []
    options: dict[str, Any] = {}

    def __repr__(self) -> str:
        # Which of a provider's options are secret is known to the provider alone.
        shown = dict.fromkeys(self.options, "***")
        return f"AgentConfig(id={self.id!r}, analyst={self.analyst!r}, deployment={self.deployment}, options={shown})"

    def __reduce__(self) -> Any:
        if self.options.get("api_key"):
            raise TypeError("A provider's key is not pickled: leave it to the environment variable of the provider.")
        return type(self), tuple(getattr(self, name) for name in self.__struct_fields__)


class Tile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result on a dashboard: SQL over the data model, run under the policies of whoever looks at it.

    Its chart is chosen by what the columns are, unless a ``mark`` (``bar``, ``line``, …) or a ``vega_spec`` without
    data is given; ``chart: false`` leaves the table alone.
    """

    title: str
    sql: str
    chart: bool = True
    mark: str | None = None
    vega_spec: dict[str, Any] | None = None


class Dashboard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the embed URL ``dashboard/{id}`` shows."""

    id: str
    tiles: list[Tile]
    title: str = ""


class Deployment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deployment of an account, where there is more to say of it than its number.

    ``model`` is the folder of its data model, from where the configuration stands; the first deployment of the first
    account has the one that the service is started with. ``branches`` are the development branches of it that may be
    asked for, by name; ``default_branch`` is what the branch that is served is called.
    """

    id: int
    model: str = ""
    branches: list[str] = []
    default_branch: str = "main"

    def __post_init__(self) -> None:
        for name in (self.default_branch, *self.branches):
            if not is_branch_name(name):
                raise ConfigError(
                    f"deployments: {name!r} is not the name of a branch: letters, digits, . _ - and /, no '..'"
                )
        if self.default_branch in self.branches:
            raise ConfigError(f"deployments: {self.default_branch!r} is the default branch: leave it out of branches")


def is_branch_name(name: str) -> bool:
    """Whether a branch may be called so: nothing that git reads as a revision's arithmetic, no way out of a folder."""
    return _BRANCH.fullmatch(name) is not None and ".." not in name


class TenantConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account: ``name`` is the account in the Chat API URL.

    In ``development_mode`` the pages behind embed URLs show the analyst's thinking. ``frame_ancestors`` are the origins
    that may put those pages into a frame; without any every page may.
    """

    name: str = "local"
    plan: str = "enterprise"
    use_creator_mode: bool = True
    deployments: list[Deployment | int] = msgspec.field(default_factory=lambda: [1])
    user_limit: int = 10_000
    attributes: list[AttributeDefinition] = []
    groups: list[GroupSeed] = []
    internal_users: list[InternalUser] = []
    api_keys: list[ApiKey] = []
    agents: list[AgentConfig] = msgspec.field(default_factory=lambda: [AgentConfig()])
    dashboards: list[Dashboard] = []
    development_mode: bool = False
    frame_ancestors: list[str] = []

    def __post_init__(self) -> None:
        for origin in self.frame_ancestors:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"frame_ancestors: {origin!r} is no origin; write https://app.example.com, https://*.example.com "
                    "or 'self' in single quotes, without a path"
                )

    def deployments_by_id(self) -> dict[int, Deployment]:
        """Every deployment by its number, in the order they are written in."""
        known = (item if isinstance(item, Deployment) else Deployment(item) for item in self.deployments)
        return {item.id: item for item in known}


class ServiceConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole service. Times are seconds, sizes bytes.

    Attributes
    ----------
    reader_grace
        How long a turn goes on while nobody reads it.
    body_limit, turn_limit
        Bytes of a request body, and of everything one turn may stream.
    open_limit
        How many turns and queries run or wait at once; an account may have half of them, a user a quarter.
    stall_limit
        How long one write to a reader may take before that reader is dropped.
    store_patience
        How long requests wait for a state store that answers nobody.
    slow_query
        A query that takes as long is told in the log.
    audit_log, audit_days
        A folder where every query is written down, a file a day, and for how many days a file is kept (0: for ever);
        without a folder nothing is.
    metrics, metrics_key_env
        Who may read the figures: whoever holds the key in that environment variable (``key``), everybody (``open``),
        nobody (``off``).
    trace_text
        Whether OpenTelemetry spans of queries hold the question and the SQL.
    result_rows
        How many rows one result holds; what goes beyond is told, and streams (``stream_sql``).
    kept_memory, kept_disk
        Bytes of results that are kept, in memory and in temporary files, so that they are not computed twice.
    reload_interval
        How often to look whether the data, the model or this configuration have changed; 0: only when asked to.
    """

    tenants: list[TenantConfig] = msgspec.field(default_factory=lambda: [TenantConfig()])
    base_url: str = "http://svc.local"
    # Five minutes and a day: what the specification says of sessions and of user tokens.
    session_ttl: float = 300.0
    token_ttl: float = 86_400.0
    ephemeral_ttl: float = 604_800.0
    reader_grace: float = 30.0
    turn_timeout: float = 900.0
    body_limit: int = 1_048_576
    body_timeout: float = 30.0
    turn_limit: int = 33_554_432
    stall_limit: float = 60.0
    store_patience: float = 10.0
    slow_query: float = 5.0
    audit_log: str = ""
    audit_days: int = 90
    metrics: Literal["key", "open", "off"] = "key"
    metrics_key_env: str = "SVC_METRICS_KEY"
    trace_text: bool = False
    open_limit: int = 4_000
    input_limit: int = 32_000
    row_cap: int = 100
    result_rows: int = 1_000_000
    kept_memory: int = 268_435_456
    kept_disk: int = 2_147_483_648
    reload_interval: float = 2.0


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_config(source: str | Path | Mapping[str, Any] | None, **overrides: Any) -> ServiceConfig:
    """A configuration from a ``service.yml``, or from the same keys already parsed.

    Keys of a tenant (``account``, ``plan``, ``attributes`` …) may stand at the top level when there is one account.
    ``attributes`` may be a mapping of name to type, and ``groups`` a list of names.
    """
    if isinstance(source, str | Path):
        raw = yaml.load(Path(source).read_text("utf-8"), _LOADER) or {}  # noqa: S506 (either is safe)
        where, folder = str(source), Path(source).parent
    else:
        raw, where, folder = dict(source or {}), "configuration", Path()
    if not isinstance(raw, dict):
        raise ConfigError(f"{where}: expected a mapping of settings, found {type(raw).__name__}")
    try:
        return _placed(msgspec.convert({**_normalised(raw), **overrides}, ServiceConfig), folder)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{where}: {fault(str(error), raw, ServiceConfig)}") from None


def _placed(config: ServiceConfig, folder: Path) -> ServiceConfig:
    """The folders of data models, from where the configuration stands."""
    replace = msgspec.structs.replace

    def placed(item: Deployment | int) -> Deployment | int:
        named = isinstance(item, Deployment) and item.model
        return replace(item, model=str(folder / item.model)) if named and isinstance(item, Deployment) else item

    tenants = [replace(each, deployments=list(map(placed, each.deployments))) for each in config.tenants]
    return replace(config, tenants=tenants)


def _normalised(raw: dict[str, Any]) -> dict[str, Any]:
    top = {key: value for key, value in raw.items() if key in ServiceConfig.__struct_fields__}
    rest = {("name" if key == "account" else key): value for key, value in raw.items() if key not in top}
    if "tenants" in top:
        if rest:
            raise ConfigError(f"{', '.join(rest)}: write these inside one of the tenants")
        top["tenants"] = [_tenant(item) for item in top["tenants"]]
    else:
        top["tenants"] = [_tenant(rest)]
    return top


def _tenant(raw: dict[str, Any]) -> dict[str, Any]:
    tenant = {("name" if key == "account" else key): value for key, value in raw.items()}
    attributes = tenant.get("attributes")
    if isinstance(attributes, dict):
        tenant["attributes"] = [
            {"name": name, **(spec if isinstance(spec, dict) else {"type": spec})} for name, spec in attributes.items()
        ]
    if isinstance(tenant.get("groups"), list):
        tenant["groups"] = [{"name": item} if isinstance(item, str) else item for item in tenant["groups"]]
    return tenant
