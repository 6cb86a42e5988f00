import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { groupBy } from '../../domain/lists.ts';
import { deriveFraction } from '../../store/ids.ts';
import { startPostgres, type TestPostgres } from '../postgres/server.ts';
import { listenRaw } from '../raw-receiver.ts';
import { addDestination, arrivals, sendTestEvent } from './events.ts';
import { batchId, HEADERS, postBatch, type Served, serve } from './serve.ts';

const WRITERS = [1, 2, 3, 4];
/** Prefix of the ids of the fixture's own events, where others have a writer's number. */
const OF_FIXTURE = '00000000-';
const BATCH = 10;
/** Minimum of acknowledged batches before each blow, so that a slow machine proves as much. */
const LEAST_BETWEEN = 8;
/** Longer than a lease. */
const SUSPENDED_MS = 12_000;

/** What happens under load: how often each. */
export interface Blows {
  /** Kills of the emulator that holds the world. */
  readonly kills: number;
  /** Suspensions of that emulator that outlast its lease. */
  readonly suspensions: number;
  /** Crashes of the database. */
  readonly restarts: number;
  /** Cuts of all connections to the database. */
  readonly cuts: number;
}

export interface BlowReport {
  /** How many batches of usage events were acknowledged. */
  readonly acknowledged: number;
  /** How many claims wrote something. */
  readonly claims: number;
  /** How many webhook events were acknowledged. */
  readonly events: number;
  /** Acknowledged batches that are missing. */
  readonly missing: readonly string[];
  /** Batches that are only partly there. */
  readonly torn: readonly string[];
  /** Acknowledged webhook events that did not arrive. */
  readonly undelivered: readonly string[];
  /** Webhook events that arrived for the first time after a later one. */
  readonly disordered: readonly string[];
  /** Violations of the laws of the ledger. */
  readonly findings: readonly unknown[];
  /** Writes of a claim after one of a later claim, or out of order. */
  readonly misplaced: readonly unknown[];
}

/** Notes each write of each world, in order. */
const AUDIT = `
CREATE TABLE billing_emulator.audit (n bigserial, key text, epoch bigint, head bigint);
CREATE FUNCTION billing_emulator.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO billing_emulator.audit (key, epoch, head) VALUES (NEW.key, NEW.epoch, NEW.head);
  RETURN NEW;
END $$;
CREATE TRIGGER audit AFTER UPDATE OF head ON billing_emulator.worlds
  FOR EACH ROW EXECUTE FUNCTION billing_emulator.note()`;

const MISPLACED = `
SELECT * FROM (
  SELECT key, epoch, head,
    lag(epoch) OVER (PARTITION BY key ORDER BY n) AS epoch_before,
    lag(head) OVER (PARTITION BY key ORDER BY n) AS head_before
  FROM billing_emulator.audit
) a WHERE epoch < epoch_before OR head <> head_before + 1`;

/**
 * Strikes two emulators of one database under load, and the database itself. Clients send each batch again, by the same
 * ids and to either emulator, until it is acknowledged. Then checks that everything acknowledged is there, once.
 */
export async function strikeUnderLoad(seed: string, blows: Blows): Promise<BlowReport> {
  const folder = mkdtempSync(join(tmpdir(), 'blows-'));
  const postgres = await startPostgres();
  const receiver = await listenRaw();
  const pair = new Pair(postgres, folder);
  try {
    await pair.start();
    await postgres.query(AUDIT);
    await addDestination(pair, receiver.url);
    const { acknowledged, events } = await loadWhile(pair, (before) =>
      strikeAll(pair, postgres, seed, blows, before),
    );
    const arrived = await arrivals(receiver, events);
    return {
      ...(await lookFor(pair, acknowledged, arrived)),
      ...(await claimsIn(postgres)),
      events: events.length,
      undelivered: events.filter((id) => !arrived.includes(id)),
    };
  } finally {
    await receiver.close();
    await pair.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Two emulators of one database. */
class Pair {
  readonly served: Served[] = [];

  constructor(
    private readonly postgres: TestPostgres,
    private readonly folder: string,
  ) {}

  async start(): Promise<void> {
    for (const place of [0, 1]) await this.restart(place);
  }

  async restart(place: number): Promise<void> {
    const ready = join(this.folder, `ready-${place}`);
    this.served[place] = await serve(this.postgres.url, {
      ready,
      flags: ['--log-level', 'silent'],
    });
  }

  /** The place of the one that holds the world of the load. */
  async holder(): Promise<number> {
    for (;;) {
      const [row] = await this.postgres.query(
        "SELECT holder FROM billing_emulator.worlds WHERE key = 'key_test_emulator'",
      );
      const place = this.served.findIndex(({ child }) =>
        String(row?.['holder']).includes(`process ${child.pid},`),
      );
      if (place >= 0) return place;
      await pause(50);
    }
  }

  async stop(): Promise<void> {
    for (const { child } of this.served) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}

/** Runs work under load; it is told how to wait until some more was acknowledged. */
async function loadWhile(pair: Pair, work: (before: () => Promise<void>) => Promise<void>) {
  const acknowledged: string[] = [];
  const events: string[] = [];
  let isOver = false;
  const write = async (writer: number) => {
    for (let count = 0; !isOver; count += 1) {
      const batch = { writer, count, size: BATCH };
      for (let tries = writer; ; tries += 1) {
        const { url } = pair.served[tries % 2] as Served;
        const sent = postBatch(url, batch, { signal: AbortSignal.timeout(20_000) });
        const status = await sent.then((answer) => answer.status).catch(() => 0);
        if (status === 204) break;
        if (isOver) return;
        await pause(20);
      }
      acknowledged.push(batchId(batch));
      const id = await sendTestEvent(pair, writer + count);
      if (id !== undefined) events.push(id);
    }
  };
  const load = Promise.all(WRITERS.map(write));
  await work(async () => {
    const enough = acknowledged.length + LEAST_BETWEEN;
    while (acknowledged.length < enough) await pause(5);
  });
  isOver = true;
  await load;
  return { acknowledged, events };
}

async function strikeAll(
  pair: Pair,
  postgres: TestPostgres,
  seed: string,
  blows: Blows,
  before: () => Promise<void>,
): Promise<void> {
  const strikes: Record<keyof Blows, () => Promise<void>> = {
    async kills() {
      const place = await pair.holder();
      const { child } = pair.served[place] as Served;
      child.kill('SIGKILL');
      await once(child, 'exit');
      await pair.restart(place);
    },
    async suspensions() {
      const { child } = pair.served[await pair.holder()] as Served;
      child.kill('SIGSTOP');
      await pause(SUSPENDED_MS);
      child.kill('SIGCONT');
    },
    restarts: () => postgres.restart(200),
    async cuts() {
      await postgres.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'billing-emulator'",
      );
    },
  };
  for (const kind of Object.keys(strikes) as (keyof Blows)[])
    for (let count = 0; count < blows[kind]; count += 1) {
      await before();
      await pause(200 * deriveFraction([seed, kind, count]));
      await strikes[kind]();
    }
  await before();
}

async function lookFor(pair: Pair, acknowledged: readonly string[], arrived: readonly string[]) {
  const { url } = pair.served[await pair.holder()] as Served;
  const ask = async (path: string, method = 'GET') =>
    (await fetch(`${url}${path}`, { method, headers: HEADERS })).json();
  const { tables } = (await ask('/_emulator/export')) as {
    readonly tables: {
      readonly events: readonly { readonly event_id: string }[];
      readonly webhook_events: readonly { readonly id: string; readonly seq: number }[];
    };
  };
  const order = new Map(tables.webhook_events.map(({ id, seq }) => [id, seq]));
  const places = arrived.map((id) => order.get(id) ?? Infinity);
  const { findings } = (await ask('/_emulator/ledger/verify', 'POST')) as { findings: unknown[] };
  const written = tables.events.filter(({ event_id }) => !event_id.startsWith(OF_FIXTURE));
  const kept = groupBy(written, ({ event_id }) => event_id.slice(0, -4));
  return {
    acknowledged: acknowledged.length,
    disordered: arrived.filter((_, at) => at > 0 && Number(places[at]) < Number(places[at - 1])),
    missing: acknowledged.filter((batch) => !kept.has(batch)),
    torn: [...kept].filter(([, events]) => events.length !== BATCH).map(([batch]) => batch),
    findings,
  };
}

async function claimsIn(postgres: TestPostgres) {
  const [row] = await postgres.query(
    "SELECT count(DISTINCT epoch) AS claims FROM billing_emulator.audit WHERE key = 'key_test_emulator'",
  );
  return { claims: Number(row?.['claims']), misplaced: await postgres.query(MISPLACED) };
}
