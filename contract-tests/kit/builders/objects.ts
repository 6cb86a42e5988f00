import { REMOVERS, type Remover } from '../created-objects.ts';
import type { CallParts, OperationId } from '../operations.ts';
import { isLoopbackTarget } from '../plan.ts';
import type { CheckContext } from '../run-check.ts';
import { api, call } from '../target/api.ts';
import { building, shared } from '../target/building.ts';
import { now, runMark, unique, uniqueAssetCode, uniqueSubject, uuid } from '../target/names.ts';
import { currentSession } from '../target/session.ts';

/**
 * Builders for the objects that checks use. On an emulator of this run each call creates a new object; on an external
 * target, some are shared by all checks.
 */

export type BodyOf<Id extends Parameters<typeof api>[0]> = NonNullable<CallParts<Id>['body']>;

/** A customer, connected account or vendor that the suite created. */
export interface OwnObject {
  readonly id: string;
  readonly external_id: string;
  readonly name: string;
}

/** On an external target the suite keeps at most two objects of each kind. */
type Slot = 'main' | 'other';

/** A named object that checks can share. */
function aShared(
  kind: string,
  slot: Slot,
  create: OperationId,
  body: { readonly name: string; readonly metadata?: object },
): Promise<OwnObject> {
  const external_id = unique(kind.replace(' ', '-'));
  return shared(`${kind} ${slot}`, async () => {
    const made = await call(create, { body: { ...body, external_id } }, [201]);
    return { id: made.body.id, external_id, name: body.name };
  });
}

/** A customer that checks can share. */
export const aCustomer = (slot: Slot = 'main'): Promise<OwnObject> =>
  aShared('customer', slot, 'createCustomer', { name: `Contract ${slot}`, metadata: runMark() });

/** A new customer without history, for one check only. */
export function aFreshCustomer(body: Partial<BodyOf<'createCustomer'>> = {}): Promise<OwnObject> {
  const external_id = unique('customer');
  const whole = { name: 'Contract fresh', external_id, metadata: runMark(), ...body };
  return building('customer', async () => {
    const { id } = await api('createCustomer', { body: whole }, 201);
    return { id, name: whole.name, external_id: whole.external_id as string };
  });
}

/** A connected account that checks can share. */
export const aConnectedAccount = (): Promise<OwnObject> =>
  aShared('connected account', 'main', 'createConnectedAccount', {
    name: 'Contract account',
    metadata: runMark(),
  });

/** A new connected account for one check only. */
export function aFreshAccount(
  body: Partial<BodyOf<'createConnectedAccount'>> = {},
): Promise<{ readonly id: string }> {
  const whole = { name: 'Contract account', metadata: runMark(), ...body };
  return building('connected account', () => api('createConnectedAccount', { body: whole }, 201));
}

/** A vendor that checks can share. */
export const aVendor = (slot: Slot = 'main'): Promise<OwnObject> =>
  aShared('vendor', slot, 'createVendor', { name: 'Contract vendor' });

interface OwnAsset {
  readonly code: string;
  readonly name: string;
  readonly precision: number;
}

/** A custom asset that checks can share: two decimals, 0.5 USD each. */
export function anAsset(slot: Slot = 'main'): Promise<OwnAsset> {
  const rates = [{ source: 'USD', rate: 0.5 }];
  const body = { code: uniqueAssetCode(), name: 'Contract units', precision: 2, rates };
  return shared(`asset ${slot}`, () => makeAsset(body));
}

/** A new asset for one check only. */
export function aFreshAsset(body: Partial<BodyOf<'createAsset'>> = {}): Promise<OwnAsset> {
  const code = uniqueAssetCode();
  const whole = { code, name: 'Contract units', ...body };
  return building('asset', () => makeAsset(whole));
}

async function makeAsset(body: BodyOf<'createAsset'>): Promise<OwnAsset> {
  await api('createAsset', { body }, 201);
  return { code: body.code, name: body.name, precision: body.precision ?? 0 };
}

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

export interface OwnWebhook {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
}

/**
 * An unreachable destination, for checks that read only the delivery log. For a loopback target it is a port without a
 * listener, because a machine without a DNS resolver can take ten seconds to report an unknown host name.
 */
export function blackHole(): string {
  const isNear = isLoopbackTarget(currentSession().plan.target.baseUrl);
  const host = isNear ? '127.0.0.1:9' : `${unique('hole')}.invalid`;
  return `https://${host}/${unique('hook')}`;
}

/** Creates a webhook destination, and deletes it after the check. */
export async function aWebhook(
  t: CheckContext,
  body: Partial<BodyOf<'createWebhook'>> = {},
): Promise<OwnWebhook> {
  const url = body.url ?? blackHole();
  const made = await building('webhook destination', () =>
    api('createWebhook', { body: { ...body, url } }, 201),
  );
  currentSession().redactor.learn(made.secret);
  t.afterwards(() => removed('deleteWebhook', made.id));
  return { id: made.id, secret: made.secret, url };
}

/** Deletes an object that the check created. It is no error when the object no longer exists. */
export async function removed(operation: Remover, id: string): Promise<void> {
  await call(operation, { path: { [REMOVERS[operation]]: id } }, [204, 404, 400, 422]);
  currentSession().created.remove(id);
}
