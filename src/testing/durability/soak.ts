import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deriveFraction } from '../../state/ids.ts';
import { type Served, serve } from './serve.ts';
import { LOADS, type Load, MOST_SANDBOXES, openReceivers, resetAll } from './soak-load.ts';

/** What a process holds, its heap after a collection. */
export interface SoakSample {
  /** Since the load began. @units seconds */
  readonly at: number;
  /** @units bytes */
  readonly heap: number;
  /** @units bytes */
  readonly resident: number;
  /** Open files and connections; 0 where the system does not tell. */
  readonly descriptors: number;
}

export interface SoakReport {
  readonly rounds: number;
  /** How many answers there were, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** What should not have been answered. */
  readonly defects: readonly string[];
  /** At rest after the rounds that fill what is bounded. */
  readonly before: SoakSample;
  readonly during: readonly SoakSample[];
  /** At rest after the last, as soon as it holds no more than before, at the latest after 30 seconds. */
  readonly after: SoakSample;
  /** Whether heap and descriptors were as before by then. */
  readonly isAsBefore: boolean;
}

export interface SoakPlan {
  readonly seed: string;
  /**
   * How many rounds fill what is bounded, before anything is compared. `FILLING_ROUNDS` fill all of it; with fewer, what
   * is held goes on growing towards those bounds.
   */
  readonly filling: number;
  /** How long it rests then, so that hanging deliveries end. @units milliseconds */
  readonly rest: number;
  /** How long the load goes on after that. @units milliseconds */
  readonly lasting: number;
}

/**
 * After so many rounds, all that is bounded has been full once: former states (three of each world, and of each of the 80
 * sandboxes of a flood), the request log (50 requests of a world, 8 MB of all), rows as lists show them (two times 5,000
 * and 8 million characters at most, of which a round brings 200), answers of reads (4 million characters of a world), and
 * the code of all that the load calls, compiled and optimised. Heap snapshots say so: of 16 MB that came in 45 rounds, 8
 * were code and shapes of objects, and 6 such rows.
 */
export const FILLING_ROUNDS = 60;

/** What is bounded by settings, so that the first rounds fill it. */
const BOUNDS = ['--request-log', '50', '--request-log-bytes', '8388608'];
const REST_MS = 30_000;
/** How much more heap may be in use: what a collector leaves, caches, and states that happen to be larger. */
const SLACK = { share: 1.15, bytes: 8_000_000 } as const;
const SLACK_DESCRIPTORS = 4;

/**
 * Loads an emulator for some time with all that holds on to things: receivers that hang, drip and reset, readers that
 * stop, resets, imports and floods; and looks what it holds before, meanwhile and afterwards.
 */
export async function soak(plan: SoakPlan): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  const receivers = await openReceivers();
  const collect = `data:text/javascript,process.on('SIGUSR2',()=>gc())`;
  const served = await serve(join(folder, 'data.json'), {
    node: ['--expose-gc', '--import', collect],
    flags: [...BOUNDS, '--max-sandboxes', String(MOST_SANDBOXES), '--log-level', 'silent'],
  });
  try {
    return await soakServed(served, plan, receivers);
  } finally {
    const gone = once(served.child, 'exit');
    served.child.kill('SIGKILL');
    await gone;
    await Promise.all(Object.values(receivers).map((each) => each.close()));
    rmSync(folder, { recursive: true });
  }
}

async function soakServed(
  served: Served,
  { seed, filling, rest, lasting }: SoakPlan,
  receivers: Load['receivers'],
): Promise<SoakReport> {
  const statuses: Record<string, number> = {};
  const defects: string[] = [];
  const load = loadOf({ url: served.url, receivers, seed }, statuses, defects);
  let rounds = 0;
  const round = async () => {
    await Promise.all(LOADS.map((each) => each(load)));
    rounds += 1;
  };
  // The worlds of the load are opened first: a flood that came before would keep them out.
  await resetAll(load);
  while (rounds < filling) await round();
  await resetAll(load);
  const begun = performance.now();
  const sample = () => sampleOf(served, begun);
  const before = await firstGood(sample, () => false, rest);
  const during: SoakSample[] = [];
  const every = Math.max(lasting / 30, 1_000);
  while (performance.now() - begun < lasting) {
    await round();
    if ((during.length + 1) * every < performance.now() - begun) during.push(await sample());
  }
  await resetAll(load);
  const isAsBefore = (now: SoakSample) =>
    now.heap <= before.heap * SLACK.share + SLACK.bytes &&
    now.descriptors <= before.descriptors + SLACK_DESCRIPTORS;
  const after = await firstGood(sample, isAsBefore, REST_MS);
  return { rounds, statuses, defects, before, during, after, isAsBefore: isAsBefore(after) };
}

/** What loads draw from, and where they tell what they were answered. */
function loadOf(
  { seed, ...where }: Pick<Load, 'url' | 'receivers'> & { readonly seed: SoakPlan['seed'] },
  statuses: Record<string, number>,
  defects: string[],
): Load {
  let [draws, uses] = [0, 0];
  return {
    ...where,
    pick: (below) => Math.floor(below * deriveFraction([seed, draws++])),
    count: () => uses++,
    async hear(answer) {
      const text = await answer.text();
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status === 500) defects.push(`${answer.url}: ${text}`);
      return text;
    },
  };
}

/** Samples until one is good, for some time; answers it, or else the last. */
async function firstGood(
  sample: () => Promise<SoakSample>,
  isGood: (sample: SoakSample) => boolean,
  patience: number,
): Promise<SoakSample> {
  const until = performance.now() + patience;
  for (;;) {
    const now = await sample();
    if (isGood(now) || performance.now() >= until) return now;
    await pause(1_000);
  }
}

async function sampleOf({ child, url }: Served, begun: number): Promise<SoakSample> {
  child.kill('SIGUSR2');
  const ask = async (path: string) =>
    (await fetch(url + path, { headers: { Connection: 'close' } })).text();
  await ask('/readyz');
  const text = await ask('/_emulator/metrics');
  const gaugeOf = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    at: Math.round((performance.now() - begun) / 1_000),
    heap: gaugeOf('nodejs_heap_size_used_bytes'),
    resident: gaugeOf('process_resident_memory_bytes'),
    descriptors: gaugeOf('process_open_fds'),
  };
}
