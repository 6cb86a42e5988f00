import { refuse, through } from './independent/deep.ts';
import {
  type Advice,
  asking,
  declared,
  each,
  firstOf,
  type Loose,
  type Mutant,
  showing,
} from './mutant.ts';

const isBlank = (text: unknown): boolean => typeof text === 'string' && text.trim() === '';

/** A map without some of its fields; nothing stays nothing. */
const without = (map: Loose, isUnwanted: (value: unknown) => boolean): Loose =>
  map && Object.fromEntries(Object.entries(map).filter(([, value]) => !isUnwanted(value)));

/** Removes blank values from the metadata of a request. */
const filledMetadata = asking(({ body }) => {
  if (body.metadata) body.metadata = without(body.metadata, isBlank);
});

const trimmed = (name: string): Advice =>
  asking(({ query }) => {
    if (query[name] !== undefined) query[name] = query[name].trim();
  });

/** Prices events with other data, and stores what was sent. */
const pricedWith =
  (change: (value: unknown) => unknown): Advice =>
  (call, context, run) => {
    const sent = new Map<string, Loose>();
    const events = call.body.events.map((event: Loose) => {
      sent.set(event.id, event.data);
      const data = Object.entries(event.data ?? {}).map(([name, value]) => [name, change(value)]);
      return { ...event, ...(event.data && { data: Object.fromEntries(data) }) };
    });
    const restoring = through('events', (table) => ({
      put: (row: Loose) => table.put({ ...row, data: sent.get(row.event_id) ?? row.data }),
    }));
    return restoring({ ...call, body: { ...call.body, events } }, context, run);
  };

/** The metadata of the first request with this transaction id. */
const firstSent = (context: Loose, { path, body }: Loose): Loose =>
  firstOf(context, `${path.customerId} ${body.transaction_id.toLowerCase()}`, body.metadata);

const valuesOf = (map: Loose): string => JSON.stringify(Object.values(map ?? {}).sort());

const LONGEST_VALUE = 512;

/** Cuts texts in the metadata of adjustments to the longest that is allowed. */
const cutMetadata: Mutant['requestBody'] = (body, { path }) => {
  if (!path.endsWith('/wallet/adjustments') || !body.metadata) return body;
  const cut = (text: Loose) =>
    typeof text === 'string' ? [...text].slice(0, LONGEST_VALUE).join('') : text;
  const entries = Object.entries(body.metadata).map(([name, text]) => [name, cut(text)]);
  return { ...body, metadata: Object.fromEntries(entries) };
};

/** Mutants that change texts, maps or other JSON that has to be kept as sent. */
export const exactTextMutants: readonly Mutant[] = [
  declared('An empty list of a test dispatch is an empty map in the log', ['WHK-78'], {
    listWebhookEvents: each('items', ({ data }) =>
      Array.isArray(data) && data.length === 0 ? { data: {} } : {},
    ),
  }),
  declared('A test for one destination of an account sends 0 as null', ['WHK-78'], {
    testConnectedWebhook: asking(({ body }) =>
      body.value === 0 ? { body: { ...body, value: null, text: 'null' } } : {},
    ),
  }),
  {
    ...declared('An envelope leaves out data that is null', ['WHK-79']),
    posting: (post) => ({ ...post, body: post.body.replace(/,"data":null}$/, '}') }),
  },
  declared('Empty texts in the metadata of a cost are left out', ['X-68'], {
    submitEvents: asking(({ body }) => {
      for (const cost of body.events.flatMap((event: Loose) => event.costs ?? []))
        cost.metadata = without(cost.metadata, (value) => value === '');
    }),
  }),
  declared('A service_period of false or 0 is left out', ['X-68'], {
    createProduct: asking(({ body }) => {
      for (const { billing_model } of body.prices ?? [])
        if (billing_model.one_time && !billing_model.one_time.service_period)
          delete billing_model.one_time.service_period;
    }),
  }),
  declared('Blank metadata of an updated customer is left out', ['CUS-27'], {
    updateCustomer: filledMetadata,
  }),
  declared('Blank metadata of a charge is left out', ['X-69'], { chargeWallet: filledMetadata }),
  declared('The empty description of an adjustment is left out', ['WAL-38'], {
    adjustWallet: asking(({ body }) => {
      if (body.description === '') delete body.description;
    }),
  }),
  declared('Blank metadata of a top-up is left out', ['TOP-41'], { createTopUp: filledMetadata }),
  declared('Tasks are filtered by the trimmed id of the customer', ['X-43'], {
    listTasks: trimmed('customer_external_id'),
  }),
  declared('Vendors of costs are found by their trimmed id', ['X-97'], {
    submitEvents: asking(({ body }) => {
      for (const cost of body.events.flatMap((event: Loose) => event.costs ?? []))
        if (cost.vendor_external_id) cost.vendor_external_id = cost.vendor_external_id.trimEnd();
    }),
  }),
  declared('Tasks are filtered by the trimmed subject', ['TSK-18'], {
    listTasks: trimmed('subject'),
  }),
  declared('An event with a blank subject belongs to no task', ['TSK-18'], {
    submitEvents: asking(({ body }) => {
      for (const event of body.events) if (isBlank(event.subject)) delete event.subject;
    }),
  }),
  declared('event_types are trimmed', ['EVT-89'], {
    listEvents: asking(({ query }) => {
      if (query.event_types)
        query.event_types = query.event_types.map((type: string) => type.trim());
    }),
  }),
  declared('Data is priced by its trimmed texts', ['EVT-89'], {
    submitEvents: pricedWith((value) => (typeof value === 'string' ? value.trim() : value)),
  }),
  declared('Small numbers are priced by their exponents', ['EVT-92'], {
    submitEvents: pricedWith((value) =>
      typeof value === 'number' && String(value).includes('e') ? String(value) : value,
    ),
  }),
  declared('Vendor stats are filtered by the trimmed category', ['VND-15'], {
    getVendorStats: trimmed('category'),
  }),
  declared('Blank categories are uncategorized', ['VND-15'], {
    getVendorStats: through('vendor_days', (table) => ({
      list: (index: string, id: string) =>
        table
          .list(index, id)
          .map((row: Loose) => (isBlank(row.category) ? { ...row, category: null } : row)),
    })),
  }),
  declared('Categories of a vendor stand in any letter case', ['VND-15'], {
    getVendorStats: showing(({ categories }) => ({
      categories: categories.toSorted((left: Loose, right: Loose) =>
        left.category.toLowerCase() < right.category.toLowerCase() ? -1 : 1,
      ),
    })),
  }),
  declared('Metadata in another order is another adjustment', ['WAL-66'], {
    adjustWallet(call, context, run) {
      const first = firstSent(context, call);
      const { metadata } = call.body;
      const isReordered =
        first &&
        metadata &&
        JSON.stringify(Object.keys(first)) !== JSON.stringify(Object.keys(metadata));
      if (isReordered && valuesOf(first) === valuesOf(metadata)) refuse('transaction_id');
      return run();
    },
  }),
  declared('A charge with exchanged metadata is the same one', ['WAL-66'], {
    chargeWallet(call, context, run) {
      const first = firstSent(context, call);
      const isExchanged = valuesOf(first) === valuesOf(call.body.metadata);
      return run({ ...call, body: { ...call.body, ...(isExchanged && { metadata: first }) } });
    },
  }),
  declared('Grants are listed with the code in capitals or small letters only', ['WAL-68'], {
    listGrants(call, _, run) {
      const code = call.path.accountId.split(':').at(-1);
      const isMixed = code !== code.toUpperCase() && code !== code.toLowerCase();
      return isMixed ? { status: 404 } : run();
    },
  }),
  declared('A test for an account knows no whd_ id', ['WHK-80'], {
    testConnectedWebhook: (call, _, run) =>
      call.path.webhookId.startsWith('whd_') ? { status: 404 } : run(),
  }),
  declared('The log finds no whd_ id together with a status', ['WHK-93'], {
    listWebhookEvents: asking(({ query }) => {
      if (query.status && query.destination_id)
        query.destination_id = query.destination_id.map((id: string) =>
          id.replace(/^whd_/, 'whd-'),
        );
    }),
  }),
  declared('Subjects are cut at 255 characters', ['TSK-18'], {
    submitEvents: asking(({ body }) => {
      for (const event of body.events)
        if (event.subject) event.subject = [...event.subject].slice(0, 255).join('');
    }),
  }),
  { ...declared('Too long metadata of an adjustment is cut', ['X-71']), requestBody: cutMetadata },
  declared('The metadata of a customer is measured in UTF-16 units', ['X-29'], {
    createCustomer(call, _, run) {
      const texts: Loose[] = Object.values(call.body.metadata ?? {});
      if (texts.some(({ length }) => length > LONGEST_VALUE)) refuse('metadata');
      return run();
    },
  }),
];
