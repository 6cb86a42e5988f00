import type { Rational } from '../kit/rational.ts';
import type { CostSketch, EventSketch } from './history.ts';

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

/** A cost with its value in the reporting currency. */
export interface ExpectedCost extends CostSketch {
  readonly value: Rational;
}

export interface UsageRecord {
  /** Its position in the order of submission. */
  readonly index: number;
  readonly customer: number;
  readonly event: EventSketch;
  readonly occurredAt: number;
  readonly createdAt: number;
  readonly fees: ExpectedFee[];
  readonly costs: readonly ExpectedCost[];
  revenue: Rational;
  /** The sum of its fees in the reporting currency. */
  feeValue: Rational;
}

/** A top-up and its state. */
export interface TopUpRecord {
  readonly index: number;
  readonly customer: number;
  readonly currency: string;
  readonly amount: Rational;
  /** The credited account, and the destination as requested. */
  readonly account: string;
  readonly destination: object;
  readonly credited: Rational;
  /** The end of its link. */
  readonly endsAt: number;
  /** The arrival of its pending payment. */
  arrivesAt: number;
  status: 'initiated' | 'pending' | 'succeeded' | 'expired';
}
