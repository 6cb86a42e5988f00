import { expect, it } from 'vitest';
import { createSharer, InternPool } from './intern-pool.ts';

it('InternPool returns the first of equal values until it is full and is emptied', () => {
  const known = new InternPool<readonly number[]>(2);
  const [first, second] = [[1], [2]];

  expect(known.intern('1', first)).toBe(first);
  expect(known.intern('1', [1])).toBe(first);
  expect(known.intern('2', second)).toBe(second);
  expect(known.intern('1', [1])).toBe(first);

  known.intern('3', [3]);
  const anew = [1];
  expect(known.intern('1', anew)).toBe(anew);
});

const text = JSON.stringify({
  id: 'e1',
  seq: 1,
  owner: 'acc_1',
  billed_by: [{ id: 'prp_1', version: 1 }],
  fees: [{ id: 'fee_1', terms: { price_name: 'Call' } }],
  costs: [],
  postings: [{ from: 'wallet', to: 'revenue', amount: '0.01', grant_id: 'grt_1' }],
  data: { __proto__: 1, terms: { price_name: 'Call' } },
});

it('createSharer() makes rows share equal parts and does not change their contents', () => {
  const share = createSharer();
  const read = () => JSON.parse(text);
  const [first, second, other] = [
    share(read()),
    share(read()),
    share({ ...read(), billed_by: [{ id: 'prp_1', version: 2 }] }),
  ];

  expect(second.billed_by).toBe(first.billed_by);
  expect(second.fees[0].terms).toBe(first.fees[0].terms);
  expect(second.postings).toBe(first.postings);
  expect(second.fees).not.toBe(first.fees);
  expect(other.billed_by).toEqual([{ id: 'prp_1', version: 2 }]);
  expect(JSON.stringify([first, second])).toBe(`[${text},${text}]`);
});
