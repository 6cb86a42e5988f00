import type { RawResponse } from 'billing-emulator/internals';
import type { OperationId } from 'billing-emulator/spec';
import { type Loose, type Mutant, type MutatedRequest, mutant, showing } from '../../mutant.ts';
import { bugs, sending } from '../bug.ts';
import { actingFor, keeping, relisted, through } from '../deep.ts';

/** Bugs in keys, accounts, customers, metadata, stats and destinations. */

/** Drops metadata with empty values. */
const dropEmpty = (body: Loose): void => {
  if (!body.metadata) return;
  const filled = Object.entries(body.metadata).filter(([, text]) => text);
  body.metadata = Object.fromEntries(filled);
};

const DESCRIBED: readonly OperationId[] = [
  'createConnectedAccount',
  'createCustomer',
  'updateCustomer',
  'adjustWallet',
  'chargeWallet',
  'createTopUp',
];

const ofMargin = (stats: Loose): Loose => ({
  ...stats,
  margin: Number((stats.margin * 100).toPrecision(12)),
});

/** A body with the margin in percent, in its own stats and in those of its items. */
function inPercent(body: Loose): Loose {
  const shown = body.margin === undefined ? { ...body } : ofMargin(body);
  for (const name of ['stats', 'summary']) if (body[name]) shown[name] = ofMargin(body[name]);
  for (const name of ['items', 'events']) if (body[name]) shown[name] = body[name].map(inPercent);
  return shown;
}

const REPORTING: readonly OperationId[] = [
  'getCustomerStats',
  'listCustomerStats',
  'getEvent',
  'listEvents',
  'listTasks',
  'getTask',
];

const ofAll = <T>(operations: readonly OperationId[], advice: T): Record<string, T> =>
  Object.fromEntries(operations.map((operation) => [operation, advice]));

const KEY = /^Bearer key_(test|live)_[a-z0-9][a-z0-9-]{0,62}$/i;
const STRANGER = 'key_test_stranger';
const SERVICE =
  /^\/(accounts|assets|billing-portal|customers|events|products|tasks|top-ups|vendors|webhooks)\b/;

const hasNoKey = ({ path, headers }: MutatedRequest): boolean =>
  SERVICE.test(path) &&
  headers['x-service-api-key'] === undefined &&
  !KEY.test(headers.authorization ?? '');

const isUnread = ({ status }: RawResponse, method: string): boolean =>
  status === 400 && method !== 'GET';

export const secondCustomerBugs: readonly Mutant[] = [
  {
    ...mutant(
      'authenticate: reads the body before the key',
      'Answers 400 to a body that cannot be read, whatever the key',
      [],
    ),
    lendKey: (asked) => (hasNoKey(asked) ? STRANGER : undefined),
    rawResponse: (response, { method, headers }) =>
      headers.authorization !== `Bearer ${STRANGER}` || isUnread(response, method)
        ? response
        : { status: 401, headers: {}, text: '' },
  },
  mutant(
    'metadata: drops values that are empty',
    'Keeps no metadata whose value is an empty text',
    [],
    ofAll(DESCRIBED, sending(dropEmpty)),
  ),
  mutant(
    'stats: shows the margin in percent',
    'Shows the margin in percent and not as a ratio',
    [],
    ofAll(REPORTING, showing(inPercent)),
  ),
  ...bugs({
    getAccountContext: {
      'shows the platform to a connected account': actingFor((_, { world }) => world.accountId),
    },
    createConnectedAccount: {
      'takes the external id of another account': through('accounts', () => ({
        first: () => undefined,
      })),
    },
    listCustomers: {
      'takes one inactive subscription for an inactive customer': relisted(
        ['status'],
        (items, { status }, { tables }) =>
          items.filter(
            ({ id }) =>
              status === undefined ||
              tables.subscriptions.list('customer', id).some((row) => row.status === status),
          ),
      ),
    },
    getCustomerStats: {
      'leaves out the margin where there is no revenue': showing((body) => {
        if (body.gross_revenue === 0) delete body.margin;
      }),
    },
    getWebhook: {
      'masks the secret': showing(({ secret }) => ({
        secret: `${secret.slice(0, 6)}****${secret.slice(-4)}`,
      })),
    },
    updateWebhook: {
      'leaves updated_at as it was': keeping('webhooks', (row, _, { tables }) => ({
        ...row,
        updated_at: tables.webhooks.get(row.id)?.updated_at ?? row.updated_at,
      })),
    },
  }),
];
