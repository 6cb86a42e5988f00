import { countedText } from '../../../control/explain/text.ts';
import type { DecimalText } from '../../../domain/decimal.ts';
import { findVersion } from '../../../resources/products/product-lookup.ts';
import { rowsOf } from '../../../store/query.ts';
import type { PriceRecord, ProductRow, VersionRow } from '../../../store/records.ts';
import { plural } from '../../../text/wording.ts';
import { Amount } from '../../amount.tsx';
import type { PageAnswer } from '../../answer.tsx';
import { type Columns, DataTable } from '../../data-table.tsx';
import { Id } from '../../id.tsx';
import { Badge, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { cycleText, numberText, pairsText } from '../../wording.ts';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { recordNotFound } from '../not-found.tsx';
import { RequestsBehind } from '../requests/effect.tsx';

/** The version that new subscriptions get; the newest if there is no default. */
export function currentVersion(
  request: InspectorRequest,
  product: ProductRow,
): VersionRow | undefined {
  const { owner, default_version, newest_version } = product;
  return findVersion(request.contextOf(owner), product, default_version ?? newest_version);
}

/** The page of a product with all of its versions, newest first. */
export function showProduct(request: InspectorRequest): PageAnswer {
  const { tables } = request.world;
  const product = tables.products.get(request.parameters['id'] ?? '');
  if (!product) return recordNotFound(request);
  const versions = rowsOf(tables.versions, { product_id: product.id }).toReversed();
  return (
    <InspectorPage
      request={request}
      owner={product.owner}
      section="products"
      title={`Product ${product.code}`}
      heading={<Words text={currentVersion(request, product)?.name ?? product.code} />}
      path={<Id id={product.id} canCopy />}
    >
      <div class="about">
        {product.archived && <Badge text="archived" />}
        <Words text={product.code} />
        <span>
          {product.default_version === undefined
            ? 'no default version'
            : `default version ${product.default_version}`}
        </span>
        <span>
          since <Time at={product.created_at} />
        </span>
      </div>
      {versions.map((version) => (
        <Version key={version.id} version={version} />
      ))}
      <RequestsBehind table="products" id={product.id} />
    </InspectorPage>
  );
}

interface VersionProps {
  readonly version: VersionRow;
}

function Version({ version }: VersionProps) {
  const { description, status, prices } = version;
  const label = `Version ${version.version}`;
  return (
    <Section id={`version-${version.version}`} title={`${label}, ${status}`}>
      {description !== undefined && (
        <p>
          <Words text={description} />
        </p>
      )}
      {prices.map((price, place) => (
        <Price key={price.id} price={price} of={`price ${place + 1} of ${label}`} />
      ))}
      <Entitlements version={version} />
    </Section>
  );
}

/** What happens to what is left of included credit when it is given again. */
const REFRESHED = { expire_and_replace: 'replaced', rollover: 'rolled over' } as const;

function Entitlements({ version }: VersionProps) {
  const { entitlements } = version;
  if (entitlements.length === 0) return null;
  return (
    <>
      <h3>Included credit</h3>
      <ul>
        {entitlements.map(({ name, amount, asset, purpose, lifecycle }) => (
          <li key={name}>
            <Amount amount={amount} asset={asset} /> <Words text={name} />: {purpose} credit,{' '}
            {lifecycle
              ? `for ${plural(lifecycle.duration_count ?? 1, lifecycle.duration)}`
              : 'for ever'}
            {lifecycle?.refresh && `, then ${REFRESHED[lifecycle.refresh.strategy]}`}
          </li>
        ))}
      </ul>
    </>
  );
}

interface PriceProps {
  readonly price: PriceRecord;
  /** The position of the price and its version, because several prices can have the same name. */
  readonly of: string;
}

type ValueRow = ReturnType<typeof valuesOf>[number];

/** The rows of a price with their assets. */
const valuesOf = ({ pricing }: PriceRecord) =>
  pricing.flatMap(({ asset, values }) =>
    values.flatMap((group) => (group.values ?? [group]).map((row) => ({ asset, row, group }))),
  );

function Price({ price, of }: PriceProps) {
  const rows = valuesOf(price);
  const amounts = Object.entries(AMOUNT_COLUMNS);
  return (
    <>
      <h3>
        <Words text={price.name} />
      </h3>
      {price.usage_calculation ? (
        <>
          <p>{paidFor(price, price.usage_calculation)}</p>
          <DataTable
            label={`Values of ${price.name}, ${of}`}
            rows={rows}
            columns={{
              For: (value) => <Words text={usageOf(value)} />,
              ...Object.fromEntries(amounts.filter(([, cell]) => rows.some(cell))),
            }}
          />
        </>
      ) : (
        <p>
          <FeeOfPrice price={price} />.
        </p>
      )}
    </>
  );
}

/** The usage that a value is for: its name, and what it must have. */
const usageOf = ({ row, group }: ValueRow): string =>
  [row.name ?? group.name, pairsText(group.dimensions)].filter(Boolean).join(', ') || 'any usage';

/** The amount of a fixed price in each of its currencies, and how often it is due. */
export function FeeOfPrice({ price }: Pick<PriceProps, 'price'>) {
  const { billing_model } = price;
  return (
    <>
      {valuesOf(price).map(({ asset, row: { unit_price = '0', quantity } }, place) => (
        <>
          {place > 0 && ' or '}
          <Amount amount={unit_price} asset={asset} />
          {quantity !== undefined && ` × ${numberText(quantity)}`}
        </>
      ))}{' '}
      {billing_model.type === 'recurring'
        ? cycleText(billing_model.recurring)
        : 'once per subscription'}
    </>
  );
}

const show = (amount: DecimalText | undefined, asset: string) =>
  amount === undefined ? undefined : <Amount amount={amount} asset={asset} />;

/** Columns for the amounts of a price. A table shows only those with values. */
const AMOUNT_COLUMNS: Columns<ValueRow> = {
  '#Up to': ({ row }) => row.up_to && numberText(row.up_to),
  '^#Each': ({ asset, row }) => show(row.unit_price, asset),
  '#Times': ({ row }) => (row.quantity === undefined ? undefined : numberText(row.quantity)),
  '^#By volume': ({ asset, row }) => show(row.volume_rate, asset),
  Per: ({ row }) => row.volume_rate !== undefined && numberText(row.package_size ?? 1),
  '#Least': ({ asset, row }) => show(row.min_amount, asset),
  '#Most': ({ asset, row }) => show(row.max_amount, asset),
};

function paidFor(
  { pricing_model = 'flat', tiering }: PriceRecord,
  usage: NonNullable<PriceRecord['usage_calculation']>,
): string {
  const { event_type } = usage;
  const counted = countedText(usage);
  if (pricing_model === 'flat') return `Counts ${event_type}: ${counted}.`;
  const basis = tiering?.basis ?? 'package';
  return `Counts ${event_type}: ${counted}; ${pricing_model} by ${basis}, ${tiering?.period ?? 'lifetime'}.`;
}
