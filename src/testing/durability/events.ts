import { setTimeout as pause } from 'node:timers/promises';
import type { RawReceiver } from '../raw-receiver.ts';
import { headersFor } from './serve.ts';

/** How long is waited for webhook events: longer than a lease, and the first retries. */
const ARRIVAL_MS = 60_000;

/** Emulators of one database: where the next attempt of a request goes. */
interface Fleet {
  url(attempt: number): string;
}

/** Has all webhook events of a world sent to a URL. */
export async function addDestination(fleet: Fleet, key: string, url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const status = await post(fleet.url(tries), key, '/webhooks', { url, topics: ['*'] });
    if (status.code === 201) return;
    await pause(100);
  }
}

/** The id of a webhook event, if it is acknowledged: nobody can ask for the same one again. */
export async function sendTestEvent(url: string, key: string): Promise<string | undefined> {
  const { code, body } = await post(url, key, '/webhooks/test/subscription.activated', {});
  return code === 202 ? (JSON.parse(body) as { id: string }).id : undefined;
}

async function post(url: string, key: string, path: string, asked: object) {
  const signal = AbortSignal.timeout(20_000);
  const body = JSON.stringify(asked);
  return fetch(`${url}${path}`, { method: 'POST', headers: headersFor(key), body, signal })
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
