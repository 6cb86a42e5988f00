import {
  type Client,
  type ClientAnswer,
  type ClientOptions,
  createClient,
} from '../client/client.ts';
import { createTestControls, type TestControls } from './test-controls.ts';

/** The world that a key opens in a running emulator, with test controls. */
export interface EmbeddedWorld extends TestControls {
  readonly url: string;
  readonly key: string;
  /** Environment variables for a process that calls the emulator. */
  readonly env: Readonly<Record<string, string>>;
  /** Typed client for every operation of the service and of the control interface. */
  readonly client: Client;
  /** Returns the latest requests and warnings as text, to print when a test fails. */
  report(): Promise<string>;
  /** Returns everything that the world holds. Equal worlds give equal exports. */
  export(): Promise<ClientAnswer<'exportWorld'>>;
}

export function embeddedWorld(options: ClientOptions): EmbeddedWorld {
  const { url, key } = options;
  const client = createClient(options);
  return {
    url,
    key,
    env: { BILLING_EMULATOR_URL: url, BILLING_EMULATOR_KEY: key },
    client,
    report: () => reportOf(client),
    export: () => client.call('exportWorld'),
    ...createTestControls(client),
  };
}

/** Formats a world for the report of a failed test: its latest requests and its warnings. */
async function reportOf(client: Client): Promise<string> {
  const [requests, { items }] = [await formatRequests(client), await client.call('listWarnings')];
  const warnings = items.map(({ kind, message }) => `warning ${kind}: ${message}`);
  return [requests, ...warnings].join('\n');
}

type LoggedRequest = ClientAnswer<'listRequests'>['items'][number];

/** Maximum number of requests, and maximum number of characters of each body. */
const MAX_REQUESTS = 50;
const BODY_LENGTH = 500;

/** Formats the latest requests and responses of a world as text, oldest first. */
async function formatRequests(client: Client): Promise<string> {
  const { items, total_count } = await client.call('listRequests', {
    query: { limit: MAX_REQUESTS },
  });
  if (items.length === 0) return 'No requests.';
  const left = total_count - items.length;
  const lines = items.toReversed().flatMap(formatRequest);
  return [...(left > 0 ? [`${left} earlier ones left out.`] : []), ...lines].join('\n');
}

function formatRequest({ ordinal, method, path, query, status, ...rest }: LoggedRequest): string[] {
  const { request_body, response_body, fault } = rest;
  const address = query === undefined ? path : `${path}?${query}`;
  return [
    `${ordinal} ${method} ${address} ${status}${fault === undefined ? '' : ` (fault ${fault})`}`,
    ...(request_body === undefined ? [] : [`    > ${shorten(request_body)}`]),
    ...(response_body === undefined ? [] : [`    < ${shorten(response_body)}`]),
  ];
}

function shorten(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.length > BODY_LENGTH ? `${text.slice(0, BODY_LENGTH)}…` : text;
}
