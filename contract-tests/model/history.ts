/** A history consists of a catalog and steps, as plain data that a failed run can print. */
export type Interval = 'day' | 'week' | 'month' | 'year';

export interface RowSketch {
  readonly name?: string;
  readonly up_to?: number;
  readonly unit_price?: number;
  readonly volume_rate?: number;
  readonly package_size?: number;
  readonly min_amount?: number;
  readonly max_amount?: number;
}

export interface GroupSketch {
  readonly name?: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: readonly RowSketch[];
}

export interface UsagePriceSketch {
  readonly name: string;
  readonly type: 'usage_based';
  readonly billing_model: { readonly type: 'real_time' };
  readonly pricing_model: 'flat' | 'tiered' | 'bulk' | 'package';
  readonly tiering?: {
    readonly basis?: 'unit' | 'volume' | 'package';
    readonly period?: 'lifetime' | 'monthly' | 'quarterly' | 'yearly';
  };
  readonly usage_calculation: {
    readonly event_type: string;
    readonly usage_type: 'unit' | 'volume' | 'unit_and_volume';
    readonly volume_field?: string;
    readonly billable_dimensions: readonly string[];
  };
  readonly pricing: readonly { readonly asset: string; readonly values: readonly GroupSketch[] }[];
}

export interface FixedPriceSketch {
  readonly name: string;
  readonly type: 'fixed';
  readonly billing_model:
    | { readonly type: 'one_time'; readonly one_time: object }
    | {
        readonly type: 'recurring';
        readonly recurring: { readonly interval: Interval; readonly interval_count: number };
      };
  readonly pricing: readonly {
    readonly asset: string;
    readonly values: readonly { readonly unit_price: number; readonly quantity?: number }[];
  }[];
}

export interface EntitlementSketch {
  readonly name: string;
  readonly asset: string;
  /** The position among those of its version with the same name and asset, from 0; it is not sent. */
  readonly place: number;
  readonly amount: number;
  readonly purpose: 'bundled' | 'promotion';
  readonly priority?: number;
  readonly lifecycle: {
    readonly duration: Interval;
    readonly duration_count?: number;
    readonly refresh?: { readonly strategy: 'expire_and_replace' | 'rollover' };
  };
  readonly accounting?: { readonly revenue_basis: number };
}

export interface ContentSketch {
  readonly prices: readonly (UsagePriceSketch | FixedPriceSketch)[];
  readonly entitlements: readonly EntitlementSketch[];
}

/** The content of a version as it is sent. */
export const sentContent = ({ prices, entitlements }: ContentSketch) => ({
  prices,
  entitlements: entitlements.map(({ place: _, ...entitlement }) => entitlement),
});

/** An event that occurred `ago` milliseconds before the current instant. */
export interface EventSketch {
  readonly event_type: string;
  readonly ago: number;
  readonly data: Readonly<Record<string, string | number>>;
}

/** The cost of an event, which follows from its type, and the index of its vendor. */
export const expenseOf = ({
  event_type,
}: Pick<EventSketch, 'event_type'>): {
  readonly vendor: number;
  readonly cost: { readonly amount: number; readonly currency: string; readonly category?: string };
} =>
  event_type === 'e'
    ? { vendor: 0, cost: { amount: 0.125, currency: 'USD', category: 'compute' } }
    : { vendor: 1, cost: { amount: 2, currency: 'EUR' } };

/** The result of a payment. The money of one that is processing arrives a day later. */
export type PaymentOutcome = 'succeeded' | 'failed' | 'processing' | 'abandoned';

/** A saved payment method: a card, one that is declined when it is charged later, or a bank account. */
export type PaymentMethod = 'card' | 'declining' | 'bank_debit';

/** The contents of each kind of action. */
export interface ActionContents {
  readonly wait: object;
  readonly events: { readonly events: readonly EventSketch[] };
  readonly adjust: {
    readonly asset: string;
    readonly account_name?: string;
    readonly amount: number;
    readonly reason: 'external_topup' | 'external_refund' | 'gift' | 'other';
    /** Milliseconds from now. */
    readonly effective?: number;
    /** Milliseconds after it becomes effective, and not before now. */
    readonly lasts?: number;
  };
  readonly charge: {
    readonly asset: string;
    readonly account_name?: string;
    readonly amount: number;
  };
  readonly top_up: {
    readonly currency: string;
    readonly amount: number;
    readonly asset: string;
    readonly account_name?: string;
    /** By default that of the asset. */
    readonly exchange_rate?: number;
    /** Milliseconds until its credit ends; a year after the payment by default. */
    readonly lasts?: number;
    /** The result of its payment; undefined without one. A failed payment is followed by a successful one. */
    readonly outcome?: PaymentOutcome;
  };
  /** Pays one of the top-ups of all customers that can be paid, or fails to. */
  readonly settle: { readonly pick: number; readonly outcome: PaymentOutcome };
  /** Tops up an account when it falls below a threshold, on these terms from now on; no longer if it is null. */
  readonly auto_top_up: {
    readonly asset: string;
    readonly account_name?: string;
    readonly threshold: number | null;
    readonly amount: number;
    readonly currency: string;
  };
  /** `others` are the versions of the products that follow the step's, which are held by the same subscription. */
  readonly subscribe: {
    readonly version: number;
    readonly others: readonly number[];
    readonly starts?: number;
    /** Milliseconds from the start to the first renewal, if it is asked for. */
    readonly renews?: number;
  };
  /** Pays the fee that a subscription awaits, or fails to; `declines` saves a card that is declined later. */
  readonly pay: {
    readonly pick: number;
    readonly outcome: PaymentOutcome;
    readonly declines: boolean;
  };
  /** Saves a payment method, or removes the saved one. */
  readonly card: { readonly method: PaymentMethod | 'none' };
  /** Moves the next renewal to this many milliseconds from now. */
  readonly move: { readonly pick: number; readonly to: number };
  readonly end: { readonly pick: number };
  readonly resume: { readonly pick: number };
  readonly change: { readonly pick: number; readonly version: number };
  /** `from` is the start of the rate, in milliseconds from now; it lasts until the next one unless told. */
  readonly rate: {
    readonly asset: string;
    readonly source: string;
    readonly rate: number;
    readonly from?: number;
    readonly lasts?: number;
  };
}

export type ActionKind = keyof ActionContents;

export type ActionOf<K extends ActionKind> = { readonly do: K } & ActionContents[K];

export type Action = { readonly [K in ActionKind]: ActionOf<K> }[ActionKind];

/** One step: moves the clock forward by `after` milliseconds, then performs an action for one customer. */
export interface Step {
  readonly after: number;
  readonly customer: number;
  readonly product: number;
  readonly action: Action;
}

export interface History {
  readonly start: number;
  readonly assets: readonly {
    readonly code: string;
    readonly precision: number;
    /** What it costs from the start on, or how much of it one unit of the source buys. */
    readonly rates: readonly {
      readonly source: string;
      readonly rate?: number;
      readonly inverse_rate?: number;
    }[];
  }[];
  /** The versions of each product. */
  readonly products: readonly (readonly ContentSketch[])[];
  /** The number of customers. */
  readonly customers: number;
  readonly steps: readonly Step[];
}

/** A code of the maximum length. */
export const LONG_CODE = `PX${'0123456789'.repeat(6)}01`;

export const START = Date.UTC(2026, 0, 31, 12);
export const DAY = 86_400_000;
export const HOUR = DAY / 24;
