import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createEmulator, type Emulator, type GivenSettings, type Poster } from 'billing-emulator';
import { bodyOf, type ReadResponse, type ServiceTime } from './exchange.ts';
import { TIME_TOLERANCE } from './id-map.ts';
import type { EmulatorRequest } from './translate.ts';

/** Settings that the twin's emulator always needs. */
const OWN = {
  port: 0,
  host: '127.0.0.1',
  fixture: '',
  sandbox_fixture: '',
  keys: [],
  clock: 'frozen',
  log_level: 'silent',
  limits: { MAX_LOGGED_REQUESTS: 0, MAX_SANDBOXES: 1_000_000 },
};

/** Sends no webhooks, because only the service sends them. */
const SENDS_NOTHING: Poster = {
  post: () => Promise.resolve({ status_code: 204, error: null, duration_ms: 0, response: null }),
  close() {},
};

export async function startTwinEmulator(settings: GivenSettings): Promise<TwinEmulator> {
  const emulator = createEmulator({ settings: { ...settings, ...OWN }, poster: SENDS_NOTHING });
  return new TwinEmulator(emulator, new URL(await emulator.listen()));
}

/** The emulator that a service is compared with: a new world for each key, at the service's time. */
export class TwinEmulator {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #opened = new Set<string>();

  constructor(
    private readonly emulator: Emulator,
    private readonly url: URL,
  ) {}

  /** Moves the world of a key to an instant and runs due jobs. For an earlier instant it only sets the clock. */
  async keepTime(key: string, { best, latest }: ServiceTime): Promise<void> {
    const { worlds, clocks } = this.emulator;
    const world = worlds.find(key);
    if (!world) return;
    const now = Date.parse(world.now);
    const moment = new Date(best).toISOString() as typeof world.now;
    const isNew = !this.#opened.has(key);
    this.#opened.add(key);
    const isBack = now > latest + TIME_TOLERANCE;
    if (isNew || isBack) clocks.set(world, world.clock.state.mode, moment);
    else if (best > now) await clocks.advance(world, moment, 'to');
  }

  /** Sends a request at an instant. @param key the key of its world; undefined for requests that open no world */
  async send(
    { method, target: path, headers, body }: EmulatorRequest,
    key: string | undefined,
    at: ServiceTime,
  ): Promise<ReadResponse> {
    if (key !== undefined) await this.keepTime(key, at);
    const { hostname, port, host } = this.url;
    const all = [...headers, 'Host', host];
    const hasLength = body.length > 0 || !/^(GET|HEAD|DELETE)$/.test(method);
    if (hasLength) all.push('Content-Length', String(body.length));
    const options = { hostname, port, agent: this.#agent, method, path, headers: all as never };
    // The request below reports the same errors.
    const asking = request(options).on('error', () => {});
    const [answer] = (await once(asking.end(body), 'response')) as [IncomingMessage];
    const { statusCode: status = 0, headers: answered } = answer;
    return { status, headers: answered, body: bodyOf(await buffer(answer)) };
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.emulator.close();
  }
}
