import type { Client, ClientAnswer } from '../client/client.ts';

/** Formats a world for the report of a failed test: its latest requests and its warnings. */
export async function reportOf(client: Client): Promise<string> {
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
