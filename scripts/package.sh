#!/usr/bin/env bash
# Proves that the packages work where they are installed: from their tarballs, in an empty folder whose own test
# configuration must not be read. Takes a minute, and the registry or its cache.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
emulator=
trap '[ -z "$emulator" ] || kill "$emulator"; rm -rf "$folder"' EXIT

npm pack --silent --pack-destination "$folder"
npm pack --silent --workspace billing-emulator-contract --pack-destination "$folder"
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
for name in vitest.config.ts vitest.config.js vite.config.ts vitest.workspace.ts; do
  echo "throw new Error('$name was read')" > "$name"
done
echo '{"compilerOptions": {"paths": {"*": ["./nowhere/*"]}}}' > tsconfig.json
mkdir cases
echo "throw new Error('a case of the folder was run')" > cases/own.test.ts
npm install --silent --no-audit --no-fund ./*.tgz

npx billing-emulator --port 0 --ready-file ready.json > emulator.log &
until [ -s ready.json ]; do sleep 0.2; done
emulator=$(node -p 'JSON.parse(fs.readFileSync("ready.json")).pid')
url=$(node -p 'JSON.parse(fs.readFileSync("ready.json")).url')

KEY=key_test_package npx billing-emulator contract --base-url "$url" --key-env KEY --gate-cells 180
npx billing-emulator contract --profile certify --gate-cells 189
npx billing-emulator contract selftest
node --input-type=module -e "
import { startEmulator } from 'billing-emulator';
const emulator = await startEmulator();
await emulator.close();
"
echo 'The packages work where they are installed.'
