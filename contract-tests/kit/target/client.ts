import supertest, { type Test } from 'supertest';
import { parseExactly } from '../exact-json.ts';
import { fillPath, type LooseParts, type OperationId, operationOf } from '../operations.ts';
import { BrokenResponse, Unreachable } from '../outcome.ts';
import type { RunPlan } from '../plan.ts';

/** Sends one request to a target and returns the response. Validates nothing and follows no redirect. */
export async function sendToTarget(
  plan: Pick<RunPlan, 'target' | 'timeoutMs'>,
  operation: OperationId,
  parts: LooseParts,
): Promise<ReceivedResponse> {
  const sent = sentRequest(operation, parts);
  const started = performance.now();
  const response = await transmit(plan, sent, parts);
  const milliseconds = performance.now() - started;
  return { operation, ...response, body: readBody(response.text), milliseconds, request: sent };
}

export function sentRequest(operation: OperationId, parts: LooseParts): SentRequest {
  const spec = operationOf(operation);
  const { method = spec.method } = parts;
  const body = parts.raw === undefined ? parts.body : parts.raw;
  return {
    ...{ method, path: fillPath(spec, parts) },
    query: parts.query ?? {},
    body: typeof body === 'object' && ArrayBuffer.isView(body) ? '<bytes>' : body,
    sentWith: parts,
  };
}

type Verb = 'get' | 'post' | 'patch' | 'delete' | 'head' | 'options';

async function transmit(
  { target, timeoutMs }: Pick<RunPlan, 'target' | 'timeoutMs'>,
  sent: SentRequest,
  parts: LooseParts,
): Promise<Pick<ReceivedResponse, 'status' | 'headers' | 'text'>> {
  const verb = sent.method.toLowerCase() as Verb;
  const request = supertest(target.baseUrl)
    [verb](sent.path)
    .query(written(sent.query))
    .timeout({ deadline: timeoutMs })
    .ok(() => true)
    .buffer(true)
    .parse(collect as never);
  const key = parts.key === undefined ? target.key : parts.key;
  if (key !== null) request.set(target.keyPlace.header, `${target.keyPlace.prefix}${key}`);
  if (parts.actingFor !== undefined)
    request.set(`X-${target.serviceName}-Account`, parts.actingFor);
  for (const [name, value] of Object.entries(parts.headers ?? {})) request.set(name, value);
  const content = parts.raw ?? (parts.body === undefined ? undefined : JSON.stringify(parts.body));
  if (content !== undefined) request.set('Content-Type', parts.contentType ?? 'application/json');
  try {
    const response = await (content === undefined ? request : withContent(request, content));
    return {
      status: response.status,
      headers: response.headers,
      text: typeof response.body === 'string' ? response.body : '',
    };
  } catch (error) {
    const cause = causeOf(error);
    const isBroken = cause.startsWith('broken');
    throw new (isBroken ? BrokenResponse : Unreachable)(cause, { cause: error });
  } finally {
    // The library reports data after a broken response on the console as its own bug; this prevents
    // it.
    Object.assign(request, { timedout: true });
  }
}

/** Attaches the body. Bytes are sent unchanged; without this, the library would write them as JSON. */
function withContent(request: Test, content: string | Uint8Array): Test {
  if (typeof content === 'string') return request.send(content);
  return request.serialize((bytes) => bytes).send(Buffer.from(content));
}

/** The query as it is sent: without undefined values, and with lists separated by commas. */
function written(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
}

const MAX_BYTES = 16 * 1024 * 1024;

type Collected = (error: Error | null, body: unknown) => void;

/** Reads the body as text, whatever its content type. */
function collect(response: NodeJS.ReadableStream, done: Collected): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer | string) => {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(Buffer.from(chunk));
    else done(Object.assign(new Error(), { code: 'larger than 16 MiB' }), undefined);
  });
  response.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
}

function readBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|DEPTH_ZERO/;

/** Why there is no response: certificate, refused, unknown_host, no_answer or broken. */
function causeOf(error: unknown): string {
  const {
    code = '',
    message = '',
    timeout,
  } = error as NodeJS.ErrnoException & { timeout?: number };
  const words = `${code} ${message}`;
  if (timeout !== undefined || /ETIMEDOUT|ETIME\b/.test(words)) return 'no_answer';
  if (CERTIFICATE.test(words)) return 'certificate';
  if (words.includes('ECONNREFUSED')) return 'refused';
  if (/ENOTFOUND|EAI_AGAIN/.test(words)) return 'unknown_host';
  return `broken (${code === '' ? 'no HTTP answer' : code})`;
}

export interface ReceivedResponse {
  readonly operation: OperationId;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as received, decoded as UTF-8. */
  readonly text: string;
  /** The body parsed as JSON; undefined when there is none, or it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: The caller knows the type, and the shape has been validated.
  readonly body: any;
  readonly milliseconds: number;
  readonly request: SentRequest;
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The parts of the request that differ from an ordinary client's. */
  readonly sentWith: Pick<LooseParts, 'key' | 'actingFor' | 'contentType' | 'headers'>;
}

type Target = Pick<RunPlan['target'], 'keyPlace' | 'serviceName' | 'key'>;

/** The request as a curl command that uses the shell variables BASE_URL and API_KEY. */
export function curlOfRequest(request: SentRequest, target: Target): string {
  const { method, path, query, body } = request;
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
  const parts = [
    `curl -i -X ${method} "$BASE_URL"${quoted(path)}${search === '' ? '' : quoted(`?${search}`)}`,
    ...headersOf(request, target).map((header) => `-H ${header}`),
  ];
  if (body !== undefined)
    parts.push(`--data-raw ${quoted(typeof body === 'string' ? body : JSON.stringify(body))}`);
  return parts.join(' ');
}

function headersOf(
  { body, sentWith }: SentRequest,
  { keyPlace, serviceName, key: own }: Target,
): readonly string[] {
  const { key, actingFor, contentType = 'application/json', headers = {} } = sentWith;
  return [
    ...(key === null
      ? []
      : [`"${keyPlace.header}: ${keyPlace.prefix}$API_KEY${endOfKey(key ?? own, own)}"`]),
    ...(actingFor === undefined ? [] : [quoted(`X-${serviceName}-Account: ${actingFor}`)]),
    ...(body === undefined ? [] : [quoted(`Content-Type: ${contentType}`)]),
    ...Object.entries(headers).map(([name, value]) => quoted(`${name}: ${value}`)),
  ];
}

/** Keys of a check's own worlds start with the run's key; any other key is shown as a wrong one. */
function endOfKey(key: string, own: string): string {
  if (key === own) return '';
  return key.startsWith(`${own}-`) ? key.slice(own.length) : '-wrong';
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
