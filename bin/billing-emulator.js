#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';

const entry = new URL('../dist/cli.js', import.meta.url);
if (!existsSync(entry)) {
  process.stderr.write('The emulator is not built: run `npm install && npm run build`.\n');
  process.exit(1);
}
// Later starts take over what this one compiled, where Node can keep it.
module.enableCompileCache?.();
await import(entry.href);
