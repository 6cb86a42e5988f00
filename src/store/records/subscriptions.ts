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
  /** When the money arrives; only while it is processing. */
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
  /** The value of the fee in the reporting currency. */
  readonly worth: DecimalText;
  /** The part of `worth` that counted as revenue at collection. The rest was deferred. */
  readonly revenue: DecimalText;
  /** The shares that are still deferred for credit that is not granted yet. */
  readonly deferred: readonly Deferral[];
  /** Deferred shares that counted later, because their credit was not granted. */
  readonly released: readonly { readonly at: Instant; readonly amount: DecimalText }[];
  readonly payment_method: PaymentMethod;
  /** The one-time prices that it paid, which are not collected again. */
  readonly one_times?: readonly { readonly product_id: string; readonly name: string }[];
}

/** The shares of a collected fixed fee for future grants of one entitlement. */
export interface Deferral {
  readonly product_id: string;
  readonly version: number;
  readonly index: number;
  /** The total of the shares, in the reporting currency. */
  readonly amount: DecimalText;
  /** The number of grants. */
  readonly grants: number;
  /** When the next grant is due. */
  readonly due_at: Instant;
}

export interface SubscriptionRow extends Owned {
  readonly customer_id: string;
  readonly status: SubscriptionStatus;
  readonly products: readonly SubscribedProduct[];
  /** The versions that bill usage of each period, oldest first. */
  readonly history: readonly SubscriptionPhase[];
  /** The requested start, if there is one. */
  readonly starts_at?: Instant;
  readonly started_at?: Instant;
  /** When usage, grants and periods begin; only while that is in the future, paid for or not. */
  readonly begins_at?: Instant;
  /** When the current run began. Entitlements and, as a rule, renewals are counted from it. */
  readonly anchor?: Instant;
  /** The fee collected for the current period; absent if there was none. */
  readonly period_fee?: { readonly currency: string; readonly amount: DecimalText };
  /** The schedule of renewals; absent if the subscription is perpetual. */
  readonly renewal?: RenewalSchedule;
  /** The next renewal; before the first activation, the requested first renewal. */
  readonly renews_at?: Instant;
  /**
   * When credit is next refreshed, or a share counts because its credit is not granted. While the subscription awaits a
   * payment, only shares count.
   */
  readonly refreshes_at?: Instant;
  /** Only while it is inactive or past due: it misses the refreshes of these versions after this instant. */
  readonly stopped?: { readonly after: Instant; readonly products: readonly SubscribedProduct[] };
  readonly return_url?: string;
  readonly failure_url?: string;
  readonly redirect_to: 'return_url' | 'portal';
  readonly payment?: PaymentSession;
}
