import fc from 'fast-check';
import { aUnitPrice } from '../../kit/index.ts';

/** What is asked of one version of a product: a new one, an update of the `pick`-th, or its archiving. */
export interface VersionMove {
  readonly kind: 'add' | 'update' | 'archive';
  readonly pick: number;
  readonly body: {
    readonly name?: string;
    readonly publish?: boolean;
    readonly make_default?: boolean;
    readonly prices?: readonly object[];
    readonly entitlements?: readonly object[] | null;
  };
}

interface Version {
  readonly version: number;
  readonly name: string;
  readonly status: 'draft' | 'published' | 'archived';
  readonly amount: number;
  readonly entitlements: readonly object[];
}

export interface VersionedProduct {
  readonly versions: readonly Version[];
  readonly standard: number | undefined;
}

/** Credit of a month. */
const entitlement = (amount: number) => ({
  ...{ name: 'Included', asset: 'USD', amount, purpose: 'bundled' },
  lifecycle: { duration: 'month' },
});

const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });

export const versionMove: fc.Arbitrary<VersionMove> = fc
  .record({
    kind: fc.constantFrom('add', 'add', 'update', 'update', 'update', 'archive'),
    pick: fc.nat(5),
    body: fc
      .record({
        name: some(fc.constantFrom('Basic', 'Plus', 'Pro')),
        publish: some(fc.boolean()),
        make_default: some(fc.boolean()),
        amount: some(fc.constantFrom(1, 2, 3)),
        credit: some(fc.constantFrom(null, [], [1], [2, 3])),
      })
      .map(({ amount, credit, ...fields }) => ({
        ...JSON.parse(JSON.stringify(fields)),
        ...(amount && { prices: [aUnitPrice('call', amount)] }),
        ...(credit !== undefined && { entitlements: credit?.map(entitlement) ?? null }),
      })),
  })
  // A new version states its prices.
  .map(({ body, ...given }) => ({
    ...given,
    body: given.kind === 'add' ? { prices: [aUnitPrice('call', 4)], ...body } : body,
  }));

export const amountIn = ({ prices }: Pick<VersionMove['body'], 'prices'>): number | undefined =>
  // biome-ignore lint/suspicious/noExplicitAny: A price of this file or of a response.
  (prices as any)?.[0].pricing[0].values[0].unit_price;

/** The product after a move, by the rules of the documents; or the status by which the move is rejected. */
export function afterMove(
  { versions, standard }: VersionedProduct,
  { kind, pick, body }: VersionMove,
): VersionedProduct | 409 | 422 {
  const target = versions[pick % versions.length] as Version;
  const { publish = false, make_default = false, prices, name, entitlements } = body;
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
  const isEdited = [name, prices, entitlements].some((field) => field !== undefined);
  if (isPublished && (isEdited || body.publish === false)) return 409;
  if (!isPublished && make_default && !publish) return 422;
  const base = isNew ? (versions.at(-1) as Version) : target;
  const changed: Version = {
    version: isNew ? versions.length + 1 : target.version,
    name: name ?? base.name,
    status: isPublished || publish ? 'published' : 'draft',
    amount: amountIn(body) ?? base.amount,
    // Null means none in an update, and in a new version the same as if it is left out.
    entitlements: entitlements ?? (entitlements === null && !isNew ? [] : base.entitlements),
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
