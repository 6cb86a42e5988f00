import type { VersionStatus } from '../../domain/catalog.ts';
import type { DecimalText } from '../../domain/decimal.ts';
import type { Instant, Interval } from '../../domain/instant.ts';
import type {
  PricingEntry,
  PricingModel,
  Tiering,
  UsageCalculation,
} from '../../domain/pricing/price.ts';
import type { RatePeriod } from '../../domain/rates.ts';
import type { Owned } from '../row.ts';

/** Keyed by owner and code. A currency has a row only once it was created or given a rate. */
export interface AssetRow extends Owned {
  readonly code: string;
  readonly name: string;
  readonly precision: number;
  readonly label: string;
  readonly symbol?: string;
  /** Whether it was created by request, so that it is listed. */
  readonly listed: boolean;
  /** By source currency, each newest first. */
  readonly schedules: Readonly<Record<string, readonly RatePeriod[]>>;
  /** When the next of its rates begins or ends; absent if none is scheduled. */
  readonly rates_change_at?: Instant;
}

export interface PriceRecord {
  readonly id: string;
  readonly name: string;
  readonly type: 'fixed' | 'usage_based';
  readonly billing_model:
    | {
        readonly type: 'recurring';
        readonly recurring: { readonly interval: Interval; readonly interval_count?: number };
      }
    | { readonly type: 'one_time'; readonly one_time?: { readonly service_period?: unknown } }
    | { readonly type: 'real_time' };
  readonly pricing_model?: PricingModel;
  readonly tiering?: Tiering;
  readonly usage_calculation?: UsageCalculation;
  readonly pricing: readonly PricingEntry[];
}

export interface EntitlementRecord {
  readonly name: string;
  readonly asset: string;
  readonly amount: DecimalText;
  readonly purpose: 'bundled' | 'promotion';
  readonly priority?: number;
  readonly lifecycle?: {
    readonly duration: Interval;
    /** As sent; 1 if it was not. */
    readonly duration_count?: number;
    readonly refresh?: { readonly strategy: 'expire_and_replace' | 'rollover' };
  };
  readonly accounting: {
    readonly revenue_basis: DecimalText;
    readonly cost_basis: 'auto' | DecimalText;
  };
}

export interface ProductRow extends Owned {
  readonly code: string;
  readonly default_version?: number;
  readonly newest_version: number;
  readonly archived: boolean;
  /** Whether some subscription ever named it. */
  readonly used: boolean;
}

/** Keyed by product id and number. */
export interface VersionRow extends Owned {
  readonly product_id: string;
  readonly version: number;
  readonly name: string;
  readonly description?: string;
  readonly status: VersionStatus;
  readonly prices: readonly PriceRecord[];
  readonly entitlements: readonly EntitlementRecord[];
  readonly published_at?: Instant;
  readonly archived_at?: Instant;
}
