#!/usr/bin/env bash
# Builds the Python package, installs it in a virtual environment of its own and runs its tests,
# the examples of its documentation and the checks of its stubs. Called by `./test python`.
set -eu
cd "$(dirname "$0")/.."
venv=target/python
. scripts/venv.sh
venv "$venv" "maturin>=1.9.4,<2" "numpy>=1.23" "pytest>=8" "mypy>=1.11"

rm -rf target/wheels
# Built here, not by pip, so that the workspace's target folder is used; not as a
# release, which takes long to compile.
"$venv/bin/maturin" build -q --profile dev --locked -m crates/yose-py/Cargo.toml \
    -i "$venv/bin/python" --out target/wheels
"$venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps --force-reinstall \
    target/wheels/*.whl
cd crates/yose-py
"../../$venv/bin/python" -m pytest -p no:cacheprovider
# The stubs against what is there, and a user's code against the stubs.
"../../$venv/bin/python" -m mypy.stubtest yose
"../../$venv/bin/python" -m mypy --strict --cache-dir=/dev/null tests/typed.py
