import { once } from 'node:events';
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestPlainly,
} from 'node:http';
import { request as requestSecurely } from 'node:https';
import { parseExactly } from '../exact-json.ts';
import { fillPath, type LooseParts, type OperationId, operationOf } from '../operations.ts';
import { BrokenResponse, Unreachable } from '../outcome.ts';
import type { RunPlan } from '../plan.ts';
import { unpackBody } from './unpack.ts';

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
    method,
    path: fillPath(spec, parts),
    query: parts.query ?? {},
    body: typeof body === 'object' && ArrayBuffer.isView(body) ? '<bytes>' : body,
    sentWith: parts,
  };
}

async function transmit(
  { target, timeoutMs }: Pick<RunPlan, 'target' | 'timeoutMs'>,
  { method, path, query }: SentRequest,
  parts: LooseParts,
): Promise<Pick<ReceivedResponse, 'status' | 'headers' | 'text'>> {
  const url = new URL(target.baseUrl);
  const open = url.protocol === 'https:' ? requestSecurely : requestPlainly;
  const content = parts.raw ?? (parts.body === undefined ? '' : JSON.stringify(parts.body));
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const request = open(url, {
      method,
      signal,
      headers: headersToSend(target, parts, content),
      path: `${url.pathname.replace(/\/$/, '')}${path}${searchOf(query)}`,
    });
    // What waits for the response reports errors; one that comes later is that of the response.
    request.on('error', () => {});
    const [response] = (await once(request.end(content), 'response')) as [IncomingMessage];
    const { statusCode: status = 0, headers } = response;
    return { status, headers, text: await textOf(response) };
  } catch (error) {
    const cause = signal.aborted ? 'no_answer' : causeOf(error as NodeJS.ErrnoException);
    const isBroken = cause.startsWith('broken');
    throw new (isBroken ? BrokenResponse : Unreachable)(cause, { cause: error });
  }
}

function headersToSend(
  { keyPlace, key: own, serviceName }: RunPlan['target'],
  { key = own, actingFor, headers, raw, body, contentType = 'application/json' }: LooseParts,
  content: string | Uint8Array,
): OutgoingHttpHeaders {
  const hasContent = raw !== undefined || body !== undefined;
  return {
    'Accept-Encoding': 'gzip, deflate',
    ...(key !== null && { [keyPlace.header]: `${keyPlace.prefix}${key}` }),
    ...(actingFor !== undefined && { [`X-${serviceName}-Account`]: actingFor }),
    ...headers,
    ...(hasContent && {
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(content),
    }),
  };
}

/** The query as it is sent, with its question mark: without undefined values, and with lists separated by commas. */
export function searchOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? '' : `?${search}`;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** The body as text, whatever its content type. */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('larger than 16 MiB');
  }
  const bytes = unpackBody(Buffer.concat(chunks), response.headers['content-encoding']);
  if (!bytes) throw new Error('a body that cannot be decompressed');
  return bytes.toString('utf8');
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
function causeOf({ code = '', message = '' }: NodeJS.ErrnoException): string {
  const words = `${code} ${message}`;
  if (/ETIMEDOUT|ETIME\b/.test(words)) return 'no_answer';
  if (CERTIFICATE.test(words)) return 'certificate';
  if (words.includes('ECONNREFUSED')) return 'refused';
  if (/ENOTFOUND|EAI_AGAIN/.test(words)) return 'unknown_host';
  return `broken (${code || message})`;
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
