import { expect, it } from 'vitest';
import { createSharer } from './share-parts.ts';

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
