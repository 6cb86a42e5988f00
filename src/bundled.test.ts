import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';
import { newFolder } from './testing/files.ts';

const PACKAGE = fileURLToPath(new URL('../dist/index.js', import.meta.url));

it('an application that bundles the package is told to leave it out', () => {
  const outfile = join(newFolder(), 'bundle.mjs');
  const contents = `import { startEmulator } from ${JSON.stringify(PACKAGE)}; await startEmulator();`;
  const stdin = { contents, resolveDir: '.' };
  buildSync({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' });
  const { stderr } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });

  expect(stderr).toContain(
    "A file of billing-emulator is missing. A bundler must leave the package out: external: ['billing-emulator'].",
  );
});
