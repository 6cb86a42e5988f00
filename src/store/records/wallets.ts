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
  /** While its credit is yet to come, what the transaction that brings it will say. */
  readonly pending?: PendingCredit;
  /** What all of it brings in, in the reporting currency; nothing where absent. */
  readonly worth?: GrantWorth;
  /** Credit with one is drawn before credit without, lower first. */
  readonly priority?: number;
  /** Whether a refresh moves its end rather than replace it. */
  readonly rolls_over?: true;
  /** Which entitlement of which subscription it fulfils, so that a refresh finds it. */
  readonly entitlement?: {
    readonly subscription_id: string;
    readonly product_id: string;
    readonly version: number;
    readonly index: number;
    readonly name: string;
    /** Among those of its version with the same name and asset, where it is not the first. */
    readonly place?: number;
  };
}

export interface GrantWorth {
  readonly kind: WorthKind;
  readonly amount: DecimalText;
  /** Of a share: the collected fee that deferred it. */
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
  /** Of credit given: when it was to end. The grant itself may end sooner. */
  readonly expires_at?: Instant;
  /** What it counts as revenue, in the reporting currency; nothing where absent. */
  readonly revenue?: DecimalText;
  /** Of debt that is not in the reporting currency: the rate that valued it. */
  readonly valuation?: RatePeriod;
}

/** What made a transaction. */
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
  /** When it was asked for, where that was before it was carried out. */
  readonly requested_at?: Instant;
  /** Digest of the request, by which a retry is told from another use of its id. */
  readonly content?: string;
}
