import type { DecimalText } from '../../domain/decimal.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Metadata, Owned } from '../row.ts';
import type { PaymentSession } from './subscriptions.ts';

export type TopUpStatus = 'initiated' | 'pending' | 'succeeded' | 'failed' | 'expired';

export interface TopUpRow extends Owned {
  readonly customer_id: string;
  readonly amount: DecimalText;
  readonly currency: string;
  readonly status: TopUpStatus;
  readonly account_name: string;
  readonly asset: string;
  readonly exchange_rate: DecimalText;
  /** What is credited when it is paid, fixed at initiation. */
  readonly credit: DecimalText;
  readonly credit_expires_at?: Instant;
  readonly description?: string;
  readonly metadata?: Metadata;
  readonly return_url: string;
  readonly failure_url: string;
  readonly payment: PaymentSession;
}

/** Keyed like the wallet account that it tops up by itself. */
export interface AutoTopUpRow extends Owned {
  readonly customer_id: string;
  readonly account_id: string;
  /** In the asset of the account. */
  readonly threshold: DecimalText;
  /** What is paid each time, in the currency. */
  readonly amount: DecimalText;
  readonly currency: string;
  readonly return_url: string;
  readonly failure_url: string;
  /** When the balance fell below the threshold; absent while it is not below. */
  readonly due_at?: Instant;
  /** Why the last one came to nothing. It waits for a payment method, or for a rate if it was not possible. */
  readonly refused?: 'no_payment_method' | 'declined' | 'not_possible';
}

/** Keyed by token: what a link to a hosted page leads to, kept after the link has ended. */
export interface LinkRow extends Owned {
  /** The page of a payment, the portal, or a visit of it, as each use of a portal link begins one. */
  readonly kind: 'payment' | 'portal' | 'visit';
  readonly customer_id: string;
  /** What a payment is for: a top-up, or else a subscription. */
  readonly top_up_id?: string;
  readonly subscription_id?: string;
  /** Whether the fixed fee of a subscription was paid through it. */
  readonly paid?: true;
  readonly return_url?: string;
  readonly failure_url?: string;
  readonly expires_at: Instant;
  /** Set once a portal link ran out, so that this falls due once. */
  readonly expired?: true;
}
