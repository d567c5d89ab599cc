"""The world around: proxies, ports, the demo's data, a data model, a state store."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.request import getproxies, proxy_bypass

from .finding import Finding, version

__all__ = ["demo", "model", "port", "proxies", "store"]


def proxies() -> Iterator[Finding]:
    """Proxy variables touch services on the network only; one on this machine should not be asked through a proxy."""
    found = {scheme: url for scheme, url in getproxies().items() if scheme in ("http", "https", "all")}
    if not found:
        return
    named = ", ".join(f"{scheme}_proxy" for scheme in sorted(found))
    if any(url.startswith("socks") for url in found.values()) and version("socksio") is None:
        yield Finding(
            "problem", f"{named} names a SOCKS proxy, which httpx cannot use as it is", "pip install 'httpx[socks]'"
        )
    if not proxy_bypass("127.0.0.1") or not proxy_bypass("localhost"):
        yield Finding(
            "problem",
            f"{named} is set and no_proxy leaves out this machine: `svc-notebook serve` is asked through the proxy",
            "export no_proxy=localhost,127.0.0.1 (and NO_PROXY the same)",
        )
    else:
        yield Finding("ok", f"{named} is set, for services on the network only; the embedded service needs none")


def port(number: int, host: str = "127.0.0.1") -> Iterator[Finding]:
    """Whether ``svc-notebook serve`` can have its port."""
    with socket.socket() as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, number))
        except OSError as error:
            words = f"port {number} on {host} cannot be had: {error.strerror or error}"
            yield Finding("problem", words, f"svc-notebook serve --port {number + 1 if number < 65535 else 8080}")
        else:
            yield Finding("ok", f"port {number} is free")


def demo() -> Iterator[Finding]:
    """The flights that come with the package, and their model."""
    from ...demo import data_files, model_folder

    missing = {"flights", "airlines", "airports", "planes", "weather"} - data_files().keys()
    if missing:
        remedy = "pip install --force-reinstall --no-deps svc-notebook"
        yield Finding("problem", f"the demo's data is incomplete: {', '.join(sorted(missing))}", remedy)
        return
    yield Finding("ok", "the demo's data is there")
    yield from model(model_folder(), "the demo's data model")


def model(folder: Path, name: str = "") -> Iterator[Finding]:
    """Whether a data model loads."""
    from ...semantic.loader import check_model

    name = name or f"data model {folder}"
    if not folder.exists():
        remedy = f"write the folder's own path, or make a model: svc-notebook init YOUR.csv --out {folder}"
        yield Finding("problem", f"{name}: no such file or folder", remedy)
        return
    errors = [problem for problem in check_model(folder) if problem.severity == "error"]
    if errors:
        yield Finding("problem", f"{name}: {errors[0]}", f"svc-notebook validate {folder}")
    else:
        yield Finding("ok", f"{name} has no errors")


def store(url: str) -> Iterator[Finding]:
    """Whether a state store opens."""
    from ...service.store import StoreBusy, open_store

    folder = None if "://" in url or url == "memory" else Path(url).expanduser().absolute().parent
    if folder is not None and not folder.is_dir():
        there = f"{folder} is not a folder" if folder.exists() else f"there is no folder {folder}"
        yield Finding(
            "problem", f"state store {url}: {there}", f"mkdir -p {folder}, or name a file in a folder that is there"
        )
        return
    if folder is not None and not os.access(folder, os.W_OK):
        remedy = f"chmod u+w {folder}, or name a file in a folder you may write to"
        yield Finding("problem", f"state store {url}: {folder} is not writable", remedy)
        return
    if folder is not None and not Path(url).expanduser().exists():  # and looking for it is no reason to make one
        remedy = "nothing to do before the first start; after it, put the file back, or a backup in its place"
        yield Finding("note", f"there is no state store at {url}: a service that starts makes an empty one", remedy)
        return
    try:
        opened = open_store(url)
    except StoreBusy as error:
        held = "; ".join(getattr(error, "__notes__", ())) or error.message
        yield Finding("problem", f"state store {url}: {held}", "end that process, or wait until it lets go")
    except Exception as error:  # noqa: BLE001  whatever a driver raises is what this command is for
        remedy = "write a path such as state.sqlite, or postgresql+psycopg://user@host/db"
        if folder is not None and Path(url).is_file():
            remedy = f"{url} holds something else, or is damaged: name another file, or move this one away"
        yield Finding("problem", f"state store {url}: {_cause(error)}", remedy)
    else:
        opened.close()
        yield Finding("ok", "the state store opens")


def _cause(error: BaseException) -> str:
    """What the driver said, below the words of the layers above it, on one line."""
    while (below := getattr(error, "orig", None) or error.__cause__ or error.__context__) is not None:
        error = below
    return " ".join(str(error).split())
