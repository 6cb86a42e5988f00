import { verifySignature } from 'billing-emulator';
import { checkReceiver, type ReceiverCheckOptions } from '../receiver/run.ts';
import { onLoopback } from './server.ts';

/** For tests: a correct receiver of webhooks. Any part of it can be replaced by a broken one. */
export interface ReceiverParts {
  /** @units bytes */
  readonly limit: number;
  /** Joins the pieces of a body. */
  readonly gather: (chunks: readonly Buffer[]) => Buffer;
  /** Whether a request is genuine. */
  readonly verify: (body: Buffer, header: string | undefined) => boolean;
  /** Status of the response to a genuine event. */
  readonly take: (event: ReceivedEvent, memory: Memory) => number;
}

interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly created: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Memory {
  readonly seen: Set<string>;
  /** How many events had an effect. */
  effects: number;
}

export const RECEIVER_SECRET = 'whsec_m3Vt0pQ2xW9aLr5yKc8dHf1uJ6bNz7sEg4iXoTqYvRk';

export const RIGHT_PARTS: ReceiverParts = {
  limit: 1024 * 1024,
  gather: (chunks) => Buffer.concat(chunks),
  verify: (body, header) => verifySignature(body, header, RECEIVER_SECRET).valid,
  take({ id, type }, memory) {
    if (memory.seen.has(id) || type !== 'subscription.activated') return 204;
    memory.seen.add(id);
    memory.effects += 1;
    return 204;
  },
};

/**
 * Listens on loopback with the given parts, and correct ones for the others. `effectsUrl` returns how many
 * events had an effect.
 */
export async function startReceiver(wrong: Partial<ReceiverParts> = {}) {
  const { limit, gather, verify, take } = { ...RIGHT_PARTS, ...wrong };
  const memory: Memory = { seen: new Set(), effects: 0 };
  const statusFor = (body: Buffer, header: string | undefined): number => {
    try {
      if (body.length > limit) return 413;
      if (!verify(body, header)) return 401;
      return take(JSON.parse(body.toString('utf8')) as ReceivedEvent, memory);
    } catch {
      return 500;
    }
  };
  const { baseUrl, close } = await onLoopback(async (request, response) => {
    if (request.url === '/effects') return void response.end(String(memory.effects));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const header = request.headers['service-signature'] as string | undefined;
    response.writeHead(statusFor(gather(chunks), header)).end();
  });
  return { url: `${baseUrl}/hook`, effectsUrl: `${baseUrl}/effects`, close };
}

/** Checks a receiver with some parts wrong. Returns the result of each check. */
export async function checksOf(
  wrong: Partial<ReceiverParts> = {},
  options: Partial<ReceiverCheckOptions> = {},
) {
  const { url, effectsUrl, close } = await startReceiver(wrong);
  const target = { url, effectsUrl, secret: RECEIVER_SECRET, serviceName: 'Service' };
  try {
    return await checkReceiver({ ...target, timeout: 15_000, ...options });
  } finally {
    await close();
  }
}
