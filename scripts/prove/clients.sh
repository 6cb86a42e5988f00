#!/usr/bin/env bash
# npm run prove -- clients [python|java|go …]: builds, checks and tests the packages in clients/ as their registries would
# get them, each against an emulator that it starts itself. A language whose tools are missing is named and left out.
set -euo pipefail
cd "$(dirname "$0")/../../clients"
unset BILLING_EMULATOR_URL
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

try_python() {
  python3 -m venv "$folder/venv"
  PATH="$folder/venv/bin:$PATH"
  pip install --quiet --disable-pip-version-check build mypy pytest ruff
  pyproject-build --outdir "$folder/packages" python > /dev/null
  pip install --quiet --disable-pip-version-check "$folder"/packages/*.whl
  cd python
  ruff check --quiet --no-cache .
  ruff format --quiet --no-cache --check .
  mypy --strict --cache-dir "$folder/mypy" src
  pytest -q -p no:cacheprovider
}

try_java() {
  cd java
  mvn --quiet --batch-mode "-DbuildDirectory=$folder/java" verify
}

try_go() {
  cd go
  test -z "$(gofmt -l .)"
  go vet ./...
  go test -count=1 ./...
}

declare -A needs=([python]=python3 [java]=mvn [go]=go)
[ $# -gt 0 ] || set -- python java go
for language in "$@"; do
  if ! type -P "${needs[$language]}" > /dev/null; then
    echo "left out: $language, as there is no ${needs[$language]}"
    continue
  fi
  (set -e; "try_$language")
  echo "passed: $language"
done
