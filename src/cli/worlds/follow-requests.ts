import { ApiError, type Client, type ClientAnswer } from '../../client/index.ts';
import { untilStopped } from '../print.ts';

export type LoggedRequest = ClientAnswer<'listRequests'>['items'][number];

/**
 * Shows the latest requests, oldest first, then each new one until stopped.
 *
 * @param filter which requests are meant, as a list and a wait of them take it
 * @param limit how many of the latest are shown first
 */
export async function followRequests(
  client: Client,
  filter: object,
  limit: number,
  show: (item: LoggedRequest) => void,
): Promise<void> {
  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  const { signal } = stop;
  const seen = new Set<number>();
  const showNew = (items: readonly LoggedRequest[]): void => {
    const fresh = items.filter(({ ordinal }) => !seen.has(ordinal));
    for (const item of fresh.toSorted((left, right) => left.ordinal - right.ordinal)) {
      seen.add(item.ordinal);
      show(item);
    }
  };
  const newest = await client.call('listRequests', { query: { limit: 1 } });
  let last = newest.items[0]?.ordinal ?? 0;
  let { items } = await client.call('listRequests', { query: { ...filter, limit } });
  for (;;) {
    showNew(items);
    last = Math.max(last, ...items.map(({ ordinal }) => ordinal));
    const isThere = await comesAfter(client, filter, last, signal);
    if (signal.aborted) return;
    if (!isThere && (await isCountedAnew(client, last))) {
      last = 0;
      seen.clear();
    }
    items = isThere ? await listAfter(client, filter, Math.max(0, last - LATE)) : [];
  }
}

/** A request can finish after this many later ones. */
const LATE = 100;
/** Timeout of one wait. @units seconds */
const PATIENCE = 30;

/** Waits for the next request. Returns false after the timeout or when the wait is aborted. */
async function comesAfter(
  client: Client,
  filter: object,
  last: number,
  signal: AbortSignal,
): Promise<boolean> {
  const body = { ...filter, after: last, count: 1, timeout_seconds: PATIENCE };
  try {
    const { status, text } = await client.send('waitForRequests', { body, signal });
    if (status !== 200 && status !== 408) throw new ApiError('waitForRequests', status, text);
    return status === 200;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** Whether the world was replaced and counts its requests from 1 again. */
async function isCountedAnew(client: Client, last: number): Promise<boolean> {
  const { items } = await client.call('listRequests', { query: { limit: 1 } });
  return (items[0]?.ordinal ?? last) < last;
}

/** Lists all requests after an ordinal, page by page. */
async function listAfter(client: Client, filter: object, after: number) {
  const found: LoggedRequest[] = [];
  for (;;) {
    const query = { ...filter, after, limit: 1_000, offset: found.length };
    const { items, total_count } = await client.call('listRequests', { query });
    found.push(...items);
    if (items.length === 0 || found.length >= total_count) return found;
  }
}
