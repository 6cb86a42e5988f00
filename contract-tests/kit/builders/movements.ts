import { api } from '../target/api.ts';
import { now, runMark, uniqueSubject, uuid } from '../target/names.ts';
import { building } from '../target/slots.ts';
import type { BodyOf, OwnObject } from './objects.ts';

/** A usage event that the suite submitted. */
interface OwnEvent {
  readonly id: string;
  readonly subject: string;
}

/** The body of a usage event: a new id, the current time, a subject unique to the run. */
export function usageEvent(event_type: string, changes: object = {}): OwnEvent {
  return {
    id: uuid(),
    event_type,
    occurred_at: now(),
    subject: uniqueSubject(),
    ...changes,
  } as never;
}

/** Submits one usage event for a customer. Returns its id and subject. */
export function aUsageEvent(
  customer: Pick<OwnObject, 'id'>,
  event_type: string,
  changes: object = {},
): Promise<OwnEvent> {
  const event = usageEvent(event_type, changes);
  return building('usage event', async () => {
    await api(
      'submitEvents',
      { body: { customer_id: customer.id, events: [event] as never } },
      204,
    );
    return event;
  });
}

/** Adds credit to a customer's wallet or deducts it. Returns the transaction id. */
export function anAdjustment(
  customer: OwnObject,
  changes: Partial<BodyOf<'adjustWallet'>> = {},
): Promise<string> {
  const body = adjustment(changes);
  return building('adjustment', async () => {
    await api('adjustWallet', { path: { customerId: customer.id }, body }, 201);
    return body.transaction_id;
  });
}

/** The body of a wallet adjustment: a new transaction id, 10 USD. */
export function adjustment(changes: Partial<BodyOf<'adjustWallet'>> = {}): BodyOf<'adjustWallet'> {
  const whole = { transaction_id: uuid(), asset: 'USD', amount: 10, metadata: runMark() };
  return { ...whole, reason: 'external_topup', ...changes };
}
