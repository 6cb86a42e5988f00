import { readdirSync, readFileSync } from 'node:fs';
import type { Settings } from '../../../config/settings.ts';
import { DataError } from '../data-error.ts';
import type { StorageSettings } from '../storage.ts';
import { Database, saying, type Transaction } from './database.ts';

const FOLDER = new URL('./schema/', import.meta.url);

/** Settings by which records are made: emulators of one database must agree on them. */
const SHARED_SETTINGS = ['seed', 'service_name', 'reporting_currency'] as const;
export type SharedSettings = Pick<Settings, (typeof SHARED_SETTINGS)[number]>;

/** What the emulators of a database have in common. */
interface About {
  /** How many files of the schema have run. */
  readonly version: number;
  readonly settings: SharedSettings;
  /** From which links and secrets are derived, where they are random. */
  readonly secret: string;
}

/**
 * Makes the schema, or brings it up to date, and compares the settings by which records are made. Returns the random
 * secret that all emulators of the database share.
 *
 * @throws DataError if the schema is of a newer release, or the settings differ; nothing is changed then
 */
export function prepareSchema(
  database: Database,
  settings: SharedSettings,
  newSecret: string,
): Promise<string> {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return database.transact(async (transaction) => {
    // One emulator after the other, if several start at once.
    await transaction.run('SELECT pg_advisory_xact_lock(hashtext($1))', [
      `emulator ${database.schema}`,
    ]);
    await createSchema(transaction, database);
    const [row] = await transaction.run<{ about: About }>('SELECT about FROM $about');
    const about = row?.about ?? { version: 0, settings: pick(settings), secret: newSecret };
    refuseOther(database, about, settings, files.length);
    if (about.version === files.length) return about.secret;
    await transaction.run(`SET LOCAL search_path TO "${database.schema}"`);
    for (const file of files.slice(about.version))
      await transaction.run(readFileSync(new URL(file, FOLDER), 'utf8'));
    await transaction.run('DELETE FROM $about');
    await transaction.run('INSERT INTO $about VALUES ($1)', [
      JSON.stringify({ ...about, version: files.length }),
    ]);
    return about.secret;
  });
}

async function createSchema(transaction: Transaction, { schema }: Database): Promise<void> {
  const [found] = await transaction.run('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (!found) await transaction.run(`CREATE SCHEMA "${schema}"`);
  await transaction.run('CREATE TABLE IF NOT EXISTS $about (about json NOT NULL)');
}

const pick = (settings: SharedSettings): SharedSettings =>
  Object.fromEntries(SHARED_SETTINGS.map((name) => [name, settings[name]])) as SharedSettings;

function refuseOther(
  { name, schema }: Database,
  about: About,
  settings: SharedSettings,
  known: number,
): void {
  if (about.version > known)
    throw new DataError(
      `${name}: The schema ${schema} was made by a newer release (${about.version}, known up to ${known}).`,
    );
  const others = SHARED_SETTINGS.filter((each) => about.settings[each] !== settings[each]).map(
    (each) => `${each} was ${about.settings[each]} when it was made, and is ${settings[each]}`,
  );
  if (others.length > 0)
    throw new DataError(
      `${name}: The worlds of the schema ${schema} were made with other settings: ${others.join('; ')}.`,
    );
}

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
    throw saying(database, error);
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
