import { readdirSync } from 'node:fs';
import { type GatheredCheck, gather } from '../gather.ts';
import { defaultPlan } from '../plan.ts';
import { keyPlaceOf } from '../target/client.ts';
import { beginSession } from '../target/session.ts';

const CASES = new URL('../../cases/', import.meta.url);

/** Every check of every case file. */
export function gatherCases(): Promise<readonly GatheredCheck[]> {
  return gather(async () => {
    for (const name of readdirSync(CASES).filter((file) => /\.test\.[jt]s$/.test(file)))
      await import(new URL(name, CASES).href);
  });
}

/** Points the checks at a target of ours, with nothing of an earlier one left. */
export async function pointAt(baseUrl: string, waitFactor = 1): Promise<void> {
  const serviceName = 'Service';
  await beginSession(
    defaultPlan(
      {
        kind: 'ours',
        baseUrl,
        key: 'key_test_selftest',
        serviceName,
        keyPlace: keyPlaceOf(serviceName),
        environment: 'test',
        accountId: undefined,
        clockSkewMs: 0,
      },
      { waitFactor },
    ),
  );
}
