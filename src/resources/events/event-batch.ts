import { findCurrency } from '../../domain/currencies.ts';
import {
  after,
  before,
  type Instant,
  instant,
  isoDuration,
  toMillis,
} from '../../domain/instant.ts';
import { type Finding, finding, type Rule } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import { InternPool } from '../../store/intern-pool.ts';
import { rowsOf } from '../../store/query.ts';
import type { CustomerRow, VendorRow } from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';
import type { Context } from '../context.ts';
import { customerTitle } from '../customers/customer-lookup.ts';
import { findVendor } from '../vendors/vendors.ts';
import { warn } from '../warnings.ts';

export type EventInput = Call<'submitEvents'>['body']['events'][number];
type CostInput = NonNullable<EventInput['costs']>[number];

export const DEFAULT_COST_CURRENCY = 'USD';

/** An event that was not submitted before. */
export interface NewEvent {
  readonly input: EventInput;
  readonly occurred_at: Instant;
  readonly costs: readonly NewCost[];
}

export interface NewCost {
  readonly input: CostInput;
  readonly vendor: VendorRow;
}

interface ValidatedBatch {
  readonly events: readonly NewEvent[];
  /** Every finding of the batch; if there are none, the new events can be stored. */
  readonly findings: readonly Finding[];
}

/** Validates a batch. Skips events that were submitted before. @assumes */
export function validateBatch(
  context: Context,
  customerId: string | undefined,
  inputs: readonly EventInput[],
): ValidatedBatch {
  const { tables, owner, now, settings } = context;
  const events: NewEvent[] = [];
  const findings: Finding[] = [];
  const oldest = before(now, settings.event_max_age);
  const latest = after(now, settings.event_max_ahead);
  const seenEvents = new Set<string>();
  const seenCosts = new Set<string>();
  /** Events of a batch often have the same time: each distinct instant is stored once. */
  const instants = new InternPool<Instant>();

  for (const [place, input] of inputs.entries()) {
    const field = `events[${place}]`;
    const stored = tables.events.get(uuidKey(owner, input.id));
    if (stored && customerId !== undefined && stored.customer_id !== customerId)
      findings.push(finding('event.id_taken', `${field}.id`));
    if (stored || seenEvents.has(input.id.toLowerCase())) continue;
    seenEvents.add(input.id.toLowerCase());

    const moment = instant(input.occurred_at);
    const occurred_at = instants.intern(moment, moment);
    if (occurred_at < oldest || occurred_at > latest)
      findings.push(
        untimely(occurred_at < oldest, `${field}.occurred_at`, { now, oldest, latest }),
      );
    const costs = validateCosts(context, input.costs ?? [], `${field}.costs`, seenCosts, findings);
    events.push({ input, occurred_at, costs });
  }
  return { events, findings };
}

/** The finding of an event too old or too far in the future, with what the clock shows, which may be frozen. */
function untimely(
  isOld: boolean,
  field: string,
  { now, oldest, latest }: { now: Instant; oldest: Instant; latest: Instant },
): Finding {
  const expected = isOld ? `${oldest} or later` : `${latest} or earlier`;
  const rule = isOld ? 'event.too_old' : 'event.too_early';
  return finding(rule, field, `Expected ${expected}; the clock of this world shows ${now}.`);
}

function validateCosts(
  context: Context,
  inputs: readonly CostInput[],
  field: string,
  seen: Set<string>,
  findings: Finding[],
): NewCost[] {
  const { tables, owner } = context;
  const costs: NewCost[] = [];
  for (const [place, input] of inputs.entries()) {
    const path = `${field}[${place}]`;
    const claim = uuidKey(owner, input.id);
    if (seen.has(claim) || tables.cost_claims.get(claim))
      findings.push(finding('cost.id_taken', `${path}.id`));
    seen.add(claim);
    if (!findCurrency(input.currency ?? DEFAULT_COST_CURRENCY))
      findings.push(finding('currency.required', `${path}.currency`));
    const vendor = vendorOf(context, input);
    if ('rule' in vendor) findings.push(finding(vendor.rule, `${path}.${vendor.field}`));
    else costs.push({ input, vendor });
  }
  return costs;
}

/** Finds the vendor of a cost by its id, its external id, or both. @assumes A-804 */
function vendorOf(
  context: Context,
  { vendor_id, vendor_external_id }: CostInput,
): VendorRow | { readonly rule: Rule; readonly field: keyof CostInput } {
  if (typeof vendor_id === 'string') {
    const vendor = findVendor(context, vendor_id);
    if (!vendor) return { rule: 'vendor.unknown', field: 'vendor_id' };
    const agrees = (vendor_external_id ?? vendor.external_id) === vendor.external_id;
    return agrees ? vendor : { rule: 'vendor.mismatch', field: 'vendor_external_id' };
  }
  if (typeof vendor_external_id !== 'string')
    return { rule: 'vendor.reference_required', field: 'vendor_id' };
  const vendor = rowsOf(context.tables.vendors, {
    owner: context.owner,
    external_id: vendor_external_id,
  })[0];
  return vendor ?? { rule: 'vendor.unknown', field: 'vendor_external_id' };
}

/** How close usage is to the machine's time if an application dated it by that. */
const NEAR_MS = 300_000;

/**
 * Warns, once per customer, of usage dated before the latest advance by the machine's time: its application does not
 * follow the clock of the world.
 *
 * @assumes A-1402
 */
export function warnOfEarlyUsage(
  context: Context,
  customer: CustomerRow,
  events: readonly NewEvent[],
): void {
  const { clock } = context.world;
  const { advanced } = clock;
  if (!advanced) return;
  const machine = clock.machine();
  const isNear = (moment: number) => Math.abs(moment - machine) <= NEAR_MS;
  if (isNear(toMillis(context.now))) return;
  const early = events.find(
    ({ occurred_at }) => occurred_at < advanced.to && isNear(toMillis(occurred_at)),
  );
  if (!early) return;
  const span = isoDuration(toMillis(advanced.to) - toMillis(advanced.from));
  warn(context, {
    kind: 'usage_before_advance',
    place: customer.id,
    message: `The clock was advanced by ${span}; this usage of ${customerTitle(customer)} is dated before, by the machine's time. Date usage by the clock of the world.`,
    event_id: early.input.id,
    field: 'occurred_at',
  });
}
