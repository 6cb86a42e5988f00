import type { DecimalText } from '../../domain/decimal.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Metadata, Owned } from './record.ts';
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
  /** Since when the balance has been below; absent while it is not. */
  readonly due_at?: Instant;
  /** Why the last one came to nothing. It waits for a payment method, or for a rate if it was not possible. */
  readonly refused?: 'no_payment_method' | 'declined' | 'not_possible';
}

export interface PortalSessionRow extends Owned {
  readonly customer_id: string;
  readonly token: string;
  readonly return_url: string;
  readonly failure_url: string;
  readonly expires_at: Instant;
  /** Set once the link ran out, so that this falls due once. */
  readonly expired?: true;
}

/** Keyed by token: one opening of the portal. */
export interface PortalVisitRow extends Owned {
  readonly customer_id: string;
  readonly return_url?: string;
  readonly failure_url?: string;
  readonly expires_at: Instant;
}
