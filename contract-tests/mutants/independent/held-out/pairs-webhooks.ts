import { asking, type Loose, type Mutant, mutant } from '../../mutant.ts';
import { across, bugs } from '../bug.ts';
import { keeping, overlay } from '../deep.ts';
import { dueBugs, thenAlso } from '../due-bug.ts';
import { alike, announce, madeSubscriptions } from './pairs-of-operations.ts';

/** Bugs in webhooks that show only where two sentences of the specification meet. */

const OF_TOPIC = /\/webhooks\/(?:[^/]+\/)?test\/([^/]+)/;

const isUnknownTopic = ({ method, path }: Loose): boolean => {
  const topic = OF_TOPIC.exec(path)?.[1];
  return method === 'POST' && topic !== undefined && topic !== 'subscription.activated';
};

const destinationId = (id: string): string => id.replace(/^whd_/, 'dst_');

export const pairedWebhookBugs: readonly Mutant[] = [
  ...dueBugs({
    refresh: {
      'tells of an activation with each refresh': thenAlso((subscription, context) =>
        announce(subscription, context),
      ),
    },
  }),
  {
    ...mutant(
      'testWebhooks: answers 404 for an unknown topic before it asks for a key',
      'answers 404 for an unknown topic before it asks for a key',
      [],
    ),
    rawResponse: (response, asked) =>
      response.status === 401 && isUnknownTopic(asked) ? { ...response, status: 404 } : response,
  },
  across(
    'tells catch-all destinations of a subscription that waits for its payment',
    alike(
      (call, context, run) => {
        const reply = run();
        const waiting = madeSubscriptions(reply, call).filter(
          ({ status }) => status === 'action_required',
        );
        const all = context.tables.webhooks
          .list('owner', context.owner)
          .filter(({ enabled, connect, topics }) => enabled && !connect && topics.includes('*'));
        for (const subscription of waiting)
          for (const { id } of all) announce(subscription, context, id);
        return reply;
      },
      'createSubscription',
      'createCustomer',
    ),
  ),
  across(
    'says of events of connected accounts that they are not live',
    alike(
      keeping('webhook_events', (row) =>
        row.account_id === undefined
          ? row
          : { ...row, body: row.body.replace('"live_mode":true', '"live_mode":false') },
      ),
      'createSubscription',
      'createCustomer',
      'testConnectedWebhook',
      'testConnectedWebhooks',
    ),
  ),
  ...bugs({
    deleteWebhook: {
      'goes on trying what waits for a removed destination': (call, context, run) => {
        const kept = overlay(context, 'webhooks', (table) => ({
          remove: (id: string) => table.put({ ...table.get(id), owner: 'removed' }),
        }));
        return run(
          call,
          overlay(kept, 'deliveries', () => ({ list: () => [] })),
        );
      },
    },
    listWebhookEvents: {
      'lists all events for a destination that is not there': asking(
        ({ query }, { tables, owner }) => {
          const known = query.destination_id?.filter(
            (id: string) => tables.webhooks.get(destinationId(id))?.owner === owner,
          );
          query.destination_id = known?.length > 0 ? known : undefined;
        },
      ),
      'begins anew at a cursor that it does not know': asking(({ query }, { tables, owner }) => {
        for (const name of ['next', 'prev']) {
          const id = Buffer.from(query[name] ?? '', 'base64url').toString();
          if (!tables.webhook_events.get(`${owner}\n${id}`)) delete query[name];
        }
      }),
    },
  }),
];
