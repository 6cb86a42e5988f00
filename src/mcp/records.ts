import { formatChange } from '../client/change-lines.ts';
import type { ClientRequest } from '../client/index.ts';
import { ADDRESSES } from '../spec/addresses.ts';
import type { AnyOperationId } from '../spec/operations.ts';
import { brief, cut, type Input, PAGE, pick, read, type Tool, type ToolContext } from './tool.ts';

/** What `world_state` shows, by the operation that tells it. */
const STATE = {
  clock: ['getClock', { limit: 5 }],
  customers: ['listCustomers', { limit: 5 }],
  products: ['listProducts', { limit: 5 }],
  events: ['listEvents', { limit: 1 }],
  warnings: ['listWarnings', { limit: 5 }],
  failed_deliveries: ['listDeliveries', { limit: 5, status: 'failed' }],
  faults: ['listFaults', {}],
  snapshots: ['listSnapshots', {}],
} as const;

/** How a record is found: the operation, the parameter that takes the id, and what such an id looks like. */
const FINDERS = [
  ['getCustomer', 'path', 'customerId', /^cust_/],
  ['getProduct', 'path', 'productId', /^prp_/],
  ['getTopUp', 'path', 'topUpId', /^top_/],
  ['getVendor', 'path', 'vendorId', /^vnd_/],
  ['getWebhook', 'path', 'webhookId', /^dst_/],
  ['getConnectedAccount', 'path', 'accountId', /^acc_/],
  ['getEvent', 'path', 'eventId', /^[\da-f]{8}-/i],
  ['listCustomers', 'query', 'external_id', /./],
  ['listProducts', 'query', 'code', /./],
  ['listCustomers', 'query', 'name', /./],
  ['getTask', 'path', 'taskId', /./],
] as const;

async function find({ client }: ToolContext, { id }: Input): Promise<string> {
  for (const [operation, part, name, shape] of FINDERS) {
    if (!shape.test(String(id))) continue;
    const request = { [part]: { [name]: id } } as ClientRequest<typeof operation>;
    const { status, text } = await client.send(operation, request);
    if (status === 200 && JSON.parse(text).total_count !== 0) return `${operation}: ${brief(text)}`;
  }
  return `Nothing is called ${id}. explain reads fees (fee_…), requests reads requests (req_…).`;
}

/** Calls any operation. @throws Error where nothing may be changed and the operation could */
async function call(context: ToolContext, input: Input): Promise<string> {
  const operation = String(input['operation']);
  const isKnown = Object.hasOwn(ADDRESSES, operation);
  if (context.isReadOnly && isKnown && ADDRESSES[operation as AnyOperationId][0] !== 'GET')
    throw new Error(`${operation} changes the world, and this server is read-only.`);
  return read(context, operation, pick(input, 'path', 'query', 'body', 'account'));
}

async function requests({ client }: ToolContext, input: Input): Promise<string> {
  const request = { query: { limit: 10, ...input } } as ClientRequest<'listRequests'>;
  const { items, total_count } = await client.call('listRequests', request);
  const blocks = items.map(({ request_id, at, method, path, status, response_body, changes }) => {
    const reason = status >= 400 ? [JSON.stringify(response_body)] : [];
    const lines = changes.map((change) => `${change.words} ${formatChange(change)}`);
    return [`${request_id} ${at} ${method} ${path} ${status}`, ...reason, ...lines].join('\n  ');
  });
  return cut([`${items.length} of ${total_count} requests`, ...blocks].join('\n'));
}

/** Tools that look at records, and the one that calls the service. */
export const RECORD_TOOLS: readonly Tool[] = [
  {
    name: 'world_state',
    about:
      'Overview of the world: time and scheduled work, customers, products, warnings, failed deliveries, faults, snapshots. Start here.',
    input: {},
    async run(context) {
      const parts = Object.entries(STATE).map(
        async ([name, [operation, query]]) =>
          `${name}: ${await read(context, operation, { query })}`,
      );
      return cut((await Promise.all(parts)).join('\n'));
    },
  },
  {
    name: 'find',
    about: 'Find a record by its id, external id, name or code.',
    input: { id: 'Id of any record, or external id, name or code' },
    required: ['id'],
    run: find,
  },
  {
    name: 'explain',
    about:
      'How a fee was calculated, step by step; for a usage event also why prices made no fee. Use it whenever a fee is missing or unexpected.',
    input: { id: 'Id of a fee (fee_…) or of a usage event' },
    required: ['id'],
    async run({ client }, { id }) {
      const headers = { Accept: 'text/plain' };
      return cut(await client.read('explain', { path: { id: String(id) }, headers }));
    },
  },
  {
    name: 'call',
    about:
      'Call any operation of the service or the control API by its id, such as listEvents or submitEvents. The resources spec/openapi.yaml and spec/control.yaml describe them.',
    input: {
      operation: 'Id of the operation',
      path: { type: 'object', description: 'Path parameters by name' },
      query: { type: 'object', description: 'Query parameters by name' },
      body: { type: 'object', description: 'Request body' },
      account: 'Connected account to act for',
    },
    required: ['operation'],
    run: call,
  },
  {
    name: 'requests',
    about: 'The latest requests to the service, newest first, and what each changed.',
    input: {
      operation: 'Only this operation',
      customer: 'Only requests that name this customer',
      status: { type: 'integer', description: 'Only this status' },
      request_id: 'Only this request (req_…)',
      ...PAGE,
    },
    run: requests,
  },
  {
    name: 'warnings',
    about:
      'Accepted input that may be a mistake, such as usage that matches no price. Look here when something has no effect.',
    input: PAGE,
    run: (context, input) => read(context, 'listWarnings', { query: { limit: 10, ...input } }),
  },
];
