import { describe, expect, it } from 'vitest';
import { type ExactValue, parseExactValue } from '../../kit/exact-json.ts';
import { allOperations } from '../../kit/operations.ts';
import { compareAnswers } from './compare.ts';
import type { TwinExchange } from './exchange.ts';
import { IdMap } from './id-map.ts';
import { Contended } from './unlike-worlds.ts';

const at = (second: number) => `2026-01-31T10:00:${String(second).padStart(2, '0')}.000Z`;
const item = (code: string, second?: number) =>
  second === undefined ? { code } : { code, created_at: at(second) };

/** The differences between two bodies of status 200, each as place and kind. */
function differencesOf(
  operation: string,
  upstream: unknown,
  emulator: unknown,
  isPlaceless: (item: ExactValue) => boolean = () => false,
) {
  const [one, other] = [upstream, emulator].map((body) => ({
    ...{ status: 200, headers: {} },
    body: parseExactValue(JSON.stringify(body)),
  })) as [never, never];
  const { differences } = compareAnswers(one, other, {
    ...{ ids: new IdMap(), headers: [], query: new URLSearchParams(), isPlaceless },
    operation: allOperations().find(({ id }) => id === operation),
  });
  return differences.map((found) => `${found.at.join('.')} ${found.kind}`);
}

describe('list order', () => {
  it('is one difference, however many items are in another position', () => {
    const [upstream, emulator] = [
      { items: ['a', 'b', 'c', 'd'].map((code) => item(code)) },
      { items: ['d', 'c', 'b', 'a'].map((code) => item(code)) },
    ];

    expect(differencesOf('listAssets', upstream, emulator)).toEqual(['body.items order']);
    expect(differencesOf('listAssets', upstream, upstream)).toEqual([]);
  });

  it('is compared only in lists that the document declares as ordered', () => {
    const of = (...codes: string[]) => codes.map((code) => item(code));
    const asset = (...codes: string[]) => ({ rates: [{ source: 'USD', schedule: of(...codes) }] });
    const wallet = (...codes: string[]) => ({ accounts: of(...codes) });

    expect(differencesOf('getAsset', asset('a', 'b'), asset('b', 'a'))).toEqual([
      'body.rates.*.schedule order',
    ]);
    expect(differencesOf('getWallet', wallet('a', 'b'), wallet('b', 'a'))).toEqual([]);
  });

  it('is compared among the items of both sides when one side lacks an item', () => {
    const upstream = { items: [item('c'), item('b'), item('a')] };

    expect(differencesOf('listVendors', upstream, { items: [item('c'), item('a')] })).toEqual([
      'body.items.* missing',
    ]);
    expect(differencesOf('listVendors', upstream, { items: [item('a'), item('c')] })).toEqual([
      'body.items.* missing',
      'body.items order',
    ]);
  });

  it('is not compared among items of the same instant', () => {
    const upstream = { items: [item('d', 2), item('c', 1), item('b', 1), item('a', 0)] };
    const tied = { items: [item('d', 2), item('b', 1), item('c', 1), item('a', 0)] };
    const early = { items: [item('d', 2), item('b', 1), item('a', 0), item('c', 1)] };

    expect(differencesOf('listVendors', upstream, tied)).toEqual([]);
    expect(differencesOf('listVendors', upstream, early)).toEqual(['body.items order']);
  });

  it('is not compared among items that parallel writes of the same world created', () => {
    const contended = new Contended();
    const write = { world: 'one', names: new Set(['a']), answer: undefined };
    contended.add(write as unknown as TwinExchange, Date.parse(at(30)));
    const placeless = (world: string) => (one: ExactValue) => contended.has(world, one);
    const [upstream, emulator] = [
      { items: [item('c', 29), item('b', 10), item('a', 9)] },
      { items: [item('a', 9), item('b', 10), item('c', 29)] },
    ];

    expect(differencesOf('listVendors', upstream, emulator, placeless('one'))).toEqual([]);
    expect(differencesOf('listVendors', upstream, emulator, placeless('two'))).toEqual([
      'body.items order',
    ]);
  });
});
