import type { Client, ClientRequest } from '../../client/index.ts';
import { type Instant, instant } from '../../domain/instant.ts';
import type { ScenarioTarget } from '../../fixtures/scenario-target.ts';
import type { AnyOperationId } from '../../spec/operations.ts';
import { parseExact, serialise } from '../../text/exact-json.ts';

/** A world of a running emulator, as the target of a scenario. */
export interface RemoteScenarioTarget extends ScenarioTarget {
  /** Restores the clock's former mode, from the time reached. */
  leave(): Promise<void>;
}

/** Opens a target over HTTP. Setting its clock throws ApiError if the emulator rejects it. */
export async function openRemoteTarget(client: Client, url: string): Promise<RemoteScenarioTarget> {
  const clock = await client.call('getClock');
  let now: Instant = instant(clock.now);
  return {
    get now() {
      return now;
    },
    baseUrl: url.replace(/\/$/, ''),
    async set(moment) {
      await client.call('setClock', { body: { mode: 'frozen', now: moment } });
      now = moment;
    },
    async advance(moment) {
      await client.call('advanceClock', { body: { to: moment } });
      now = moment;
    },
    async send({ call, body, ...request }) {
      const sent = { ...request, ...(body !== undefined && { body: serialise(body).text }) };
      const { status, headers, text } = await client.send(
        call as AnyOperationId,
        sent as ClientRequest<AnyOperationId>,
      );
      const received = text === '' ? undefined : parseExact(text);
      const named: Record<string, string> = {};
      headers.forEach((value, name) => {
        named[name] = value;
      });
      return { status, headers: named, body: received };
    },
    async leave() {
      const { mode } = clock;
      await client.call('setClock', { body: mode === 'real' ? { mode } : { mode, now } });
    },
  };
}
