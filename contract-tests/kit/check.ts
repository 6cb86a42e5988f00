import type { Effect } from 'billing-emulator/spec';
import { it, type TestContext } from 'vitest';
import { gathering } from './gather.ts';
import { runWithinWindow } from './lagging.ts';
import { HarnessError } from './outcome.ts';
import { type CheckEntry, registry } from './registry.ts';
import type { CheckBody } from './run-check.ts';
import { leaveGivenSession, session } from './target/session.ts';
import { blankRecord, type CheckRecord, nameOfPart } from './trial.ts';

export interface CheckOptions {
  /** The effect class of this part, where the parts of a check have different classes. */
  readonly effect?: Effect;
  /** The title of this part, where the check has several parts. */
  readonly title?: string;
}

declare module 'vitest' {
  interface TaskMeta {
    contract?: CheckRecord;
  }
}

const TIMEOUT_MS = 300_000;

/**
 * Defines a check. Level, effect class and requirements are looked up by its id in `checks.yaml`.
 *
 * @throws HarnessError when no list names the id
 */
export function check(
  given: string | readonly string[],
  ...rest: readonly [CheckBody] | readonly [CheckOptions, CheckBody]
): void {
  const [options, body] = rest.length === 2 ? rest : [{}, rest[0]];
  const entries = [given].flat().map(entryOf);
  const blank = () => blankRecord(entries, options);
  const { ids, title } = blank();
  const gathered = gathering();
  if (gathered) {
    gathered.push({
      ...{ ids, title },
      async run() {
        const record = blank();
        await runWithinWindow(record, entries, body);
        return record;
      },
    });
    return;
  }
  leaveGivenSession();
  it(nameOfPart({ ids, title }), { timeout: TIMEOUT_MS }, async (test) => {
    const record = blank();
    test.task.meta.contract = record;
    const error = await runWithinWindow(record, entries, body);
    test.task.meta.contract = (await session()).redactor.all(record);
    finish(test, record, error);
  });
}

function entryOf(id: string): CheckEntry {
  const entry = registry().checks.get(id);
  if (!entry) throw new HarnessError(`No list names the check ${id}`);
  return entry;
}

function finish(test: TestContext, record: CheckRecord, error: unknown): void {
  if (error === undefined) return;
  if (['not_selected', 'not_observable'].includes(record.outcome)) test.skip(record.reason);
  throw error;
}
