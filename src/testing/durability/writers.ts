import { setTimeout as pause } from 'node:timers/promises';
import { type ClientReply, type ClientRequest, createClient } from '../../client/index.ts';
import type { RawReceiver } from '../server.ts';
import type { Fleet } from './fleet.ts';

const WRITERS = [1, 2, 3, 4];
/** Usage events of a batch. */
export const BATCH = 10;
/** Minimum of acknowledged batches before each blow, so that a slow machine proves as much. */
const LEAST_BETWEEN = 8;

/** A batch of usage events: its writer, and the number of the writer's earlier batches. */
interface Batch {
  readonly writer: number;
  readonly count: number;
  readonly size: number;
}

/** Prefix of the event ids of a batch; four digits follow. */
const batchId = ({ writer, count }: Batch): string =>
  `${hex(writer, 8)}-${hex(count >> 16, 4)}-4000-8000-${hex(count & 0xffff, 8)}`;

/** Submits usage of the customer of the default fixture. */
export function postBatch(
  where: { readonly url: string; readonly key: string },
  batch: Batch,
  more: Pick<ClientRequest<'submitEvents'>, 'headers' | 'signal'> = {},
): Promise<ClientReply> {
  const occurred_at = new Date(performance.timeOrigin + performance.now()).toISOString();
  const events = Array.from({ length: batch.size }, (_, place) => ({
    id: `${batchId(batch)}${hex(place, 4)}`,
    event_type: 'llm.completion',
    occurred_at,
    data: { model: 'large', tokens: 1_000 },
  }));
  const body = { customer_external_id: 'acme', events };
  return createClient(where).send('submitEvents', { body, ...more });
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Clients that write, and what was acknowledged to them. */
export class Writers {
  readonly acknowledged: { readonly key: string; readonly batch: string }[] = [];
  readonly events: string[] = [];
  readonly unexpected: string[] = [];
  /** Whether every response must be a success or ask for another attempt. */
  isStrict = false;
  #isOver = false;

  constructor(private readonly fleet: Fleet) {}

  acknowledgedIn(key: string): string[] {
    return this.acknowledged.flatMap((each) => (each.key === key ? [each.batch] : []));
  }

  async during(work: () => Promise<void>): Promise<void> {
    const all = Promise.all(WRITERS.map((writer) => this.#write(writer)));
    try {
      await work();
    } finally {
      this.#isOver = true;
      await all;
    }
  }

  /** Waits until more batches are acknowledged. */
  async goOn(): Promise<void> {
    const enough = this.acknowledged.length + LEAST_BETWEEN;
    while (this.acknowledged.length < enough) await pause(5);
  }

  async #write(writer: number): Promise<void> {
    const { keys } = this.fleet.shape;
    const key = keys[writer % keys.length] as string;
    for (let count = 0; !this.#isOver; count += 1) {
      const batch = { writer, count, size: BATCH };
      for (let tries = writer; !(await this.#isSent(key, batch, tries)); tries += 1) {
        if (this.#isOver) return;
        await pause(20);
      }
      this.acknowledged.push({ key, batch: batchId(batch) });
      const id = await sendTestEvent(this.fleet.url(writer + count), key);
      if (id !== undefined) this.events.push(id);
    }
  }

  async #isSent(key: string, batch: Batch, attempt: number): Promise<boolean> {
    const where = { url: this.fleet.url(attempt), key };
    const wasStrict = this.isStrict;
    const answer = await postBatch(where, batch, { signal: timeout() }).catch(String);
    const isSuccess = typeof answer !== 'string' && answer.status === 204;
    if (wasStrict && this.isStrict && !isSuccess && !asksToRetry(answer))
      this.unexpected.push(typeof answer === 'string' ? answer : `status ${answer.status}`);
    return isSuccess;
  }
}

const timeout = () => AbortSignal.timeout(20_000);

const asksToRetry = (answer: ClientReply | string): boolean =>
  typeof answer !== 'string' && answer.status === 503 && answer.headers.has('retry-after');

/** How long to wait for webhook events: longer than a lease and the first retries take. */
const ARRIVAL_MS = 60_000;

/** Has all webhook events of a world sent to a URL. */
export async function addDestination(fleet: Fleet, key: string, url: string): Promise<void> {
  const body = { url, topics: ['*'] };
  for (let tries = 0; ; tries += 1) {
    const client = createClient({ url: fleet.url(tries), key });
    const reply = await client.send('createWebhook', { body, signal: timeout() }).catch(() => null);
    if (reply?.status === 201) return;
    await pause(100);
  }
}

/** Sends a test event. Returns its id if it is acknowledged; without one it cannot be requested again. */
async function sendTestEvent(url: string, key: string): Promise<string | undefined> {
  const request = { path: { topic: 'subscription.activated' }, body: {}, signal: timeout() };
  const reply = await createClient({ url, key })
    .send('testWebhooks', request)
    .catch(() => null);
  return reply?.status === 202 ? (JSON.parse(reply.text) as { id: string }).id : undefined;
}

/** The ids of the webhook events that arrived, each once, in the order of first arrival; waits for those that are wanted. */
export async function arrivals({ ids }: RawReceiver, wanted: readonly string[]) {
  const until = performance.now() + ARRIVAL_MS;
  const missing = () => {
    const arrived = new Set(ids());
    return wanted.some((id) => !arrived.has(id));
  };
  while (missing() && performance.now() < until) await pause(100);
  return [...new Set(ids())];
}
