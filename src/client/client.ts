import { addressOf } from '../spec/address.ts';
import { ADMIN_HEADER, HINT_HEADER, headerNames } from '../spec/header-names.ts';
import type { AnyOperationId, CallOf, Operations, ReplyOf } from '../spec/operations.ts';
import { didYouMean } from '../text/wording.ts';
import { ApiError, ConnectionError, type ConnectionFailure } from './errors.ts';

/** The parameters of an operation: path, query and body, typed by its document. */
export interface ClientRequest<Id extends AnyOperationId> {
  readonly path?: CallOf<Operations[Id]>['path'];
  readonly query?: CallOf<Operations[Id]>['query'];
  /** The body, or its JSON text, which is sent unchanged. */
  readonly body?: CallOf<Operations[Id]>['body'] | string;
  /** The connected account that the call acts for. */
  readonly account?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Aborts the request; the call then throws a ConnectionError. */
  readonly signal?: AbortSignal | undefined;
}

/** The response body of a successful operation. */
export type ClientResponse<Id extends AnyOperationId> = Extract<
  ReplyOf<Operations[Id]>,
  { readonly status: 200 | 201 | 202 | 204 }
>['body'];

/** A response with any status. */
export interface ClientReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A client for one world of a running emulator: every operation of the service and of the control API. */
export interface Client {
  /** Returns the response body. @throws ApiError for a rejection, ConnectionError where no answer comes */
  call<Id extends AnyOperationId>(id: Id, request?: ClientRequest<Id>): Promise<ClientResponse<Id>>;
  /** Returns the text of the response body, with exact numbers. @throws as `call` does */
  read<Id extends AnyOperationId>(id: Id, request?: ClientRequest<Id>): Promise<string>;
  /** Returns the response, whatever its status. @throws ConnectionError where none comes */
  send<Id extends AnyOperationId>(id: Id, request?: ClientRequest<Id>): Promise<ClientReply>;
}

export interface ClientOptions {
  readonly url: string;
  readonly key: string;
  /** Token of the control API, if one is set. */
  readonly token?: string | undefined;
  /** The service's name; the name of the account header contains it. */
  readonly serviceName?: string;
}

/** Creates a client of a running emulator, typed by its documents. */
export function createClient(options: ClientOptions): Client {
  const { key, token, serviceName = 'Service' } = options;
  const base = options.url.replace(/\/$/, '');
  const own = { Authorization: `Bearer ${key}`, ...(token && { [ADMIN_HEADER]: token }) };
  const accountHeader = headerNames(serviceName).account;

  async function send<Id extends AnyOperationId>(id: Id, request: ClientRequest<Id> = {}) {
    const { method, path, search } = addressOf(id, request);
    const { path: _, query: __, body, account, headers, signal, ...unknown } = request;
    for (const name of Object.keys(unknown))
      throw new Error(`A request of ${id} has no ${name}.${didYouMean(name, REQUEST_PARTS)}`);
    return exchange(`${base}${path}${search && `?${search}`}`, {
      method,
      ...(signal && { signal }),
      headers: {
        ...own,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(account !== undefined && { [accountHeader]: account }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  async function read<Id extends AnyOperationId>(id: Id, request?: ClientRequest<Id>) {
    const { status, text, headers } = await send(id, request);
    if (status >= 300) throw new ApiError(id, status, text, headers.get(HINT_HEADER));
    return text;
  }

  return {
    send,
    read,
    call: async (id, request) => {
      const text = await read(id, request);
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}

const REQUEST_PARTS = ['path', 'query', 'body', 'account', 'headers', 'signal'];

async function exchange(address: string, request: RequestInit): Promise<ClientReply> {
  const failed = (failure: ConnectionFailure) => (error: Error) => {
    throw new ConnectionError(request.signal?.aborted ? 'aborted' : failure, address, error);
  };
  const headers = headersOf(request, address);
  const response = await fetch(address, { ...request, headers }).catch(failed('unreachable'));
  const text = await response.text().catch(failed('interrupted'));
  return { status: response.status, headers: response.headers, text };
}

/** Builds the headers. In some runtimes, an error of `fetch` does not say that they were invalid. */
function headersOf({ headers }: RequestInit, address: string): Headers {
  try {
    return new Headers(headers);
  } catch (error) {
    throw new ConnectionError('unsendable', address, error as Error);
  }
}
