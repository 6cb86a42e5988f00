import { describe as describeTests } from 'vitest';
import type { CheckRecord } from './trial.ts';

/** A check taken from its case file, which can be run any number of times. */
export interface GatheredCheck {
  readonly ids: readonly string[];
  readonly title: string;
  /** Runs it in the current session. */
  run(): Promise<CheckRecord>;
}

const HOME = Symbol.for('billing-emulator.contract.gathered');
const home = globalThis as { [HOME]?: GatheredCheck[] };

/** The list that collects checks instead of the test runner; undefined outside `gather`. */
export const gathering = (): GatheredCheck[] | undefined => home[HOME];

/** Returns the checks of the case files that `load` imports, without running them. */
export async function gather(load: () => Promise<unknown>): Promise<readonly GatheredCheck[]> {
  const checks: GatheredCheck[] = [];
  home[HOME] = checks;
  try {
    await load();
    return checks;
  } finally {
    delete home[HOME];
  }
}

/** Groups the checks of an operation. */
export function describe(name: string, body: () => void): void {
  if (gathering()) body();
  else describeTests(name, body);
}
