#!/usr/bin/env bash
# Builds and tests the image of the Dockerfile without a container engine: as root on Debian, with buildah,
# without pulling an image. It creates the base image itself: Debian from debootstrap, the Node version of
# FROM from the npm registry, and this machine's certificates, for `npm ci` behind a proxy.
#
#   apt-get update && apt-get install buildah debootstrap
#   scripts/image.sh
set -euo pipefail

readonly ROOT=$(cd "$(dirname "$0")/.." && pwd)
readonly WORK=${IMAGE_WORK:-/var/tmp/billing-emulator-image}
readonly BASE=$(sed -n 's/^FROM \([^ ]*\).*/\1/p' "$ROOT/Dockerfile" | head -n 1)
readonly NODE_VERSION=$(sed 's/^node:\([0-9.]*\).*/\1/' <<<"$BASE")
readonly SUITE=$(sed 's/^node:[0-9.]*-\([a-z]*\)-slim$/\1/' <<<"$BASE")
readonly IMAGE=billing-emulator
readonly PORT=${IMAGE_PORT:-24100}
readonly URL=http://127.0.0.1:$PORT
readonly KEY='Authorization: Bearer key_test_emulator'

say() { printf '%s\n' "$*" >&2; }
fail() { say "failed: $*"; exit 1; }
proved() { printf 'proved: %s\n' "$*"; }

buildah() {
  command buildah --root "$WORK/storage" --runroot "$WORK/run" --storage-driver vfs "$@"
}

# Creates the base image with Debian, Node and npm, under the name in the Dockerfile.
make_base() {
  if buildah inspect --type image "docker.io/library/$BASE" >/dev/null 2>&1; then return; fi
  say "making $BASE"
  local root="$WORK/base" kit="$WORK/node"
  rm -rf "$root" "$kit" && mkdir -p "$kit"
  debootstrap --variant=minbase "$SUITE" "$root" >"$WORK/debootstrap.log"
  npm install --prefix "$kit" --no-audit --no-fund "node-linux-$(node -p process.arch)@$NODE_VERSION" >/dev/null
  install -m 0755 "$kit"/node_modules/node-linux-*/bin/node "$root/usr/local/bin/node"
  cp -rL "$(npm root --global)/npm" "$root/usr/local/lib/npm"
  ln -s ../lib/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  mkdir -p "$root/etc/ssl/certs"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  local container
  container=$(buildah from --pull-never scratch)
  buildah add --quiet "$container" "$root" / >/dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  buildah commit --quiet "$container" "docker.io/library/$BASE" >/dev/null
  buildah rm "$container" >/dev/null
  rm -rf "$root" "$kit"
}

# build TARGET: builds a target of the Dockerfile, as an image named after it.
build() {
  say "building $IMAGE-$1"
  buildah bud --isolation chroot --pull-never --format docker --target "$1" --tag "$IMAGE-$1" "$ROOT" \
    >"$WORK/build-$1.log" 2>&1 ||
    { tail -n 30 "$WORK/build-$1.log" >&2; fail "the target $1 does not build"; }
}

# Runs a command in the container with the user, environment and folder of the image.
inside() { buildah run --isolation chroot --env "BILLING_EMULATOR_PORT=$PORT" "$CONTAINER" -- "$@"; }

start() {
  if curl -s -o "$WORK/readyz" "$URL/readyz"; then fail "something answers at $URL already; set IMAGE_PORT"; fi
  CONTAINER=$(buildah from --pull-never "$IMAGE-emulator")
  trap stop EXIT
  cat >"$WORK/customer.yaml" <<'YAML'
about: A customer whom the image's user brings along.
steps:
  - call: createCustomer
    body: {name: Initech, external_id: initech}
YAML
  buildah copy --quiet "$CONTAINER" "$WORK/customer.yaml" /etc/billing-emulator/init.d/10-customer.yaml >/dev/null
  inside env BILLING_EMULATOR_DATA=/data/emulator.json node /app/bin/billing-emulator.js start \
    >"$WORK/container.log" 2>&1 &
  RUNNER=$!
  for _ in $(seq 100); do
    if curl -sf -o "$WORK/readyz" "$URL/readyz"; then return; fi
    kill -0 "$RUNNER" 2>/dev/null || break
    sleep 0.1
  done
  cat "$WORK/container.log" >&2
  fail 'the container does not answer'
}

stop() {
  if [ -n "${RUNNER:-}" ] && kill -0 "$RUNNER" 2>/dev/null; then
    kill -TERM "$(emulator_pid)" 2>/dev/null || true
    wait "$RUNNER" 2>/dev/null || true
  fi
  buildah rm "$CONTAINER" >/dev/null 2>&1 || true
}

# The id of the emulator's process outside the container.
emulator_pid() { pgrep --newest --full '^(/usr/local/bin/)?node /app/bin/billing-emulator.js start$'; }

prove() {
  local pid code
  pid=$(emulator_pid)

  [ "$(stat -c %u:%g "/proc/$pid")" = 1000:1000 ] || fail 'it does not run as uid and gid 1000'
  proved 'runs as uid 1000, gid 1000'

  [ "$(inside node --version)" = "v$NODE_VERSION" ] || fail "its Node is not $NODE_VERSION"
  proved "on Node $NODE_VERSION"

  local writable
  writable=$(inside sh -c "find / -xdev -writable -not -type l -not -path '/proc/*' -not -path '/sys/*' \
    -not -path '/dev/*' -not -path '/data/*' 2>/dev/null || true")
  [ "$writable" = /data ] || fail "writable beside /data: $writable"
  proved 'may write to /data alone'

  for package in typescript esbuild tsx vite vitest playwright-core @biomejs/biome @stoplight/prism-http; do
    if inside test -e "/app/node_modules/$package" 2>/dev/null; then fail "$package is in the image"; fi
  done
  proved 'holds production dependencies only'

  inside node /app/bin/billing-emulator.js ready || fail 'the command of HEALTHCHECK does not succeed'
  if inside node /app/bin/billing-emulator.js ready --url http://127.0.0.1:1 2>/dev/null; then
    fail 'the command of HEALTHCHECK succeeds where nothing answers'
  fi
  proved 'HEALTHCHECK, its command: exit code 0 when ready, another when not'

  grep -q 'admin_token is none' "$WORK/container.log" || fail 'the banner does not say that admin_token is none'
  proved 'listens on 0.0.0.0, and its banner says that admin_token is none'

  curl -sfL -H "$KEY" "$URL/customers?external_id=initech" | grep -q '"name":"Initech"' ||
    fail 'the fixture of init.d was not played'
  proved 'plays /etc/billing-emulator/init.d at its start'

  "$ROOT/scripts/first-fee.sh" "$URL" || fail 'the first fee'
  proved 'answers the first fee of the README, 4.17'

  contract_kit

  kill -TERM "$pid"
  code=0
  wait "$RUNNER" || code=$?
  [ "$code" = 0 ] || fail "SIGTERM: exit code $code"
  proved 'ends with exit code 0 on SIGTERM'

  inside grep -q initech /data/emulator.json || fail 'its data is not in /data'
  proved 'keeps its data in /data'
}

# Runs the contract suite from its image, in a separate world.
contract_kit() {
  local account kit
  export IMAGE_KEY=key_test_contract
  account=$(curl -sf "$URL/accounts/self" -H "Authorization: Bearer $IMAGE_KEY" | sed 's/.*"account_id":"\([^"]*\)".*/\1/')
  kit=$(buildah from --pull-never "$IMAGE-contract")
  buildah run --isolation chroot --env "IMAGE_KEY=$IMAGE_KEY" "$kit" -- node /app/bin/billing-emulator.js \
    contract run --base-url "$URL" --key-env IMAGE_KEY --effects E4 \
    --effects E4 --confirm-account "$account" --state /data/contract --no-color >"$WORK/contract.log" 2>&1 ||
    { tail -n 40 "$WORK/contract.log" >&2; buildah rm "$kit" >/dev/null; fail 'the contract suite'; }
  buildah rm "$kit" >/dev/null
  proved "passes the contract suite: $(sed -n 's/^Checks *//p' "$WORK/contract.log")"
}

[ "$(id -u)" = 0 ] || fail 'this needs root, as buildah without an engine does'
for tool in buildah debootstrap curl npm; do
  type -P "$tool" >/dev/null || fail "$tool is missing: apt-get update && apt-get install buildah debootstrap curl npm"
done
mkdir -p "$WORK"
make_base
build emulator
build contract
buildah rmi --prune >/dev/null
start
prove
