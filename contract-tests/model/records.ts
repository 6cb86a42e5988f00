import type { Fraction } from './fraction.ts';
import type { CostSketch, EventSketch } from './history.ts';

export interface ExpectedFee {
  readonly product: number;
  readonly version: number;
  readonly price_name: string;
  readonly currency: string;
  readonly usage_type: string;
  readonly amount: Fraction;
  readonly dimensions: Readonly<Record<string, string>> | null;
  readonly volume_field: string | undefined;
  readonly input_volume: Fraction | null;
  readonly unit_price: number | null;
  readonly volume_rate: number | null;
  readonly package_size: number | null;
}

/** A cost, and what it is in the reporting currency. */
export interface ExpectedCost extends CostSketch {
  readonly value: Fraction;
}

/** A usage event as it was stored. */
export interface UsageRecord {
  /** Its place in the order of submission. */
  readonly index: number;
  readonly customer: number;
  readonly event: EventSketch;
  readonly occurredAt: number;
  readonly createdAt: number;
  readonly fees: ExpectedFee[];
  readonly costs: readonly ExpectedCost[];
  revenue: Fraction;
  /** What its fees are in the reporting currency. */
  feeValue: Fraction;
}

/** A top-up and what became of it. */
export interface TopUpRecord {
  readonly index: number;
  readonly customer: number;
  readonly currency: string;
  readonly amount: Fraction;
  /** The account that it goes to, and the destination as it was asked for. */
  readonly account: string;
  readonly destination: object;
  readonly credited: Fraction;
  /** When its link ends. */
  readonly endsAt: number;
  /** When a payment that is on its way arrives. */
  arrivesAt: number;
  status: 'initiated' | 'pending' | 'succeeded' | 'expired';
}
