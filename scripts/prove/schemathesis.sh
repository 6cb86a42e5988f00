#!/usr/bin/env bash
# `npm run prove -- schemathesis [--seed N] [--examples N]`: sends the requests that Schemathesis generates from the
# served document: its examples, edge cases of the schemas, links, and up to N random ones for each operation. No
# response may have a status of 500 or above, or one that the document lacks. That a busy machine makes requests slowly says
# nothing about the emulator, so that check of the tool is off.
set -euo pipefail
seed=1 examples=15
while [ $# -gt 0 ]; do
  case $1 in
    --seed) seed=${2:?expected a number} ;;
    --examples) examples=${2:?expected a number} ;;
    *) echo "Expected --seed N or --examples N; got \"$1\"." >&2; exit 2 ;;
  esac
  shift 2
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/py"
"$folder/py/bin/pip" install -q --disable-pip-version-check schemathesis
npm run build -- --code >/dev/null
cd "$folder"
node "$OLDPWD/bin/billing-emulator.js" exec -- sh -c "'$folder/py/bin/schemathesis' run \"\$BILLING_EMULATOR_URL/openapi.json\" \
  --header 'Authorization: Bearer key_test_schemathesis' --seed $seed --max-examples $examples --continue-on-failure --no-color \
  --warnings off --suppress-health-check too_slow --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
