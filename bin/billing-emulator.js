#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';

// As `engines` of package.json says, for whoever installs in spite of it.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`billing-emulator needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exit(1);
}
const entry = new URL('../dist/cli.js', import.meta.url);
if (!existsSync(entry)) {
  process.stderr.write('The emulator is not built: run `npm install && npm run build`.\n');
  process.exit(1);
}
// Later starts take over what this one compiled, where Node can keep it.
module.enableCompileCache?.();
await import(entry.href);
