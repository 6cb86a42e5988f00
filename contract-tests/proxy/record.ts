import { writeFileSync } from 'node:fs';
import {
  fixtureText,
  type LoggedCall,
  routerOf,
  secretsIn,
  writeFixture,
} from 'billing-emulator/internals';
import { loadDocument } from 'billing-emulator/spec';
import { unpackBody } from './body.ts';
import { emptyFiles } from './serving.ts';
import type { Traffic } from './traffic.ts';

/** A recording of traffic, written as a fixture at the end. */
export type TrafficRecording = ReturnType<typeof recordTraffic>;

export interface TrafficRecordingOptions {
  readonly file: string;
  readonly expect: boolean;
  readonly redactCustomers: boolean;
}

/** The maximum total size of recorded bodies. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Records the traffic between clients and a service. Times in responses differ in each run, so the fixture only expects
 * them to be present.
 *
 * @throws Error where the file cannot be written
 */
export function recordTraffic(options: TrafficRecordingOptions) {
  emptyFiles(options.file);
  const router = routerOf(loadDocument('openapi'));
  const secrets = new Set<string>();
  const calls: LoggedCall[] = [];
  let bytes = 0;
  let lost = 0;
  return {
    onTraffic(traffic: Traffic) {
      const sent = textOf(traffic.requestBody, traffic.requestHeaders);
      const got = textOf(traffic.responseBody, traffic.responseHeaders);
      bytes += (sent?.length ?? 0) + (got?.length ?? 0);
      if (sent === undefined || got === undefined || bytes > MAX_BYTES) {
        lost += 1;
        return;
      }
      for (const secret of secretsIn(traffic.requestHeaders)) secrets.add(secret);
      const [target = '/', search = ''] = traffic.target.split(/\?(.*)/s);
      const route = router.find(traffic.method, target);
      const account = accountOf(traffic.requestHeaders);
      const { location } = traffic.responseHeaders;
      calls.push({
        ...{ method: traffic.method, target, search, body: sent, answer: got },
        operation: route.kind === 'operation' ? route.operation.id : undefined,
        path: route.kind === 'operation' ? route.path : {},
        at: now(),
        status: traffic.status,
        ...(account !== undefined && { account }),
        ...(location !== undefined && { location }),
      });
    },
    /** Writes the file. @throws Error when traffic is missing, so that the fixture would be incomplete */
    save() {
      if (lost > 0)
        throw new Error(`${lost} of the requests were too long to be kept; nothing was recorded.`);
      return writeSession(calls, secrets, options);
    },
  };
}

function writeSession(
  calls: readonly LoggedCall[],
  secrets: ReadonlySet<string>,
  { file, expect, redactCustomers }: TrafficRecordingOptions,
) {
  const start = calls[0]?.at ?? now();
  const { scenario, remarks } = writeFixture(
    { start, calls, secrets },
    {
      about: `${calls.length} requests to a service`,
      ...{ expect, redactCustomers, hasExactTimes: false },
    },
  );
  writeFileSync(file, fixtureText(scenario, file));
  return { steps: scenario.steps.length, remarks };
}

const now = () => new Date().toISOString() as LoggedCall['at'];

function textOf(bytes: Buffer | undefined, headers: Traffic['requestHeaders']): string | undefined {
  return bytes && unpackBody(bytes, headers['content-encoding'])?.toString('utf8');
}

/** The connected account that a request acts for, whatever the service is called. */
function accountOf(headers: Traffic['requestHeaders']): string | undefined {
  const [, value] = Object.entries(headers).find(([name]) => /^x-.+-account$/.test(name)) ?? [];
  return value === undefined ? undefined : String(value);
}
