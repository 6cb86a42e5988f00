# The first hour of whoever sets up CI: the jobs of the documentation between two network namespaces, as between a service
# container and the runner. The emulator starts as in its image; the suite and its receiver are in the other namespace.
says() { grep -q -- "$1" "$2" || { echo "expected in $2: $1" >&2; tail -40 "$2" >&2; return 1; }; }
of_yaml() { node -p "const text = fs.readFileSync('$1', 'utf8'); const it = require('yaml').parse(text); $2"; }
readonly SERVICE="service-$$" RUNNER="runner-$$" KEY=key_test_ci
export KEY
in_service() { ip netns exec "$SERVICE" "$@"; }
in_runner() { ip netns exec "$RUNNER" "$@"; }
finish() {
  kill $(jobs -p) 2>/dev/null || true
  ip netns del "$SERVICE" 2>/dev/null || true
  ip netns del "$RUNNER" 2>/dev/null || true
  rm -rf "/etc/netns/$SERVICE" "/etc/netns/$RUNNER"
}
trap finish EXIT

mkdir -p "/etc/netns/$SERVICE" "/etc/netns/$RUNNER"
printf '127.0.0.1 localhost\n10.77.0.1 host.docker.internal\n' >"/etc/netns/$SERVICE/hosts"
printf '127.0.0.1 localhost\n10.77.0.2 billing\n' >"/etc/netns/$RUNNER/hosts"
ip netns add "$SERVICE"
ip netns add "$RUNNER"
ip link add "r$$" netns "$RUNNER" type veth peer name "s$$" netns "$SERVICE"
in_runner ip addr add 10.77.0.1/24 dev "r$$"
in_service ip addr add 10.77.0.2/24 dev "s$$"
for each in lo "r$$"; do in_runner ip link set "$each" up; done
for each in lo "s$$"; do in_service ip link set "$each" up; done

start_service() {
  [ -z "${service:-}" ] || { kill "$service"; wait "$service" || true; }
  BILLING_EMULATOR_HOST=0.0.0.0 BILLING_EMULATOR_ADMIN_TOKEN=none BILLING_EMULATOR_FIXTURE=quickstart \
    BILLING_EMULATOR_ALLOWED_HOSTS=billing,billing-emulator,emulator,host.docker.internal \
    ip netns exec "$SERVICE" node node_modules/billing-emulator/bin/billing-emulator.js start >service.log 2>&1 &
  service=$!
  in_runner npx billing-emulator ready --url http://billing:24100 --wait 30s
}
# Docker publishes the port of the service on the runner's own address.
ip netns exec "$RUNNER" node -e "
  require('node:net').createServer((from) => {
    const to = require('node:net').connect(24100, '10.77.0.2');
    for (const [one, other] of [[from, to], [to, from]]) one.pipe(other).on('error', () => one.destroy());
  }).listen(24100, '127.0.0.1')" >/dev/null 2>&1 &

# A service container of GitHub Actions: with the two flags, checks of webhooks run and pass.
start_service
in_runner bash -euo pipefail contract.sh >github.txt 2>&1 || { tail -60 github.txt >&2; exit 1; }
if grep 'do not arrive' github.txt; then exit 1; fi

# Without the flags a line says that webhooks do not arrive and what mends it. Payments are completed by a command.
in_runner npx billing-emulator contract --base-url http://127.0.0.1:24100 --key-env KEY --effects E4 --only SUB-12 \
  --payment-hook './pay.sh {redirect_url} {outcome}' >payments.txt 2>&1 || { tail -60 payments.txt >&2; exit 1; }
for each in 'do not arrive' --webhook-url --webhook-listen; do says "$each" payments.txt; done

# GitLab: without the flags no check of deliveries runs, the reason names them, and nothing fails for it.
start_service
export ACCOUNT=$(of_yaml .gitlab-ci.yml 'it.contract.variables.ACCOUNT')
of_yaml .gitlab-ci.yml 'it.contract.script.slice(1).join("\n")' >gitlab.sh
in_runner bash -euo pipefail gitlab.sh >gitlab.txt 2>&1 || { tail -60 gitlab.txt >&2; exit 1; }
says '--webhook-url' gitlab.txt
says '--webhook-listen' gitlab.txt
says '^Not run ' gitlab.txt

# The links of payment pages open on the host where Compose publishes the port.
of_yaml compose.yaml 'it.services.billing.environment.BILLING_EMULATOR_PUBLIC_URL + " " + it.services.billing.ports[0]' >compose.txt
says '^http://127.0.0.1:24100 127.0.0.1:24100:24100$' compose.txt
in_runner npx billing-emulator contract --help >help.txt
for each in 'Effect classes' 'Exit codes' 'Examples'; do says "$each" help.txt; done
