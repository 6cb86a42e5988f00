import { type AnyBody, expect, type WorldCall } from '../kit/index.ts';
import { DAY } from './history.ts';

type Parts = Parameters<WorldCall>[1];

/** What surrounds a request without changing anything that a model knows. */
interface Disturbance {
  /** The same request with a mistake, which must be rejected and leave nothing; with times just beyond a bound. */
  readonly mistaken?: (body: AnyBody, now: string) => object;
  /** Whether the request states its ids, so that a repetition changes nothing. */
  readonly isRepeatable?: true;
  /** An update by which the customer stays what it was. */
  readonly isFollowedByUpdate?: true;
}

/** The first request by which a history reads all that there is. */
const FIRST_READ = 'getWallet';

const UNKNOWN = '0000000f-0000-4000-8000-000000000000';

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  submitEvents: {
    mistaken: ({ events, ...body }, now) => {
      const occurred_at = new Date(Date.parse(now) - 34 * DAY - 1).toISOString();
      return {
        ...body,
        events: [...events, { ...events[0], id: UNKNOWN, costs: [], occurred_at }],
      };
    },
    isRepeatable: true,
  },
  adjustWallet: {
    mistaken: (body, now) =>
      body.amount > 0 ? { ...body, expires_at: now } : { ...body, asset: 'NONE' },
    isRepeatable: true,
  },
  chargeWallet: { mistaken: (body) => ({ ...body, asset: 'NONE' }), isRepeatable: true },
  createTopUp: { mistaken: (body, now) => ({ ...body, credit_expires_at: now }) },
  createSubscription: {
    mistaken: (body) => ({ ...body, products: [...body.products, { code: 'none' }] }),
    isFollowedByUpdate: true,
  },
  updateSubscription: {
    mistaken: (body, now) => ({ ...body, renews_at: now }),
    isFollowedByUpdate: true,
  },
  updateSubscriptionProduct: { mistaken: () => ({ version: 999 }), isFollowedByUpdate: true },
  setAssetRate: {
    mistaken: (body, now) => ({ ...body, valid_to: body.valid_from ?? now }),
  },
  setPaymentMethod: { isFollowedByUpdate: true },
};

/**
 * Surrounds the first request of each operation in a history with others that must change nothing: one with a mistake
 * before, the same in other letter case after, and an update of other fields of its customer. Before all is read, each
 * request that states its ids is sent again, and has the same response; events stand twice in one batch.
 */
export function disturbed(call: WorldCall): WorldCall {
  let [count, now] = [0, ''];
  const repeats: (() => Promise<void>)[] = [];
  const former = new Set<string>();
  return async (operation, parts, statuses) => {
    if (operation === FIRST_READ) for (const repeat of repeats.splice(0)) await repeat();
    const { mistaken, isRepeatable, isFollowedByUpdate } = DISTURBANCES[operation] ?? {};
    const isFirst = !former.has(operation);
    former.add(operation);
    count += 1;
    if (isFirst && mistaken)
      await call(operation, { ...parts, body: mistaken(parts.body, now) }, [422]);
    const answer = await call(operation, doubled(operation, parts), statuses);
    if (isRepeatable) {
      const again = { ...parts, body: inCapitals(parts.body) };
      const repeat = async () =>
        expect(await call(operation, again, statuses), `${operation}, repeated`).toEqual(answer);
      repeats.push(repeat);
      if (isFirst) await repeat();
    }
    if (isFirst && isFollowedByUpdate && parts.path && 'customerId' in parts.path) {
      const body = { metadata: { count: String(count) }, email: `c${count}@example.com` };
      await call('updateCustomer', { path: parts.path, body });
    }
    const { to, now: set } = (parts.body ?? {}) as AnyBody;
    now = set ?? to ?? now;
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

/** The same ids, in capital letters. */
function inCapitals({ events, transaction_id, ...body }: AnyBody): AnyBody {
  return {
    ...body,
    ...(events && {
      events: events.map((event: AnyBody) => ({ ...event, id: event.id.toUpperCase() })),
    }),
    ...(transaction_id && { transaction_id: transaction_id.toUpperCase() }),
  };
}
