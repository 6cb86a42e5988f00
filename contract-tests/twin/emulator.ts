import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createEmulator, type GivenSettings, type Poster } from 'billing-emulator/internals';
import type { ReadAnswer } from './compare.ts';
import { type ExactValue, parseExactValue } from './exact-value.ts';
import { TIME_TOLERANCE } from './match-texts.ts';
import type { ServiceTime } from './service-time.ts';
import type { EmulatorRequest } from './translate.ts';

/** The emulator beside a service: a fresh world for each key, on the service's time. */
export type TwinEmulator = Awaited<ReturnType<typeof startTwinEmulator>>;

/** What the emulator needs to stand beside a service, whatever else is set. */
const OWN = {
  ...{ port: 0, host: '127.0.0.1', fixture: '', sandbox_fixture: '', keys: 'open' },
  ...{ clock: 'frozen', log_level: 'silent', request_log: 0, max_sandboxes: 1_000_000 },
};

/** Receivers hear from the service alone. */
const SENDS_NOTHING: Poster = {
  post: () => Promise.resolve({ status_code: 204, error: null, duration_ms: 0, response: null }),
  close() {},
};

export async function startTwinEmulator(settings: GivenSettings) {
  const emulator = createEmulator({ settings: { ...settings, ...OWN }, poster: SENDS_NOTHING });
  const { hostname, port } = new URL(await emulator.listen());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const opened = new Set<string>();

  /** Takes the world of a key to an instant, doing what falls due; a step back only sets its clock. */
  async function keepTime(key: string, { best, latest }: ServiceTime): Promise<void> {
    const world = emulator.worlds.find(key);
    if (!world) return;
    const now = Date.parse(world.now);
    const moment = new Date(best).toISOString() as typeof world.now;
    const isNew = !opened.has(key);
    opened.add(key);
    const isBack = now > latest + TIME_TOLERANCE;
    if (isNew || isBack) emulator.clocks.set(world, world.clock.state.mode, moment);
    else if (best > now) await emulator.clocks.advance(world, moment, 'to');
  }

  return {
    keepTime,
    /**
     * Sends a request at an instant.
     *
     * @param key its world; undefined where it opens none
     */
    async send(
      { method, target, headers, body }: EmulatorRequest,
      key: string | undefined,
      at: ServiceTime,
    ): Promise<ReadAnswer> {
      if (key !== undefined) await keepTime(key, at);
      const length = body.length > 0 || !/^(GET|HEAD|DELETE)$/.test(method);
      const all = [...headers, 'Host', `${hostname}:${port}`];
      if (length) all.push('Content-Length', String(body.length));
      return new Promise((resolve, reject) => {
        const options = { hostname, port, agent, method, path: target, headers: all as never };
        const sent = request(options, (answer) => {
          readAnswer(answer).then(resolve, reject);
        });
        sent.on('error', reject);
        sent.end(body);
      });
    },
    async close() {
      agent.destroy();
      await emulator.close();
    },
  };
}

async function readAnswer(answer: IncomingMessage): Promise<ReadAnswer> {
  const { statusCode: status = 0, headers } = answer;
  return { status, headers, body: bodyOf(await buffer(answer)) };
}

/** What the bytes of a body say: a text where they are no JSON, undefined where there are none. */
export function bodyOf(bytes: Buffer): ExactValue | undefined {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  try {
    return parseExactValue(text);
  } catch {
    return text;
  }
}
