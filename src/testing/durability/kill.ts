import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { groupBy } from '../../domain/group-by.ts';
import { deriveFraction } from '../../store/ids.ts';
import { batchId, HEADERS, postBatch, serve } from './serve.ts';

const WRITERS = [1, 2, 3, 4];
/** Prefix of the ids of the fixture's own events, where others have a writer's number. */
const OF_FIXTURE = '00000000-';
/** Rounds with the same data file. It stays small, so that many snapshots are written. */
const ROUNDS_OF_DATA = 10;
const BATCH = 10;
/** Minimum of acknowledged batches per round, so that a slow machine proves as much. */
const LEAST_OF_ROUND = 8;

/** The result of killing an emulator repeatedly under load. */
export interface KillReport {
  /** How many batches of usage events were acknowledged. */
  readonly acknowledged: number;
  /** Acknowledged batches that are missing. */
  readonly missing: readonly string[];
  /** Batches that are only partly stored. */
  readonly torn: readonly string[];
  /** Violations of the laws of the ledger. */
  readonly findings: readonly unknown[];
  /** Number of kills while a snapshot was being written. */
  readonly amidSnapshots: number;
}

/**
 * Kills the emulator with signal 9 under load in the data mode `on-commit`, once per round, at a moment chosen by
 * the seed. In every second round it waits for a snapshot being written, if one comes in time. Then checks that
 * every acknowledged batch is stored.
 */
export async function killUnderLoad(seed: string, rounds: number): Promise<KillReport> {
  const reports: KillReport[] = [];
  for (let done = 0; done < rounds; done += ROUNDS_OF_DATA) {
    const numbers = Array.from(
      { length: Math.min(ROUNDS_OF_DATA, rounds - done) },
      (_, i) => done + i,
    );
    reports.push(await killInFolder(numbers.map((number) => deriveFraction([seed, number]))));
  }
  const sum = (count: (report: KillReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  return {
    acknowledged: sum(({ acknowledged }) => acknowledged),
    missing: reports.flatMap(({ missing }) => missing),
    torn: reports.flatMap(({ torn }) => torn),
    findings: reports.flatMap(({ findings }) => findings),
    amidSnapshots: sum(({ amidSnapshots }) => amidSnapshots),
  };
}

async function killInFolder(moments: readonly number[]): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'kill-'));
  const acknowledged: string[] = [];
  let amidSnapshots = 0;
  try {
    for (const [round, moment] of moments.entries()) {
      const { child, url } = await serve(join(folder, 'data.json'));
      const end = once(child, 'exit');
      // Drops requests to a process that is gone.
      const gone = new AbortController();
      void end.then(() => gone.abort());
      const enough = acknowledged.length + LEAST_OF_ROUND;
      const write = async (writer: number) => {
        for (let count = 0; !gone.signal.aborted; count += 1) {
          const batch = { writer: round * WRITERS.length + writer, count, size: BATCH };
          const sent = postBatch(url, batch, { signal: gone.signal });
          const answer = await sent.catch(() => undefined);
          if (answer?.status === 204) acknowledged.push(batchId(batch));
        }
      };
      const load = Promise.all(WRITERS.map(write));
      await pause(50 + 450 * moment);
      while (acknowledged.length < enough && child.exitCode === null) await pause(5);
      const isAmid = round % 2 === 1 && (await meetSnapshot(folder));
      child.kill('SIGKILL');
      await Promise.all([end, load]);
      if (isAmid) amidSnapshots += 1;
    }
    return { ...(await lookFor(folder, acknowledged)), amidSnapshots };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Waits until a snapshot is being written. Returns false if none comes in time. */
async function meetSnapshot(folder: string): Promise<boolean> {
  const until = performance.now() + 3_000;
  while (performance.now() < until) {
    if (existsSync(join(folder, 'data.json.new'))) return true;
    await turn();
  }
  return false;
}

async function lookFor(
  folder: string,
  acknowledged: readonly string[],
): Promise<Omit<KillReport, 'amidSnapshots'>> {
  const { child, url } = await serve(join(folder, 'data.json'));
  const ask = async (path: string, method = 'GET') =>
    (await fetch(`${url}${path}`, { method, headers: HEADERS })).json();
  const { tables } = (await ask('/_emulator/export')) as ExportedEvents;
  const { findings } = (await ask('/_emulator/ledger/verify', 'POST')) as { findings: unknown[] };
  child.kill('SIGTERM');
  await once(child, 'exit');
  const written = tables.events.filter(({ event_id }) => !event_id.startsWith(OF_FIXTURE));
  const kept = groupBy(written, ({ event_id }) => event_id.slice(0, -4));
  return {
    acknowledged: acknowledged.length,
    missing: acknowledged.filter((batch) => !kept.has(batch)),
    torn: [...kept].filter(([, events]) => events.length < BATCH).map(([batch]) => batch),
    findings,
  };
}

interface ExportedEvents {
  readonly tables: { readonly events: readonly { readonly event_id: string }[] };
}
