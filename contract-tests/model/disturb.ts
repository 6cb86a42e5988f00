import { type AnyBody, expect, type WorldCall } from '../kit/index.ts';

type Parts = Parameters<WorldCall>[1];

/** Requests that have times. */
const TIMED = [
  'submitEvents',
  'adjustWallet',
  'createTopUp',
  'createSubscription',
  'updateSubscription',
  'setAssetRate',
];

/** Requests that state their ids, so that a repetition changes nothing. */
const REPEATABLE = ['submitEvents', 'adjustWallet', 'chargeWallet'];

/** Requests of which the first is followed by an update by which the customer stays what it was. */
const FOLLOWED_BY_UPDATE = [
  'createSubscription',
  'updateSubscription',
  'updateSubscriptionProduct',
  'setPaymentMethod',
];

/** The first request by which a history reads all that there is. */
const FIRST_READ = 'getWallet';

/** How many requests of an operation are sent again. */
const MAX_REPEATS = 2;

/**
 * Surrounds requests of a history with others that must change nothing: the first of each operation that states its ids with
 * the same in other letter case, and the first of some with an update of other fields of its customer. Before all is read, up
 * to two requests of each operation that state their ids are sent again, and have the same response; events stand thrice in
 * one batch, and times have offsets.
 */
export function disturbed(call: WorldCall): WorldCall {
  let count = 0;
  const repeats: (() => Promise<void>)[] = [];
  const former = new Map<string, number>();
  return async (operation, given, statuses) => {
    const parts = TIMED.includes(operation) ? withOffsets(given) : given;
    if (operation === FIRST_READ) for (const repeat of repeats.splice(0)) await repeat();
    const place = former.get(operation) ?? 0;
    former.set(operation, place + 1);
    count += 1;
    const answer = await call(operation, doubled(operation, parts), statuses);
    if (REPEATABLE.includes(operation)) {
      const again = { ...parts, body: inUpperCase(parts.body) };
      const repeat = async () =>
        expect(await call(operation, again, statuses), `${operation}, repeated`).toEqual(answer);
      if (place < MAX_REPEATS) repeats.push(repeat);
      if (place === 0) await repeat();
    }
    if (place === 0 && FOLLOWED_BY_UPDATE.includes(operation))
      await updateCustomer(call, parts, count);
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
    const local = new Date(Date.parse(time) + minutes * 60_000).toISOString();
    return local.replace('Z', offset);
  });
  return JSON.parse(text);
}

const UTC_TIME = /(?<=")\d{4}-\d\d-\d\dT[\d:.]+Z(?=")/g;

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
