import { setTimeout as pause } from 'node:timers/promises';
import type { RawReceiver } from '../raw-receiver.ts';
import { HEADERS, type Served } from './serve.ts';

/** How long is waited for webhook events: longer than a lease, and the first retries. */
const ARRIVAL_MS = 60_000;
/** Emulators of one database. */
interface Pair {
  readonly served: readonly Served[];
}

/** Has all webhook events sent to a URL. */
export async function addDestination(pair: Pair, url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const status = await post(pair, tries, '/webhooks', { url, topics: ['*'] });
    if (status.code === 201) return;
    await pause(100);
  }
}

/** The id of a webhook event, if it is acknowledged: nobody can ask for the same one again. */
export async function sendTestEvent(pair: Pair, place: number): Promise<string | undefined> {
  const { code, body } = await post(pair, place, '/webhooks/test/subscription.activated', {});
  return code === 202 ? (JSON.parse(body) as { id: string }).id : undefined;
}

async function post({ served }: Pair, place: number, path: string, asked: object) {
  const { url } = served[place % 2] as Served;
  const signal = AbortSignal.timeout(20_000);
  const sent = { method: 'POST', headers: HEADERS, body: JSON.stringify(asked), signal };
  return fetch(`${url}${path}`, sent)
    .then(async (answer) => ({ code: answer.status, body: await answer.text() }))
    .catch(() => ({ code: 0, body: '' }));
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
