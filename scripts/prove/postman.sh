#!/usr/bin/env bash
# `npm run prove -- postman`: imports the served document as a Postman collection, with its examples as bodies and
# without optional parameters, and sends every request with a key. Each response must have a status that the document
# lists for the operation, and none 401.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && npm init -y >/dev/null && npm install --no-audit --no-fund --silent openapi-to-postmanv2 newman)
npm run build -- --code >/dev/null
cd "$folder"
node "$OLDPWD/bin/billing-emulator.js" exec --fixture quickstart -- sh -ec '
  curl -s "$BILLING_EMULATOR_URL/openapi.json" -o openapi.json
  npx openapi2postmanv2 -s openapi.json -o collection.json \
    -O folderStrategy=Tags,parametersResolution=Example,enableOptionalParameters=false >/dev/null
  npx newman run collection.json --env-var "apiKey=$BILLING_EMULATOR_KEY" --reporters json --reporter-json-export run.json >/dev/null
'
node "$here/postman-check.js" "$folder"
