#!/usr/bin/env bash
# Sends the first usage event of the README to the emulator at an address, and expects its fee of 4.17.
set -euo pipefail
readonly URL=$1 KEY='Authorization: Bearer key_test_emulator' EVENT=68e8980c-fd79-46ea-be14-0e9f2be7df0a

code=$(curl -s -o /dev/null -w '%{http_code}' -X POST "$URL/events" -H "$KEY" -H 'Content-Type: application/json' \
  -d '{"customer_external_id": "acme", "events": [{"id": "'$EVENT'", "event_type": "llm.completion",
    "occurred_at": "'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'", "data": {"model": "large", "tokens": 417000}}]}')
[ "$code" = 204 ] || { echo "POST /events answered $code" >&2; exit 1; }
curl -sf "$URL/events/$EVENT" -H "$KEY" | grep -q '"amount":4.17' || { echo 'the fee is not 4.17' >&2; exit 1; }
