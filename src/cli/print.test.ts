import { expect, it } from 'vitest';
import { alignColumns } from './print.ts';

it('aligns columns, but not by a text that is very long', () => {
  const long = `/customers?external_id=${'a'.repeat(9_000)}`;
  const lines = alignColumns([
    ['GET', long, 'listCustomers'],
    ['DELETE', '/products', 'deleteProduct'],
  ]).split('\n');

  expect(lines[0]).toBe(`GET     ${long}  listCustomers`);
  expect(lines[1]).toBe(`DELETE  /products${' '.repeat(51)}  deleteProduct`);
});
