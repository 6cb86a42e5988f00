import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { schemaOf, shownName } from '../../../config/database-address.ts';
import { DataError } from '../data-error.ts';

/** How long one statement may take before its connection counts as lost. */
const STATEMENT_MS = 15_000;
const CONNECT_MS = 3_000;

type Values = readonly unknown[];

/** The tables of one schema in a PostgreSQL database. `$` in a statement before a name stands for the schema. */
export class Database {
  private constructor(
    private readonly pool: Pool,
    /** The database as it may be shown: without a password. */
    readonly name: string,
    readonly schema: string,
  ) {}

  /** Connects when it is first asked. @throws SettingsError when the address cannot be read */
  static async at(address: string): Promise<Database> {
    const [name, schema] = [shownName(address), schemaOf(address)];
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({
      connectionString: address,
      application_name: 'billing-emulator',
      max: 8,
      keepAlive: true,
      allowExitOnIdle: true,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: STATEMENT_MS,
    });
    // An idle connection that is cut is replaced when the next one is needed.
    pool.on('error', () => {});
    return new Database(pool, name, schema);
  }

  /** Runs one statement, which is a transaction of its own, and returns its rows. */
  async run<R extends QueryResultRow>(text: string, values: Values = []): Promise<R[]> {
    const { rows } = await this.pool.query<R>(this.#qualified(text), [...values]);
    return rows;
  }

  /** Runs work in one transaction, on a connection of its own. */
  async transact<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    // Without a listener, a connection that is cut between two statements would end the process.
    const ignore = () => {};
    client.on('error', ignore);
    let failure: Error | undefined;
    try {
      await client.query('BEGIN');
      const value = await work(this.#transactionOn(client));
      await client.query('COMMIT');
      return value;
    } catch (error) {
      failure = error as Error;
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(failure);
    }
  }

  async end(): Promise<void> {
    await this.pool.end();
  }

  #transactionOn(client: PoolClient): Transaction {
    return {
      run: async (text, values = []) => {
        const { rows } = await client.query(this.#qualified(text), [...values]);
        return rows as never;
      },
    };
  }

  #qualified(text: string): string {
    return text.replaceAll(/\$(?=[a-z])/g, `"${this.schema.replaceAll('"', '""')}".`);
  }
}

/** A transaction in progress. */
export interface Transaction {
  run<R extends QueryResultRow>(text: string, values?: Values): Promise<R[]>;
}

/** Classes of SQLSTATE codes after which the same statement may succeed: connection, resources, intervention, system. */
const PASSING = /^(08|53|57|58|40)/;

/** Whether an error is of the connection, or passes by itself. */
export function isPassing(error: unknown): boolean {
  const { code } = error as { readonly code?: string };
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || PASSING.test(code);
}

/** The error as it may be shown: it names the database without its password. */
export function saying({ name }: Database, error: unknown): DataError {
  if (error instanceof DataError) return error;
  const { message, code } = error as { readonly message: string; readonly code?: string };
  return new DataError(`${name}: ${message || code || 'it cannot be reached'}`);
}
