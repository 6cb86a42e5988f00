import { writeFileSync } from 'node:fs';
import querystring from 'node:querystring';
import { fixtureText, type LoggedCall, writeFixture } from 'billing-emulator';
import { loadDocument, secretsIn } from 'billing-emulator/spec';
import { findOperation } from '../../kit/operations.ts';
import { unpackBody } from '../../kit/target/unpack.ts';
import { EXIT, emptyFiles, printLine, type TrafficObserver } from '../serving.ts';
import type { Traffic } from '../traffic.ts';

interface RecorderOptions {
  readonly file: string;
  readonly expect: boolean;
  readonly redactCustomers: boolean;
}

/** The maximum total size of recorded bodies. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * An observer that writes the traffic between clients and a service as a fixture, at the end. Times in responses differ in each
 * run, so the fixture does not expect them.
 *
 * @throws Error where the file cannot be written
 */
export function createRecorder(options: RecorderOptions): TrafficObserver {
  emptyFiles(options.file);
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
      calls.push(callOf(traffic, sent, got));
    },
    async end() {
      const { file } = options;
      try {
        if (lost > 0)
          throw new Error(
            `${lost} of the requests were too long to be kept; nothing was recorded.`,
          );
        printLine({ kind: 'recorded', file, ...writeSession(calls, secrets, options) });
        return 0;
      } catch (error) {
        process.stderr.write(`${(error as Error).message}\n`);
        return EXIT.failure;
      }
    },
  };
}

function callOf(
  { method, target, status, requestHeaders, responseHeaders }: Traffic,
  body: string,
  answer: string,
): LoggedCall {
  const [path = '/', search = ''] = target.split(/\?(.*)/s);
  const found = findOperation(loadDocument('openapi'), method, path);
  const account = accountOf(requestHeaders);
  const { location } = responseHeaders;
  return {
    method,
    target: path,
    search,
    body,
    answer,
    status,
    at: now(),
    operation: found?.operation.id,
    path: decoded(found?.values ?? {}),
    ...(account !== undefined && { account }),
    ...(location !== undefined && { location }),
  };
}

const decoded = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, querystring.unescape(text)]),
  );

function writeSession(
  calls: readonly LoggedCall[],
  secrets: ReadonlySet<string>,
  { file, expect, redactCustomers }: RecorderOptions,
) {
  const start = calls[0]?.at ?? now();
  const { scenario, remarks } = writeFixture(
    { start, calls, secrets },
    {
      about: `${calls.length} requests to a service`,
      expect,
      redactCustomers,
      hasExactTimes: false,
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
