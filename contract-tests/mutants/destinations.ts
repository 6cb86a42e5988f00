import { type Context, signatureOf } from 'billing-emulator/internals';
import { keeping, reading } from './independent/deep.ts';
import {
  type Advice,
  asking,
  declared,
  each,
  type Loose,
  type Mutant,
  onRefusal,
} from './mutant.ts';

const isKnownAccount = ({ path }: Loose, { tables }: Context): boolean =>
  tables.accounts.get(path.connectedAccountId) !== undefined;

/** Sends a test for the caller's account if the connected one is unknown. */
const forTheCaller: Advice = asking((call, context) => {
  if (!isKnownAccount(call, context)) delete call.path.connectedAccountId;
});

/** Sends a test for a known account to all its destinations if the one in the path is unknown. */
const toAllIfUnknown: Advice = onRefusal((_error, call, context, run) => {
  if (!isKnownAccount(call, context)) return undefined;
  const { webhookId: _, ...path } = call.path;
  return run({ ...call, path });
});

const NOBODY = { status: 202, body: { id: 'evt_00000000000000000000000000' } };

/** Reads the destinations of a test to all of them in another way. */
const toAll = (
  about: string,
  noticedBy: readonly string[],
  change: (rows: readonly Loose[]) => readonly Loose[],
): Mutant => declared(about, noticedBy, { testWebhooks: reading('webhooks', 'owner', change) });

/** Signs each request also with the secret of the destination created before its own. */
function alsoSigned(): Mutant {
  const secrets: string[] = [];
  return {
    ...declared('A request is also signed with the secret of another destination', ['WHK-60'], {
      createWebhook(_call, _context, run) {
        const reply = run();
        secrets.push(reply.body.secret);
        return reply;
      },
    }),
    posting(post) {
      const headers = Object.entries(post.headers).map(([name, text]) => {
        const [, at = '', own = ''] = /^t=(\d+),v0=(\w+)$/.exec(text) ?? [];
        const place = secrets.findIndex((secret) => signatureOf(post.body, secret, at) === own);
        const other = secrets[place - 1];
        return [name, other ? `${text},${signatureOf(post.body, other, at)}` : text];
      });
      return { ...post, headers: Object.fromEntries(headers) };
    },
  };
}

/** Mutants of test events for accounts and to all destinations, and of changes of destinations. */
export const destinationMutants: readonly Mutant[] = [
  declared('A test for an unknown account is accepted', ['WHK-11'], {
    testConnectedWebhooks: onRefusal((_, call, context) =>
      isKnownAccount(call, context) ? undefined : NOBODY,
    ),
  }),
  declared(
    'A test of one destination for an unknown account is one for the platform',
    ['WHK-11', 'WHK-91'],
    {
      testConnectedWebhook: forTheCaller,
    },
  ),
  declared('A test of an unknown destination for an account is one of all', ['WHK-11', 'WHK-91'], {
    testConnectedWebhook: toAllIfUnknown,
  }),
  toAll('A test reaches a destination once for each topic that matches', ['WHK-60'], (rows) =>
    rows.flatMap((row) => row.topics.map((topic: string) => ({ ...row, topics: [topic] }))),
  ),
  toAll('A test reaches each URL once', ['WHK-60'], (rows) => [
    ...new Map(rows.toReversed().map((row) => [row.url, row])).values(),
  ]),
  alsoSigned(),
  declared('The log shows the attempts of the first destination only', ['WHK-60'], {
    listWebhookEvents: each('items', ({ metadata, matched_destination_ids: [first] }) => ({
      metadata: metadata && {
        attempts: metadata.attempts.filter((attempt: Loose) => attempt.destination_id === first),
      },
    })),
  }),
  declared('An update of enabled keeps updated_at', ['WHK-90'], {
    updateWebhook: keeping('webhooks', (row, { body }, { tables }) =>
      Object.keys(body).join() === 'enabled'
        ? { ...row, updated_at: tables.webhooks.get(row.id)?.updated_at }
        : row,
    ),
  }),
  declared('The log names the destinations whose topics match now', ['WHK-91'], {
    listWebhookEvents: each('items', ({ matched_destination_ids, topic }, _, { tables }) => ({
      matched_destination_ids: matched_destination_ids.filter((id: string) => {
        const row = tables.webhooks.get(id);
        return !row || row.topics.includes('*') || row.topics.includes(topic);
      }),
    })),
  }),
];
