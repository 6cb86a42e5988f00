import type { VNode } from 'preact';
import type { DecimalText } from '../../../domain/decimal.ts';
import type { PriceRow } from '../../../domain/pricing/price.ts';
import type { PriceRecord, ProductRow, VersionRow } from '../../../state/records.ts';
import type { PageAnswer } from '../../answer.ts';
import { DataTable } from '../../data-table.tsx';
import { Id } from '../../id.tsx';
import { Facts, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { cycleText, pairsText, quantity } from '../../wording.ts';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { listPage } from '../listing.tsx';
import { notHere } from '../not-here.tsx';
import { RequestsBehind } from '../records/origin.tsx';
import { rowsOf } from '../rows.ts';

/** Every product, with the version that new subscriptions get. */
export const showProducts = listPage({
  section: '/products',
  label: 'Products',
  rows: (request) => rowsOf(request, request.world.tables.products),
  at: (row) => row.created_at,
  fields: {
    code: ({ code }) => [code],
    name: (row, request) => [currentVersion(request, row)?.name],
    id: ({ id }) => [id],
  },
  text: ({ id }, { world }) => JSON.stringify(world.tables.versions.list('product', id)),
  columns: (request) => ({
    Code: (row) => (
      <a href={request.link(`/products/${encodeURIComponent(row.id)}`)}>
        <Words text={row.code} />
      </a>
    ),
    Name: (row) => <Words text={currentVersion(request, row)?.name} />,
    Default: (row) => (row.archived ? 'archived' : (row.default_version ?? 'none')),
    '#Versions': (row) => row.newest_version,
    '#Prices': (row) => currentVersion(request, row)?.prices.length ?? 0,
    Created: (row) => <Time as="exact" at={row.created_at} />,
  }),
  empty: 'There are no products.',
});

function currentVersion(
  { world }: InspectorRequest,
  { id, default_version, newest_version }: ProductRow,
): VersionRow | undefined {
  const number = default_version ?? newest_version;
  return world.tables.versions.list('product', id).find(({ version }) => version === number);
}

/** One product with all of its versions, the newest first. */
export function showProduct(request: InspectorRequest): PageAnswer {
  const { tables } = request.world;
  const product = tables.products.get(request.parameters['id'] ?? '');
  if (!product) return notHere(request);
  const versions = tables.versions.list('product', product.id).toReversed();
  return {
    page: (
      <InspectorPage
        request={request}
        section="/products"
        title={`Product ${product.code}`.slice(0, 80)}
        heading={<Words text={product.code} />}
      >
        <Facts
          facts={{
            Id: <Id id={product.id} />,
            'Default version': product.default_version ?? 'none',
            Created: <Time as="exact" at={product.created_at} />,
            Archived: product.archived ? 'yes' : 'no',
          }}
        />
        {versions.map((version) => (
          <Version key={version.id} request={request} version={version} />
        ))}
        <RequestsBehind request={request} table="products" id={product.id} />
      </InspectorPage>
    ),
  };
}

interface VersionProps {
  readonly request: InspectorRequest;
  readonly version: VersionRow;
}

function Version({ request, version }: VersionProps): VNode {
  const { name, status, prices, owner } = version;
  const label = `Version ${version.version}`;
  return (
    <Section id={`version-${version.version}`} title={`${label}, ${status}`}>
      <p>
        <Words text={name} />
      </p>
      {prices.map((price) => (
        <Price key={price.id} request={request} owner={owner} price={price} version={label} />
      ))}
      <Entitlements request={request} version={version} />
    </Section>
  );
}

function Entitlements({ request, version }: VersionProps): VNode | null {
  const { entitlements, owner } = version;
  const context = request.contextOf(owner);
  if (entitlements.length === 0) return null;
  return (
    <DataTable
      label={`Entitlements of Version ${version.version}`}
      rows={entitlements}
      columns={{
        Entitlement: ({ name }) => <Words text={name} />,
        '#Amount': ({ amount, asset }) => quantity(context, amount, asset),
        Purpose: ({ purpose }) => purpose,
        '#Priority': ({ priority }) => priority,
        Lasts: ({ lifecycle }) =>
          lifecycle ? `${lifecycle.duration_count} ${lifecycle.duration}` : 'for ever',
        Refreshes: ({ lifecycle }) => lifecycle?.refresh?.strategy.replaceAll('_', ' ') ?? 'no',
      }}
    />
  );
}

interface PriceProps {
  readonly request: InspectorRequest;
  readonly owner: string;
  readonly price: PriceRecord;
  readonly version: string;
}

function Price({ request, owner, price, version }: PriceProps): VNode {
  const context = request.contextOf(owner);
  const amount = (text: DecimalText | undefined, asset: string) =>
    text === undefined ? undefined : quantity(context, text, asset);
  const rows = price.pricing.flatMap(({ asset, values }) =>
    values.flatMap((value) =>
      (value.values ?? [value]).map((row) => ({ asset, row, group: value })),
    ),
  );
  return (
    <>
      <h3>
        <Words text={price.name} />
      </h3>
      <p>{countedText(price)}</p>
      <DataTable
        label={`Values of ${price.name}, ${version}`}
        rows={rows}
        columns={{
          Asset: ({ asset }) => asset,
          Value: ({ row, group }) => <Words text={row.name ?? group.name} />,
          For: ({ group }) => <Words text={pairsText(group.dimensions) || 'any usage'} />,
          '#Up to': ({ row }) => row.up_to,
          '#Each': ({ asset, row }) => [
            amount(row.unit_price, asset),
            row.quantity !== undefined && ` × ${row.quantity}`,
          ],
          '#By volume': ({ asset, row }) => perPackage(row, amount(row.volume_rate, asset)),
          '#Least': ({ asset, row }) => amount(row.min_amount, asset),
          '#Most': ({ asset, row }) => amount(row.max_amount, asset),
        }}
      />
    </>
  );
}

const perPackage = ({ package_size = 1 }: PriceRow, rate: string | undefined) =>
  rate && `${rate} per ${package_size.toLocaleString('en')}`;

function countedText({ usage_calculation, billing_model, ...price }: PriceRecord): string {
  if (!usage_calculation)
    return billing_model.type === 'recurring'
      ? `A fixed fee, ${cycleText(billing_model.recurring)}.`
      : 'A fixed fee, once for each subscription.';
  const { event_type, usage_type, volume_field } = usage_calculation;
  const counted = {
    unit: 'each event',
    volume: `the volume in ${volume_field}`,
    unit_and_volume: `each event and the volume in ${volume_field}`,
  }[usage_type];
  const { pricing_model = 'flat', tiering } = price;
  if (pricing_model === 'flat') return `Of ${event_type}: ${counted}.`;
  const basis = tiering?.basis ?? 'package';
  return `Of ${event_type}: ${counted}; ${pricing_model} by ${basis}, ${tiering?.period ?? 'lifetime'}.`;
}
