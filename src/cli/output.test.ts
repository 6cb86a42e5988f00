import { expect, it } from 'vitest';
import { spawnVerb } from '../testing/verb.ts';
import { alignColumns } from './print.ts';

it.each([
  ['in a verb', 'process.stdout.write = () => { throw new TypeError("A defect.") }'],
  [
    'beside it',
    'process.stdout.write = () => setImmediate(() => { throw new TypeError("A defect.") })',
  ],
])('a defect %s is printed with its stack, without a line of the program', (_, defect) => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(defect)}`;
  const env = { ...process.env, NODE_OPTIONS };
  const { status, stderr } = spawnVerb(['doctor', '--port', '0'], { env });

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
