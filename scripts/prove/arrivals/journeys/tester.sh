# The first hour of a tester, at the command line alone. Each line fails unless it gets what is said.
says() { grep -q -- "$1" || { echo "expected: $1" >&2; return 1; }; }
emulator() { npx billing-emulator "$@"; }
hint() { curl -si "$url$1" "${@:2}" | tr -d '\r' | sed -n 's/^x-emulator-hint: //Ip'; }
is_running() { ps -o stat= -p "$pid" | grep -qv Z; }
begin() {
  rm -f ready.json
  "$@" --port 0 --ready-file ready.json >emulator.log 2>&1 &
  parent=$!
  disown
  until [ -s ready.json ]; do kill -0 "$parent"; sleep 0.1; done
  url=$(node -p 'JSON.parse(fs.readFileSync("ready.json")).url')
  pid=$(node -p 'JSON.parse(fs.readFileSync("ready.json")).pid')
  export BILLING_EMULATOR_URL=$url
}

trap 'kill "$pid" 2>/dev/null || true' EXIT

# Started by npx, it ends when that npx is killed. Started otherwise, it goes on without its parent.
begin npx billing-emulator start
kill -KILL "$parent"
for _ in $(seq 50); do is_running || break; sleep 0.2; done
if is_running; then echo 'it goes on without npx' >&2; exit 1; fi
begin bash -c 'node_modules/.bin/billing-emulator start "$@" & wait' start
kill -KILL "$parent"
sleep 2
is_running
emulator stop --ready-file ready.json
if is_running; then echo 'it was not stopped' >&2; exit 1; fi

begin npx billing-emulator start
bearer='Authorization: Bearer key_test_emulator'

# What is wrong with a key or a path, in the response, the log and the inspector.
hint /customers | says 'No key is sent'
hint /customers -H 'Authorization: key_test_emulator' | says 'Bearer'
hint /customers -H 'Authorization: Bearer key_test_Shop' | says 'upper-case letters'
hint /customer -H "$bearer" | says '/customers'
curl -s "$url/_emulator/ui/requests?key=key_test_emulator" | says 'refused'
says '/customers' <emulator.log

# The time of the world is in each response.
emulator clock freeze 2026-01-31T10:00:00Z >clock.txt
emulator clock advance 1mo >advance.txt
curl -si "$url/customers" -H "$bearer" | says 'Date: Sat, 28 Feb 2026 10:00:00 GMT'

# An event has its subscription behind it, unless it is bare; a duplicate arrives twice at once.
curl -sf -X POST "$url/webhooks" -H "$bearer" -H 'Content-Type: application/json' \
  -d "{\"url\": \"$url/_emulator/inbox/tester\"}" >destination.json
emulator trigger subscription.activated | says 'sub_'
emulator trigger subscription.activated --bare | says 'nothing'
curl -sf -X DELETE "$url/_emulator/inbox/tester" -H "$bearer"
emulator call addFault delivery=duplicate times=1 >fault.txt
emulator trigger subscription.activated --bare >event.txt
emulator call flushDeliveries >flush.json
curl -sf "$url/_emulator/inbox/tester" -H "$bearer" | says '"total_count":2'

# Any operation, by external ids, through its redirect; wrong names get the nearest one.
emulator call getWallet customerId=acme | says 'USD'
if emulator call getWalet customerId=acme 2>wrong.txt; then exit 1; fi
says 'getWallet' <wrong.txt
if emulator call waitForRequests timeout=1 2>wrong.txt; then exit 1; fi
says 'timeout_seconds' <wrong.txt

# A population, its summary, and what to do where the world is not empty.
emulator populate --customers 3 --days 3 --url "$url" --key key_test_people >population.txt 2>progress.txt
cat population.txt progress.txt | says 'customers'
if emulator populate --customers 3 --days 3 --url "$url" --key key_test_people 2>wrong.txt; then exit 1; fi
says 'reset' <wrong.txt

# A run counts its warnings, and fails for them where it is told to.
cat >unpriced.yaml <<'YAML'
about: Usage without a price
steps:
  - {call: createCustomer, body: {name: Ann, external_id: ann}}
  - call: submitEvents
    body:
      customer_external_id: ann
      events: [{id: 00000000-0000-4000-8000-000000000001, event_type: call, occurred_at: $start, data: {}}]
YAML
emulator run unpriced.yaml | says '1 warning'
if emulator run --strict unpriced.yaml >strict.txt; then exit 1; fi
says 'Ann (ann)' <strict.txt

emulator stop
