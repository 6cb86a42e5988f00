import { readdirSync } from 'node:fs';
import type { CheckRecord } from './check-run.ts';

/** A check taken from its case file, which can be run any number of times. */
export interface GatheredCheck {
  readonly id: string;
  readonly title: string;
  /** Runs it in the current session. */
  run(): Promise<CheckRecord>;
}

const HOME = Symbol.for('billing-emulator.contract.gathered');
const home = globalThis as { [HOME]?: GatheredCheck[] };
const CASES = new URL('../cases/', import.meta.url);

/** The list that collects checks instead of the test runner; undefined outside `gather`. */
export const gathering = (): GatheredCheck[] | undefined => home[HOME];

/**
 * The checks of each case file, cached, because a module defines its checks only on its first import. Each is a module
 * of its own here, as a test runner may have imported the file before.
 */
const gathered = new Map<string, Promise<readonly GatheredCheck[]>>();

/** Returns the checks of the case files, without running them; of all files by default. */
export async function gatherCases(files = caseFiles()): Promise<readonly GatheredCheck[]> {
  const checks: GatheredCheck[] = [];
  for (const file of files) {
    const found =
      gathered.get(file) ?? gather(() => import(new URL(`${file}?gathered`, CASES).href));
    gathered.set(file, found);
    checks.push(...(await found));
  }
  return checks;
}

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

const caseFiles = (): readonly string[] =>
  readdirSync(CASES).filter((file) => /\.test\.[jt]s$/.test(file));
