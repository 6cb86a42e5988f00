import type { Client, ClientAnswer, ClientRequest } from '../../client/index.ts';
import { type Instant, instant } from '../../domain/instant.ts';
import type { ScenarioReply, ScenarioTarget } from '../../fixtures/scenario-target.ts';
import type { AnyOperationId } from '../../spec/operations.ts';
import { parseExact, serialise } from '../../text/exact-json.ts';

/** A world over HTTP, as the target of a scenario. */
export interface RemoteScenarioTarget extends ScenarioTarget {
  /** Restores the clock's former mode, from the time reached. */
  leave(): Promise<void>;
}

/**
 * Opens a target over HTTP: a world of a running emulator, or a service whose clock runs by itself, which keeps its own
 * time and rejects every step that moves it. Setting the clock throws ApiError if the emulator rejects it.
 */
export async function openRemoteTarget(client: Client, url: string): Promise<RemoteScenarioTarget> {
  const { status, headers, text } = await client.send('getClock');
  const send = senderTo(client);
  const baseUrl = url.replace(/\/$/, '');
  if (status === 200) return movable(client, JSON.parse(text), { send, baseUrl });
  let now = dateIn(headers.get('date'));
  return {
    baseUrl,
    get now() {
      return now;
    },
    set() {},
    advance(moment) {
      throw new Error(`The clock of ${baseUrl} cannot be moved to ${moment}.`);
    },
    async send(request) {
      const reply = await send(request);
      now = dateIn(reply.headers['date']);
      return reply;
    },
    async leave() {},
  };
}

function movable(
  client: Client,
  { now: first, mode }: ClientAnswer<'getClock'>,
  sending: Pick<ScenarioTarget, 'send' | 'baseUrl'>,
): RemoteScenarioTarget {
  let now: Instant = instant(first);
  return {
    ...sending,
    get now() {
      return now;
    },
    async set(moment) {
      await client.call('setClock', { body: { mode: 'frozen', now: moment } });
      now = moment;
    },
    async advance(moment) {
      await client.call('advanceClock', { body: { to: moment } });
      now = moment;
    },
    async leave() {
      await client.call('setClock', { body: mode === 'real' ? { mode } : { mode, now } });
    },
  };
}

const senderTo =
  (client: Client): RemoteScenarioTarget['send'] =>
  async ({ call, body, ...request }): Promise<ScenarioReply> => {
    const sent = { ...request, ...(body !== undefined && { body: serialise(body).text }) };
    const { status, headers, text } = await client.send(
      call as AnyOperationId,
      sent as ClientRequest<AnyOperationId>,
    );
    const named: Record<string, string> = {};
    headers.forEach((value, name) => {
      named[name] = value;
    });
    return { status, headers: named, body: text === '' ? undefined : parseExact(text) };
  };

/** The time of a response. @throws Error when it states none */
const dateIn = (header: string | null | undefined): Instant =>
  instant(new Date(header ?? '').toISOString());
