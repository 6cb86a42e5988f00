import type { WorldLocal } from '../store/world-local.ts';
import type { RawResponse } from './message.ts';
import type { StepContext } from './request-context.ts';

interface ResponseCache {
  /** Responses, each with the version of the world for which it is valid. */
  readonly responses: Map<string, { readonly version: number; readonly response: RawResponse }>;
  /** Total characters of all texts and keys. */
  length: number;
}

/** The cache is cleared above this size. It refills quickly. */
const MAX_CHARACTERS = 4_000_000;

const CACHE: WorldLocal<ResponseCache> = {
  name: 'response cache',
  open: () => ({ responses: new Map(), length: 0 }),
  clear,
};

/**
 * The response to a read from the cache; undefined if a commit happened since. Without it, a page of 100 customers took
 * 489 µs instead of 191, the client included (2026-11-25).
 */
export function cachedResponse(context: StepContext): RawResponse | undefined {
  const { api, caller } = context;
  const { world } = caller;
  const known = world.local(CACHE).responses.get(keyOf(context));
  if (!known) return undefined;
  api.runDueJobs?.(world);
  return known.version === world.version ? known.response : undefined;
}

/** Caches the response of a read that depends only on records. */
export function cacheResponse(context: StepContext, response: RawResponse): void {
  const { caller, version } = context;
  if (version === undefined || response.status !== 200) return;
  const cache = caller.world.local(CACHE);
  const key = keyOf(context);
  const known = cache.responses.get(key)?.response.text.length;
  cache.length += response.text.length + (known === undefined ? key.length : -known);
  if (cache.length > MAX_CHARACTERS) {
    clear(cache);
    return;
  }
  cache.responses.set(key, { version, response });
}

function clear(cache: ResponseCache): void {
  cache.responses.clear();
  cache.length = 0;
}

/**
 * The cache key: everything in a request that its response depends on. Links in responses contain the requested
 * host.
 */
function keyOf({ caller, rawRequest }: StepContext): string {
  const { path, search, headers } = rawRequest;
  return `${caller.owner} ${headers.host} ${path}?${search}`;
}
