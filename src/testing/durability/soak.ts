import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deriveFraction } from '../../store/ids.ts';
import { type Served, serve } from './fleet.ts';
import { LOADS, type Load, openReceivers, resetAll, TOKEN } from './soak-load.ts';

/** Memory and open files of a process, measured after a garbage collection. */
export interface SoakSample {
  /** Time since the load began. @units seconds */
  readonly at: number;
  /** @units bytes */
  readonly heap: number;
  /** @units bytes */
  readonly resident: number;
  /** Open files and connections; 0 if the system does not report them. */
  readonly descriptors: number;
}

interface SoakReport {
  readonly rounds: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Unexpected responses. */
  readonly defects: readonly string[];
  /** At rest, after the rounds that fill all bounded storage. */
  readonly before: SoakSample;
  /** At rest after the last round: as soon as it is no higher than `before`, or after 30 seconds. */
  readonly after: SoakSample;
  /** Whether heap and descriptors were no higher than `before` by then. */
  readonly isAsBefore: boolean;
}

interface SoakPlan {
  readonly seed: string;
  /**
   * Number of rounds before the first comparison. `FILLING_ROUNDS` fill all bounded storage. With fewer, memory
   * goes on growing towards the bounds.
   */
  readonly filling: number;
  /** The rest after them, in which hanging deliveries end. @units milliseconds */
  readonly rest: number;
  /** Duration of the load after that. @units milliseconds */
  readonly lasting: number;
}

/**
 * After this many rounds, all bounded storage has been full once: former generations (ten of all worlds), the request
 * log (500 requests of a world, 64 MiB in total), the cache of read responses (4 million characters of a world), and the
 * compiled and optimised code of the load.
 */
export const FILLING_ROUNDS = 60;

const ACCESS = ['--admin-token', TOKEN, '--without-token', 'inboxes'];
const REST_MS = 30_000;
/** Allowed growth of the heap: garbage that is not collected yet, caches, and states that happen to be larger. */
const SLACK = { share: 1.15, bytes: 8_000_000 } as const;
const SLACK_DESCRIPTORS = 4;

/**
 * Puts an emulator under load that could make it leak: receivers that hang, respond slowly or reset, readers that stop,
 * resets, imports and floods. Measures memory and descriptors before and after.
 */
export async function soak(plan: SoakPlan): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  const receivers = await openReceivers();
  const collect = `data:text/javascript,process.on('SIGUSR2',()=>gc())`;
  const served = await serve(join(folder, 'data.json'), join(folder, 'ready'), {
    node: ['--expose-gc', '--import', collect],
    flags: [...ACCESS, '--log-level', 'silent'],
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
  const { statuses, defects, ...load } = loadOf(seed, { url: served.url, receivers });
  let rounds = 0;
  const round = async () => {
    await Promise.all(LOADS.map((each) => each(load)));
    rounds += 1;
  };
  // Open the worlds of the load first: after a flood there would be no room for them.
  await resetAll(load);
  while (rounds < filling) await round();
  await resetAll(load);
  const begun = performance.now();
  const sample = () => sampleOf(served, begun);
  const before = await firstGood(sample, () => false, rest);
  while (performance.now() - begun < lasting) await round();
  await resetAll(load);
  const isAsBefore = (now: SoakSample) =>
    now.heap <= before.heap * SLACK.share + SLACK.bytes &&
    now.descriptors <= before.descriptors + SLACK_DESCRIPTORS;
  const after = await firstGood(sample, isAsBefore, REST_MS);
  return { rounds, statuses, defects, before, after, isAsBefore: isAsBefore(after) };
}

/** Creates the tools of the load, which record the responses. */
function loadOf(seed: string, where: Pick<Load, 'url' | 'receivers'>) {
  const statuses: Record<string, number> = {};
  const defects: string[] = [];
  let [draws, uses] = [0, 0];
  return {
    ...where,
    statuses,
    defects,
    pick: (below: number) => Math.floor(below * deriveFraction([seed, draws++])),
    count: () => uses++,
    record(path: string, { status, text }: { status: number; text: string }) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 500) defects.push(`${path}: ${text}`);
      return text;
    },
  };
}

/** Takes samples until one is good or time is up. Returns the last one. */
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
    (
      await fetch(url + path, { headers: { Connection: 'close', 'X-Emulator-Admin': TOKEN } })
    ).text();
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
