import { amount } from './exact-json.ts';
import { type LooseParts, type OperationId, operationOf } from './operations.ts';
import { Rational } from './rational.ts';
import type { ReceivedResponse } from './target/client.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Known {
  readonly fields: Fields;
  readonly source: string;
  /** How many changes had been made when it was said. */
  readonly changes: number;
}

/** A Date header has whole seconds. */
const SECOND_MS = 1000;

/** Ids that name one object wherever they stand. Deliveries change destinations and their log at any time. */
const IDENTIFIER = /^(cust|sub|prp|prc|fee|top|vnd|acc|grt)_/;

/** What stays as it is, whatever is written; except of a task, which begins earlier with earlier usage. */
const FIXED = new Set(['created_at', 'amount']);
const isTask = ({ id }: Fields): boolean => String(id).includes(':');

/** Of usage, everything but the external id of its customer stays. */
const isFixed = (name: string, fields: Fields): boolean =>
  'event_type' in fields ? name !== 'external_id' : FIXED.has(name) && !isTask(fields);

/**
 * What the responses of a check say of one object agrees, in lists and details, as long as nothing changes: no accepted
 * write, no moved clock, no payment on a page. A rejected write is no change.
 */
export class Agreement {
  readonly #known = new Map<string, Known>();
  readonly #dates = new Map<string, { date: number; askedAt: number; changes: number }>();
  #writesInProgress = 0;
  #changes = 0;

  /** Notes that anything can have changed. */
  changed(): void {
    this.#changes += 1;
  }

  /** Begins a request. The function returned ends it, and returns what its response says otherwise than an earlier one. */
  begin(
    operation: OperationId,
    parts: LooseParts,
  ): (answer?: ReceivedResponse) => readonly string[] {
    const isRead = operationOf(operation).method === 'GET';
    const [before, askedAt] = [this.#changes, Date.now()];
    const wasAlone = this.#writesInProgress === 0;
    if (!isRead) this.#writesInProgress += 1;
    return (answer) => {
      const isRejected = answer && answer.status >= 400 && answer.status < 500;
      if (!isRead) this.#writesInProgress -= 1;
      if (!isRead && !isRejected) this.changed();
      const isFar =
        answer && parts.method === undefined && this.#isFar(`${parts.key}`, answer, askedAt);
      if (isFar)
        return ['Date does not follow that of the response before by the time between them'];
      const isAlone = wasAlone && this.#writesInProgress === 0;
      const isCurrent = this.#changes - before === Number(!isRead);
      if (!answer || answer.status >= 300 || !isAlone || !isCurrent) return [];
      return [...objectsIn(answer.body)].flatMap(([key, fields]) =>
        this.#compare(`${parts.key ?? ''} ${parts.actingFor ?? ''} ${key}`, fields, operation),
      );
    };
  }

  /**
   * Whether a Date has moved otherwise than the machine's time, or not at all, while no change has moved the clock. A Date can
   * be as old as the request.
   */
  #isFar(key: string, { headers, status }: ReceivedResponse, askedAt: number): boolean {
    // Without a valid key there is no world.
    if (status === 401) return false;
    const known = this.#dates.get(key);
    const [date, changes] = [Date.parse(String(headers['date'])), this.#changes];
    this.#dates.set(key, { date, askedAt, changes });
    if (known?.changes !== changes) return false;
    const passed = Date.now() - known.askedAt + SECOND_MS;
    return !(Math.abs(date - known.date) <= passed);
  }

  #compare(key: string, fields: Fields, source: string): readonly string[] {
    const known = this.#known.get(key);
    const changes = this.#changes;
    const isSame = known?.changes === changes;
    this.#known.set(key, { fields: { ...(isSame && known.fields), ...fields }, source, changes });
    if (!known) return [];
    return Object.keys(fields)
      .filter((name) => name in known.fields && (isSame || isFixed(name, fields)))
      .filter((name) => JSON.stringify(fields[name]) !== JSON.stringify(known.fields[name]))
      .map((name) => `${name} is not what ${known.source} says of the same object`);
  }
}

/** Every object of a body that has an identifier, with a key that is the same in every response. */
function* objectsIn(value: unknown): Iterable<readonly [key: string, fields: Fields]> {
  if (typeof value !== 'object' || value === null) return;
  const key = keyOf(value as Fields);
  if (key !== undefined) yield [key, withoutAsked(key, value as Fields)];
  const { subscription_id, subscription_status: status, started_at, renews_at } = value as Fields;
  // A subscriber is shown with its subscription.
  if (status !== undefined) yield [`${subscription_id}@`, { status, started_at, renews_at }];
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

function keyOf({ id, version, event_type }: Fields): string | undefined {
  if (typeof id !== 'string') return undefined;
  if (IDENTIFIER.test(id)) return `${id}@${version ?? ''}`;
  return event_type === undefined ? undefined : `event ${id}`;
}

/** Leaves out statistics, which depend on the period that was asked for, unless they are those of one event. */
function withoutAsked(key: string, fields: Fields): Fields {
  const { stats: _, ...others } = fields;
  return key.startsWith('event ') ? { ...fields, ...totalOf(fields) } : others;
}

/** What the list says of the fees of an event that is shown with them. */
function totalOf({ fees }: Fields): Fields {
  if (!Array.isArray(fees)) return {};
  const [first] = fees;
  if (!first) return { has_fees: false };
  if (fees.some(({ currency }) => currency !== first.currency)) return { has_fees: true };
  const total = Rational.sum(fees.map((fee) => amount<{ amount: number }>(fee, 'amount')));
  return { has_fees: true, fee_currency: first.currency, total_fees: total.toNumber() };
}
