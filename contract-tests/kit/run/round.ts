import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import type { RunPlan } from '../plan.ts';
import { registry } from '../registry.ts';
import { type Collector, createCollector, type RunProgress } from './collector.ts';
import { openRunner } from './runner.ts';

const EXTENSION = extname(fileURLToPath(import.meta.url));

export interface RoundQuestion {
  readonly plan: RunPlan;
  /** The seed of the order; undefined keeps the file order. */
  readonly seed: number | undefined;
  readonly events: RunProgress;
  readonly signal: AbortSignal;
}

/** Files in alphabetical order, so that the same selection sends the same requests. */
class AlphabeticalOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
  }
}

/** Runs all case files once. */
export async function runRound({ plan, seed, events, signal }: RoundQuestion): Promise<Collector> {
  const collector = createCollector(events);
  const keepSignals = holdSignals();
  const vitest = await openRunner('cases/**/*.test', {
    reporters: [collector],
    provide: { contract: plan, registry: registry() },
    setupFiles: [fileURLToPath(new URL(`adopt-registry${EXTENSION}`, import.meta.url))],
    // Case files load the built kit, as in an installed package.
    server: { deps: { external: [/\/dist\/kit\//] } },
    pool: 'threads',
    isolate: false,
    maxWorkers: plan.workers,
    fileParallelism: plan.workers > 1,
    sequence: seed === undefined ? { sequencer: AlphabeticalOrder } : { shuffle: true, seed },
  });
  keepSignals();
  const cancel = () => void vitest.cancelCurrentRun('keyboard-input');
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await vitest.start();
  } finally {
    signal.removeEventListener('abort', cancel);
    await vitest.close();
  }
  return collector;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The test runner ends the process on a signal. A run must clean up first, so this removes the runner's signal
 * listeners.
 */
function holdSignals(): () => void {
  const before = SIGNALS.map((signal) => new Set(process.listeners(signal)));
  return () => {
    for (const [index, signal] of SIGNALS.entries())
      for (const listener of process.listeners(signal))
        if (!before[index]?.has(listener)) process.off(signal, listener);
  };
}
