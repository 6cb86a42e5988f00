import { DataError } from '../data-error.ts';
import type { StorageSettings } from '../storage.ts';
import { Database } from './database.ts';

/** The oldest PostgreSQL that is tried. */
const OLDEST = 120_000;

interface Found {
  readonly version: string;
  readonly number: number;
  readonly may_create: boolean;
  readonly has_schema: boolean;
  readonly may_use: boolean;
}

/**
 * What a database says about itself and the worlds in it. Nothing is changed.
 *
 * @throws DataError saying why the database cannot be used: unreachable, too old, without the rights
 */
export async function examineDatabase({ data }: StorageSettings): Promise<string> {
  const database = await Database.at(data);
  const { name, schema } = database;
  try {
    const [found] = await database.run<Found & Record<string, unknown>>(
      `SELECT current_setting('server_version') AS version,
         current_setting('server_version_num')::int AS number,
         has_database_privilege(current_database(), 'CREATE') AS may_create,
         EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1) AS has_schema,
         coalesce((SELECT has_schema_privilege(oid, 'USAGE') AND has_schema_privilege(oid, 'CREATE')
           FROM pg_namespace WHERE nspname = $1), false) AS may_use`,
      [schema],
    );
    refuseUnusable(database, found as Found);
    const about = `${name} (PostgreSQL ${found?.version}), schema ${schema}`;
    const [made] = await database.run('SELECT to_regclass($1) IS NOT NULL AS made', [
      `${schema}.worlds`,
    ]);
    return made?.['made'] ? `${about}: ${await worldsIn(database)}` : `${about}: not made yet`;
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(`${name}: ${(error as Error).message || 'it cannot be reached'}`);
  } finally {
    await database.end();
  }
}

function refuseUnusable({ name, schema }: Database, found: Found): void {
  if (found.number < OLDEST)
    throw new DataError(`${name}: Expected PostgreSQL 12 or newer, got ${found.version}.`);
  if (found.has_schema ? !found.may_use : !found.may_create)
    throw new DataError(
      found.has_schema
        ? `${name}: The user may not use the schema ${schema}, or make tables in it.`
        : `${name}: The user may not make the schema ${schema}.`,
    );
}

async function worldsIn(database: Database): Promise<string> {
  const holders = await database.run<{ holder: string | null; count: string }>(
    `SELECT CASE WHEN lease > now() THEN holder END AS holder, count(*) AS count
     FROM $worlds WHERE generation IS NOT NULL GROUP BY 1 ORDER BY 1`,
  );
  const parts = holders.map(
    ({ holder, count }) => `${count} ${holder ? `held by ${holder}` : 'free'}`,
  );
  return parts.length === 0 ? 'no worlds' : `worlds: ${parts.join(', ')}`;
}
