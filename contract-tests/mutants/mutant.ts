import type { IncomingHttpHeaders } from 'node:http';
import type { SettingsInput } from 'billing-emulator';

/**
 * The emulator with one deliberate defect, to prove that the contract suite finds it. A defect changes requests before
 * the emulator sees them, or responses before the client does.
 */
export interface Mutant {
  /** The defect in the words of a user. */
  readonly about: string;
  /** The checks that must find it. */
  readonly noticedBy: readonly string[];
  /** The operations whose requests and responses it changes. Default: those of the service. */
  readonly of?: readonly string[];
  /** Settings that differ from the service. */
  readonly settings?: SettingsInput;
  /** Edits a request. */
  request?(call: Call): void;
  /** Edits a response. */
  response?(answer: Answer, call: Call): void;
  /** Edits what receivers get. The signature stays that of the original body. */
  delivery?(delivery: WebhookRequest): void;
}

// biome-ignore lint/suspicious/noExplicitAny: A mutant violates the types on purpose.
export type Loose = any;

/** A request. */
export interface Call {
  /** Empty for a path that no operation has. */
  readonly operation: string;
  method: string;
  /** The path of the operation, or that of the request if it has none. */
  readonly template: string;
  /** The values in the path, as sent. */
  readonly path: Record<string, string>;
  readonly query: Record<string, string | string[]>;
  readonly headers: IncomingHttpHeaders;
  /** JSON, or the text if it is none; undefined without a body. */
  body: Loose;
}

/** A response. */
export interface Answer {
  status: number;
  readonly headers: Record<string, string>;
  /** JSON, or the text if it is none; undefined without a body. */
  body: Loose;
}

/** A webhook request to a receiver. */
export interface WebhookRequest {
  readonly headers: Record<string, string>;
  body: Loose;
}

/** A mutant by its parts. The checks that find it are added in `index.ts`. */
export type Defect = Omit<Mutant, 'noticedBy'>;

/** A defect of requests. */
export const asks = (
  about: string,
  of: string | readonly string[],
  request: (call: Call) => void,
): Defect => ({ about, of: [of].flat(), request });

/** A defect of the bodies of successful responses. */
export const shows = (
  about: string,
  of: string | readonly string[],
  change: (body: Loose, call: Call) => void,
): Defect => ({
  about,
  of: [of].flat(),
  response({ status, body }, call) {
    if (status < 300 && typeof body === 'object') change(body, call);
  },
});

/** Calls `change` with each value in JSON, with its name and the object that it is in, innermost first. */
export function eachValue(
  json: Loose,
  change: (value: Loose, name: string, holder: Loose) => void,
): void {
  if (typeof json !== 'object' || json === null) return;
  for (const name of Object.keys(json)) {
    eachValue(json[name], change);
    change(json[name], name, json);
  }
}
