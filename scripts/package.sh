#!/usr/bin/env bash
# `npm run prove -- package [short|git]`: proves that the packages work after installation: from their tarballs, on the
# oldest supported Node, in an empty folder whose own test configuration must not be read, and from git with the oldest
# and the newest npm. Takes minutes, and needs the registry or its cache. `short` leaves out the slowest parts. `git`
# tests only the installation of the last commit from git.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly ROOT=$PWD PART=${1:-all}
readonly OLDEST=$(node -p 'require("./package.json").engines.node.replace(/^>=/, "")')
# The npm of the oldest Node, and a Node that can run the newest npm.
readonly OLDEST_NPM=10.8.2 NEWEST=24
readonly MOST_PACKAGES=120 MOST_MEGABYTES=60

folder=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid"; rm -rf "$folder"' EXIT

fail() { printf 'failed: %s\n' "$*" >&2; exit 1; }
proved() { printf 'proved: %s\n' "$*"; }

# Installs into the current folder. npm must print no warning, such as about engines, peers or scripts. Warnings about
# settings of this machine are ignored.
install() {
  npm install --no-audit --no-fund "$@" >install.log 2>&1 || { cat install.log >&2; fail "npm install $*"; }
  if grep -i 'npm warn' install.log | grep -v 'Unknown .* config'; then fail 'npm install warns'; fi
}

empty_folder() { mkdir "$folder/$1"; cd "$folder/$1"; echo '{"private": true, "type": "module"}' >package.json; }

# Downloads a Node and an npm. Prints a PATH in which they come first.
fetch_node() {
  local prefix=$folder/node-$1
  npm install --silent --no-audit --no-fund --prefix "$prefix" "node-linux-$(node -p process.arch)@$1" "npm@$2" >&2
  echo "$(dirname "$prefix"/node_modules/node-linux-*/bin/node):$prefix/node_modules/.bin:$PATH"
}

# Starts an emulator by a command, by default that of the current folder, and sends it its first event.
start() {
  [ $# -gt 0 ] || set -- node node_modules/billing-emulator/bin/billing-emulator.js
  rm -f ready.json
  "$@" --port 0 --ready-file ready.json >emulator.log &
  command=$!
  until [ -s ready.json ]; do kill -0 "$command"; sleep 0.1; done
  url=$(node -p 'JSON.parse(fs.readFileSync("ready.json")).url')
  pid=$(node -p 'JSON.parse(fs.readFileSync("ready.json")).pid')
  "$ROOT/scripts/first-fee.sh" "$url"
}

stop() { kill "$pid"; wait "$command"; pid=; }

metadata() {
  npx --yes publint@0.3.25 "$EMULATOR" --strict
  npx --yes @arethetypeswrong/cli@0.18.5 "$EMULATOR" --profile esm-only
  proved 'publint and attw find nothing in the package'
}

embed() {
  node --input-type=module -e "
import { startEmulator } from 'billing-emulator';
await (await startEmulator()).close();
"
  node --input-type=commonjs -e "
const { startEmulator } = require('billing-emulator');
startEmulator().then((emulator) => emulator.close());
"
}

# Installs from a tarball or from git, with an npm on a Node. npm 12 needs a flag to install packages from git.
from() {
  local path
  path=$(fetch_node "$3" "$4")
  local PATH=$path
  empty_folder "$1-$4"
  install --allow-git=root "$2"
  start
  stop
  embed
  proved "npm $(npm --version) on Node $(node --version) installs from $1 without a remark; start, first fee," \
    'embedding by import and by require'
}

from_with_oldest_and_newest() {
  from "$@" "$OLDEST" "$OLDEST_NPM"
  from "$@" "$NEWEST" latest
}

fresh_clone() {
  git clone --quiet "$ROOT" "$folder/clone"
  cd "$folder/clone"
  git checkout --quiet "$COMMIT"
  install
  start npm --silent start --
  stop
  proved 'a fresh clone: npm install and npm start, first fee'
}

all_from_git() {
  readonly COMMIT=$(git -C "$ROOT" rev-parse HEAD)
  from_with_oldest_and_newest git "git+file://$ROOT#$COMMIT"
  fresh_clone
}

if [ "$PART" = git ]; then all_from_git; exit; fi

npm pack --silent --pack-destination "$folder" >/dev/null
npm pack --silent --workspace billing-emulator-contract --pack-destination "$folder" >/dev/null
readonly EMULATOR=$(ls "$folder"/billing-emulator-[0-9]*.tgz) KIT=$(ls "$folder"/billing-emulator-contract-*.tgz)

if [ "$PART" != short ]; then
  metadata
  from_with_oldest_and_newest tarball "$EMULATOR"
fi

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

# A bill of materials names the version of what it is of.
npm pkg set version=1.0.0
npm sbom --sbom-format cyclonedx >"$ROOT/billing-emulator.cdx.json"
components=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).components.length' "$ROOT/billing-emulator.cdx.json")
[ "$components" -ge "$packages" ] || fail "the bill of materials lists $components of $packages packages"
proved "billing-emulator.cdx.json, to be released with the package, lists all $components packages"

# A mirror of the registry may have no signatures.
if timeout 120 npm audit signatures >signatures.log 2>&1; then proved "$(head -n 1 signatures.log)"
elif grep -q 'invalid\|tampered' signatures.log; then cat signatures.log; fail 'a signature is invalid'
else echo "not proved: no registry answered with signatures ($(head -n 1 signatures.log))"; fi

start
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
KEY=key_test_package npx billing-emulator contract --base-url "$url" --key-env KEY
[ "$PART" = short ] || npx billing-emulator contract
[ "$PART" = short ] || npx billing-emulator contract selftest
proved 'with the kit beside it, the contract suite passes'
stop

[ "$PART" = short ] || all_from_git
