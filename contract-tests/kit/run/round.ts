import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import type { RunPlan } from '../plan.ts';
import type { CheckRecord } from '../trial.ts';
import { createCollector, type RunProgress } from './collector.ts';
import { AlphabeticalOrder } from './order.ts';

const SUITE = fileURLToPath(new URL('../../', import.meta.url));

interface RoundQuestion {
  readonly plan: RunPlan;
  /** Seed of the order; none keeps the order of the files. */
  readonly seed: number | undefined;
  readonly workers: number;
  readonly events: RunProgress;
  readonly signal: AbortSignal;
}

/**
 * Runs all case files once. Neither the caller's configuration nor its plugins are read, and files outside of
 * the suite are not touched.
 */
export async function runRound({ plan, seed, workers, events, signal }: RoundQuestion): Promise<{
  readonly records: readonly CheckRecord[];
  readonly crashes: readonly string[];
}> {
  const collector = createCollector(events);
  const keepSignals = holdSignals();
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root: SUITE,
      include: ['cases/**/*.test.ts'],
      exclude: [],
      reporters: [collector],
      provide: { contract: plan },
      environment: 'node',
      pool: 'threads',
      isolate: false,
      maxWorkers: workers,
      fileParallelism: workers > 1,
      watch: false,
      cache: false,
      sequence: seed === undefined ? { sequencer: AlphabeticalOrder } : { shuffle: true, seed },
    },
    { envDir: false, cacheDir: join(tmpdir(), 'billing-emulator-contract') },
  );
  keepSignals();
  const cancel = () => void vitest.cancelCurrentRun('keyboard-input');
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await vitest.start();
  } finally {
    signal.removeEventListener('abort', cancel);
    await vitest.close();
  }
  return { records: collector.records, crashes: collector.crashes };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The runner ends the process at a signal; a run has to clean up first, so its listeners are taken off. */
function holdSignals(): () => void {
  const before = SIGNALS.map((signal) => new Set(process.listeners(signal)));
  return () => {
    for (const [index, signal] of SIGNALS.entries())
      for (const listener of process.listeners(signal))
        if (!before[index]?.has(listener)) process.off(signal, listener);
  };
}
