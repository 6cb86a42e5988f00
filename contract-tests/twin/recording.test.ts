import { describe, expect, it } from 'vitest';
import type { Comparison } from './compare.ts';
import type { TwinExchange } from './exchange.ts';
import { Recording } from './recording.ts';

const read = (length = 0) =>
  ({
    ...{ isWrite: false, isOwn: false, operation: { id: 'listCustomers' } },
    answer: { status: 200 },
    traffic: { requestBody: undefined, responseBody: Buffer.alloc(length) },
  }) as unknown as TwinExchange;
const write = (length = 0) => ({ ...read(length), isWrite: true });
const AGREES: Comparison = { differences: [], learned: [], orphans: [] };
const place = { kind: 'value', at: ['body', 'name'], within: [] } as const;
const DIFFERS = { ...AGREES, differences: [{ ...place, upstream: 'a', emulator: 'b' }] };

function recordingOf(...judged: readonly (readonly [TwinExchange, Comparison | undefined])[]) {
  const recording = new Recording();
  for (const [exchange, comparison] of judged) {
    recording.add(exchange);
    recording.judged(exchange, comparison);
  }
  return recording;
}

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

describe('what is held to be compared again', () => {
  it('is every write, and of reads that say the same twenty', () => {
    const writes = times(30, () => [write(), AGREES] as const);
    const reads = [AGREES, DIFFERS, undefined].flatMap((comparison) =>
      times(30, () => [read(), comparison] as const),
    );

    expect(recordingOf(...writes).exchanges).toHaveLength(30);
    expect(recordingOf(...reads).exchanges).toHaveLength(60);
  });

  it('is every read that has shown a new identifier, as later requests may name it', () => {
    const learned = [['cust_upstream1', 'cust_emulator1']] as const;
    const reads = times(30, () => [read(), { ...AGREES, learned }] as const);

    expect(recordingOf(...reads).exchanges).toHaveLength(30);
  });

  it('is what came first, without a gap, and the rest is counted', () => {
    const recording = new Recording(10_000);
    const [small, large] = [write(1_000), write(8_000)];
    for (const exchange of [small, large, write(1_000)]) recording.add(exchange);

    expect(recording.exchanges).toEqual([small]);
    expect(recording.leftOut).toBe(2);
  });

  it('leaves room for what comes where a read was let go', () => {
    const recording = new Recording(20 * 3_048 + 4_000);
    for (const exchange of times(40, () => read(1_000))) {
      recording.add(exchange);
      recording.judged(exchange, AGREES);
    }
    recording.add(write(1_000));

    expect([recording.exchanges.length, recording.leftOut]).toEqual([21, 0]);
  });
});
