import type { Rational } from '../kit/rational.ts';
import type { Account } from './account.ts';

export interface ExpectedFee {
  readonly product: number;
  readonly version: number;
  readonly price_name: string;
  readonly currency: string;
  readonly usage_type: string;
  readonly amount: Rational;
  readonly dimensions: Readonly<Record<string, string>> | null;
  readonly volume_field: string | undefined;
  readonly input_volume: Rational | null;
  readonly unit_price: number | null;
  readonly volume_rate: number | null;
  readonly package_size: number | null;
}

/** A period of an exchange rate. It ends before `to`. */
export interface RatePeriod {
  readonly from: number;
  to: number;
  readonly rate: Rational;
}

/** The rates of an asset in a currency, in the order in which they begin. */
export interface RateSchedule {
  readonly asset: string;
  readonly source: string;
  readonly periods: readonly RatePeriod[];
}

/** A usage event with its fees, its revenue and its cost. */
export interface UsageRecord {
  readonly event_type: string;
  readonly at: number;
  readonly fees: readonly ExpectedFee[];
  /** In the asset of all fees, or else in the reporting currency; undefined without a fee. */
  readonly total: Rational | undefined;
  readonly revenue: Rational;
  /** In the reporting currency. */
  readonly cost: Rational;
}

/** A top-up and its state. */
export interface TopUpRecord {
  readonly customer: number;
  readonly currency: string;
  readonly amount: Rational;
  /** The credited account. */
  readonly account: Account;
  readonly credited: Rational;
  /** The end of its link. */
  readonly endsAt: number;
  /** The end of its credit; undefined if that depends on the payment. */
  readonly creditEndsAt: number | undefined;
  /** Its position among all that is paid for, in the order in which it was made. */
  readonly made: number;
  /** The place of its id among those that the caller ordered; undefined for an automatic one. */
  readonly ordered: number | undefined;
  /** The arrival of its pending payment. */
  arrivesAt: number;
  status: 'initiated' | 'pending' | 'failed' | 'succeeded' | 'expired';
}

/** An automatic top-up of an account. */
export interface AutoTopUp {
  readonly customer: number;
  readonly account: Account;
  readonly threshold: Rational;
  readonly amount: number;
  readonly currency: string;
  /** Whether the account was below the threshold when it was last looked at. */
  wasBelow: boolean;
  isDue: boolean;
  /** Whether it waits for another payment method, or for a rate, because it came to nothing. */
  awaitsMethod: boolean;
  awaitsRate: boolean;
}

/** Payments that arrive at one instant count in the order in which what they pay was made. */
export const rankOfArrival = (made: number): number => 2 + made / 1e6;
