import { randomUUID } from 'node:crypto';
import { key } from 'billing-emulator/internals';
import { asking, type Loose, type Mutant } from '../../mutant.ts';
import { against } from '../production/window.ts';

/** Routers, middleware, cursors and clients of HTTP. */
export const httpBugs: readonly Mutant[] = [
  against(
    'GET /webhooks/events: cursor pagination; A-305: pages never overlap or skip items',
    'continues a cursor by time alone, so that events of the same instant are skipped',
    {
      listWebhookEvents(call, { tables, owner }, run) {
        const { next, limit = 100 } = call.query;
        if (next === undefined) return run();
        const reply = run({ ...call, query: { ...call.query, limit: 1000 } });
        const before = tables.webhook_events.get(key(owner, textOf(next)))?.created_at ?? '';
        const older = reply.body.items.filter(({ time }: Loose) => time < before);
        const items = older.slice(0, limit);
        const last = older.length > limit ? cursorOf(items.at(-1).id) : null;
        const pagination = { ...reply.body.pagination, limit, next: last };
        return { ...reply, body: { items, pagination } };
      },
    },
  ),
  against(
    'GET /tasks/{taskId}: {customer_id}:{subject}, URL-encoded; A-1001: subjects may contain anything',
    'decodes the id of a task twice',
    {
      getTask: asking(({ path }) => {
        path.taskId = decodedAgain(path.taskId);
      }),
    },
  ),
  against(
    'A-301: where a destination id is accepted, whd_… means the same destination',
    'does not know the other prefix of a destination in the filter of the log',
    {
      listWebhookEvents: asking(({ query }) => {
        const ids: string[] | undefined = query.destination_id;
        if (ids) query.destination_id = ids.map((id) => (id.startsWith('whd_') ? 'dst_' : id));
      }),
    },
  ),
  against(
    'A-205: every response has X-Request-Id, the own id of the client',
    'gives an error a request id of its own',
    {},
    {
      id: 'X-Request-Id: gives an error a request id of its own',
      rawResponse(answered) {
        const { status, headers } = answered;
        const isError = status >= 400 && headers['X-Request-Id'] !== undefined;
        return isError
          ? { ...answered, headers: { ...headers, 'X-Request-Id': randomUUID() } }
          : answered;
      },
    },
  ),
  against(
    'Signature: HMAC-SHA256 of <t>.<raw request body>',
    'signs text beyond ASCII in another spelling than it sends',
    {},
    { posting: (posting) => ({ ...posting, body: posting.body.replace(BEYOND_ASCII, escaped) }) },
  ),
];

const BEYOND_ASCII = /[\u0080-\uffff]/g;
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const textOf = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();
const cursorOf = (id: string): string => Buffer.from(id).toString('base64url');

function decodedAgain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
