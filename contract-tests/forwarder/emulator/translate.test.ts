import { describe, expect, it } from 'vitest';
import type { TwinExchange } from './exchange.ts';
import { IdMap } from './id-map.ts';
import { createTwinKeys, translateRequest } from './translate.ts';

const ids = new IdMap();
ids.learn([
  ['cust_upstream1', 'cust_emulator1'],
  ['dst_upstream1', 'dst_emulator1'],
  ['acc_upstream1', 'acc_emulator1'],
  ['Y3Vyc29y.dXBzdHJlYW0=', 'Y3Vyc29y.ZW11bGF0b3I='],
  ['2026-01-31T10:00:00.250Z', '2026-01-31T10:00:00.000Z'],
]);

function translate(target: string, body: Buffer | string = '', raw: readonly string[] = []) {
  const requestBody = Buffer.from(body as string);
  const asked = { method: 'POST', target, rawRequestHeaders: raw, requestBody };
  const keyOf = (name: string) => (name === 'X-Service-Api-Key' ? 'key_test_twin' : undefined);
  return translateRequest(asked, ids, keyOf);
}

describe('translateRequest', () => {
  it('translates identifiers, cursors and instants in the path and the query', () => {
    expect(
      translate(
        '/customers/cust_upstream1/wallet?ids=cust_other01%2Ccust_upstream1&from=2026-01-31T10%3A00%3A00.250Z&next=Y3Vyc29y.dXBzdHJlYW0%3D',
      ).target,
    ).toBe(
      '/customers/cust_emulator1/wallet?ids=cust_other01%2Ccust_emulator1&from=2026-01-31T10%3A00%3A00.000Z&next=Y3Vyc29y.ZW11bGF0b3I%3D',
    );
  });

  it('translates the id of a destination with either prefix, dst_ or whd_', () => {
    expect(translate('/webhooks/whd_upstream1').target).toBe('/webhooks/whd_emulator1');
  });

  it('translates identifiers in a body and leaves every other character unchanged', () => {
    const body = '{ "amount": 1.10, "amount": 1e400, "to": "cust_upstream1", broken';

    expect(translate('/', body).body.toString()).toBe(body.replace('upstream1', 'emulator1'));
  });

  it('leaves binary and compressed bodies unchanged', () => {
    const bytes = Buffer.from([0xff, 0xfe, ...Buffer.from('cust_upstream1')]);

    expect(translate('/', bytes as never).body.equals(bytes)).toBe(true);
    expect(translate('/', 'cust_upstream1', ['Content-Encoding', 'gzip']).body.toString()).toBe(
      'cust_upstream1',
    );
  });

  it('replaces key and account, drops connection headers and keeps all others', () => {
    expect(
      translate('/', '', [
        'Host',
        'a',
        'X-Service-Api-Key',
        'secret',
        'X-Service-Account',
        'acc_upstream1',
        'Content-Length',
        '3',
        'X-Twice',
        'b',
        'X-Twice',
        'c',
      ]).headers,
    ).toEqual([
      'X-Service-Api-Key',
      'key_test_twin',
      'X-Service-Account',
      'acc_emulator1',
      'X-Twice',
      'b',
      'X-Twice',
      'c',
    ]);
  });
});

const KEY = 'sk_test_1';

const valuesOf = (bearer: string, status: number): readonly unknown[] => {
  const keys = createTwinKeys();
  keys.keyOf({ key: KEY, answer: { status: 200 } } as TwinExchange);
  const inHeader = keys.inHeader({ key: KEY, answer: { status } } as TwinExchange);
  return [
    inHeader('X-Acme-Api-Key', KEY),
    inHeader('Authorization', bearer),
    inHeader('Accept', 'a'),
  ];
};

describe('the keys of a request to the emulator', () => {
  it('are the same in both headers if they were for the service', () => {
    const same = ['key_test_twin-1', 'Bearer key_test_twin-1', undefined];
    expect(valuesOf(`Bearer ${KEY}`, 200)).toEqual(same);
    expect(valuesOf(`Bearer ${KEY}`, 401)).toEqual(same);
  });

  it('differ if they did in a request that the service rejected', () => {
    expect(valuesOf('Bearer sk_test_2', 401)).toEqual([
      'key_test_twin-1',
      'Bearer nobody!',
      undefined,
    ]);
  });

  it('are one if the service accepted two, of which it reads one', () => {
    expect(valuesOf('Bearer of-a-gateway', 200)).toEqual([
      'key_test_twin-1',
      'Bearer key_test_twin-1',
      undefined,
    ]);
  });
});
