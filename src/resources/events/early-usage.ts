import { isoDuration, toMillis } from '../../domain/instant.ts';
import type { CustomerRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { customerTitle } from '../customers/customer-title.ts';
import { warn } from '../warnings.ts';
import type { NewEvent } from './event-intake.ts';

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
