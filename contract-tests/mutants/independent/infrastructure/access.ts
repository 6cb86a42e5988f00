import { key } from 'billing-emulator/internals';
import type { Loose, Mutant, MutatedRequest } from '../../mutant.ts';
import { actingFor, refuse, seeing } from '../deep.ts';
import { against } from '../production/window.ts';

const KEY_HEADER = 'x-service-api-key';

/** The platform and its connected accounts, the platform first. */
const ownersOf = ({ world, tables }: Loose): string[] => [
  world.accountId,
  ...[...tables.accounts.values()].map(({ id }) => id),
];

const bearerOf = ({ headers }: MutatedRequest): string | undefined =>
  headers.authorization?.replace(/^Bearer +/i, '').trim();

/** The key that counts; the other header no longer contradicts it. */
function lend({ headers }: MutatedRequest, lent: string | undefined): string | undefined {
  if (lent !== undefined) delete headers[KEY_HEADER];
  return lent;
}

/** A bug in how keys are read. */
const ofKeys = (place: string, about: string, lendKey: Mutant['lendKey']): Mutant =>
  against(place, about, {}, { id: `keys: ${about}`, ...(lendKey && { lendKey }) });

/** Keys, connected accounts, and records of one account in the requests of another. */
export const accessBugs: readonly Mutant[] = [
  ofKeys(
    'Authentication 1: every operation requires an API key',
    'answers HEAD without a key',
    ({ method, headers }) => {
      const isKeyless = headers.authorization === undefined && headers[KEY_HEADER] === undefined;
      return method === 'HEAD' && isKeyless ? 'key_test_emulator' : undefined;
    },
  ),
  ofKeys(
    'A-103: a key has a name of the form [a-z0-9][a-z0-9-]{0,62}, anything that is not well-formed is invalid',
    'takes a key in capital letters',
    (asked) => {
      const own = [asked.headers[KEY_HEADER]].flat()[0] ?? bearerOf(asked) ?? '';
      const small = own.toLowerCase();
      const isLoud = small !== own && /^key_(test|live)_[a-z0-9]/.test(small);
      return lend(asked, isLoud ? small : undefined);
    },
  ),
  ofKeys(
    'A-102: when both are present and differ, the response is 401',
    'takes the bearer token whatever key stands beside it',
    (asked) => {
      const isBoth = asked.headers[KEY_HEADER] !== undefined && bearerOf(asked) !== undefined;
      return lend(asked, isBoth ? bearerOf(asked) : undefined);
    },
  ),
  against(
    'A-104, A-501: a code is unique, and "unique" means unique within that owner',
    'takes the code of a product of another account for taken',
    {
      createProduct(call, context, run) {
        const { code } = call.body;
        const others = ownersOf(context).filter((owner) => owner !== context.owner);
        const isTaken = others.some((owner) =>
          context.tables.products.first('code', key(owner, code)),
        );
        return isTaken ? refuse('code') : run();
      },
    },
  ),
  against(
    'A-802: a usage event id is unique per account',
    'takes an event for a repeated one if another account has used its id',
    {
      submitEvents(call, context, run) {
        const others = ownersOf(context).filter((owner) => owner !== context.owner);
        const isKnown = ({ id }: Loose) =>
          others.some((owner) => context.tables.events.get(key(owner, id.toLowerCase())));
        const events = call.body.events.filter((event: Loose) => !isKnown(event));
        return run({ ...call, body: { ...call.body, events } });
      },
    },
  ),
  against(
    'A-104: every record belongs to the platform or to one connected account; POST /events: customer_external_id',
    'finds the customer of an external id in the whole platform',
    {
      submitEvents: actingFor(({ body }, context) =>
        typeof body.customer_external_id !== 'string'
          ? undefined
          : ownersOf(context).find((owner) =>
              context.tables.customers.first('external', key(owner, body.customer_external_id)),
            ),
      ),
    },
  ),
  against(
    'GET /tasks/{taskId}: 200 task detail; 404; Errors: 404 resource not found',
    'answers 403 for the task of another account',
    {
      getTask({ path }, { tables, owner }, run) {
        const task = tables.tasks.get(path.taskId);
        return task && task.owner !== owner ? { status: 403 } : run();
      },
    },
  ),
  against(
    'POST /webhooks/test/{topic}/{connectedAccountId}: 404; A-1202: a test dispatch to an unknown connected account is 404',
    'lets one connected account dispatch tests to another',
    {
      testConnectedWebhooks: seeing('accounts', (row, _, { owner }) => ({ ...row, owner })),
    },
  ),
  against(
    'A-104: every record belongs to the platform or to one connected account; DELETE /products/{productId}/{version}',
    'archives a version of the product of another account',
    {
      archiveProductVersion: actingFor(
        ({ path }, { tables }) => tables.products.get(path.productId)?.owner,
      ),
    },
  ),
  against(
    'A-1211: the log of an account shows the destinations of that account only',
    'shows a connected account the destinations of the platform',
    {
      listWebhookEvents(_, { world, tables, owner }, run) {
        const reply = run();
        if (!reply.body?.items || owner === world.accountId) return reply;
        const items = reply.body.items.map((item: Loose) => {
          const ours = tables.webhook_events.get(key(world.accountId, item.id));
          const all = [...item.matched_destination_ids, ...(ours?.matched_destination_ids ?? [])];
          return { ...item, matched_destination_ids: all };
        });
        return { ...reply, body: { ...reply.body, items } };
      },
    },
  ),
];
