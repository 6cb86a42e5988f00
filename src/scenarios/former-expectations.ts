import { isDeepStrictEqual } from 'node:util';
import type { Place, Problem, Scenario, ScenarioStep } from './scenario.ts';

/** Changes to an object's fields since release 0.1.0. */
interface Former {
  readonly renamed?: Readonly<Record<string, string>>;
  /** Removed fields. */
  readonly gone?: readonly string[];
  /** Renamed values. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Fields whose value is now in a field of an object. */
  readonly wrapped?: Readonly<Record<string, string>>;
  /** Fields that contain objects or lists of them. */
  readonly inner?: Readonly<Record<string, Former>>;
}

const TOP_UP: Former = { words: { status: { processing: 'pending', completed: 'succeeded' } } };
const PRODUCT: Former = { gone: ['description', 'created_at', 'archived'] };
const VERSION: Former = {
  renamed: { product_id: 'id' },
  gone: ['description', 'created_at', 'published_at', 'archived_at'],
};
const VERSION_OF_PRODUCT: Former = {
  gone: [
    ...['product_id', 'code', 'name', 'description', 'is_default', 'prices', 'entitlements'],
    ...['published_at', 'archived_at'],
  ],
};
const SUBSCRIBER: Former = {
  renamed: { id: 'customer_id', name: 'customer_name', product_version: 'version' },
  gone: ['active_subscription_count'],
};
const GRANT: Former = {
  renamed: { remaining: 'available' },
  gone: ['account_id', 'asset', 'amount', 'transaction_id', 'source'],
};

/** By operation, or by `pay`. */
const FORMER: Readonly<Record<string, Former>> = {
  pay: TOP_UP,
  createTopUp: TOP_UP,
  getTopUp: TOP_UP,
  listGrants: { inner: { items: GRANT } },
  chargeWallet: { gone: ['id', 'created_at', 'amount'] },
  getWalletTransaction: {
    gone: ['balance_after', 'reason', 'subject', 'event_id', 'fee_id', 'top_up_id'],
    words: {
      type: {
        charge: 'fee',
        top_up: 'adjustment',
        entitlement: 'adjustment',
        expiry: 'adjustment',
      },
    },
  },
  listProducts: { inner: { items: { gone: [...(PRODUCT.gone ?? []), 'default_version'] } } },
  getProduct: {
    ...PRODUCT,
    wrapped: { default_version: 'version' },
    inner: { versions: VERSION_OF_PRODUCT },
  },
  getProductVersion: VERSION,
  listProductVersions: {
    inner: { items: { ...VERSION, gone: [...(VERSION.gone ?? []), 'entitlements'] } },
  },
  listSubscribers: { inner: { items: SUBSCRIBER } },
  simulateUsage: { gone: ['events', 'totals'] },
  getVendorStats: {
    gone: ['vendor_id', 'period_from', 'period_to', 'currency', 'cost_count'],
    inner: {
      categories: {
        renamed: { total_costs: 'cost' },
        gone: ['cost_count'],
        words: { category: { null: 'uncategorized' } },
      },
    },
  },
};

/** An expected body of release 0.1.0, converted to this release. */
export interface RenewedBody {
  readonly place: Place;
  readonly body: unknown;
  /** Removed fields, for which nothing is expected. */
  readonly gone: readonly string[];
}

/** Converts the bodies that a scenario expects from release 0.1.0 to this release. */
export function renewBodies({ steps }: Scenario): readonly RenewedBody[] {
  return steps.flatMap((step, index) => {
    const former = FORMER['call' in step ? step.call : 'pay' in step ? 'pay' : ''];
    const { expect } = step as ScenarioStep & { readonly expect?: { readonly body?: unknown } };
    if (!former || typeof expect !== 'object' || expect.body === undefined) return [];
    const gone: string[] = [];
    const body = renew(expect.body, former, gone);
    const place = ['steps', index, 'expect', 'body'];
    return isDeepStrictEqual(body, expect.body) ? [] : [{ place, body, gone }];
  });
}

function renew(value: unknown, former: Former, gone: string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => renew(each, former, gone));
  if (typeof value !== 'object' || value === null) return value;
  const { renamed = {}, words = {}, wrapped = {}, inner = {} } = former;
  const renewed: [string, unknown][] = [];
  for (const [name, held] of Object.entries(value)) {
    if (former.gone?.includes(name)) gone.push(name);
    else if (inner[name]) renewed.push([name, renew(held, inner[name], gone)]);
    else if (wrapped[name] !== undefined && typeof held !== 'object')
      renewed.push([name, { [wrapped[name]]: held }]);
    else renewed.push([renamed[name] ?? name, words[name]?.[String(held)] ?? held]);
  }
  return Object.fromEntries(renewed);
}

/** Finds expectations that only release 0.1.0 meets, and names the command that converts them. */
export const findFormer = (scenario: Scenario): readonly Problem[] =>
  renewBodies(scenario).map(({ place }) => ({
    place,
    message:
      'This is what release 0.1.0 returned. `billing-emulator convert FILE` rewrites the expectations and keeps the original.',
  }));
