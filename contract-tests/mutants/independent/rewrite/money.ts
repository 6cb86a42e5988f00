import { type Context, credit, decimal, key, openAccount } from 'billing-emulator/internals';
import type { Advice, Loose, Mutant } from '../../mutant.ts';
import { overlay, reading, through } from '../deep.ts';
import { against } from '../production/window.ts';

/** Rules of money that are easily misread. */
export const moneyBugs: readonly Mutant[] = [
  against(
    'A-1501: in the calendar period of occurred_at; a late event counts in its own period',
    'counts a late event in the month in which it is submitted',
    {
      submitEvents: through('price_quantities', (table, _, { now }) => {
        const since = `${now.slice(0, 7)}-01`;
        const moved = (id: string) => id.replace(/\nmonthly\n.*$/, `\nmonthly\n${since}`);
        return {
          get: (id: string) => table.get(moved(id)),
          put: (row: Loose) =>
            table.put(row.period === 'monthly' ? { ...row, since, id: moved(row.id) } : row),
        };
      }),
    },
  ),
  against(
    'A-512, A-1501: simulation runs the same pricing code as real usage',
    'simulates the usage of a customer as if nothing had been used before',
    {
      simulateUsage: through('price_quantities', (table) => {
        const own = new Set<string>();
        return {
          get: (id: string) => (own.has(id) ? table.get(id) : undefined),
          put(row: Loose) {
            own.add(row.id);
            return table.put(row);
          },
        };
      }),
    },
  ),
  against(
    'A-509: the first whose wallet account covers its whole fee',
    'charges the first asset with a balance, whether it covers the fee or not',
    { submitEvents: chargingAnyBalance() },
  ),
  against(
    'A-705: the grant that expires soonest is drawn first, those that never expire last',
    'takes credit that never expires first when funds are subtracted',
    {
      adjustWallet: reading('grants', 'open', (grants) => {
        const turnOf = ({ priority, purpose }: Loose) => `${priority} ${purpose}`;
        return [...new Set(grants.map(turnOf))].flatMap((turn) => {
          const ofTurn = grants.filter((grant) => turnOf(grant) === turn);
          const isEndless = ({ expires_at }: Loose) => expires_at === null;
          return [...ofTurn.filter(isEndless), ...ofTurn.filter((grant) => !isEndless(grant))];
        });
      }),
    },
  ),
  against(
    'A-902: the worth of paid credit is what was paid, at the rate of the day on which it was granted',
    'values paid credit at the rate of the day on which it is drawn',
    { submitEvents: valuedToday(), chargeWallet: valuedToday() },
  ),
  against(
    'A-607: an entitlement that stays takes the new amount at its next refresh',
    'grants the difference at once when another version promises more',
    {
      updateSubscriptionProduct({ path }, context, run) {
        const held = () => heldOf(context, path.subscriptionId);
        const former = held();
        const reply = run();
        for (const [id, version] of held())
          if (former.get(id) !== version) giveMore(context, path, id, former.get(id), version);
        return reply;
      },
    },
  ),
];

/** Offers each price only in the first of its assets that has a balance. */
function chargingAnyBalance(): Advice {
  return (call, context, run) => {
    const { tables, owner } = context;
    const { customer_id, customer_external_id } = call.body;
    const id =
      customer_id ?? tables.customers.first('external', key(owner, customer_external_id))?.id ?? '';
    const hasBalance = ({ asset }: Loose) =>
      Number(tables.wallet_accounts.get(key(id, `default:${asset}`))?.available ?? 0) > 0;
    const offered = (price: Loose) => {
      const held = price.pricing.find(hasBalance);
      return held ? { ...price, pricing: [held] } : price;
    };
    const versions = overlay(context, 'versions', (table) => ({
      get(name: string) {
        const row = table.get(name);
        return row && { ...row, prices: row.prices.map(offered) };
      },
    }));
    return run(call, overlay(versions, 'subscriptions', freshHoldings));
  };
}

/** Subscriptions with copied histories, so that their prices are listed anew. */
const freshHoldings = (table: Loose) => ({
  list: (index: string, name: string) =>
    table.list(index, name).map((row: Loose) => ({
      ...row,
      history: row.history.map((holding: Loose) => ({ ...holding })),
    })),
});

function valuedToday(): Advice {
  return through('grants', (table, _, { tables, owner, now, settings }) => ({
    list(index: string, name: string) {
      const revalued = (row: Loose) => {
        const asset: Loose = tables.assets.get(key(owner, row.asset));
        const periods: Loose[] = asset?.schedules[settings.reporting_currency] ?? [];
        const period = periods.find(
          ({ valid_from, valid_to = '~' }) => valid_from <= now && now < valid_to,
        );
        if (row.worth?.kind !== 'paid' || row.source !== 'adjustment' || !period) return row;
        const amount = String(Number((row.amount * period.rate).toFixed(10)));
        return { ...row, worth: { ...row.worth, amount } };
      };
      const rows = table.list(index, name);
      return index === 'open' ? rows.map(revalued) : rows;
    },
  }));
}

const heldOf = ({ tables }: Context, id: string): Map<string, number> =>
  new Map(tables.subscriptions.get(id)?.products.map((held) => [held.id, held.version]));

/** Credits what a version promises beyond the former one. */
function giveMore(
  context: Context,
  path: Loose,
  product: string,
  ...numbers: readonly (number | undefined)[]
): void {
  const { tables, owner } = context;
  const [former = [], promised = []] = numbers.map(
    (version) => tables.versions.get(key(product, String(version)))?.entitlements,
  );
  for (const { name, asset, amount, purpose } of promised) {
    const earlier = former.find((each) => each.name === name && each.asset === asset);
    const more = Number(amount) - Number(earlier?.amount ?? amount);
    if (more <= 0) continue;
    const account = openAccount(context, { id: path.customerId, owner }, asset);
    const running = tables.grants.list('account', account.id).at(-1);
    credit(context, account, {
      amount: decimal(more),
      from: 'promotions',
      purpose,
      source: 'entitlement',
      expires_at: running?.expires_at ?? null,
      description: name,
    });
  }
}
