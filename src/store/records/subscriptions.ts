import type { DecimalText } from '../../domain/decimal.ts';
import type { Instant } from '../../domain/instant.ts';
import type {
  RenewalSchedule,
  SubscribedProduct,
  SubscriptionPhase,
} from '../../domain/subscriptions.ts';
import type { Owned } from '../row.ts';

export type { SubscribedProduct };

type SubscriptionStatus = 'action_required' | 'active' | 'inactive' | 'scheduled';

/** What a payer pays with. */
export interface PaymentMethod {
  readonly kind: 'card' | 'bank_debit';
  /** Last four digits, as shown. */
  readonly last4: string;
  /** Whether a later payment without the payer is declined. */
  readonly declines_later: boolean;
}

/** A hosted payment waiting to be settled. */
export interface PaymentSession {
  readonly token: string;
  readonly expires_at: Instant;
  readonly status: 'open' | 'processing';
  /** While it is processing: when the money arrives. */
  readonly settles_at?: Instant;
  /** What it is or was paid with, or was tried with last. */
  readonly method?: PaymentMethod;
  /** A card that the payer has yet to confirm. */
  readonly confirming?: PaymentMethod;
  /** Reason of the latest rejection. */
  readonly failure?: string;
}

/** A fixed fee that was collected for one period of a subscription. */
export interface FeePaymentRow extends Owned {
  readonly customer_id: string;
  readonly subscription_id: string;
  readonly amount: DecimalText;
  readonly currency: string;
  /** Its worth in the reporting currency. */
  readonly worth: DecimalText;
  /** What of its worth counted when it was collected. The rest was deferred. */
  readonly revenue: DecimalText;
  /** What is still deferred for credit that is yet to be given. */
  readonly deferred: readonly Deferral[];
  /** What was deferred and counted later, as its credit was not given. */
  readonly released: readonly { readonly at: Instant; readonly amount: DecimalText }[];
  readonly payment_method: PaymentMethod;
  /** The one-time prices that it paid, which are not collected again. */
  readonly one_times?: readonly { readonly product_id: string; readonly name: string }[];
}

/** Shares of a collected fixed fee for the grants of one entitlement that are yet to be given. */
export interface Deferral {
  readonly product_id: string;
  readonly version: number;
  readonly index: number;
  /** All of them together, in the reporting currency. */
  readonly amount: DecimalText;
  /** How many they are. */
  readonly grants: number;
  /** When the next of them is due. */
  readonly due_at: Instant;
}

export interface SubscriptionRow extends Owned {
  readonly customer_id: string;
  readonly status: SubscriptionStatus;
  readonly products: readonly SubscribedProduct[];
  /** By what usage of each moment is billed, in the order of time. */
  readonly history: readonly SubscriptionPhase[];
  /** Where one was asked for. */
  readonly starts_at?: Instant;
  readonly started_at?: Instant;
  /** While its start lies ahead, paid for or not: when usage, grants and periods begin. */
  readonly begins_at?: Instant;
  /** Since when it runs: what entitlements and, as a rule, renewals are counted from. */
  readonly anchor?: Instant;
  /** What was collected for the running period; nothing where absent. */
  readonly period_fee?: { readonly currency: string; readonly amount: DecimalText };
  /** By which `renews_at` moves on; a perpetual one has none. */
  readonly renewal?: RenewalSchedule;
  /** The next renewal or, before it ever ran, the first one as asked for. */
  readonly renews_at?: Instant;
  /**
   * While it is active, when credit is next refreshed or would have been, so that its share counts. While it awaits a
   * payment, only the latter.
   */
  readonly refreshes_at?: Instant;
  /** While it is inactive or past due: the refreshes that it misses are those after an instant, of these versions. */
  readonly stopped?: { readonly after: Instant; readonly products: readonly SubscribedProduct[] };
  readonly return_url?: string;
  readonly failure_url?: string;
  readonly redirect_to: 'return_url' | 'portal';
  readonly payment?: PaymentSession;
}
