import { asking, type Loose, type Mutant } from '../../mutant.ts';
import { across, bugs } from '../bug.ts';
import { keeping, reading, rescheduled, seeing, through } from '../deep.ts';
import { alike } from './pairs-of-operations.ts';

/** Bugs in customers and subscriptions that show only where two sentences of the specification meet. */

const LONGEST = 32;

/** An account id, or a key that ends in one, with its asset code cut to 32 characters. */
const shortened = (id: string): string => {
  const colon = id.lastIndexOf(':');
  return id.slice(0, colon + 1 + LONGEST);
};

const customerOf = ({ body }: Loose, { tables, owner }: Loose): Loose =>
  tables.customers.get(body.customer_id) ??
  tables.customers.first('external', `${owner}\n${body.customer_external_id}`);

/** An asset's row with the rate of an instant as its only rate. */
const lockedAt = (row: Loose, at: string): Loose =>
  rescheduled(row, (list) => {
    const locked = list.find(({ valid_from, valid_to }) => {
      return valid_from <= at && (valid_to === undefined || at < valid_to);
    });
    if (!locked) return list;
    const { valid_to: _end, ...rest } = locked;
    return [{ ...rest, valid_from: '1970-01-01T00:00:00.000Z' }];
  });

export const pairedCustomerBugs: readonly Mutant[] = [
  across(
    'cuts the code of an asset in the accounts that it opens',
    alike(
      through('wallet_accounts', (table) => ({
        get: (id: string) => table.get(shortened(id)),
        put: (row: Loose) =>
          table.put({
            ...row,
            id: shortened(row.id),
            account_id: shortened(row.account_id),
            asset: row.asset.slice(0, LONGEST),
          }),
      })),
      'createSubscription',
      'createCustomer',
    ),
  ),
  ...bugs({
    updateSubscription: {
      'takes up a subscription again in the version that is now the default': keeping(
        'subscriptions',
        (row, { body }, { tables }) => {
          if (body.status !== 'active' || row.status !== 'inactive') return row;
          const products = row.products.map((held: Loose) => ({
            ...held,
            version: tables.products.get(held.id)?.default_version ?? held.version,
          }));
          return { ...row, products };
        },
      ),
    },
    createSubscription: {
      'lets a customer of a connected account have a product of the platform': through(
        'products',
        (table, _, { owner, world }) => ({
          get(id: string) {
            const row = table.get(id);
            return row?.owner === world.accountId ? { ...row, owner } : row;
          },
          put: (row: Loose) => table.put({ ...row, owner: table.get(row.id).owner }),
        }),
      ),
    },
    listCustomers: {
      'finds nobody by external_id whose subscriptions have all ended': asking(
        ({ query }, { tables, owner }) => {
          const { external_id } = query;
          const customer = tables.customers.first('external', `${owner}\n${external_id}`);
          const all = customer ? tables.subscriptions.list('customer', customer.id) : [];
          if (all.length > 0 && all.every(({ status }) => status === 'inactive'))
            query.external_id = `${external_id}\n`;
        },
      ),
    },
    submitEvents: {
      'bills by the subscription alone that started last': reading(
        'subscriptions',
        'started',
        (rows) => rows.slice(-1),
      ),
      'values usage at the rate of the start that its subscription asked for': (
        call,
        context,
        run,
      ) => {
        const customer = customerOf(call, context);
        const subscriptions = customer
          ? context.tables.subscriptions
              .list('customer', customer.id)
              .filter(({ status }) => status === 'active')
          : [];
        const { starts_at = undefined } = subscriptions.find((row) => row.starts_at) ?? {};
        if (starts_at === undefined) return run();
        return seeing('assets', (row) => lockedAt(row, starts_at))(call, context, (other, within) =>
          run(other, within),
        );
      },
    },
  }),
];
