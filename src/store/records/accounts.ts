import type { Metadata, Owned } from '../row.ts';
import type { PaymentMethod } from './subscriptions.ts';

export interface ConnectedAccountRow extends Owned {
  readonly name: string;
  readonly external_id?: string;
  readonly metadata: Metadata | null;
}

export interface ExternalAccount {
  readonly provider: string;
  readonly provider_id: string;
}

export interface CustomerRow extends Owned {
  readonly name: string;
  readonly external_id?: string;
  readonly email?: string;
  readonly metadata: Metadata | null;
  readonly external_accounts: readonly ExternalAccount[];
  /** The saved payment method, which pays renewals and automatic top-ups. */
  readonly payment_method?: PaymentMethod;
}

export interface VendorRow extends Owned {
  readonly name: string;
  readonly external_id?: string;
}
