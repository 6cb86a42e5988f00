#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { findBundle } from './bundle.js';

const bundle = await findBundle();
if (bundle) await import(bundle);
else await runSources();

/** Where no bundle can be kept the sources run as they are, which takes longer to start. */
async function runSources() {
  const { register } = await import('tsx/esm/api');
  // Named outright, or tsx would take the one of the folder that the command is run in.
  register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) });
  await import('../src/cli/main.ts');
}
