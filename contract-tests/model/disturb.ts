import { type AnyBody, expect, type WorldCall } from '../kit/index.ts';
import { DAY } from './history.ts';

type Parts = Parameters<WorldCall>[1];

/** The same request with a mistake, which must be rejected and leave nothing. */
type Mistake = (body: AnyBody, now: string) => object;

/** What surrounds a request without changing anything that a model knows. */
interface Disturbance {
  /** One of them is made in each history; those with times are just beyond a bound. */
  readonly mistakes?: readonly Mistake[];
  /** Whether the request states its ids, so that a repetition changes nothing. */
  readonly isRepeatable?: true;
  /** An update by which the customer stays what it was. */
  readonly isFollowedByUpdate?: true;
}

/** The first request by which a history reads all that there is. */
const FIRST_READ = 'getWallet';

/** How many requests of an operation are sent again. */
const MAX_REPEATS = 2;

const UNKNOWN = '0000000f-0000-4000-8000-000000000000';

const shifted = (now: string, milliseconds: number): string =>
  new Date(Date.parse(now) + milliseconds).toISOString();

/** The same usage, with an event that must be rejected. */
const withEvent =
  (fields: (now: string) => object): Mistake =>
  ({ events, ...body }, now) => ({
    ...body,
    events: [...events, { ...events[0], id: UNKNOWN, costs: [], ...fields(now) }],
  });

const of =
  (fields: object): Mistake =>
  (body) => ({ ...body, ...fields });

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  submitEvents: {
    mistakes: [
      withEvent((now) => ({ occurred_at: shifted(now, -34 * DAY - 1) })),
      withEvent((now) => ({ occurred_at: shifted(now, 300_001) })),
      withEvent(() => ({ costs: [{ id: UNKNOWN, amount: 1, vendor_id: 'vnd_none' }] })),
    ],
    isRepeatable: true,
  },
  adjustWallet: {
    mistakes: [
      (body, now) => (body.amount > 0 ? { ...body, expires_at: now } : { ...body, asset: 'NONE' }),
      (body, now) => ({ ...body, amount: -1, effective_at: now }),
      of({ account_name: 'No name' }),
    ],
    isRepeatable: true,
  },
  chargeWallet: {
    mistakes: [of({ asset: 'NONE' }), of({ account_name: 'No name' }), of({ amount: -1 })],
    isRepeatable: true,
  },
  createTopUp: {
    mistakes: [
      (body, now) => ({ ...body, credit_expires_at: now }),
      of({ amount: 0 }),
      (body) => ({ ...body, destination: { ...body.destination, exchange_rate: 0 } }),
    ],
  },
  createSubscription: {
    mistakes: [
      (body) => ({ ...body, products: [...body.products, { code: 'none' }] }),
      (body) => ({ ...body, products: [...body.products, body.products[0]] }),
      (body, now) => ({ ...body, renews_at: body.starts_at ?? now }),
      (body) => ({ ...body, products: [{ ...body.products[0], version: 999 }] }),
    ],
    isFollowedByUpdate: true,
  },
  updateSubscription: {
    mistakes: [(body, now) => ({ ...body, renews_at: now }), of({ status: 'action_required' })],
    isFollowedByUpdate: true,
  },
  updateSubscriptionProduct: {
    mistakes: [() => ({ version: 999 }), () => ({ version: 'none' })],
    isFollowedByUpdate: true,
  },
  setAssetRate: {
    mistakes: [
      (body, now) => ({ ...body, valid_to: body.valid_from ?? now }),
      of({ source: 'NONE' }),
      of({ rate: -1 }),
    ],
  },
  setPaymentMethod: { isFollowedByUpdate: true },
};

/**
 * Surrounds the first request of each operation in a history with others that must change nothing: one with a mistake
 * before, the same in other letter case after, and an update of other fields of its customer. Before all is read, up to two
 * requests of each operation that state their ids are sent again, and have the same response; events stand thrice in one
 * batch, and times have offsets.
 *
 * @param pick chooses the mistakes
 */
export function disturbed(call: WorldCall, pick: number): WorldCall {
  let [count, now] = [0, ''];
  const repeats: (() => Promise<void>)[] = [];
  const former = new Map<string, number>();
  return async (operation, given, statuses) => {
    const parts = operation in DISTURBANCES ? withOffsets(given) : given;
    if (operation === FIRST_READ) for (const repeat of repeats.splice(0)) await repeat();
    const { mistakes = [], isRepeatable, isFollowedByUpdate } = DISTURBANCES[operation] ?? {};
    const place = former.get(operation) ?? 0;
    const isFirst = place === 0;
    former.set(operation, place + 1);
    count += 1;
    const mistake = mistakes[pick % Math.max(1, mistakes.length)];
    if (isFirst && mistake)
      await call(operation, { ...parts, body: mistake(parts.body, now) }, [422]);
    const answer = await call(operation, doubled(operation, parts), statuses);
    if (operation === 'settlePayment') await settledAgain(call, parts, answer);
    if (isRepeatable) {
      const again = { ...parts, body: inUpperCase(parts.body) };
      const repeat = async () =>
        expect(await call(operation, again, statuses), `${operation}, repeated`).toEqual(answer);
      if (place < MAX_REPEATS) repeats.push(repeat);
      if (isFirst) await repeat();
    }
    if (isFirst && isFollowedByUpdate) await updateCustomer(call, parts, count);
    const { to, now: set } = (parts.body ?? {}) as AnyBody;
    now = set ?? to ?? now;
    return answer;
  };
}

async function updateCustomer(call: WorldCall, { path }: Parts, count: number): Promise<void> {
  if (!path || !('customerId' in path)) return;
  const body = { metadata: { count: String(count) }, email: `c${count}@example.com` };
  await call('updateCustomer', { path, body });
}

/** Offsets from UTC, and in minutes: with the second one, times an hour apart read alike. */
const OFFSETS = [
  ['+00:00', 0],
  ['+01:00', 60],
  ['-03:30', -210],
] as const;

/** The same request, whose times have offsets in turn. */
function withOffsets(parts: Parts): Parts {
  let count = 0;
  const text = JSON.stringify(parts).replaceAll(UTC_TIME, (time) => {
    count += 1;
    const [offset, minutes] = OFFSETS[count % OFFSETS.length] ?? OFFSETS[0];
    return shifted(time, minutes * 60_000).replace('Z', offset);
  });
  return JSON.parse(text);
}

const UTC_TIME = /(?<=")\d{4}-\d\d-\d\dT[\d:.]+Z(?=")/g;

/** A payment that was made or has begun is not made twice, and one that was made can no longer be abandoned. */
async function settledAgain(call: WorldCall, parts: Parts, answer: AnyBody): Promise<void> {
  const { outcome } = parts.body as AnyBody;
  const isRejected = !('changed' in answer);
  if (isRejected || (outcome !== 'succeeded' && outcome !== 'processing')) return;
  const again = await call('settlePayment', parts);
  expect(again, 'a payment, repeated').toEqual({ ...answer, changed: false });
  await call('settlePayment', { ...parts, body: { outcome: 'abandoned' } }, [422]);
}

/** Events thrice in one batch are those events once, whatever the later ones say. */
const doubled = (operation: string, parts: Parts): Parts =>
  operation === 'submitEvents' ? { ...parts, body: withRepetitions(parts.body) } : parts;

const withRepetitions = ({ events, ...body }: AnyBody): object => ({
  ...body,
  events: [...events, ...inUpperCase({ events }).events, ...events.map(withMistakes)],
});

/** The same event with nothing but mistakes. */
const withMistakes = (event: AnyBody): AnyBody => ({
  ...event,
  occurred_at: '2020-01-01T00:00:00Z',
  costs: [{ ...event.costs[0], vendor_id: 'vnd_none' }],
});

/** The same ids, in upper-case letters. */
function inUpperCase({ events, transaction_id, ...body }: AnyBody): AnyBody {
  return {
    ...body,
    ...(events && {
      events: events.map((event: AnyBody) => ({ ...event, id: event.id.toUpperCase() })),
    }),
    ...(transaction_id && { transaction_id: transaction_id.toUpperCase() }),
  };
}
