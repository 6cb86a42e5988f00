import type { DecimalText } from '../../domain/decimal.ts';
import type { GrantPurpose, WorthKind } from '../../domain/grants.ts';
import type { Instant } from '../../domain/instant.ts';
import type { RatePeriod } from '../../domain/rates.ts';
import type { Metadata, Owned } from '../row.ts';

/** Keyed by customer and account id, which is `name:asset`. */
export interface WalletAccountRow extends Owned {
  readonly account_id: string;
  readonly customer_id: string;
  readonly name: string;
  readonly asset: string;
  readonly available: DecimalText;
}

export type { GrantPurpose };
export type GrantSource = 'top_up' | 'adjustment' | 'entitlement';

export interface GrantRow extends Owned {
  readonly customer_id: string;
  readonly account_id: string;
  readonly asset: string;
  readonly purpose: GrantPurpose;
  readonly amount: DecimalText;
  readonly remaining: DecimalText;
  /** How much of it repaid debt when it was given. */
  readonly repaid: DecimalText;
  readonly effective_at: Instant;
  readonly expires_at: Instant | null;
  readonly transaction_id: string;
  readonly source: GrantSource;
  /** The fields of the future transaction; only while the credit is not effective yet. */
  readonly pending?: PendingCredit;
  /** The revenue if all of it is used, in the reporting currency; absent if there is none. */
  readonly worth?: GrantWorth;
  /** Credit with a priority is drawn before credit without one, lower numbers first. */
  readonly priority?: number;
  /** Whether a refresh extends its expiry instead of replacing it. */
  readonly rolls_over?: true;
  /** The entitlement that it was granted for. A refresh finds the grant by it. */
  readonly entitlement?: {
    readonly subscription_id: string;
    readonly product_id: string;
    readonly version: number;
    readonly index: number;
    readonly name: string;
    /** Position among the entitlements of its version with the same name and asset; absent for the first. */
    readonly place?: number;
  };
}

export interface GrantWorth {
  readonly kind: WorthKind;
  readonly amount: DecimalText;
  /** The collected fee that deferred the share; only for a share. */
  readonly fee_payment_id?: string;
}

export interface PendingCredit {
  readonly from: BookAccount;
  readonly reason: string;
  readonly description?: string;
  readonly metadata?: Metadata;
  readonly content: string;
}

/** The platform's counter-accounts. */
export type BookAccount = 'external' | 'promotions' | 'revenue' | 'breakage';

/** Moves a positive amount from one account to the other, so that none can be out of balance. */
export interface Posting {
  readonly from: 'wallet' | BookAccount;
  readonly to: 'wallet' | BookAccount;
  readonly amount: DecimalText;
  readonly grant_id?: string;
  /** The expiry of granted credit at the time of the posting. The grant can end earlier. */
  readonly expires_at?: Instant;
  /** The revenue of the posting, in the reporting currency; absent if there is none. */
  readonly revenue?: DecimalText;
  /** The rate that valued the debt; absent if it is in the reporting currency. */
  readonly valuation?: RatePeriod;
}

/** The cause of a transaction. */
export type TransactionSource = GrantSource | 'usage' | 'charge' | 'expiry';

/** Keyed by customer and transaction id. */
export interface TransactionRow extends Owned {
  readonly transaction_id: string;
  readonly source: TransactionSource;
  readonly customer_id: string;
  readonly account_id: string;
  readonly asset: string;
  readonly balance_after: DecimalText;
  readonly postings: readonly Posting[];
  readonly reason?: string;
  readonly subject?: string;
  readonly description?: string;
  readonly metadata?: Metadata;
  readonly event_id?: string;
  readonly fee_id?: string;
  readonly top_up_id?: string;
  /** When it was requested, if that was before it was carried out. */
  readonly requested_at?: Instant;
  /** Digest of the request, which distinguishes a retry from another use of the id. */
  readonly content?: string;
}
