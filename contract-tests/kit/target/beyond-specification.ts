import type { CheckRun } from '../check-run.ts';
import type { LooseParts, OperationId } from '../operations.ts';
import type { ShapeFinding } from '../shape.ts';
import type { ReceivedResponse } from './client.ts';

type Members = Readonly<Record<string, unknown>>;

const SHOWN_TOPICS = new Set<unknown>(['*', 'subscription.activated']);
const SHOWN_REASONS = new Set<unknown>([undefined, 'external_topup', 'external_refund', 'gift']);

const namesOtherTopic = ({ topics }: Members): boolean =>
  Array.isArray(topics) && topics.some((topic) => !SHOWN_TOPICS.has(topic));

const costsOf = ({ events }: Members) =>
  (events as readonly Members[]).flatMap(({ costs }) => (costs ?? []) as readonly Members[]);

/** Valid requests that the specification does not show: why a service that rejects them may still follow it. */
const BEYOND: Partial<Record<OperationId, readonly [string, (body: Members) => boolean]>> = {
  createWebhook: ['A-1202', namesOtherTopic],
  updateWebhook: ['A-1202', namesOtherTopic],
  adjustWallet: ['A-707', ({ reason }) => !SHOWN_REASONS.has(reason)],
  submitEvents: [
    'A-901',
    (body) => costsOf(body).some(({ currency = 'USD' }) => currency !== 'USD'),
  ],
};

/** The assumption that makes the request valid; undefined when the specification does. */
export function assumptionOf(operation: OperationId, { body }: LooseParts): string | undefined {
  const [id, isBeyond] = BEYOND[operation] ?? [];
  return body && isBeyond?.(body as Members) ? id : undefined;
}

/** Notes when the running check reads a field that only an assumption states and that the response lacks. */
export function noteUnshownReads(
  { operation, status, body }: ReceivedResponse,
  shapes: readonly ShapeFinding[],
  { unshown }: CheckRun,
): void {
  for (const { kind, finding, assumptions, lacks } of shapes) {
    const name = lacks?.at(-1);
    if (kind !== 'refuted' || name === undefined) continue;
    const holder = (lacks as readonly string[])
      .slice(0, -1)
      .reduce((part: Record<string, never> | undefined, step) => part?.[step], body);
    if (typeof holder !== 'object' || holder === null || name in holder) continue;
    const text = `${operation} ${status}: ${finding} (${assumptions.join(', ')})`;
    // In the prototype, so that comparisons of whole bodies and the messages of those that failed do not read it.
    const get = (): void => void unshown.add(text);
    Object.setPrototypeOf(
      holder,
      Object.create(Object.getPrototypeOf(holder), { [name]: { get } }),
    );
  }
}
