import { runDueJobs } from '../clock/due.ts';
import type { Instant } from '../domain/instant.ts';
import type { ScenarioReply, ScenarioRequest, ScenarioTarget } from '../fixtures/scenario.ts';
import { answerRequest, IN_PROCESS_STEPS } from '../http/api-pipeline.ts';
import type { RawResponse } from '../http/message.ts';
import { type Api, RequestContext, sourceOfBytes } from '../http/request-context.ts';
import { addressOf } from '../spec/address.ts';
import { ADMIN_HEADER, type HeaderNames } from '../spec/header-names.ts';
import { withoutPauses } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import { keyOf } from '../store/worlds.ts';
import { parseExact, serialise } from '../text/exact-json.ts';
import type { ControlServices } from './context.ts';

interface ScenarioTargetsOptions
  extends Pick<ControlServices, 'settings' | 'clocks' | 'dispatcher'> {
  /** A request goes to the API whose document has the operation. */
  readonly apis: readonly Api[];
  readonly names: HeaderNames;
}

/** Creates the targets on which scenarios run. */
export function createScenarioTargets(options: ScenarioTargetsOptions) {
  const { settings, clocks, dispatcher } = options;
  const targetOf = (
    world: World,
    rest: Pick<ScenarioTarget, 'advance' | 'delivered' | 'send'>,
  ): ScenarioTarget => ({
    ...rest,
    baseUrl: `http://127.0.0.1:${settings.port}`,
    get now() {
      return world.now;
    },
    set: (moment) => freeze(world, moment),
  });
  return {
    /** Runs synchronously. Webhook deliveries are sent later. */
    atOnce: (world: World) =>
      targetOf(world, {
        send: (request) => withoutPauses(() => sendInProcess(options, world, request)),
        advance(moment) {
          runDueJobs(world, moment, settings);
          freeze(world, moment);
        },
      }),
    /** Waits until all effects are done, webhook deliveries included. */
    waiting: (world: World) =>
      targetOf(world, {
        send: (request) => sendInProcess(options, world, request),
        advance: (moment) => clocks.advance(world, moment, 'to').then(() => {}),
        delivered: () => dispatcher.idle(world),
      }),
  };
}

function freeze(world: World, at: Instant): void {
  world.clock.state = { mode: 'frozen', at };
}

/** Sends a request through the pipeline without a socket: the same bytes, the same checks. */
function sendInProcess(
  { apis, names, settings }: ScenarioTargetsOptions,
  world: World,
  request: ScenarioRequest,
): ScenarioReply | Promise<ScenarioReply> {
  const { call, account, headers: given = {}, body } = request;
  const { method, path, search } = addressOf(call, request);
  const api = apis.find(({ document }) => document.operations.has(call)) as Api;
  const own = {
    [ADMIN_HEADER]: settings.admin_token,
    ...(account !== undefined && { [names.account]: account }),
    ...given,
  };
  const headers = {
    authorization: `Bearer ${keyOf(world)}`,
    'content-type': 'application/json',
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const bytes = Buffer.from(body === undefined ? '' : serialise(body).text);
  const source = { ...sourceOfBytes(bytes), inProcessWorld: world };
  const inProcess = { ...api, steps: IN_PROCESS_STEPS };
  const rawRequest = { method, path, search, headers };
  const answer = answerRequest(new RequestContext(inProcess, rawRequest, source));
  return answer instanceof Promise ? answer.then(readReply) : readReply(answer);
}

/** Reads a response. Its status is 0 if a fault drops the connection. */
function readReply({ status, headers, text, fault }: RawResponse): ScenarioReply {
  if (fault?.connection) return { status: 0, headers: {}, body: undefined };
  return { status, headers, body: text === '' ? undefined : parseExact(text) };
}
