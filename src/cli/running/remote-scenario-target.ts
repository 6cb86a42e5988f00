import { type Instant, instant } from '../../domain/instant.ts';
import type {
  ScenarioReply,
  ScenarioRequest,
  ScenarioTarget,
} from '../../scenarios/scenario-target.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Remote, RemoteParts } from '../remote.ts';

/** A world of a running emulator as a target. */
export interface RemoteScenarioTarget extends ScenarioTarget {
  /** Lets the clock go on as it did before, from the moment reached. */
  leave(): Promise<void>;
}

/** Opens a target over HTTP; every call on it throws where it is refused. */
export async function openRemoteTarget(remote: Remote, url: string): Promise<RemoteScenarioTarget> {
  const clock = await remote.call('getClock');
  let now: Instant = instant(clock.now);
  return {
    get now() {
      return now;
    },
    baseUrl: url.replace(/\/$/, ''),
    async set(moment) {
      await remote.call('setClock', { body: { mode: 'frozen', now: moment } });
      now = moment;
    },
    async advance(moment) {
      await remote.call('advanceClock', { body: { to: moment } });
      now = moment;
    },
    send: (request) => sendTo(remote, request),
    async leave() {
      const { mode } = clock;
      await remote.call('setClock', { body: mode === 'real' ? { mode } : { mode, now } });
    },
  };
}

async function sendTo(
  remote: Remote,
  { call, path, query, body }: ScenarioRequest,
): Promise<ScenarioReply> {
  const parts = { path, query, body } as RemoteParts;
  const text = await remote.read(call as OperationId, parts);
  return { status: 200, body: text === '' ? undefined : JSON.parse(text) };
}
