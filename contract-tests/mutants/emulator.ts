import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import {
  createEmulator,
  createPoster,
  type Emulator,
  type GivenSettings,
  handlers,
  JOBS,
  type Poster,
  type RawResponse,
} from 'billing-emulator/internals';
import { onLoopback } from '../kit/loopback.ts';
import { type Mutant, type MutatedRequest, mutate, mutateJobs } from './mutant.ts';

/** An emulator with a defect. It does not check its own responses, because that would report the defect. */
export const createMutant = (mutant: Mutant, settings: GivenSettings = {}): Emulator =>
  createEmulator({
    settings: {
      ...{ fixture: '', log_level: 'silent' },
      ...mutant.settings,
      ...settings,
    },
    checkResponses: false,
    handlers: mutate(handlers, mutant),
    jobs: mutateJobs(JOBS, mutant),
    poster: misposting(mutant),
  });

/** Serves a mutant on a free loopback port. */
export async function startMutant(mutant: Mutant, settings?: GivenSettings) {
  const emulator = createMutant(mutant, settings);
  const server = await onLoopback(tamper(emulator.handle, mutant));
  return {
    baseUrl: server.baseUrl,
    async close() {
      await server.close();
      await emulator.close();
    },
  };
}

/** Sends webhook requests with the mutant's changes. */
function misposting({ posting: change, posted }: Mutant): Poster {
  const poster = createPoster();
  return {
    async post(posting) {
      const changed = change ? await change(posting) : posting;
      const outcome = changed ? await poster.post(changed) : UNSENT;
      return posted ? posted(outcome) : outcome;
    },
    close: () => poster.close(),
  };
}

const UNSENT = { status_code: 204, error: null, duration_ms: 0, response: null };

/** A request listener with the mutant's changes to keys, request bodies and finished responses. */
function tamper(handle: RequestListener, mutant: Mutant): RequestListener {
  return (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const asked = { method, path: url.split('?')[0] as string, headers };
    const key = mutant.lendKey?.(asked);
    if (key !== undefined) request.headers.authorization = `Bearer ${key}`;
    if (mutant.rawResponse) rewrite(response, mutant, asked);
    if (mutant.requestBody)
      reword(request, mutant, asked, (reworded) => handle(reworded, response));
    else handle(request as IncomingMessage, response);
  };
}

/** Reads a request to its end and passes on a copy with another body. */
function reword(
  request: IncomingMessage,
  { requestBody: change = (body) => body }: Mutant,
  asked: MutatedRequest,
  handle: (reworded: IncomingMessage) => void,
): void {
  const { method, url, headers, socket } = request;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const sent = Buffer.concat(chunks);
    const body = changedJson(sent, (json) => change(json, asked));
    const length = sent.length > 0 && { 'content-length': `${body.length}` };
    const reworded = new IncomingMessage(socket);
    Object.assign(reworded, { method, url, headers: { ...headers, ...length }, complete: true });
    reworded.push(body);
    reworded.push(null);
    handle(reworded);
  });
}

function changedJson(text: Buffer, change: (json: Record<string, unknown>) => unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(change(JSON.parse(text.toString()))));
  } catch {
    return text;
  }
}

/** Changes the responses of the API. Responses that do not call `writeHead`, such as pages, stay unchanged. */
function rewrite(response: ServerResponse, mutant: Mutant, asked: MutatedRequest): void {
  const [writeHead, end] = [response.writeHead.bind(response), response.end.bind(response)];
  let head: Omit<RawResponse, 'text'> | undefined;
  response.writeHead = ((status: number, headers: Record<string, string> = {}) => {
    head = { status, headers };
    return response;
  }) as typeof response.writeHead;
  response.end = ((...given: [text?: string]) => {
    response.writeHead = writeHead;
    if (!head || !mutant.rawResponse) return end(...given);
    const { status, headers, text } = mutant.rawResponse({ ...head, text: given[0] ?? '' }, asked);
    const { 'Content-Length': _, ...rest } = headers;
    const length = status === 204 ? {} : { 'Content-Length': Buffer.byteLength(text) };
    writeHead(status, { ...rest, ...length });
    return end(text);
  }) as typeof response.end;
}
