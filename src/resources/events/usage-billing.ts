import { format, isZero } from '../../domain/decimal.ts';
import { type FeeLine, priceEvent } from '../../domain/pricing/price-event.ts';
import { isRoundedAway } from '../../domain/pricing/reckoning.ts';
import { sharedText } from '../../store/exact-size.ts';
import type { AssetChoice, Draft, FeeRecord, TransactionRow } from '../../store/records.ts';
import { openAccount } from '../wallets/ledger.ts';
import { revenueText } from '../wallets/transactions.ts';
import { availableOf, type BillableUsage, type Billing } from './billing.ts';
import { termsOf } from './fee-terms.ts';
import { countUsage } from './price-quantities.ts';
import { type OfferedPrice, pricesFor } from './usage-prices.ts';
import type { FreeUsage } from './usage-warnings.ts';

/** The fees of a usage event, and why it costs nothing, or nothing by some price. */
export interface BilledUsage {
  readonly fees: FeeRecord[];
  readonly free: readonly FreeUsage[];
}

/**
 * Prices one usage event and debits its fees. Each fee sees the balances that earlier fees left.
 *
 * @assumes
 */
export function billUsage(billing: Billing, usage: BillableUsage): BilledUsage {
  const fees: FeeRecord[] = [];
  const free: FreeUsage[] = [];
  const prices = billing.pricesAt(usage.occurred_at);
  const counting = pricesFor(prices, usage.event_type);
  if (counting.length === 0) free.push({ why: 'no_price', prices });
  for (const price of counting) {
    const line = priceEvent(usage, price, billing.payer);
    if (typeof line === 'string') {
      free.push({ why: line, price });
      continue;
    }
    const { asset, amount, reckoning } = line;
    if (isRoundedAway(reckoning, amount)) free.push({ why: 'rounded_away', price, asset });
    fees.push(recordFee(billing, usage, price, line, fees.at(-1)));
  }
  return { fees, free };
}

function recordFee(
  billing: Billing,
  usage: BillableUsage,
  price: OfferedPrice,
  line: FeeLine,
  before: FeeRecord | undefined,
): FeeRecord {
  const { context, customer } = billing;
  const { counted, volume } = line;
  const choices = choicesOf(billing, line);
  const id = billing.nextFeeId();
  const taken = takeFee(billing, usage, line, id);
  const revenue = taken ? revenueText(taken) : '0';
  // Written field by field: objects made by spreading do not share their hidden class.
  const fee: Draft<FeeRecord> = {
    id,
    terms: termsOf(price, line, usage),
    amount: sharedText(format(line.amount), revenue),
    input_volume: volume && sharedText(format(volume), before?.input_volume ?? ''),
    revenue,
    transaction_id: taken?.transaction_id ?? null,
  };
  if (counted) fee.counted = countUsage(context, customer, price, counted);
  if (choices) fee.choices = choices;
  return fee;
}

/** The assets to choose from, with the balance of each before the fee. @assumes A-509 */
function choicesOf(
  { debits, customer }: Billing,
  { choices }: FeeLine,
): readonly AssetChoice[] | undefined {
  if (choices.length < 2 || !customer) return undefined;
  return choices.map(({ asset, amount }) => ({
    asset,
    available: availableOf(debits, customer, asset),
    amount: format(amount),
  }));
}

/** Debits a fee from its payer's account, which the first fee creates. A fee of 0 posts nothing. @assumes A-508 */
function takeFee(
  { context, debits, customer }: Billing,
  { event_id, occurred_at, subject, description }: BillableUsage,
  { asset, amount }: FeeLine,
  fee_id: string,
): TransactionRow | undefined {
  if (!customer || isZero(amount)) return undefined;
  return debits.take(openAccount(context, customer, asset), {
    source: 'usage',
    to: 'revenue',
    amount,
    event_id,
    fee_id,
    subject,
    description,
    occurred_at,
  });
}
