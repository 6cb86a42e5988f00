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

describe('Recording', () => {
  it('keeps every write, and twenty reads with the same result', () => {
    const writes = times(30, () => [write(), AGREES] as const);
    const reads = [AGREES, DIFFERS, undefined].flatMap((comparison) =>
      times(30, () => [read(), comparison] as const),
    );

    expect(recordingOf(...writes).exchanges).toHaveLength(30);
    expect(recordingOf(...reads).exchanges).toHaveLength(60);
  });

  it('keeps every read that showed a new identifier', () => {
    const learned = [['cust_upstream1', 'cust_emulator1']] as const;
    const reads = times(30, () => [read(), { ...AGREES, learned }] as const);

    expect(recordingOf(...reads).exchanges).toHaveLength(30);
  });

  it('keeps the first exchanges that fit, without a gap, and counts the others', () => {
    const recording = new Recording(10_000);
    const [small, large] = [write(1_000), write(8_000)];
    for (const exchange of [small, large, write(1_000)]) recording.add(exchange);

    expect(recording.exchanges).toEqual([small]);
    expect(recording.leftOut).toBe(2);
  });

  it('uses the space of dropped reads for later exchanges', () => {
    const recording = new Recording(20 * 3_048 + 4_000);
    for (const exchange of times(40, () => read(1_000))) {
      recording.add(exchange);
      recording.judged(exchange, AGREES);
    }
    recording.add(write(1_000));

    expect([recording.exchanges.length, recording.leftOut]).toEqual([21, 0]);
  });
});
