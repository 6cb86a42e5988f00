import { describe, expect, it } from 'vitest';
import type { TwinExchange } from './exchange.ts';
import { createTwinKeys } from './keys.ts';

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
