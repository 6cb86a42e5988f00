import type { LooseParts, OperationId } from '../operations.ts';

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
