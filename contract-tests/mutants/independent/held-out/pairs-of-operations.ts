import type { Context } from 'billing-emulator/internals';
import type { OperationId } from 'billing-emulator/spec';
import { type Advice, type Loose, type Mutant, mutant } from '../../mutant.ts';
import { ask } from '../deep.ts';

/** Mistakes that show only where two operations, or two times of one, meet. */

/** One bug of several operations, told under the first of them. */
export const across = (
  about: string,
  around: Readonly<Partial<Record<OperationId, Advice>>>,
): Mutant => mutant(`${Object.keys(around)[0]}: ${about}`, about, [], around);

/** The same advice about several operations. */
export const alike = (
  advice: Advice,
  ...operations: readonly OperationId[]
): Partial<Record<OperationId, Advice>> =>
  Object.fromEntries(operations.map((operation) => [operation, advice]));

/** What a bug remembers between requests, of each world. */
export function remembering<T>(): (context: Context) => Map<string, T> {
  const kept = new WeakMap<object, Map<string, T>>();
  return ({ world }) => {
    const known = kept.get(world) ?? new Map<string, T>();
    kept.set(world, known);
    return known;
  };
}

/** The subscriptions that a request made, with whose they are. */
export const madeSubscriptions = ({ body }: Loose, { path }: Loose): Loose[] =>
  (body.subscriptions ?? [body]).map((made: Loose) => ({
    ...made,
    customer_id: path.customerId ?? body.id,
  }));

/** The references to products in a request for subscriptions. */
export const referencesIn = ({ body }: Loose): Loose[] =>
  (body.subscriptions ?? [body]).flatMap(({ products = [] }: Loose) => products);

export const isDefault = ({ version }: Loose): boolean => version == null || version === 'default';

/** Tells of an activation: all destinations that listen, or a single one. */
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
