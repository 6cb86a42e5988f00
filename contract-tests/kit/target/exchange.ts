import type { LooseParts, OperationId } from '../operations.ts';
import type { KeyPlace } from '../plan.ts';

/** One request and its answer. */
export interface ReceivedAnswer {
  readonly operation: OperationId;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it was sent, byte for byte read as UTF-8. */
  readonly text: string;
  /** The body as JSON; undefined where there is none, or it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: The caller knows what it asked for; the shape was judged.
  readonly body: any;
  readonly milliseconds: number;
  readonly request: SentRequest;
}

export interface SentRequest {
  readonly method: string;
  /** Path with parameters still by name. */
  readonly template: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Whatever was sent otherwise than a client would. */
  readonly sentWith: Pick<LooseParts, 'key' | 'actingFor' | 'contentType' | 'headers'>;
}

/** The same request for a terminal, with placeholders for base address, key and identifiers. */
export function curlOfRequest(
  { method, template, path, query, body }: SentRequest,
  options: { readonly place: KeyPlace; readonly showsValues: boolean },
): string {
  const { place, showsValues } = options;
  const target = showsValues ? path : template.replaceAll(/\{(\w+)\}/g, '$$$1');
  const parameters = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const search = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  const parts = [
    `curl -i -X ${method} "$BASE_URL${target}${search}"`,
    `-H "${place.header}: ${place.prefix}$API_KEY"`,
  ];
  if (body !== undefined) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    parts.push(`-H 'Content-Type: application/json' -d '${text.replaceAll("'", "'\\''")}'`);
  }
  return parts.join(' ');
}
