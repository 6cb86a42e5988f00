import type { DecimalText } from '../../domain/decimal.ts';
import type { Day, Instant } from '../../domain/instant.ts';
import type { DataValue, EventData } from '../../domain/pricing/matching.ts';
import type { UsageType } from '../../domain/pricing/price.ts';
import type { Count } from '../../domain/pricing/quantity.ts';
import type { Metadata, Owned, Row } from '../row.ts';
import type { SubscribedProduct } from './subscriptions.ts';

/** The fields of a fee that come from its price. Fees with equal fields share one object. */
export interface FeeTerms {
  readonly product_id: string;
  readonly product_code: string;
  readonly product_version: number;
  readonly price_id: string;
  readonly price_name: string;
  readonly currency: string;
  readonly usage_type: UsageType;
  readonly dimensions: Metadata | null;
  readonly volume_field?: string;
  readonly unit_price: DecimalText | null;
  readonly volume_rate: DecimalText | null;
  readonly package_size: number | null;
}

export interface FeeRecord {
  readonly id: string;
  readonly terms: FeeTerms;
  readonly amount: DecimalText;
  readonly input_volume: DecimalText | null;
  /** The revenue of the fee, in the reporting currency. */
  readonly revenue: DecimalText;
  /** Id of the ledger transaction that posted it; a fee of 0 posts nothing. */
  readonly transaction_id: string | null;
  /** The quantity that it adds to the row with `quantity_id`, and the quantity before. */
  readonly counted?: {
    readonly quantity_id: string;
    readonly before: DecimalText;
    readonly quantity: DecimalText;
  };
  /** The possible assets with the balances before the fee; absent if only one was possible. */
  readonly choices?: readonly AssetChoice[];
}

export interface AssetChoice {
  readonly asset: string;
  readonly available: DecimalText;
  /** The amount of the fee in this asset. */
  readonly amount?: DecimalText;
}

/** How much of a price a customer has used in a period, if the price depends on it. Keyed by its fields. */
export interface PriceQuantityRow extends Owned, Count {
  readonly customer_id: string;
  readonly product_id: string;
  readonly price_name: string;
  readonly quantity: DecimalText;
}

/** A product that a subscription held when usage occurred. */
export interface BilledProduct extends SubscribedProduct {
  readonly subscription_id: string;
  /** When the subscription began to hold this version. */
  readonly since: Instant;
  readonly past_due?: true;
  /** Whether another subscription decided its version. */
  readonly superseded?: true;
}

export interface CostRecord {
  readonly id: string;
  readonly vendor_id: string;
  readonly amount: DecimalText;
  readonly currency: string;
  readonly category?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, DataValue>>;
  readonly units?: DecimalText;
  readonly unit_price?: DecimalText;
  readonly input_volume?: DecimalText;
  readonly volume_rate?: DecimalText;
  readonly package_size?: DecimalText;
  /** Its amount in the reporting currency. */
  readonly cost: DecimalText;
}

/** Keyed by owner and the caller's id. */
export interface EventRow extends Owned {
  readonly event_id: string;
  readonly customer_id: string;
  readonly event_type: string;
  readonly occurred_at: Instant;
  readonly subject?: string;
  readonly description?: string;
  readonly data: EventData;
  /** What the customer was subscribed to when it occurred; shared by events of the same terms. */
  readonly billed_by: readonly BilledProduct[];
  readonly fees: readonly FeeRecord[];
  /** What the fees come to, in their asset where they share one; absent without fees. */
  readonly total_fees?: DecimalText;
  readonly fee_currency?: string;
  readonly costs: readonly CostRecord[];
  /** In the reporting currency. */
  readonly revenue: DecimalText;
  readonly cost: DecimalText;
}

/** Keyed by owner and the caller's cost id: which event holds it. */
export interface CostClaimRow extends Row {
  readonly event: string;
}

/** Running sums in the reporting currency. Keyed by what they are of, such as a customer and a day. */
export interface TotalsRow extends Row {
  readonly of: string;
  readonly day?: Day;
  readonly revenue: DecimalText;
  readonly cost: DecimalText;
}

/** Keyed by vendor, day and category. */
export interface VendorDayRow extends Row {
  readonly vendor_id: string;
  readonly day: Day;
  readonly category: string | null;
  readonly cost: DecimalText;
  readonly count: number;
}

/** Keyed `{customer_id}:{subject}`. */
export interface TaskRow extends Row {
  readonly owner: string;
  readonly customer_id: string;
  readonly subject: string;
  readonly event_count: number;
  readonly created_at: Instant;
  readonly last_updated_at: Instant;
  readonly revenue: DecimalText;
  readonly cost: DecimalText;
}

type WarningKind =
  | 'unpriced_asset'
  | 'unusable_volume'
  | 'unmatched_usage'
  | 'unknown_event_type'
  | 'no_subscription'
  | 'rounded_away'
  | 'unpriced_cost'
  | 'no_account'
  | 'unknown_topic'
  | 'unknown_field'
  | 'ignored_field'
  | 'unusual_rate'
  | 'usage_before_advance';

/** A warning, for a person to look at; keyed by owner, kind and place so that it is listed once. */
export interface WarningRow extends Row {
  readonly owner: string;
  readonly kind: WarningKind;
  readonly message: string;
  readonly at: Instant;
  readonly event_id?: string;
  readonly field?: string;
}
