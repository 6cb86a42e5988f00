import { key, Refusal } from 'billing-emulator/internals';
import { type Advice, type Loose, type Mutant, showing } from '../../mutant.ts';
import { keeping } from '../deep.ts';
import { against } from '../production/window.ts';

/** Answers 404 where a part of the path is longer than a column. */
const shorterThan =
  (part: string, length: number): Advice =>
  ({ path }, _, run) => {
    if (path[part].length > length) throw new Refusal(404, 'Not found.');
    return run();
  };

const INT32_MAX = 2_147_483_647;
const TOO_FAR = {
  status: 400,
  body: {
    type: '/problems/bad-request',
    title: 'The request cannot be understood.',
    status: 400,
    detail: `offset: expected at most ${INT32_MAX}.`,
  },
};

const AMOUNTS = ['unit_price', 'volume_rate'];

/** A list of pricing values, of groups of them or of entries, with amounts of eight decimals. */
const inEightDecimals = (rows: readonly Loose[]): Loose[] =>
  rows.map((row) => {
    const changed = { ...row, ...(row.values && { values: inEightDecimals(row.values) }) };
    for (const name of AMOUNTS)
      if (row[name] !== undefined) changed[name] = shortened(Number(row[name]).toFixed(8));
    return changed;
  });

const shortened = (text: string): string => text.replace(/\.?0+$/, '');

const ofEightDecimals = keeping('versions', (row) => ({
  ...row,
  prices: row.prices.map((price: Loose) => ({ ...price, pricing: inEightDecimals(price.pricing) })),
}));

/** Moves the default to the published version whose number is the last as a text. */
const comparingAsText: Advice = ({ path }, context, run) => {
  const { tables, owner } = context;
  const { productId } = path;
  const productOf = (): Loose =>
    tables.products.get(productId) ?? tables.products.first('code', key(owner, productId));
  const before = productOf()?.default_version;
  const reply = run();
  const product = productOf();
  if (before === undefined || product?.default_version === before) return reply;
  const published = tables.versions
    .list('product', product.id)
    .filter(({ status }) => status === 'published')
    .map(({ version }) => String(version))
    .sort();
  const last = published.at(-1);
  if (last !== undefined) tables.products.put({ ...product, default_version: Number(last) });
  return reply;
};

/** Long texts, many items, large numbers, many decimals, the ends of lists. */
export const limitBugs: readonly Mutant[] = [
  against(
    'A-801: 1 to 1000 events; a batch is stored whole or not at all',
    'loses what remains of a batch after its full hundreds',
    {
      submitEvents(call, _, run) {
        const { events } = call.body;
        const whole = Math.floor(events.length / 100) * 100;
        return run({
          ...call,
          body: { ...call.body, events: events.slice(0, whole || undefined) },
        });
      },
    },
  ),
  against(
    'A-201: 413 for a body over the limit, for POST /events 8 MiB',
    'accepts no events in a body of more than 1 MiB',
    {},
    {
      id: 'submitEvents: accepts no events in a body of more than 1 MiB',
      settings: { limits: { MAX_EVENTS_BODY_BYTES: 1_048_576 } },
    },
  ),
  against(
    'Wallet: accounts array; GET /customers/{customerId}/wallet: {accounts[]}',
    'shows ten accounts of a wallet at most',
    { getWallet: showing(({ accounts }) => ({ accounts: accounts.slice(0, 10) })) },
  ),
  against(
    'Task: its id is {customer_id}:{subject}; A-306: subject 1 to 256',
    'finds no task whose id has more than 255 characters',
    { getTask: shorterThan('taskId', 255) },
  ),
  against(
    'Wallet: id has the shape <account_name>:<asset_code>; Limits: asset code 2 to 64 characters; A-702: names of up to 64',
    'finds no wallet account whose id has more than 100 characters',
    { getWalletAccount: shorterThan('accountId', 100) },
  ),
  against(
    'A-306: metadata has values up to 512',
    'cuts the metadata of a charge at 255 characters',
    {
      chargeWallet(call, _, run) {
        const pairs = Object.entries(call.body.metadata ?? {}) as [string, string][];
        const metadata = Object.fromEntries(
          pairs.map(([name, text]) => [name, text.slice(0, 255)]),
        );
        return run(pairs.length > 0 ? { ...call, body: { ...call.body, metadata } } : call);
      },
    },
  ),
  against(
    'A-502: archiving the default moves it to the published version with the highest number',
    'compares the numbers of versions as texts when the default is archived',
    { archiveProductVersion: comparingAsText },
  ),
  against(
    'Conventions, paged list response: offset (int64); A-305: up to the largest int64',
    'rejects an offset beyond 32 bits',
    { listVendors: (call, _, run) => (call.query.offset > INT32_MAX ? TOO_FAR : run()) },
  ),
  against(
    'A-305: an offset past the end returns an empty page with the right total_count',
    'counts nothing on a page past the end',
    {
      listTasks: showing(({ items, total_count }) => ({
        total_count: items.length === 0 ? 0 : total_count,
      })),
    },
  ),
  against('A-304: prices may have 10 decimals', 'keeps prices in a column of eight decimals', {
    createProduct: ofEightDecimals,
    createProductVersion: ofEightDecimals,
    updateProductVersion: ofEightDecimals,
  }),
];
