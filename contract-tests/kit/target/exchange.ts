import type { LooseParts, OperationId } from '../operations.ts';
import type { RunPlan } from '../plan.ts';

export interface ReceivedAnswer {
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
