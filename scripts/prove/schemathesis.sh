#!/usr/bin/env bash
# `npm run prove -- schemathesis [SEED]`: requests that Schemathesis makes of the served document, from examples, from
# the edges of the schemas, at random and along links; no answer of 500 or above, and none that the document lacks.
set -euo pipefail
seed=${1:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/py"
"$folder/py/bin/pip" install -q schemathesis
npm run build -- --code >/dev/null
node bin/billing-emulator.js exec -- sh -c "'$folder/py/bin/schemathesis' run \"\$BILLING_EMULATOR_URL/openapi.json\" \
  --header 'Authorization: Bearer key_test_schemathesis' --seed $seed --max-examples 15 --continue-on-failure --no-color \
  --warnings off --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
