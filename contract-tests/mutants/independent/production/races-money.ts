import { key } from 'billing-emulator/internals';
import type { Loose, Mutant } from '../../mutant.ts';
import { against, meeting, readingEarly } from './window.ts';

const transactionOf = ({ path, body }: Loose): string =>
  key(path.customerId, body.transaction_id.toLowerCase());

/** Requests that are in progress at the same time: wallets, usage and top-ups. */
export const moneyRaces: readonly Mutant[] = [
  against(
    'Wallets: transaction_id is the idempotency key, so a retry with the same id is safe',
    'credits twice if a retry comes while the first adjustment is in flight',
    { adjustWallet: readingEarly('transactions', (call) => [transactionOf(call)]) },
  ),
  against(
    'POST /customers/{customerId}/wallet/charges: 201; 400, 422; a retry with the same id is safe',
    'answers 409 to the retry of a charge that is in flight',
    {
      chargeWallet: meeting(
        (call) => `charge ${transactionOf(call)}`,
        () => ({ status: 409 }),
      ),
    },
  ),
  against(
    'Usage event, id: the same id is idempotent',
    'bills an event twice that stands in two batches in flight',
    {
      submitEvents: readingEarly('events', ({ body }, { owner }) =>
        body.events.map(({ id }: Loose) => key(owner, id.toLowerCase())),
      ),
    },
  ),
  against(
    'What the service does: accounts with balances that change through usage fees, ad-hoc charges, adjustments and top-ups',
    'a balance loses what happens while a batch of events is in flight',
    {
      submitEvents: readingEarly('wallet_accounts', ({ body }, { tables, owner }) => {
        const customer: Loose = body.customer_id
          ? tables.customers.get(body.customer_id)
          : tables.customers.first('external', key(owner, body.customer_external_id ?? ''));
        return tables.wallet_accounts.list('customer', customer?.id ?? '').map(({ id }) => id);
      }),
    },
  ),
  against(
    'POST /top-ups: 201 {id, status, redirect_url, created_at, expires_at}',
    'answers a second top-up of a customer in flight with the first one, whatever its amount',
    {
      createTopUp: meeting(
        ({ body }) => `top-up ${body.customer_id}`,
        (first) => first,
      ),
    },
  ),
];
