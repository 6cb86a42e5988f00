import { type DecimalText, decimal } from '../../domain/decimal.ts';
import type { Payer } from '../../domain/pricing/price-event.ts';
import type { CustomerRow, EventRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { findPlaces } from '../assets/asset-lookup.ts';
import type { Context } from '../context.ts';
import { Debits } from '../wallets/debits.ts';
import { DEFAULT_ACCOUNT_NAME } from '../wallets/ledger.ts';
import { countStartsOf } from './count-starts.ts';
import { quantitySoFar } from './price-quantities.ts';
import type { OfferedPrice, PricesAt } from './usage-prices.ts';

/** The fields of an event that pricing and the ledger need. */
export type BillableUsage = Pick<
  EventRow,
  'event_id' | 'event_type' | 'occurred_at' | 'subject' | 'description' | 'data'
>;

/** The prices and the payer of usage; without a customer, prices are only simulated. */
export interface BillingTerms {
  readonly pricesAt: PricesAt;
  readonly customer: CustomerRow | undefined;
  nextFeeId(): string;
}

export interface Billing extends BillingTerms {
  readonly context: Context;
  /** The debits for fees, written after all usage is billed. */
  readonly debits: Debits;
  readonly payer: Payer<OfferedPrice>;
}

/** Opens the billing of one batch. Each fee sees the balances that earlier fees left. */
export function openBilling(context: Context, terms: BillingTerms): Billing {
  const { customer } = terms;
  const debits = new Debits(context);
  const payer: Payer<OfferedPrice> = {
    available: (asset) => customer && decimal(availableOf(debits, customer, asset)),
    placesOf: (asset) => findPlaces(context, asset) ?? 0,
    countStart: countStartsOf(context, customer),
    quantityOf: (price, count) => quantitySoFar(context, customer, price, count),
  };
  return { context, debits, payer, ...terms };
}

/** What a customer can pay with in an asset, by the debits so far. */
export const availableOf = (debits: Debits, customer: CustomerRow, asset: string): DecimalText =>
  debits.available(key(customer.id, `${DEFAULT_ACCOUNT_NAME}:${asset}`));
