#!/bin/sh
# Renew binder/requirements.txt: the newest versions that pyproject.toml allows, pinned. Needs uv.
set -eu
cd "$(dirname "$0")/.."
{
    echo "# The demo's environment, pinned; made by scripts/lock_binder.sh for Python 3.12 on Linux. Binder installs it as it stands."
    echo "."
    uv pip compile pyproject.toml --extra lab --extra server --extra images --extra llm --python-version 3.12 \
        --python-platform x86_64-manylinux_2_28 --no-emit-index-url --no-header --no-annotate --quiet
} > binder/requirements.txt.new
mv binder/requirements.txt.new binder/requirements.txt
