import type { ServerResponse } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { startMutant } from '../../mutants/emulator.ts';
import { runInProcess } from '../../testing/runs.ts';
import { aFakeTarget, answerJson, closedAfterTest } from '../../testing/server.ts';
import { aFreshAsset } from '../builders/objects.ts';
import type { GatheredCheck } from '../check.ts';
import { planOfOurs, targetOf } from '../plan.ts';
import type { CheckEntry } from '../registry.ts';
import { runWithinWindow } from '../run-check.ts';
import { api } from './api.ts';
import { now } from './names.ts';
import { askTarget } from './patience.ts';
import { beginSession } from './session.ts';
import { aheadOf } from './waiting.ts';

/** A correct service that is slow, busy or unusual in one way: how it responds to its nth request. */
type Service = (response: ServerResponse, count: number) => void;

const PAGE = { items: [], page: 1, per_page: 20, total_count: 0 };
const TEXT = JSON.stringify(PAGE);

/** Responds to the first request in its own way, and to the others with a page. */
const atFirst =
  (first: (response: ServerResponse) => void): Service =>
  (response, count) =>
    count === 0 ? first(response) : answerJson(response, PAGE);

const status = (code: number, headers: Readonly<Record<string, string>> = {}): Service =>
  atFirst((response) => response.writeHead(code, headers).end());

const sends =
  (body: string | Buffer, headers: Readonly<Record<string, string | string[]>> = {}): Service =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);

const inAMoment = () => new Date(Date.now() + 1_000).toUTCString();

function inPieces(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (let start = 0; start < TEXT.length; start += 7) response.write(TEXT.slice(start, start + 7));
  response.end();
}

const SERVICES: readonly (readonly [string, Service])[] = [
  ['throttles and asks for a second', status(429, { 'retry-after': '1' })],
  [
    'throttles until a date',
    atFirst((response) => response.writeHead(429, { 'retry-after': inAMoment() }).end()),
  ],
  ['throttles without a word of when', status(429)],
  ['is away for a moment, and says so', status(503, { 'retry-after': '0' })],
  ['answers a read with a plain 503', status(503)],
  ['resets a read', atFirst((response) => response.socket?.resetAndDestroy())],
  ['compresses with gzip', sends(gzipSync(TEXT), { 'content-encoding': 'gzip' })],
  ['compresses with deflate', sends(deflateSync(TEXT), { 'content-encoding': 'deflate' })],
  ['sends chunks of seven bytes', inPieces],
  ['answers after 60 ms', (response) => void setTimeout(answerJson, 60, response, PAGE)],
  ['names the character set', sends(TEXT, { 'content-type': 'application/json; charset=UTF-8' })],
  ['sends a header twice', sends(TEXT, { 'x-request': ['one', 'two'] })],
  ['sends headers of 8 kB', sends(TEXT, { 'x-much': 'x'.repeat(8_192) })],
  ['closes each connection', sends(TEXT, { connection: 'close' })],
  ['sets its JSON in lines', sends(`\n${TEXT.replaceAll('":', '" :\n')}\n`)],
];

describe('askTarget', () => {
  it.each(SERVICES)('returns the response of a service that %s', async (_, service) => {
    const served = await aFakeTarget((_request, response, count) => service(response, count));
    const target = targetOf({ kind: 'external', baseUrl: served.baseUrl, key: 'key_x' });
    const { status, body } = await askTarget({ target, timeoutMs: 5_000 }, 'listAssets', {});

    expect({ status, body }).toEqual({ status: 200, body: PAGE });
  });
});

/** A service whose reads show an asset only after 200 ms, and whose first read comes too early on any machine. */
async function startLagging() {
  let [writtenAt, reads] = [0, 0];
  const lagging = await startMutant({
    of: ['createAsset', 'getAsset'],
    response(answer, { operation }) {
      if (operation === 'createAsset') {
        writtenAt = Date.now();
        return;
      }
      reads += 1;
      if (reads === 1 || Date.now() - writtenAt < 200)
        Object.assign(answer, { status: 404, headers: {}, body: undefined });
    },
  });
  return closedAfterTest(lagging);
}

const ENTRY: CheckEntry = {
  id: 'AST-03',
  title: 'a new asset is shown',
  resource: 'assets',
  level: 'MUST',
  effect: 'E3',
  requirements: ['R-AST-03'],
  assumes: [],
  needs: [],
};

/** A check with one read after a write. */
const readsBack: GatheredCheck = {
  ...ENTRY,
  async run() {
    const { record } = await runWithinWindow(ENTRY, async () => {
      const { code } = await aFreshAsset();
      await api('getAsset', { path: { assetCode: code } }, 200);
    });
    return record;
  },
};

describe('a contract run against a service that shows what was written 200 ms later', () => {
  const checks = [readsBack];

  it('passes with --consistency', async () => {
    const { baseUrl } = await startLagging();
    const flags = { effects: 'E4', consistency: 300 };
    const { exit } = await runInProcess(baseUrl, checks, flags);

    expect(exit.reasons).toEqual([]);
  });

  it('calls the check unstable without it, and does not fail', async () => {
    const { baseUrl } = await startLagging();
    const { exit, checks: records } = await runInProcess(baseUrl, checks, { effects: 'E4' });
    const unstable = records.filter(({ outcome }) => outcome === 'unstable');

    expect(exit.reasons).toEqual([]);
    expect(unstable.map(({ id, reason }) => [id, reason])).toEqual([
      ['AST-03', expect.stringContaining('passed with reads that wait 2 s')],
    ]);
  });
});

/** Resolves once the instant is in the past. */
async function past(instant: string): Promise<void> {
  while (now() <= instant) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('aheadOf', () => {
  beforeAll(() => {
    beginSession(planOfOurs({ baseUrl: 'http://127.0.0.1:9', key: 'key_test_x' }));
  });

  it('repeats a step that ended after its instant, with more time', async () => {
    const instants: string[] = [];
    const seen = await aheadOf(async (instant) => {
      instants.push(instant);
      if (instants.length === 1) await past(instant);
      return instants.length;
    });

    expect(seen).toBe(2);
    expect(Date.parse(instants[1] ?? '')).toBeGreaterThan(Date.parse(instants[0] ?? '') + 500);
  });

  it('repeats a step that failed after its instant, and throws if it fails before', async () => {
    let tries = 0;
    const begun = aheadOf(async (instant) => {
      tries += 1;
      if (tries === 1) await past(instant);
      throw new Error(`try ${tries}`);
    });

    await expect(begun).rejects.toThrow('try 2');
  });
});
