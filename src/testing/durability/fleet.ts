import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readReady } from '../files.ts';
import { freePort, type TestPostgres } from '../postgres/server.ts';
import { startServer } from '../server.ts';

const BINARY = fileURLToPath(new URL('../../../bin/billing-emulator.js', import.meta.url));

/** The flags with which the image and `npm start` start Node. */
export const IMAGE_FLAGS = ['--v8-pool-size=2'];

export const headersFor = (key: string) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
});

export interface Served {
  readonly child: ChildProcess;
  readonly url: string;
}

/**
 * Runs an emulator in a process of its own, with a data file or a database.
 *
 * @param ready the file in which the emulator says that it is ready
 */
export async function serve(
  data: string,
  ready: string,
  { node, flags }: Readonly<Record<'node' | 'flags', readonly string[]>>,
): Promise<Served> {
  rmSync(ready, { force: true });
  const preset = ['--port', '0', '--ready-file', ready, '--data', data];
  const child = spawn(process.execPath, [...node, BINARY, ...preset, ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (;;) {
    const url = readReady(ready)?.url;
    if (url !== undefined) return { child, url };
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    await pause(20);
  }
}

export interface FleetShape {
  /** How many emulators there are. */
  readonly size: number;
  /** Whether they forward requests to each other, and a balancer gives each request to another one. */
  readonly isBalanced: boolean;
  /** The fixture of a world that a key opens; none if it is empty. */
  readonly fixture: string | undefined;
  /** The keys of the worlds of the load. */
  readonly keys: readonly string[];
}

/** Emulators of one database, each in a process of its own. */
export class Fleet {
  readonly #served: Served[] = [];
  #balancer: Balancer | undefined;
  #ports: number[] = [];

  constructor(
    private readonly postgres: TestPostgres,
    private readonly folder: string,
    readonly shape: FleetShape,
  ) {}

  async start(): Promise<void> {
    const { size, isBalanced } = this.shape;
    for (let place = 0; place < size; place += 1) {
      this.#ports.push(isBalanced ? await freePort() : 0);
      await this.launch(place);
    }
    if (isBalanced) this.#balancer = await startBalancer(() => this.#served.map(({ url }) => url));
  }

  /** Starts the emulator of a place, at the address that it had. */
  async launch(place: number): Promise<void> {
    const port = String(this.#ports[place]);
    const { isBalanced, fixture } = this.shape;
    const filled = fixture === undefined ? [] : ['--sandbox-fixture', fixture];
    const reached = isBalanced ? ['--advertise', `http://127.0.0.1:${port}`] : [];
    this.#served[place] = await serve(this.postgres.url, join(this.folder, `ready-${place}`), {
      node: IMAGE_FLAGS,
      flags: ['--log-level', 'silent', ...filled, '--port', port, ...reached],
    });
  }

  /** Where an attempt of a request goes. */
  url(attempt: number): string {
    const { url } = this.#served[attempt % this.#served.length] as Served;
    return this.#balancer?.url ?? url;
  }

  /** The address of the emulator of a place. */
  urlOf(place: number): string {
    return (this.#served[place] as Served).url;
  }

  processOf(place: number): Served['child'] {
    return (this.#served[place] as Served).child;
  }

  /** The place of the emulator that is struck: by chance, or the one that holds the first world of the load. */
  victim(chance: number): Promise<number> | number {
    const { size, isBalanced } = this.shape;
    return isBalanced ? Math.floor(chance * size) : this.#holder();
  }

  async #holder(): Promise<number> {
    for (;;) {
      const [row] = await this.postgres.query(
        `SELECT holder FROM billing_emulator.worlds WHERE key = '${this.shape.keys[0]}'`,
      );
      const place = this.#served.findIndex(({ child }) =>
        String(row?.['holder']).includes(`process ${child.pid},`),
      );
      if (place >= 0) return place;
      await pause(50);
    }
  }

  /** Stops one emulator after the other and starts it again. @throws Error if one does not end by itself */
  async roll(): Promise<void> {
    for (const [place, { child }] of [...this.#served].entries()) {
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`An emulator that was stopped ended with ${code}.`);
      await this.launch(place);
    }
  }

  async stop(): Promise<void> {
    for (const { child } of this.#served) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await this.#balancer?.close();
  }
}

const LOOK_MS = 100;

interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A load balancer that gives each request to another emulator, on a connection of its own. It leaves out those that are not
 * ready, and tries the next one if nobody listens. A connection that is cut is cut for its client too.
 */
export async function startBalancer(urls: () => readonly string[]): Promise<Balancer> {
  const unready = new Set<string>();
  let turn = 0;
  const look = async (url: string) => {
    const signal = AbortSignal.timeout(1_000);
    const isReady = await fetch(`${url}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) unready.delete(url);
    else unready.add(url);
  };
  const looking = setInterval(() => void urls().map(look), LOOK_MS);
  const server = createServer((request, response) => {
    const ready = urls().filter((url) => !unready.has(url));
    turn += 1;
    pass(
      request,
      response,
      ready.map((_, place) => ready[(turn + place) % ready.length] as string),
    );
  });
  const { url, close } = await startServer(server);
  return {
    url,
    close() {
      clearInterval(looking);
      return close();
    },
  };
}

function pass(request: IncomingMessage, response: ServerResponse, urls: readonly string[]): void {
  const [url, ...others] = urls;
  if (url === undefined) {
    response.writeHead(503, { 'Retry-After': '1' }).end();
    return;
  }
  const { hostname, port } = new URL(url);
  const { method, rawHeaders: headers } = request;
  const upstream = httpRequest({
    hostname,
    port,
    method,
    path: request.url,
    headers,
    agent: false,
  });
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode as number, answer.rawHeaders);
    response.flushHeaders();
    pipeline(answer, response, () => {});
  });
  upstream.on('error', ({ code }: NodeJS.ErrnoException) => {
    request.unpipe(upstream);
    if (code === 'ECONNREFUSED') pass(request, response, others);
    else response.socket?.resetAndDestroy();
  });
  response.on('close', () => upstream.destroy());
  // A connection that is refused has taken nothing of the body yet.
  upstream.on('socket', (socket) => socket.once('connect', () => request.pipe(upstream)));
}
