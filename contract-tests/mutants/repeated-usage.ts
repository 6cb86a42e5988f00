import { type Context, key, RuleViolation } from 'billing-emulator/internals';
import { ask } from './independent/deep.ts';
import { type Advice, declared, type Loose, type Mutant } from './mutant.ts';

/** What a batch sends again of events of other customers. */
interface Again {
  readonly context: Context;
  readonly customer_id: string;
  readonly stored: Loose;
  readonly sent: Loose;
}

function againOf({ body }: Loose, context: Context): readonly Again[] {
  const { tables, owner } = context;
  const named =
    body.customer_id ??
    tables.customers.first('external', key(owner, body.customer_external_id ?? ''))?.id;
  if (!tables.customers.get(named)) return [];
  return body.events.flatMap((sent: Loose) => {
    const stored = tables.events.get(key(owner, sent.id.toLowerCase()));
    const isOther = stored && stored.customer_id !== named;
    return isOther ? [{ context, customer_id: named, stored, sent }] : [];
  });
}

/**
 * Does something with each event that is rejected because another customer has its id: after the request, as the
 * rejection would undo it.
 */
const alsoWhenRefused =
  (act: (again: Again) => void): Advice =>
  (call, context, run) => {
    try {
      return run();
    } catch (error) {
      const { world } = context;
      const again = error instanceof RuleViolation ? againOf(call, context) : [];
      if (again.length > 0)
        setImmediate(() => world.isClosed || world.commit(() => again.forEach(act)));
      throw error;
    }
  };

/** Mutants of an event's id that is sent again for another customer. */
export const repeatedUsageMutants: readonly Mutant[] = [
  declared('An event sent again for another customer becomes theirs', ['EVT-95'], {
    submitEvents: alsoWhenRefused(({ context: { tables }, customer_id, stored }) => {
      tables.events.put({ ...stored, customer_id });
    }),
  }),
  declared('An event sent again for another customer is billed to both', ['EVT-95'], {
    submitEvents: alsoWhenRefused(({ context, customer_id, sent }) => {
      const id = context.world.nextUuid('mutant', context.owner);
      const { costs: _, ...event } = sent;
      ask('submitEvents', { body: { customer_id, events: [{ ...event, id }] } }, context);
    }),
  }),
];
