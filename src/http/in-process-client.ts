import type { Instant } from '../domain/instant.ts';
import { addressOf } from '../spec/address.ts';
import type { HeaderNames } from '../spec/header-names.ts';
import type { World } from '../state/world.ts';
import { keyOf } from '../state/worlds.ts';
import { parseExact, serialise } from '../text/exact-json.ts';
import { answerRequest, IN_PROCESS_STEPS } from './api-pipeline.ts';
import type { RawResponse } from './problem.ts';
import {
  type Api,
  type Finish,
  type RawRequest,
  RequestContext,
  sourceOfBytes,
} from './request-context.ts';

interface Request {
  readonly call: string;
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly account?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface InProcessClientOptions {
  readonly world: World;
  /** Where requests go: to the first whose document has the operation. */
  readonly apis: readonly Api[];
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly names: HeaderNames;
  /** Brings long work to its end. */
  readonly finish: Finish;
  readonly baseUrl: string;
  /** Takes the world forward to a moment, doing what falls due. */
  readonly advance: (moment: Instant) => void | Promise<void>;
  /** Resolves once nothing is being delivered. */
  readonly delivered?: () => Promise<void>;
}

/**
 * Sends requests to a world through the pipeline, without a socket: the same bytes, the same checks.
 */
export function createInProcessClient({
  world,
  apis,
  names,
  finish,
  headers: fixed,
  ...rest
}: InProcessClientOptions) {
  const key = keyOf(world);
  return {
    ...rest,
    get now(): Instant {
      return world.now;
    },
    set(moment: Instant): void {
      world.clock.state = { mode: 'frozen', at: moment };
    },
    send(request: Request): Reply | Promise<Reply> {
      const api = apiOf(apis, request.call);
      const { method, path, search } = addressOf(request.call, request);
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(request.account !== undefined && { [names.account.toLowerCase()]: request.account }),
        ...lowerCaseNames({ ...fixed, ...request.headers }),
      };
      const rawRequest: RawRequest = { method, path, search, headers };
      const body = Buffer.from(request.body === undefined ? '' : serialise(request.body).text);
      const source = { ...sourceOfBytes(body, finish), draft: world };
      const inProcess = { ...api, steps: IN_PROCESS_STEPS };
      const rawResponse = answerRequest(new RequestContext(inProcess, rawRequest, source));
      return rawResponse instanceof Promise ? rawResponse.then(readReply) : readReply(rawResponse);
    },
  };
}

function apiOf(apis: readonly Api[], operation: string): Api {
  const found = apis.find(({ document }) => document.operations.has(operation));
  if (!found) throw new Error(`There is no operation ${operation}.`);
  return found;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An answer that a fault loses has the status 0. */
function readReply({ status, headers, text, fault }: RawResponse): Reply {
  if (fault?.connection) return { status: 0, headers: {}, body: undefined };
  return { status, headers, body: text === '' ? undefined : parseExact(text) };
}

function lowerCaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
