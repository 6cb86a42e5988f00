import { describe, expect, it } from 'vitest';
import { parseExactValue } from '../../kit/exact-json.ts';
import { compareAnswers } from './compare.ts';
import { IdMap } from './id-map.ts';

const CUSTOMER = ['cust_upstream1', 'cust_emulator1'] as const;

const optionsOf = (operation: string, ids = new IdMap()) => ({ ids, operation, headers: [] });

/** Compares two bodies. Returns each difference as place and kind, and the learned pairs of identifiers. */
function compare(upstream: string, emulator: string, ids = new IdMap(), operation = 'getCustomer') {
  const [one, other] = [upstream, emulator].map((text) => ({
    status: 200,
    headers: {},
    body: parseExactValue(text),
  })) as [never, never];
  const { differences, learned } = compareAnswers(one, other, optionsOf(operation, ids));
  return { learned, found: differences.map(({ at, kind }) => `${at.join('.')} ${kind}`) };
}

function knowing(...pairs: readonly (readonly [string, string])[]): IdMap {
  const ids = new IdMap();
  ids.learn(pairs);
  return ids;
}

describe('compareAnswers', () => {
  it('compares numbers by value, to the last digit', () => {
    expect(compare('{"a":10.250}', '{"a":10.25}').found).toEqual([]);
    expect(compare('{"a":0.12345678901234567891}', '{"a":0.1234567890123456789}').found).toEqual([
      'body.a value',
    ]);
  });

  it('reports missing fields, extra fields and wrong types', () => {
    expect(compare('{"a":1,"b":null,"d":[]}', '{"a":"1","c":2,"d":{}}').found).toEqual([
      'body.a type',
      'body.b missing',
      'body.d type',
      'body.c extra',
    ]);
  });

  it('learns pairs of identifiers, and reports an identifier that breaks a known pair', () => {
    const first = compare('{"id":"cust_upstream1"}', '{"id":"cust_emulator1"}');

    expect(first).toEqual({ found: [], learned: [CUSTOMER] });
    expect(
      compare('{"id":"cust_upstream1"}', '{"id":"cust_emulator2"}', knowing(CUSTOMER)).found,
    ).toEqual(['body.id reference']);
    expect(
      compare('{"id":"cust_upstream2"}', '{"id":"cust_emulator1"}', knowing(CUSTOMER)).found,
    ).toEqual(['body.id reference']);
  });

  it('learns an identifier that is the same on both sides', () => {
    const first = compare('{"id":"cust_alike0001"}', '{"id":"cust_alike0001"}');
    const ids = knowing(...first.learned);

    expect(first.learned).toEqual([['cust_alike0001', 'cust_alike0001']]);
    expect(compare('{"id":"cust_upstream1"}', '{"id":"cust_alike0001"}', ids).found).toEqual([
      'body.id reference',
    ]);
  });

  it('reports an identifier from the client, or another value, that differs', () => {
    const ids = new IdMap();
    ids.give(['8f14e45f-ceea-4671-8b11-0c9b6a1f0001']);
    const sides = ['0001', '0002'].map((end) => `{"id":"8f14e45f-ceea-4671-8b11-0c9b6a1f${end}"}`);

    expect(compare(sides[0] as string, sides[1] as string, ids).found).toEqual(['body.id value']);
    expect(compare('{"name":"Acme"}', '{"name":"Acma"}').found).toEqual(['body.name value']);
  });

  it('treats instants up to five seconds apart as equal', () => {
    const at = (second: string) => `{"at":"2026-01-31T10:00:${second}Z"}`;

    expect(compare(at('00.000'), at('05.000')).found).toEqual([]);
    expect(compare(at('00.000'), at('05.001')).found).toEqual(['body.at time']);
  });

  it('pairs items by identifier, not by position', () => {
    const ids = knowing(CUSTOMER, ['cust_upstream2', 'cust_emulator2']);
    const upstream = '{"items":[{"id":"cust_upstream1","n":1},{"id":"cust_upstream2","n":2}]}';
    const emulator = '{"items":[{"id":"cust_emulator2","n":2},{"id":"cust_emulator1","n":1}]}';
    const other = '{"items":[{"id":"cust_emulator2","n":1},{"id":"cust_emulator1","n":1}]}';

    expect(compare(upstream, emulator, ids).found).toEqual([]);
    expect(compare(upstream, other, ids).found).toEqual(['body.items.*.n value']);
  });

  it('pairs items without known identifiers by natural key, else in order of time', () => {
    const upstream = '[{"code":"a","n":1},{"code":"b","n":2}]';

    expect(compare(upstream, '[{"code":"b","n":2},{"code":"a","n":3}]').found).toEqual([
      'body.*.n value',
    ]);
    expect(
      compare(
        '[{"x":"p","at":"2026-01-31T10:00:00Z"},{"x":"q","at":"2026-01-31T10:00:09Z"}]',
        '[{"x":"r","at":"2026-01-31T10:00:09Z"},{"x":"p","at":"2026-01-31T10:00:00Z"}]',
      ).found,
    ).toEqual(['body.*.x value']);
  });

  it('pairs the webhook events of a long list whatever their receivers responded', () => {
    const numbers = Array.from({ length: 101 }, (_, index) => index + 100);
    const ids = knowing(...numbers.map((n) => [`sub_upstream${n}`, `sub_emulator${n}`] as const));
    const event = (side: string, n: number, metadata: object) => ({
      id: `evt_${side}${n}`,
      metadata,
      data: { subscription_id: `sub_${side}${n}` },
    });
    const upstream = numbers.map((n) => event('upstream', n, { attempts: [{ status_code: n }] }));
    const emulator = numbers.toReversed().map((n) => event('emulator', n, { attempts: [] }));
    const [one, other] = [upstream, emulator].map((items) => JSON.stringify({ items }));

    expect(compare(one as string, other as string, ids, 'listWebhookEvents').found).toEqual([]);
  });

  it('pairs items with the same identifier by version', () => {
    const ids = knowing(['prp_upstream1', 'prp_emulator1']);
    const items = (id: string, ...versions: number[]) =>
      JSON.stringify(versions.map((version) => ({ id, version, n: version })));

    expect(compare(items('prp_upstream1', 1, 2), items('prp_emulator1', 2, 1), ids).found).toEqual(
      [],
    );
  });

  it('pairs equal items in order of time, or the nearest where one side has more', () => {
    const item = (id: string, second: number) => ({ id, at: `2026-01-31T10:00:0${second}.000Z` });
    const upstream = JSON.stringify([item('evt_upstream2', 2), item('evt_upstream1', 1)]);
    const emulator = JSON.stringify([item('evt_emulator1', 1), item('evt_emulator2', 2)]);
    const later = JSON.stringify([item('evt_upstream2', 2)]);
    const pairs = (learned: readonly (readonly [string, string])[]) =>
      Object.fromEntries(learned.filter(([id]) => id.startsWith('evt_')));

    expect(pairs(compare(upstream, emulator).learned)).toEqual({
      evt_upstream1: 'evt_emulator1',
      evt_upstream2: 'evt_emulator2',
    });
    expect(pairs(compare(later, emulator).learned)).toEqual({ evt_upstream2: 'evt_emulator2' });
  });

  it('does not compare the texts of error responses', () => {
    const [one, other] = ['No such customer.', 'Nothing here.'].map((detail) => ({
      status: 404,
      headers: {},
      body: { status: 'same', detail, errors: { 'events[0].occurred_at': [detail] } },
    })) as [never, never];

    expect(compareAnswers(one, other, optionsOf('getCustomer')).differences).toEqual([]);
  });

  it('compares nothing else when the status differs', () => {
    const [one, other] = [200, 404].map((status) => ({
      status,
      headers: { 'content-type': `a/${status}` },
      body: { id: 'cust_upstream1' },
    })) as [never, never];
    const { differences, orphans } = compareAnswers(one, other, optionsOf('getCustomer'));

    expect(differences.map(({ kind }) => kind)).toEqual(['status']);
    expect(orphans).toEqual(['cust_upstream1']);
  });
});
