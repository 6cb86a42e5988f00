import type { Context } from 'billing-emulator/internals';
import { after, asking, type Loose, type Mutant, showing } from '../mutant.ts';
import { bugs, remembering } from './bug.ts';
import { actingFor, drawing, keeping, overlay, reading, refuse } from './deep.ts';

const RANKS: Loose = { promotion: 0, bundled: 1, paid: 2 };
const purpose = (left: Loose, right: Loose): number => RANKS[left.purpose] - RANKS[right.purpose];
const ends = ({ expires_at }: Loose): string => expires_at ?? '9999';
const text = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** The customer's transaction with the id of the request, regardless of case. */
const transaction = ({ tables }: Context, { path, body }: Loose): Loose =>
  tables.transactions.get(`${path.customerId}\n${body.transaction_id.toLowerCase()}`);

/** Another id, which no caller has sent. */
const another = (id: string): string =>
  `${id.slice(0, -4)}${id.slice(-4) === 'ffff' ? '0000' : 'ffff'}`;

/** Rounds to a number of decimal places, half to even. */
function rounded(amount: number, places: number): number {
  const scaled = Number((amount * 10 ** places).toPrecision(15));
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  return (up ? floor + 1 : floor) / 10 ** places;
}

const placesOf = ({ tables, owner }: Context, asset: string): number =>
  tables.assets.get(`${owner}\n${asset}`)?.precision ?? 10;

/** The original requests, by world and transaction. */
const sent = remembering<string>();

/** Wallets, grants, adjustments, charges, top-ups and the portal. */
export const creditBugs: readonly Mutant[] = bugs({
  submitEvents: {
    'draws the oldest credit of a purpose first, whatever expires sooner': drawing(
      (left, right) => purpose(left, right) || text(left.effective_at, right.effective_at),
    ),
  },
  chargeWallet: {
    'draws credit of a higher priority number first': drawing(
      (left, right) =>
        (right.priority ?? -1) - (left.priority ?? -1) ||
        purpose(left, right) ||
        text(ends(left), ends(right)),
    ),
    'takes the id of an adjustment as free': (call, context, run) => {
      const earlier = transaction(context, call);
      if (earlier?.source !== 'adjustment') return run();
      const transaction_id = another(call.body.transaction_id);
      return run({ ...call, body: { ...call.body, transaction_id } });
    },
    'charges again where a retry spells the id in another case': (call, context, run) => {
      const { transaction_id } = call.body;
      const earlier = transaction(context, call);
      if (!earlier || earlier.transaction_id === transaction_id) return run();
      return run({ ...call, body: { ...call.body, transaction_id: another(transaction_id) } });
    },
    'rounds the parts of a charge each by itself': asking(({ body }, context) => {
      const { unit_price, input_units = 1, input_volume, volume_rate, package_size = 1 } = body;
      if (unit_price == null || input_volume == null || volume_rate == null) return;
      const places = placesOf(context, body.asset);
      const volume = (input_volume * volume_rate) / (package_size ?? 1);
      body.amount = rounded(unit_price * (input_units ?? 1), places) + rounded(volume, places);
      for (const name of ['unit_price', 'input_units', 'input_volume', 'volume_rate'])
        delete body[name];
      delete body.package_size;
    }),
  },
  adjustWallet: {
    'draws free credit first for a refund': (call, context, run) => {
      if (call.body.reason !== 'external_refund') return run();
      const known = (id: string): Loose => context.tables.grants.get(id);
      const even = overlay(context, 'grants', (table) => ({
        list: (...asked: string[]) =>
          table.list(...asked).map((row: Loose) => ({ ...row, purpose: 'paid' })),
        put: (row: Loose) => table.put({ ...row, purpose: known(row.id)?.purpose ?? row.purpose }),
      }));
      return run(call, even);
    },
    'repays no debt by a gift': keeping('grants', (row, { body }) =>
      body.reason === 'gift' && !row.pending ? { ...row, remaining: row.amount, repaid: '0' } : row,
    ),
    'takes a retry that is written otherwise for another request': (call, context, run) => {
      const { transaction_id } = call.body;
      const id = `${call.path.customerId} ${transaction_id.toLowerCase()}`;
      const now = JSON.stringify(call.body);
      const known = sent(context);
      if (known.has(id) && known.get(id) !== now) refuse('transaction_id');
      const reply = run();
      known.set(id, now);
      return reply;
    },
    'gives credit to come again with each retry': reading('grants', 'pending', () => []),
  },
  getWalletAccount: {
    'counts top-ups that nobody has paid as pending': showing(
      ({ id, pending_in }, { path }, { tables }) => ({
        pending_in: tables.top_ups
          .list('customer', path.customerId)
          .filter(
            ({ status, account_name, asset }) =>
              status === 'initiated' && `${account_name}:${asset}` === id,
          )
          .reduce((sum, { credit }) => sum + Number(credit), pending_in),
      }),
    ),
  },
  createTopUp: {
    'knows no currency of three decimals': after(({ body: { amount } }) => {
      if (Number(amount.toFixed(2)) !== amount) refuse('amount');
    }),
  },
  createPortalSession: {
    'opens the portal for customers of any account': actingFor(
      ({ body }, { tables }) => tables.customers.get(body.customer_id)?.owner,
    ),
  },
});
