import { existsSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand, serveForFile, spawnCommand } from '../testing/command.ts';
import { newFolder } from '../testing/files.ts';
import { startServer } from '../testing/server.ts';
import { alignColumns } from './print.ts';

it.each([
  ['in a command', 'process.stdout.write = () => { throw new TypeError("A defect.") }'],
  [
    'beside it',
    'process.stdout.write = () => setImmediate(() => { throw new TypeError("A defect.") })',
  ],
])('a defect %s is printed with its stack, without a line of the program', (_, defect) => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(defect)}`;
  const env = { ...process.env, NODE_OPTIONS };
  const { status, stderr } = spawnCommand(['doctor', '--port', '0'], { env });

  expect([status, stderr]).toEqual([1, expect.stringMatching(/^TypeError: A defect\.\n {4}at /)]);
});

it('aligns columns, but not by a text that is very long', () => {
  const long = `/customers?external_id=${'a'.repeat(9_000)}`;
  const lines = alignColumns([
    ['GET', long, 'listCustomers'],
    ['DELETE', '/products', 'deleteProduct'],
  ]).split('\n');

  expect(lines[0]).toBe(`GET     ${long}  listCustomers`);
  expect(lines[1]).toBe(`DELETE  /products${' '.repeat(51)}  deleteProduct`);
});

const folder = newFolder();
const nowhere = join(folder, 'no-such-folder', 'file');
const belowFile = join('/dev/null', 'report.xml');

const { url } = await serveForFile({ fixture: '' });
const breaking = await startServer((_request, response) => {
  response.writeHead(200, { 'Content-Length': 100 });
  response.write('{', () => response.destroy());
});
afterAll(() => breaking.close());

describe('a command', () => {
  it.each([
    ['export', nowhere, () => ['export', nowhere, '--url', url]],
    ['run', '/dev/null', () => ['run', 'quickstart', '--junit', belowFile]],
    [
      'webhooks check',
      '/dev/null',
      () => ['webhooks', 'check', `${url}/x`, '--secret', 's', '--junit', belowFile],
    ],
  ])('names what it cannot write in one line: %s', async (_, place, words) => {
    const { code, errors } = await runCommand(words());

    expect([code, errors]).toEqual([1, expect.stringMatching(`^E[A-Z]+: .*'${place}'\n$`)]);
  });

  it.skipIf(!existsSync('/dev/full'))('fails if the disk has no room for its output', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnCommand(['doctor', '--port', '0'], {
      stdio: ['ignore', full, 'pipe'],
    });

    expect([status, stderr]).toEqual([1, 'ENOSPC: no space left on device, write\n']);
  });

  it('releases its data file if it cannot write the ready file', async () => {
    const data = join(folder, 'state.json');
    const { code, errors } = await runCommand([
      'start',
      '--port',
      '0',
      '--data',
      data,
      '--ready-file',
      nowhere,
    ]);

    expect([code, errors.trimEnd(), readdirSync(folder)]).toEqual([
      2,
      `--ready-file: ENOENT: no such file or directory, open '${nowhere}'`,
      ['state.json'],
    ]);
  });

  it('reports a response that ended early', async () => {
    const { code, errors } = await runCommand(['export', '--url', breaking.url]);

    expect([code, errors]).toEqual([
      6,
      `${breaking.url}/_emulator/export broke off within its response (terminated).\n`,
    ]);
  });

  it.each([
    [5, ['--host', '192.0.2.1'], 'listen EADDRNOTAVAIL: address not available 192.0.2.1'],
    [
      3,
      ['--keys', 'key_test_other'],
      'Expected keys to contain key_test_emulator, which the command receives.',
    ],
  ])(
    'exits with %i if exec cannot start an emulator for its command',
    async (wanted, flags, message) => {
      const { code, errors } = await runCommand(['exec', ...flags, '--', 'true']);

      expect([code, errors.trimEnd()]).toEqual([wanted, message]);
    },
  );
});
