import fc from 'fast-check';
import { anOwnWorld, aUnitPrice, check, expect, type WorldCall } from '../kit/index.ts';

/** What is asked of one version of a product: a new one, an update of the `pick`-th, or its archiving. */
interface Move {
  readonly kind: 'add' | 'update' | 'archive';
  readonly pick: number;
  readonly body: {
    readonly name?: string;
    readonly publish?: boolean;
    readonly make_default?: boolean;
    readonly prices?: readonly object[];
  };
}

interface Version {
  readonly version: number;
  readonly name: string;
  readonly status: 'draft' | 'published' | 'archived';
  readonly amount: number;
}

interface Product {
  readonly versions: readonly Version[];
  readonly standard: number | undefined;
}

const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

const move: fc.Arbitrary<Move> = fc
  .record({
    kind: fc.constantFrom('add', 'add', 'update', 'update', 'update', 'archive'),
    pick: fc.nat(5),
    body: fc
      .record({
        name: some(fc.constantFrom('Basic', 'Plus', 'Pro')),
        publish: some(fc.boolean()),
        make_default: some(fc.boolean()),
        amount: some(fc.constantFrom(1, 2, 3)),
      })
      .map(({ amount, ...fields }) => ({
        ...JSON.parse(JSON.stringify(fields)),
        ...(amount && { prices: [aUnitPrice('call', amount)] }),
      })),
  })
  // A new version states its prices.
  .map(({ body, ...given }) => ({
    ...given,
    body: given.kind === 'add' ? { prices: [aUnitPrice('call', 4)], ...body } : body,
  }));

const amountIn = ({ prices }: Pick<Move['body'], 'prices'>): number | undefined =>
  // biome-ignore lint/suspicious/noExplicitAny: A price of this file or of a response.
  (prices as any)?.[0].pricing[0].values[0].unit_price;

/** The product after a move, by the rules of the documents; or the status by which the move is rejected. */
function after({ versions, standard }: Product, { kind, pick, body }: Move): Product | 409 | 422 {
  const target = versions[pick % versions.length] as Version;
  const { publish = false, make_default = false, prices, name } = body;
  if (kind === 'archive') {
    const left = versions.map((one) =>
      one === target ? { ...one, status: 'archived' as const } : one,
    );
    const isGone = left.find(({ version }) => version === standard)?.status === 'archived';
    const next = left.findLast(({ status }) => status === 'published')?.version;
    return { versions: left, standard: isGone ? next : standard };
  }
  const isNew = kind === 'add';
  if (!isNew && target.status === 'archived') return 409;
  const isPublished = !isNew && target.status === 'published';
  const isEdited = name !== undefined || prices !== undefined || body.publish === false;
  if (isPublished && isEdited) return 409;
  if (!isPublished && make_default && !publish) return 422;
  const base = isNew ? (versions.at(-1) as Version) : target;
  const changed: Version = {
    version: isNew ? versions.length + 1 : target.version,
    name: name ?? base.name,
    status: isPublished || publish ? 'published' : 'draft',
    amount: amountIn(body) ?? base.amount,
  };
  const holder = versions.find(({ version }) => version === standard);
  const takesOver =
    changed.status === 'published' &&
    (holder === target && !isNew ? changed : holder)?.status !== 'published';
  return {
    versions: isNew
      ? [...versions, changed]
      : versions.map((one) => (one === target ? changed : one)),
    standard: make_default || takesOver ? changed.version : standard,
  };
}

/** Compares everything that shows a product and its versions. */
async function expectShown(call: WorldCall, productId: string, { versions, standard }: Product) {
  const spokesman = versions.find(({ version }) => version === standard) ?? versions.at(-1);
  const summary = { id: productId, code: 'plan', name: spokesman?.name };
  const shown = versions.map(({ version, name, status }) => ({
    ...{ ...summary, name, version, status, is_default: version === standard },
  }));
  const newestFirst = shown.toReversed();
  const path = { productId };
  const detail = await call('getProduct', { path });
  expect(detail).toMatchObject({
    ...summary,
    versions: newestFirst.map(({ version, status }) => ({ version, status })),
  });
  expect(detail.default_version?.version).toBe(standard);
  expect((await call('listProducts', { query: { code: 'plan' } })).items).toEqual([summary]);
  for (const [index, { version, amount }] of versions.entries()) {
    const one = await call('getProductVersion', { path: { ...path, version: String(version) } });
    expect(one).toMatchObject(shown[index] as object);
    expect(amountIn(one), `price of version ${version}`).toBe(amount);
  }
  const byDefault = { path: { ...path, version: 'default' } };
  const found = await call('getProductVersion', byDefault, [standard === undefined ? 404 : 200]);
  expect(found?.version).toBe(standard);
  for (const status of [undefined, 'draft', 'published', 'archived']) {
    const { items } = await call('listProductVersions', { query: { status } });
    const wanted = newestFirst.filter((each) => each.status === (status ?? each.status));
    expect(items, `versions that are ${status}`).toEqual(wanted);
  }
}

const HISTORIES = { seed: 20260131, numRuns: 12 };

check(
  'PRD-71',
  {
    requirement: 'R-PRD-31 R-PRD-36 R-PRD-45 R-PRD-46 R-PRD-50 R-VER-02 R-VER-05',
    effect: 'E3',
    assumes: 'A-501 A-502 A-504',
    needs: 'clock.movable',
  },
  'random histories of versions that are added, updated, published, made the default and archived → names, statuses, prices and the default in each list and detail as worked out from the documents; a rejected request changes nothing',
  async (t) => {
    const histories = fc.record({
      publish: fc.boolean(),
      moves: fc.array(move, { minLength: 8, maxLength: 8 }),
    });
    for (const { publish, moves } of fc.sample(histories, HISTORIES)) {
      const call = anOwnWorld(t);
      const body = { name: 'Basic', code: 'plan', prices: [aUnitPrice('call', 9)], publish };
      const { id } = await call('createProduct', { body });
      const status = publish ? 'published' : 'draft';
      let product: Product = {
        versions: [{ version: 1, name: 'Basic', status, amount: 9 }],
        standard: 1,
      };
      for (const each of moves) {
        const next = after(product, each);
        const { kind, pick } = each;
        const version = String((pick % product.versions.length) + 1);
        const path = { productId: id, ...(kind !== 'add' && { version }) };
        const operation = {
          add: 'createProductVersion',
          update: 'updateProductVersion',
          archive: 'archiveProductVersion',
        } as const;
        const parts = { path, ...(kind !== 'archive' && { body: each.body }) };
        const isRejected = typeof next === 'number';
        await call(operation[kind], parts, isRejected ? [next] : [201, 204]);
        if (!isRejected) product = next;
        await expectShown(call, id, product);
      }
    }
  },
);
