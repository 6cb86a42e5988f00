import { describe as describeTests } from 'vitest';
import type { CheckRecord } from './trial.ts';

/** A check taken out of its case file, to be run as often as is wanted. */
export interface GatheredCheck {
  readonly ids: readonly string[];
  readonly title: string;
  /** Runs it in the present session. */
  run(): Promise<CheckRecord>;
}

const HOME = Symbol.for('billing-emulator.contract.gathered');
const home = globalThis as { [HOME]?: GatheredCheck[] };

/** The list that checks go to instead of the test runner, while case files are gathered. */
export function gathering(): GatheredCheck[] | undefined {
  return home[HOME];
}

/** The checks of the case files that `load` imports; none of them is run. */
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
