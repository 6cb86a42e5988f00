import type { Context } from 'billing-emulator/internals';
import { type Advice, asking, type Loose, type Mutant } from '../../mutant.ts';
import { remembering, sending } from '../bug.ts';
import { overlay, refuse } from '../deep.ts';
import { against } from '../production/window.ts';

/** What libraries make of JSON: order of keys, empty values, lengths of texts, kinds of values. */
export const jsonBugs: readonly Mutant[] = [
  against(
    'A-707: the same id with the same content returns the first response again',
    'takes metadata in another order for another request',
    { adjustWallet: comparing(({ metadata }) => metadata ?? {}) },
  ),
  against(
    'A-601: external_accounts is replaced as a whole',
    'takes an empty list of external accounts for none sent',
    {
      updateCustomer: sending((body) => {
        if (body.external_accounts?.length === 0) delete body.external_accounts;
      }),
    },
  ),
  against(
    'A-306: the length of a text is its number of Unicode code points; description up to 1024',
    'counts the length of a description in bytes',
    {
      createTopUp({ body }, _, run) {
        return Buffer.byteLength(body.description ?? '') > 1024 ? refuse('description') : run();
      },
    },
  ),
  against(
    'A-501: omitted content is copied from the newest version',
    'copies the prices and entitlements also for an empty list',
    {
      createProductVersion: sending((body) => {
        for (const name of ['prices', 'entitlements'])
          if (body[name]?.length === 0) delete body[name];
      }),
    },
  ),
  against(
    'A-1207: a test dispatch sends the body, any JSON value, as data',
    'sends an empty object for a body of false, 0, null or an empty text',
    { testWebhooks: withoutFalsy(), testWebhook: withoutFalsy() },
  ),
  against(
    'A-508: the volume is a number; if it is not a number, there is no fee',
    'counts a volume of true as 1',
    { submitEvents: countingTruth(), simulateUsage: countingTruth() },
  ),
  against(
    'A-709: metadata if given; Conventions: maps of string to string',
    'drops empty texts from the metadata of a charge',
    {
      chargeWallet: sending((body) => {
        for (const [name, text] of Object.entries(body.metadata ?? {}))
          if (text === '') delete body.metadata[name];
      }),
    },
  ),
  against(
    'A-1001: subjects may contain anything; Task: events of one customer sharing one subject',
    'removes spaces around the subject of an event',
    {
      submitEvents: sending(({ events }) => {
        for (const event of events)
          if (event.subject != null) event.subject = event.subject.trim() || null;
      }),
    },
  ),
];

const sent = remembering<string>();

/** Rejects a repeated transaction id if a part of the request is not written in the same way as before. */
function comparing(partOf: (body: Loose) => Loose): Advice {
  return ({ path, body }, context, run) => {
    const known = sent(context);
    const { replacements } = context.world;
    const name = JSON.stringify([replacements, path.customerId, body.transaction_id.toLowerCase()]);
    const part = JSON.stringify(partOf(body));
    if ((known.get(name) ?? part) !== part) refuse('transaction_id');
    const reply = run();
    known.set(name, part);
    return reply;
  };
}

function withoutFalsy(): Advice {
  return asking(({ body }) => (body.value ? {} : { body: { value: {}, text: '{}' } }));
}

/** Prices with boolean volumes as numbers, in a language in which booleans are numbers. */
function countingTruth(): Advice {
  return (call, context, run) => {
    const given = new Map<string, Loose>();
    const fields = volumeFields(context);
    const copy = structuredClone(call);
    for (const event of copy.body.events) {
      if (!given.has(event.id)) given.set(event.id, event.data ?? {});
      const counted = Object.entries(event.data ?? {}).map(([name, value]) => [
        name,
        typeof value === 'boolean' && fields.has(name) ? Number(value) : value,
      ]);
      event.data = Object.fromEntries(counted);
    }
    const keepingData = overlay(context, 'events', (table) => ({
      put: (row: Loose) => table.put({ ...row, data: given.get(row.event_id) ?? row.data }),
    }));
    return run(copy, keepingData);
  };
}

function volumeFields({ tables, owner }: Context): ReadonlySet<string> {
  const prices = [...tables.versions.values()]
    .filter((each) => each.owner === owner)
    .flatMap((version) => version.prices);
  const calculations = prices.map((price): Loose => price.usage_calculation ?? {});
  const dimensions = calculations.flatMap(({ billable_dimensions = [] }) => billable_dimensions);
  const fields = calculations.map(({ volume_field }) => volume_field);
  return new Set(fields.filter((field) => field && !dimensions.includes(field)));
}
