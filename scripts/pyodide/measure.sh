#!/bin/sh
# What of the package works in a Python inside the browser's engine (Pyodide, run by Node here), with what the package
# registries have. The figures of docs/jupyterlite.md. Needs node, npm and pip; works in a temporary folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=${PYTHON:-$root/.venv/bin/python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

npm pack --silent pyodide@314.0.7 >/dev/null
tar xzf pyodide-*.tgz
mkdir site

for package in duckdb pyarrow pandas numpy pyyaml nh3 markupsafe msgspec sqlalchemy psygnal anyio httpx idna certifi \
    httpcore h11 sqlglot markdown-it-py mdurl linkify-it-py uc-micro-py packaging typing-extensions starlette mako \
    alembic altair narwhals jinja2; do
    if "$python" -m pip install -q --disable-pip-version-check --no-deps --only-binary :all: --target site \
        --platform pyemscripten_2026_0_wasm32 --platform any --python-version 3.14 --implementation cp \
        --abi cp314 --abi abi3 --abi none "$package" >/dev/null 2>&1; then
        echo "on the index for the browser:  $package"
    else
        echo "not there:                     $package"
    fi
done
# PyYAML works without its compiled half, which is all that keeps it from being installed above.
cp -R "$("$python" -c 'import yaml, os; print(os.path.dirname(yaml.__file__))')" site/yaml
find site/yaml -name '*.so' -delete

cp "$here/measure.mjs" .
ROOT="$root" node measure.mjs
