import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newFolder } from './testing/files.ts';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const FIXTURE = fileURLToPath(new URL('vitest.ts', import.meta.url));

const folder = newFolder();

/** Two tests. The second fails after a rejected request. */
const INNER = `
import { test } from ${JSON.stringify(FIXTURE)};

const create = ({ url, key }, name) =>
  fetch(url + '/vendors', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });

test('passes quietly', async ({ sandbox }) => {
  await create(sandbox, 'Quiet');
});
test('fails and is explained', async ({ sandbox }) => {
  await create(sandbox, 'Mine');
  await create(sandbox, 7);
  throw new Error('on purpose');
});
`;

async function runInner(pool: string): Promise<{ code: number; out: string }> {
  writeFileSync(join(folder, 'inner.test.js'), INNER);
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};');
  const { PATH, HOME } = process.env;
  const args = [VITEST, 'run', '--root', folder, '--no-color', '--pool', pool];
  const child = spawn(process.execPath, args, { env: { PATH, HOME } });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
  const [code] = await once(child, 'close');
  return { code: code as number, out };
}

describe('the vitest fixture sandbox', () => {
  it.each(['forks', 'vmForks'])(
    'prints the requests of a failed test and of no other, in the pool %s',
    async (pool) => {
      const { code, out } = await runInner(pool);

      expect(code).toBe(1);
      expect(out).toContain(
        'Requests of "fails and is explained" (key_test_t-fails-and-is-explained)',
      );
      expect(out).toMatch(/1 POST \/vendors 201\n {4}> \{"name":"Mine"\}\n {4}< \{"id":"vnd_/);
      expect(out).toMatch(/2 POST \/vendors 422\n {4}> \{"name":7\}\n {4}< .*Expected/);
      expect(out).not.toContain('Quiet');
    },
  );
});
