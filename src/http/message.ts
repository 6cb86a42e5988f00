import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** A request as received, without its body. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** The query string, without the question mark. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether it came by https. */
  readonly isSecure?: boolean;
}

/** A complete HTTP response, ready to be sent. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The problem details that `text` holds. */
  readonly problem?: object;
  /** The body in pieces, if it is too large for one string. */
  readonly pieces?: Iterable<string>;
  /** The fault that made or changed the response. */
  readonly fault?: AppliedFault;
}

export interface AppliedFault {
  readonly name: string;
  /** How the connection ends instead of a complete response. */
  readonly connection?: 'reset' | 'empty' | 'truncated';
}

/** Means that no response is sent: the world was reset during a delay. */
export const ABORTED: RawResponse = { status: 0, headers: {}, text: '' };

/** Writes a response as it is, outside of the pipeline. */
export function writeRaw(
  response: ServerResponse,
  { status, headers, text }: Pick<RawResponse, 'status' | 'headers' | 'text'>,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
