import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OBSTACLES } from './distorting-proxy/obstacles.ts';
import { type DistortingProxy, startDistortingProxy } from './distorting-proxy/proxy.ts';
import { runInProcess } from './distorting-proxy/run-in-process.ts';
import { WRONG_RESPONSES } from './distorting-proxy/wrong-responses.ts';
import type { GatheredCheck } from './gather.ts';
import { sampled } from './sample.ts';
import { gatherCases } from './selftest/cases.ts';
import { type StartedEmulator, startTarget } from './target/own-emulator.ts';

/** A few checks through a proxy that distorts responses; `npm run prove -- targets` runs all checks and distortions. */
let emulator: StartedEmulator;
let proxy: DistortingProxy;
let checks: readonly GatheredCheck[];

const SELECTED = ['AST-01', 'AST-07', 'AST-22', 'VND-01'];

beforeAll(async () => {
  emulator = await startTarget();
  proxy = await startDistortingProxy(emulator.baseUrl);
  const all = await gatherCases(['assets.test.ts', 'vendors.test.ts']);
  checks = all.filter(({ ids }) => ids.some((id) => SELECTED.includes(id)));
});

afterAll(async () => {
  await proxy.close();
  await emulator.close();
});

describe('a contract run against a service with wrong responses', () => {
  it.each(sampled(WRONG_RESPONSES, 6))(
    'exits with 1 and reports one cause: $about',
    async (shape) => {
      proxy.become(shape);
      const { exit, causes } = await runInProcess(proxy.baseUrl, checks, { consumables: 9 });

      expect(proxy.touched).toBeGreaterThan(0);
      expect(exit.reasons.map(({ code }) => code)).toEqual([1]);
      expect(causes.map(({ difference }) => difference)).toHaveLength(1);
    },
  );
});

describe('a contract run against a correct service', () => {
  it.each(sampled(OBSTACLES, 4))('passes although the service $about', async (obstacle) => {
    proxy.become({ ...obstacle, ...(obstacle.every && { every: Math.min(obstacle.every, 5) }) });
    const flags = { consumables: 9, consistency: obstacle.consistencyMs };
    const { exit, waits } = await runInProcess(proxy.baseUrl, checks, flags);

    expect(exit.reasons).toEqual([]);
    expect(waits.join()).toContain(obstacle.waited ?? '');
  });

  it('advises to declare --consistency when only a lag makes checks fail', async () => {
    proxy.become({ about: 'lags', lagMs: 150 });
    const { exit } = await runInProcess(proxy.baseUrl, checks, { consumables: 9 });

    expect(exit.code).toBe(1);
    expect(exit.reasons.map(({ text }) => text).join()).toContain('declare --consistency 2s');
  });
});
