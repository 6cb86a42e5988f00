import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../emulator.ts';
import { parseFixture } from '../read.ts';
import { describeOutcome, runFixture } from '../run-fixture.ts';
import type { CallStep, ScenarioStep } from '../scenario.ts';
import { writeScenario } from '../write.ts';
import { drawPopulation, type PopulationOptions } from './population.ts';

async function textOf(options: PopulationOptions): Promise<string> {
  return [...writeScenario(await drawPopulation(options))].join('');
}

async function stepsOf(options: PopulationOptions): Promise<readonly ScenarioStep[]> {
  return [...(await drawPopulation(options)).steps];
}

interface DrawnEvent {
  readonly occurred_at: string;
}

function eventsOf(steps: readonly ScenarioStep[]): readonly DrawnEvent[] {
  return steps
    .filter((step): step is CallStep => 'call' in step && step.call === 'submitEvents')
    .flatMap(({ body }) => (body as { events: DrawnEvent[] }).events);
}

describe('a population', () => {
  it('is the same byte for byte for the same seed, on every machine', async () => {
    const options = { customers: 10, days: 20, seed: 7 };
    const text = await textOf(options);

    expect(await textOf(options)).toBe(text);
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      '2ea613f746e65a03d64e4500a32b18866b19a8669058ba2a1f187e824704fa5a',
    );
    expect(await textOf({ ...options, seed: 8 })).not.toBe(text);
  });

  it('keeps its customers when more are drawn', async () => {
    const few = await stepsOf({ customers: 5, days: 20, seed: 7 });
    const many = await stepsOf({ customers: 9, days: 20, seed: 7 });
    const bodies = many.map((step) => ('body' in step ? JSON.stringify(step.body) : ''));

    expect(few.length).toBeGreaterThan(20);
    for (const step of few) if ('body' in step) expect(bodies).toContain(JSON.stringify(step.body));
  });

  it('runs without a rejected request, and yields losses, profits and payments', async () => {
    const text = await textOf({ customers: 15, days: 40, seed: 3 });
    const fixture = parseFixture(text, 'population.json');
    const settings = { fixture: '', clock: 'frozen', clock_now: '2026-03-01T15:30:00Z' };
    const { worlds, targetOf } = createEmulator({ settings });
    const world = worlds.find('key_test_emulator');
    if (!world) throw new Error('There is no world.');
    const target = targetOf(world);
    const outcomes = await runFixture(fixture, target);
    const { body } = await target.send({
      call: 'listCustomerStats',
      query: { period_from: '2026-01-01' },
    });
    const { items } = body as { items: { stats: { net_revenue: number } }[] };
    const signs = new Set(items.map(({ stats }) => Math.sign(stats.net_revenue)));
    const payments = [...world.tables.top_ups.values()].map(({ status }) => status);

    expect(outcomes.flatMap((outcome) => describeOutcome(fixture, outcome))).toEqual([]);
    expect(world.now).toBe('2026-03-01T15:30:00.000Z');
    expect(items).toHaveLength(15);
    expect([...signs]).toEqual(expect.arrayContaining([-1, 1]));
    expect(new Set(payments)).toContain('succeeded');
  }, 30_000);

  it('has more usage by day than by night, and on weekdays than on weekends', async () => {
    // 2026-03-01 is a Sunday, so that the last of 28 days of usage is Saturday, 28 February.
    const until = '2026-03-01T00:00:00.000Z' as PopulationOptions['until'] & string;
    const steps = await stepsOf({ customers: 60, days: 28, seed: 1, until });
    const hours = eventsOf(steps).map(({ occurred_at }) => {
      const [, seconds] = /^\$today-PT(\d+)S$/.exec(occurred_at) ?? [];
      return 24 - Math.ceil(Number(seconds) / 3_600);
    });
    const between = (least: number, most: number) =>
      hours.filter((hour) => hour >= least && hour <= most).length;

    expect(Math.min(...hours)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...hours)).toBeLessThan(24);
    expect(between(9, 16)).toBeGreaterThan(8 * between(0, 4));
    const perDay = countByDay(steps);
    expect(perDay[2]).toBeGreaterThan(2 * (perDay[6] as number));
  });
});

/** Counts usage events by the weekday they occurred on, from Monday. The last day is a Sunday. */
function countByDay(steps: readonly ScenarioStep[]): readonly number[] {
  const counts = Array.from({ length: 7 }, () => 0);
  let daysBack = 28;
  for (const step of steps) {
    if ('at' in step && step.at !== undefined) daysBack = Number(/\d+/.exec(step.at)?.[0]);
    // Usage is reported on the next day: a report on the last day, a Sunday, is usage of Saturday.
    const weekday = (((5 - daysBack) % 7) + 7) % 7;
    counts[weekday] = (counts[weekday] as number) + eventsOf([step]).length;
  }
  return counts;
}
