#!/bin/sh
# Install the project ($2: ".[lab]", say) into the environment of the Python $1, and JupyterLab's settings with it.
set -eu
python=$1
what=$2
venv=$(dirname "$(dirname "$python")")

if ! "$python" -m pip --version >/dev/null 2>&1; then
    echo "error: $venv has no pip: setting it up was cut short. Write:  make clean, then the same again." >&2
    exit 1
fi
if ! "$python" -m pip install -qq --disable-pip-version-check -e "$what"; then
    echo "error: the packages could not be installed; pip says above why." >&2
    echo "       They are fetched once, so a network is needed now (behind a proxy: export https_proxy=…; with an index" >&2
    echo "       of your own: export PIP_INDEX_URL=…). What has arrived is kept: the same command goes on from there." >&2
    exit 1
fi
mkdir -p "$venv/share/jupyter/lab/settings"
cp binder/overrides.json "$venv/share/jupyter/lab/settings/overrides.json"
pwd > "$venv/.place"
