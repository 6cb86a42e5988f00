#!/usr/bin/env bash
# Proves that the packages work where they are installed: from their tarballs, on the oldest Node that they
# allow, in an empty folder whose own test configuration must not be read, and from git. Takes minutes, and the
# registry or its cache. `scripts/package.sh short` leaves out what takes longest.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly ROOT=$PWD SHORT=${1:-}
readonly OLDEST=$(node -p 'require("./package.json").engines.node.replace(/^>=/, "")')
readonly MOST_PACKAGES=120 MOST_MEGABYTES=60

folder=$(mktemp -d)
emulator=
trap '[ -z "$emulator" ] || kill "$emulator"; rm -rf "$folder"' EXIT

fail() { printf 'failed: %s\n' "$*" >&2; exit 1; }
proved() { printf 'proved: %s\n' "$*"; }

# Installs into the present folder, where nothing may be said of engines and peers.
install() {
  npm install --no-audit --no-fund "$@" >install.log 2>&1 || { cat install.log >&2; fail "npm install $*"; }
  if grep -E 'EBADENGINE|ERESOLVE|peer dep|deprecated' install.log; then fail 'npm install warns'; fi
}

empty_folder() { mkdir "$folder/$1"; cd "$folder/$1"; echo '{"private": true, "type": "module"}' >package.json; }

# Starts the emulator that is installed in the present folder, and sends it its first event.
start() {
  rm -f ready.json
  "$@" node_modules/billing-emulator/bin/billing-emulator.js --port 0 --ready-file ready.json >emulator.log &
  emulator=$!
  until [ -s ready.json ]; do kill -0 "$emulator"; sleep 0.1; done
  url=$(node -p 'JSON.parse(fs.readFileSync("ready.json")).url')
  "$ROOT/scripts/first-fee.sh" "$url"
}

stop() { kill "$emulator"; wait "$emulator"; emulator=; }

npm pack --silent --pack-destination "$folder" >/dev/null
npm pack --silent --workspace billing-emulator-contract --pack-destination "$folder" >/dev/null
readonly EMULATOR=$(ls "$folder"/billing-emulator-[0-9]*.tgz) KIT=$(ls "$folder"/billing-emulator-contract-*.tgz)

metadata() {
  npx --yes publint@0.3.25 "$EMULATOR" --strict
  npx --yes @arethetypeswrong/cli@0.18.5 "$EMULATOR" --profile esm-only
  proved 'publint and attw find nothing in the package'
}

on_oldest_node() {
  npm install --silent --no-audit --no-fund --prefix "$folder/node" "node-linux-$(node -p process.arch)@$OLDEST"
  local node
  node=$(ls "$folder"/node/node_modules/node-linux-*/bin/node)
  start "$node"
  stop
  "$node" --input-type=module -e "
import { startEmulator } from 'billing-emulator';
await (await startEmulator()).close();
"
  "$node" --input-type=commonjs -e "
const { startEmulator } = require('billing-emulator');
startEmulator().then((emulator) => emulator.close());
"
  proved "on Node $OLDEST: start, first fee, embedding by import and by require"
}

from_git() {
  empty_folder git
  install "git+file://$ROOT#$(git -C "$ROOT" rev-parse HEAD)"
  start node
  stop
  proved 'installs from git, built there, and answers the first fee'
}

[ "$SHORT" ] || metadata

empty_folder emulator
install "$EMULATOR"
packages=$(npm ls --all --parseable | tail -n +2 | wc -l)
megabytes=$(du -sm node_modules | cut -f 1)
[ "$packages" -le "$MOST_PACKAGES" ] || fail "$packages packages"
[ "$megabytes" -le "$MOST_MEGABYTES" ] || fail "$megabytes MB"
proved "installs $packages packages, $megabytes MB"

scripts=$(node -p 'Object.entries(require("./package-lock.json").packages)
  .filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name).join(" ")')
[ -z "$scripts" ] || fail "install scripts: $scripts"
proved 'none of them has an install script'

[ "$SHORT" ] || on_oldest_node

start node
proved "on Node $(node --version): start and first fee"
if node_modules/.bin/billing-emulator contract 2>no-kit.log; then fail 'the contract suite runs without its kit'; fi
proved "without the kit, contract says: $(cat no-kit.log)"

for name in vitest.config.ts vitest.config.js vite.config.ts vitest.workspace.ts; do
  echo "throw new Error('$name was read')" >"$name"
done
echo '{"compilerOptions": {"paths": {"*": ["./nowhere/*"]}}}' >tsconfig.json
mkdir cases
echo "throw new Error('a case of the folder was run')" >cases/own.test.ts
install "$KIT"
KEY=key_test_package npx billing-emulator contract --base-url "$url" --key-env KEY --gate-cells 180
[ "$SHORT" ] || npx billing-emulator contract --profile certify --gate-cells 189
[ "$SHORT" ] || npx billing-emulator contract selftest
proved 'with the kit beside it, the contract suite passes'
stop

[ "$SHORT" ] || from_git
