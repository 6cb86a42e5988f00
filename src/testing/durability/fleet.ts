import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, type TestPostgres } from '../postgres/server.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { IMAGE_FLAGS, type Served, serve } from './serve.ts';

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
    this.#served[place] = await serve(this.postgres.url, {
      ready: join(this.folder, `ready-${place}`),
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
