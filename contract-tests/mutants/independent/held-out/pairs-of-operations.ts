import type { Context } from 'billing-emulator/internals';
import type { OperationId } from 'billing-emulator/spec';
import type { Advice, Loose } from '../../mutant.ts';
import { ask } from '../deep.ts';

/** Bugs that show only when two operations, or two calls of one, are combined. */

/** The same advice for several operations. */
export const alike = (
  advice: Advice,
  ...operations: readonly OperationId[]
): Partial<Record<OperationId, Advice>> =>
  Object.fromEntries(operations.map((operation) => [operation, advice]));

/** The subscriptions that a request created, with their customer. */
export const madeSubscriptions = ({ body }: Loose, { path }: Loose): Loose[] =>
  (body.subscriptions ?? [body]).map((made: Loose) => ({
    ...made,
    customer_id: path.customerId ?? body.id,
  }));

/** The references to products in a request for subscriptions. */
export const referencesIn = ({ body }: Loose): Loose[] =>
  (body.subscriptions ?? [body]).flatMap(({ products = [] }: Loose) => products);

export const isDefault = ({ version }: Loose): boolean => version == null || version === 'default';

/** Sends an activation event to all destinations, or to a single one. */
export function announce(subscription: Loose, context: Context, webhookId?: string): void {
  const { id: subscription_id, customer_id, owner = context.owner } = subscription;
  const value = { customer_id, subscription_id, occurred_at: context.now };
  ask(
    webhookId === undefined ? 'testWebhooks' : 'testWebhook',
    {
      path: { topic: 'subscription.activated', webhookId },
      body: { value, text: JSON.stringify(value) },
    },
    { ...context, owner },
  );
}
