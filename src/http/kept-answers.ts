import type { WorldLocal } from '../state/world-local.ts';
import type { RawResponse } from './problem.ts';
import type { StepContext } from './request-context.ts';

interface Kept {
  /** Answers as they were given, and the version of the world for which each stays true. */
  readonly answers: Map<string, { readonly version: number; readonly response: RawResponse }>;
  /** Characters of all texts, and of what was asked for them. */
  length: number;
}

/** Above this all are let go: what is asked for again is soon there again. */
const MOST_CHARACTERS = 4_000_000;

const KEPT: WorldLocal<Kept> = {
  name: 'kept answers',
  open: () => ({ answers: new Map(), length: 0 }),
  clear,
};

/** Answers a read with the very bytes that it was answered with before, where no commit came between. */
export function answerUnchanged(context: StepContext): void {
  const { api, caller, rawRequest } = context;
  if (rawRequest.method !== 'GET') return;
  const { world } = caller;
  const known = world.local(KEPT).answers.get(keyOf(context));
  if (!known) return;
  api.runDueJobs?.(world);
  if (known.version === world.version) context.response = known.response;
}

/** Takes note of the answer of a read that depends on nothing but the records. */
export function keepAnswer(context: StepContext, response: RawResponse): void {
  const { caller, rawRequest, reply } = context;
  const { version } = reply;
  if (version === undefined || rawRequest.method !== 'GET' || response.status !== 200) return;
  const kept = caller.world.local(KEPT);
  const key = keyOf(context);
  const known = kept.answers.get(key)?.response.text.length;
  kept.length += response.text.length + (known === undefined ? key.length : -known);
  if (kept.length > MOST_CHARACTERS) {
    clear(kept);
    return;
  }
  kept.answers.set(key, { version, response });
}

function clear(kept: Kept): void {
  kept.answers.clear();
  kept.length = 0;
}

/** All of a request that an answer may depend on: links in answers begin with the host that was asked. */
function keyOf({ caller, rawRequest }: StepContext): string {
  const { path, search, headers } = rawRequest;
  return `${caller.owner} ${headers.host} ${path}?${search}`;
}
