import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../client/index.ts';
import { groupBy } from '../../domain/collections.ts';
import { deriveFraction } from '../../store/ids.ts';
import { startPostgres, type TestPostgres } from '../postgres/server.ts';
import { listenRaw } from '../server.ts';
import { Fleet, type FleetShape } from './fleet.ts';
import { addDestination, arrivals, BATCH, Writers } from './writers.ts';

/** Prefix of the ids of the fixture's own events, where others have a writer's number. */
const OF_FIXTURE = '00000000-';
/** Longer than a lease. */
const SUSPENDED_MS = 12_000;

/** What happens under load: how often each. */
export interface Blows {
  /** Kills of an emulator. */
  readonly kills: number;
  /** Suspensions of an emulator that outlast its lease. */
  readonly suspensions: number;
  /** Crashes of the database. */
  readonly restarts: number;
  /** Cuts of all connections to the database. */
  readonly cuts: number;
  /** Restarts of all emulators, one after the other. */
  readonly rolls: number;
}

/** An emulator and its stand-in, which responds 503 while the other holds the world. */
export const PAIR: FleetShape = {
  size: 2,
  isBalanced: false,
  fixture: 'quickstart',
  keys: ['key_test_emulator'],
};

/** Three emulators that forward requests to each other, behind a balancer. */
export const BALANCED: FleetShape = {
  size: 3,
  isBalanced: true,
  fixture: 'quickstart',
  keys: ['key_test_emulator', 'key_test_north', 'key_test_south', 'key_live_east'],
};

export interface BlowReport {
  /** How many batches of usage events were acknowledged. */
  readonly acknowledged: number;
  /** How many claims wrote something. */
  readonly claims: number;
  /** How many webhook events were acknowledged. */
  readonly events: number;
  /**
   * A line for each batch that was acknowledged and is missing or only partly there; webhook event that was acknowledged
   * and did not arrive, or arrived for the first time after a later one; violation of the ledger; write of a claim after
   * one of a later claim, or out of order; and response while all emulators were restarted that asks for no other attempt.
   */
  readonly wrong: readonly string[];
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

const CLAIMS = 'SELECT count(DISTINCT (key, epoch)) AS claims FROM billing_emulator.audit';

/**
 * Strikes emulators of one database under load, and the database itself. Clients send each batch again, by the same ids,
 * until it is acknowledged. Then checks that everything acknowledged is there, once.
 */
export async function strikeUnderLoad(
  seed: string,
  blows: Blows,
  shape: FleetShape,
): Promise<BlowReport> {
  const folder = mkdtempSync(join(tmpdir(), 'blows-'));
  const postgres = await startPostgres();
  const receiver = await listenRaw();
  const fleet = new Fleet(postgres, folder, shape);
  try {
    await fleet.start();
    await postgres.query(AUDIT);
    for (const key of shape.keys) await addDestination(fleet, key, receiver.url);
    const load = new Writers(fleet);
    await load.during(() => strikeAll(fleet, postgres, seed, blows, load));
    const events = load.events;
    const arrived = await arrivals(receiver, events);
    const wrong = events.filter((id) => !arrived.includes(id)).map((id) => `${id} did not arrive`);
    for (const key of shape.keys)
      wrong.push(...(await findWrong(fleet, key, load.acknowledgedIn(key), arrived)));
    for (const write of await postgres.query(MISPLACED))
      wrong.push(`misplaced: ${JSON.stringify(write)}`);
    const [row] = await postgres.query(CLAIMS);
    return {
      acknowledged: load.acknowledged.length,
      claims: Number(row?.['claims']),
      events: events.length,
      wrong: [...wrong, ...load.unexpected],
    };
  } finally {
    await receiver.close();
    await fleet.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Strikes = Readonly<Record<keyof Blows, (chance: number) => Promise<void>>>;

/** What each kind of blow does. */
function strikesOn(fleet: Fleet, postgres: TestPostgres, load: Writers): Strikes {
  return {
    // First, because what other blows leave behind lasts as long as a lease.
    async rolls() {
      load.isStrict = true;
      await fleet.roll();
      await load.goOn();
      load.isStrict = false;
    },
    async kills(chance) {
      const place = await fleet.victim(chance);
      const child = fleet.processOf(place);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await fleet.launch(place);
    },
    async suspensions(chance) {
      const child = fleet.processOf(await fleet.victim(chance));
      child.kill('SIGSTOP');
      await pause(SUSPENDED_MS);
      child.kill('SIGCONT');
    },
    restarts: () => postgres.restart(() => pause(200)),
    async cuts() {
      await postgres.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'billing-emulator'",
      );
    },
  };
}

async function strikeAll(
  fleet: Fleet,
  postgres: TestPostgres,
  seed: string,
  blows: Blows,
  load: Writers,
): Promise<void> {
  const strikes = strikesOn(fleet, postgres, load);
  for (const kind of Object.keys(strikes) as (keyof Blows)[])
    for (let count = 0; count < blows[kind]; count += 1) {
      await load.goOn();
      await pause(200 * deriveFraction([seed, kind, count]));
      await strikes[kind](deriveFraction([seed, kind, count, 'victim']));
    }
  await load.goOn();
}

/** What is wrong in a world. */
async function findWrong(
  fleet: Fleet,
  key: string,
  acknowledged: readonly string[],
  arrived: readonly string[],
): Promise<string[]> {
  const ask = async (id: 'exportWorld' | 'verifyLedger') => {
    for (let tries = 0; ; tries += 1) {
      const { status, text } = await createClient({ url: fleet.url(tries), key }).send(id);
      if (status === 200 || tries === 200) return JSON.parse(text);
      await pause(100);
    }
  };
  const { tables } = (await ask('exportWorld')) as {
    readonly tables: {
      readonly events: readonly { readonly event_id: string }[];
      readonly webhook_events: readonly { readonly id: string; readonly seq: number }[];
    };
  };
  const { findings } = (await ask('verifyLedger')) as { findings: unknown[] };
  const written = tables.events.filter(({ event_id }) => !event_id.startsWith(OF_FIXTURE));
  const kept = groupBy(written, ({ event_id }) => event_id.slice(0, -4));
  const order = new Map(tables.webhook_events.map(({ id, seq }) => [id, seq]));
  const own = arrived.filter((id) => order.has(id));
  const places = own.map((id) => Number(order.get(id)));
  return [
    ...acknowledged.filter((batch) => !kept.has(batch)).map((batch) => `${batch} is missing`),
    ...[...kept]
      .filter(([, events]) => events.length !== BATCH)
      .map(([batch, events]) => `${batch} has ${events.length} of ${BATCH} events`),
    ...own
      .filter((_, at) => at > 0 && Number(places[at]) < Number(places[at - 1]))
      .map((id) => `${id} arrived after a later one`),
    ...findings.map((finding) => JSON.stringify(finding)),
  ].map((line) => `${key}: ${line}`);
}
