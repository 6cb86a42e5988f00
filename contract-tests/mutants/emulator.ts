import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createEmulator, type Poster, type SettingsInput } from 'billing-emulator';
import { loadDocument } from 'billing-emulator/spec';
import { findOperation } from '../kit/operations.ts';
import type { Answer, Call, Mutant, WebhookRequest } from './mutant.ts';

/** Serves a mutant on a free loopback port. */
export async function startMutant(mutant: Partial<Mutant>, settings: SettingsInput = {}) {
  const own = { port: 0, fixture: '', log_level: 'silent' };
  const emulator = createEmulator({
    settings: { ...own, ...mutant.settings, ...settings },
    around: (handle) => distorted(handle, mutant),
    ...(mutant.delivery && { poster: posterWith(mutant.delivery) }),
  });
  return { baseUrl: await emulator.listen(), close: () => emulator.close() };
}

/** Sends webhook requests after a change. */
const posterWith = (change: (delivery: WebhookRequest) => void): Poster => ({
  async post({ url, headers, body: text, signal }) {
    const delivery: WebhookRequest = { headers: { ...headers }, body: JSON.parse(text) };
    const before = JSON.stringify(delivery.body);
    change(delivery);
    const changed = JSON.stringify(delivery.body);
    const body = changed === before ? text : changed;
    const sending = { method: 'POST', headers: delivery.headers, body, signal } as const;
    const ended = { duration_ms: 0, response: null };
    try {
      const { status, ok } = await fetch(url, { ...sending, redirect: 'manual' });
      return { ...ended, status_code: status, error: ok ? null : `HTTP ${status}` };
    } catch (error) {
      return { ...ended, status_code: null, error: String(error) };
    }
  },
  close() {},
});

/** A request listener with the mutant's changes to requests and responses. */
function distorted(handle: RequestListener, mutant: Partial<Mutant>): RequestListener {
  return (request, response) => {
    const call = callOf(request);
    const isMeant = mutant.of
      ? mutant.of.includes(call.operation)
      : !/^\/(_emulator|hosted)\b/.test(request.url ?? '');
    if (!isMeant) return void handle(request, response);
    if (mutant.response)
      rewrite(response, (answer) => ifItFits(() => mutant.response?.(answer, call)));
    if (mutant.request) reword(request, call, mutant, (reworded) => handle(reworded, response));
    else handle(request, response);
  };
}

/** Changes what has the form that the mutant expects, and leaves what has another: checks send bodies of any form. */
function ifItFits(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** The service's interface, and that of the emulator's controls. */
const DOCUMENTS = [loadDocument('openapi'), loadDocument('control')];

/** The request without its body. */
function callOf({ method = 'GET', url = '/', headers }: IncomingMessage): Call {
  const [path = '/', search = ''] = url.split('?');
  const query: Call['query'] = {};
  for (const [name, value] of new URLSearchParams(search))
    query[name] = name in query ? [query[name] as string, value].flat() : value;
  const [found] = DOCUMENTS.flatMap((each) => findOperation(each, method, path) ?? []);
  const { operation, values = {} } = found ?? {};
  const template = operation?.path ?? path;
  return {
    operation: operation?.id ?? '',
    template,
    method,
    path: values,
    query,
    headers,
    body: undefined,
  };
}

/** Reads a request to its end, and passes it on with the mutant's changes. */
function reword(
  request: IncomingMessage,
  call: Call,
  mutant: Partial<Mutant>,
  handle: (reworded: IncomingMessage) => void,
): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const sent = Buffer.concat(chunks);
    call.body = parsed(sent.toString());
    const before = JSON.stringify(call);
    ifItFits(() => mutant.request?.(call));
    const isSame = JSON.stringify(call) === before;
    const body = isSame || call.body === undefined ? sent : Buffer.from(textOf(call.body));
    const reworded = new IncomingMessage(request.socket);
    const length = sent.length > 0 && { 'content-length': `${body.length}` };
    const url = isSame ? request.url : urlOf(call);
    const { method } = call;
    Object.assign(reworded, {
      method,
      url,
      headers: { ...call.headers, ...length },
      complete: true,
    });
    reworded.push(body);
    reworded.push(null);
    handle(reworded);
  });
}

function urlOf({ template, path, query }: Call): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] as string);
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  );
  return `${filled}?${search}`;
}

/** Changes a response of an operation. Pages do not call `writeHead`, and stay as they are. */
function rewrite(response: ServerResponse, change: (answer: Answer) => void): void {
  const [writeHead, end] = [response.writeHead.bind(response), response.end.bind(response)];
  let head: Pick<Answer, 'status' | 'headers'> | undefined;
  response.writeHead = ((status: number, headers: Record<string, string> = {}) => {
    head = { status, headers: { ...headers } };
    return response;
  }) as typeof response.writeHead;
  response.end = ((...given: [text?: string]) => {
    response.writeHead = writeHead;
    if (!head) return end(...given);
    const [text = ''] = given;
    const answer = { ...head, body: parsed(text) };
    const before = JSON.stringify(answer.body);
    change(answer);
    const { status, headers, body } = answer;
    const changed = JSON.stringify(body) === before ? text : textOf(body);
    const { 'Content-Length': _, ...rest } = headers;
    const hasType = changed === '' || 'Content-Type' in rest;
    writeHead(status, {
      ...rest,
      ...(!hasType && { 'Content-Type': 'application/json' }),
      ...(status !== 204 && { 'Content-Length': Buffer.byteLength(changed) }),
    });
    return end(changed);
  }) as typeof response.end;
}

const textOf = (body: unknown): string =>
  typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
