import { hostname } from 'node:os';
import { machineTime } from '../../../config/machine-time.ts';
import { randomSecret } from '../../ids.ts';
import { parseKey } from '../../worlds.ts';
import type { Write } from './batch.ts';
import type { Database } from './database.ts';
import { CLAIMED_COLUMNS, type ClaimedRow } from './generations.ts';

/** How long a claim lasts that is not renewed, by the time of the database. */
const LEASE_MS = 10_000;
/** How much sooner its holder stops, for clocks that run at another speed. */
const MARGIN_MS = 2_000;
export const RENEWAL_MS = 3_000;

const LEASE = `now() + ${LEASE_MS} * interval '1 millisecond'`;
const IS_FREE = '(w.holder IS NULL OR w.lease < now())';

/** A world whose claim is given back. @units milliseconds since 1970 */
export interface GivenBack extends Omit<Write, 'head'> {
  readonly due: number | undefined;
}

/** Which emulator holds a world. */
export interface HolderRow {
  readonly key: string;
  readonly holder: string;
  readonly url: string | null;
  /** @units milliseconds */
  readonly left: number;
}

export const HOLDER_COLUMNS =
  'key, holder, url, (extract(epoch FROM lease - now()) * 1000)::float8 AS left';

/** Until when a claim holds, counted from before it was asked for, by two clocks: one of them may stand still. */
export class Lease {
  readonly #monotonic = performance.now() + LEASE_MS - MARGIN_MS;
  readonly #wall = machineTime() + LEASE_MS - MARGIN_MS;

  get isOver(): boolean {
    return performance.now() > this.#monotonic || machineTime() > this.#wall;
  }
}

/** Claims worlds for one emulator, and renews the claims. Each claim has an epoch of its own, which fences its writes. */
export class Leases {
  /** The name of this emulator, which no other has. */
  readonly holder = `${hostname()} (process ${process.pid}, ${randomSecret().slice(0, 8)})`;

  constructor(
    private readonly database: Database,
    /** The address at which other emulators reach this one. */
    private readonly url: string | undefined,
  ) {}

  /**
   * Claims the worlds that nobody holds and that need somebody: those of an emulator that has ended without giving them
   * back, as nobody knows what is due in them, those with work that is due, and those whose sandbox expires.
   */
  claimNeeded(): Promise<ClaimedRow[]> {
    return this.database.run<ClaimedRow>(
      `UPDATE $worlds w SET epoch = epoch + 1, holder = $1, url = $2, lease = ${LEASE}
       WHERE ${IS_FREE} AND w.holder IS DISTINCT FROM $1
         AND (w.holder IS NOT NULL OR w.due <= now() OR w.made->>'lifetime_ms' IS NOT NULL)
       RETURNING ${CLAIMED_COLUMNS}`,
      [this.holder, this.url],
    );
  }

  /** Claims one world, which need not be there yet. Returns its row, or which emulator holds it. */
  async claim(key: string): Promise<ClaimedRow | HolderRow> {
    const { sandbox, environment } = parseKey(key) ?? {};
    for (;;) {
      const [row] = await this.database.run<ClaimedRow>(
        `INSERT INTO $worlds AS w (key, sandbox, environment, epoch, holder, url, lease)
         VALUES ($1, $2, $3, 1, $4, $5, ${LEASE})
         ON CONFLICT (key) DO UPDATE SET epoch = w.epoch + 1, holder = $4, url = $5, lease = ${LEASE}
         WHERE ${IS_FREE} OR w.holder = $4 RETURNING ${CLAIMED_COLUMNS}`,
        [key, sandbox, environment, this.holder, this.url],
      );
      if (row) return row;
      const [other] = await this.database.run<HolderRow>(
        `SELECT ${HOLDER_COLUMNS} FROM $worlds w WHERE key = $1 AND NOT ${IS_FREE}`,
        [key],
      );
      // It may have been given back in between.
      if (other) return other;
    }
  }

  /** Renews all claims; returns the epoch of each by key. */
  async renew(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.run<{ key: string; epoch: string }>(
      `UPDATE $worlds SET lease = ${LEASE} WHERE holder = $1 RETURNING key, epoch`,
      [this.holder],
    );
    return new Map(rows.map(({ key, epoch }) => [key, Number(epoch)]));
  }

  /** Gives claims back, each with the state of its world beside the records and when something of it is due. */
  async giveBack(all: readonly GivenBack[]): Promise<void> {
    await this.database.run(
      `UPDATE $worlds w SET holder = NULL, lease = NULL, requests = b.requests, clock = b.clock::json,
         written = to_timestamp(b.at / 1000.0), due = to_timestamp(b.due / 1000.0)
       FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[])
         AS b(key, epoch, requests, clock, at, due)
       WHERE w.key = b.key AND w.epoch = b.epoch`,
      [
        all.map(({ key }) => key),
        all.map(({ epoch }) => epoch),
        all.map(({ state }) => state.requests),
        all.map(({ state }) => JSON.stringify(state.clock)),
        all.map(({ state }) => Math.round(state.at)),
        all.map(({ due }) => (due === undefined ? null : Math.round(due))),
      ],
    );
  }

  /** Gives all other claims back. As nobody knows when something of these worlds is due, somebody reads them at once. */
  async release(): Promise<void> {
    await this.database.run(
      `UPDATE $worlds SET holder = NULL, lease = NULL, due = CASE WHEN generation IS NOT NULL THEN now() END
       WHERE holder = $1`,
      [this.holder],
    );
  }
}
