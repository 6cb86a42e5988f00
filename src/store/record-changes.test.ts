import { expect, it } from 'vitest';
import { singularOf } from './record-changes.ts';

it.each([
  ['customers', 'customer'],
  ['deliveries', 'delivery'],
  ['auto_top_ups', 'automatic top-up'],
  ['price_quantities', 'quantity by price'],
  ['cost_claims', 'id of costs'],
  ['vendor_days', 'vendor cost by day'],
  ['sequence', 'record created'],
  ['requests', 'request answered'],
  ['clock', 'clock'],
  ['unknown', 'unknown'],
])('one of %s is called %s', (table, one) => {
  expect(singularOf(table)).toBe(one);
});
