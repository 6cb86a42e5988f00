import type { AnyBody, WorldCall } from '../kit/target/own-world.ts';

type Parts = Parameters<WorldCall>[1];

/** What surrounds a request without changing anything that a model knows. */
interface Disturbance {
  /** The same request with a mistake, which must be rejected and leave nothing. */
  readonly mistaken?: (body: AnyBody) => object;
  /** Whether the request states its ids, so that a repetition changes nothing. */
  readonly isRepeatable?: true;
  /** An update by which the customer stays what it was. */
  readonly isFollowedByUpdate?: true;
}

const LONG_AGO = '2001-01-01T00:00:00.000Z';
const UNKNOWN = '0000000f-0000-4000-8000-000000000000';

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  submitEvents: {
    mistaken: ({ events, ...body }) => ({
      ...body,
      events: [...events, { ...events[0], id: UNKNOWN, costs: [], occurred_at: LONG_AGO }],
    }),
    isRepeatable: true,
  },
  adjustWallet: { mistaken: (body) => ({ ...body, asset: 'NONE' }), isRepeatable: true },
  chargeWallet: { mistaken: (body) => ({ ...body, asset: 'NONE' }), isRepeatable: true },
  createTopUp: { mistaken: (body) => ({ ...body, credit_expires_at: LONG_AGO }) },
  createSubscription: {
    mistaken: (body) => ({ ...body, products: [...body.products, { code: 'none' }] }),
    isFollowedByUpdate: true,
  },
  updateSubscription: {
    mistaken: (body) => ({ ...body, renews_at: LONG_AGO }),
    isFollowedByUpdate: true,
  },
  updateSubscriptionProduct: { mistaken: () => ({ version: 999 }), isFollowedByUpdate: true },
  setAssetRate: { mistaken: (body) => ({ ...body, valid_to: LONG_AGO }) },
  setPaymentMethod: { isFollowedByUpdate: true },
};

/**
 * Surrounds the requests of a history with others that must change nothing: a request with a mistake before, the same
 * request in other letter case after, events twice in one batch, and updates of other fields of its customer.
 */
export function disturbed(call: WorldCall): WorldCall {
  let count = 0;
  return async (operation, parts, statuses) => {
    const { mistaken, isRepeatable, isFollowedByUpdate } = DISTURBANCES[operation] ?? {};
    count += 1;
    if (mistaken) await call(operation, { ...parts, body: mistaken(parts.body) }, [422]);
    const answer = await call(operation, doubled(operation, parts), statuses);
    if (isRepeatable) await call(operation, { ...parts, body: inCapitals(parts.body) }, statuses);
    if (isFollowedByUpdate && parts.path && 'customerId' in parts.path) {
      const body = { metadata: { count: String(count) }, email: `c${count}@example.com` };
      await call('updateCustomer', { path: parts.path, body });
    }
    return answer;
  };
}

/** Events twice in one batch are those events once. */
const doubled = (operation: string, parts: Parts): Parts =>
  operation === 'submitEvents' ? { ...parts, body: withRepetitions(parts.body) } : parts;

const withRepetitions = ({ events, ...body }: AnyBody): object => ({
  ...body,
  events: [...events, ...inCapitals({ events }).events],
});

/** The same ids in capital letters, which are no other ids. */
function inCapitals({ events, transaction_id, ...body }: AnyBody): AnyBody {
  return {
    ...body,
    ...(events && {
      events: events.map((event: AnyBody) => ({ ...event, id: event.id.toUpperCase() })),
    }),
    ...(transaction_id && { transaction_id: transaction_id.toUpperCase() }),
  };
}
