import type { OperationId } from '../../kit/operations.ts';
import type { AnyBody } from '../../kit/target/own-world.ts';
import type { SentRequest } from '../calls.ts';
import type { Aspect, Stage } from './aspect.ts';
import { refusals } from './refusals.ts';

/** The maximum number of earlier requests to repeat. */
const REPEATS = 5;

/**
 * Requests that must change nothing: repeats of earlier requests, with the same and with other content, and invalid
 * requests. The aspects after this one show whether they changed anything.
 */
export const harmless: Aspect = async function* (stage) {
  const { call, ids, world } = stage;
  const names = world.customers.map(({ external_id }) => external_id);
  const step = Math.ceil(ids.sent.length / REPEATS);
  for (const [index, request] of ids.sent.entries()) {
    const { operation, parts, answer } = request;
    const { customer_external_id: name } = parts.body as Body;
    if (index % step !== 0 || (name && !names.includes(name))) continue;
    yield [`again ${index}`, (await call(operation, parts)) ?? null, answer ?? null];
    await otherwise(request, stage);
  }
  for (const [operation, parts, status = 422] of refusals(stage))
    await call(operation, parts, [status]);
};

type Body = Readonly<Record<string, AnyBody>>;

/** Changes to a repeated request that keep its ids, each with the expected status. */
const OTHERWISE: Readonly<Partial<Record<OperationId, readonly (readonly [number, Change])[]>>> = {
  submitEvents: [
    [204, ({ events }) => ({ events: events.map(anotherEvent) })],
    [204, ({ events }) => ({ events: [...events, ...events] })],
  ],
  adjustWallet: [
    [422, ({ amount }) => ({ amount: amount + 1 })],
    [422, () => ({ description: 'otherwise' })],
    [422, ({ reason }) => ({ reason: reason === 'gift' ? 'other' : 'gift' })],
    [422, () => ({ account_name: 'third' })],
  ],
  chargeWallet: [
    [422, ({ amount }) => ({ amount: amount + 1 })],
    [422, () => ({ subject: 'otherwise' })],
    [422, () => ({ account_name: 'third' })],
  ],
};

type Change = (body: Body) => object;

/** An event with the same id that would be rejected, or cause a fee, if it were new. */
const anotherEvent = ({ id }: Body) => ({
  id,
  event_type: 'e',
  occurred_at: '2020-01-01T00:00:00Z',
  data: { v: 7 },
  costs: [{ id, amount: 1, vendor_id: 'vnd_unknown' }],
});

async function otherwise({ operation, parts }: SentRequest, { call }: Stage): Promise<void> {
  const body = parts.body as Body;
  for (const [status, change] of OTHERWISE[operation] ?? [])
    await call(operation, { ...parts, body: { ...body, ...change(body) } }, [status]);
}
