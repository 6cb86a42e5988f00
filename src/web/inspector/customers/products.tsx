import type { VNode } from 'preact';
import type { DecimalText } from '../../../domain/decimal.ts';
import type { PriceRow, PricingValue } from '../../../domain/pricing/price.ts';
import type { PriceRecord, ProductRow, VersionRow } from '../../../state/records.ts';
import { key } from '../../../state/schema.ts';
import type { PageAnswer } from '../../answer.ts';
import { errorPage } from '../../error-pages.tsx';
import { DataTable, Words } from '../../sections.tsx';
import { cycleText, quantity } from '../../wording.ts';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Listing } from '../listing.tsx';
import { Facts, Part, WorldTime } from '../parts.tsx';
import { rowsOf } from '../rows.ts';

/** Every product, with the version that new subscriptions get. */
export function showProducts(request: InspectorRequest): PageAnswer {
  const { tables } = request.world;
  return {
    page: (
      <InspectorPage request={request} section="/products">
        <Listing
          request={request}
          path="/products"
          label="Products"
          rows={rowsOf(request, tables.products)}
          fields={['code', 'name', 'id']}
          subjectOf={(row) => ({
            at: row.created_at,
            fields: { code: [row.code], name: [currentVersion(request, row)?.name], id: [row.id] },
            text: () => JSON.stringify(tables.versions.list('product', row.id)),
          })}
          headings={['Code', 'Name', 'Default', '#Versions', '#Prices', 'Created']}
          cells={(row) => {
            const version = currentVersion(request, row);
            return [
              <a key="code" href={request.link(`/products/${encodeURIComponent(row.id)}`)}>
                <Words text={row.code} />
              </a>,
              <Words key="name" text={version?.name} />,
              row.archived ? 'archived' : (row.default_version ?? 'none'),
              row.newest_version,
              version?.prices.length ?? 0,
              <WorldTime key="at" at={row.created_at} />,
            ];
          }}
          empty="There are no products."
        />
      </InspectorPage>
    ),
  };
}

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
  if (!product) return errorPage('unknown');
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
            Id: <code>{product.id}</code>,
            'Default version': product.default_version ?? 'none',
            Created: <WorldTime at={product.created_at} />,
            Archived: product.archived ? 'yes' : 'no',
          }}
        />
        {versions.map((version) => (
          <Version key={version.id} request={request} version={version} />
        ))}
      </InspectorPage>
    ),
  };
}

function Version({
  request,
  version,
}: {
  readonly request: InspectorRequest;
  readonly version: VersionRow;
}): VNode {
  const { name, status, prices, entitlements, owner } = version;
  const context = request.contextOf(owner);
  const label = `Version ${version.version}`;
  return (
    <Part id={`version-${version.version}`} title={`${label}, ${status}`}>
      <p>
        <Words text={name} />
      </p>
      {prices.map((price) => (
        <Price key={price.id} request={request} owner={owner} price={price} version={label} />
      ))}
      {entitlements.length > 0 && (
        <DataTable
          label={`Entitlements of ${label}`}
          headings={['Entitlement', '#Amount', 'Purpose', '#Priority', 'Lasts', 'Refreshes']}
        >
          {entitlements.map(({ name: title, amount, asset, purpose, priority, lifecycle }) => (
            <tr key={key(title, asset)}>
              <td>
                <Words text={title} />
              </td>
              <td class="number">{quantity(context, amount, asset)}</td>
              <td>{purpose}</td>
              <td class="number">{priority}</td>
              <td>
                {lifecycle ? `${lifecycle.duration_count} ${lifecycle.duration}` : 'for ever'}
              </td>
              <td>{lifecycle?.refresh?.strategy.replaceAll('_', ' ') ?? 'no'}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </Part>
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
        headings={['Asset', 'Value', 'For', '#Up to', '#Each', '#By volume', '#Least', '#Most']}
      >
        {rows.map(({ asset, row, group }, place) => (
          <tr key={`${asset} ${place}`}>
            <td>{asset}</td>
            <td>
              <Words text={row.name ?? group.name} />
            </td>
            <td>
              <Words text={dimensionsText(group)} />
            </td>
            <td class="number">{row.up_to}</td>
            <td class="number">
              {amount(row.unit_price, asset)}
              {row.quantity !== undefined && ` × ${row.quantity}`}
            </td>
            <td class="number">{perPackage(row, amount(row.volume_rate, asset))}</td>
            <td class="number">{amount(row.min_amount, asset)}</td>
            <td class="number">{amount(row.max_amount, asset)}</td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

const perPackage = ({ package_size = 1 }: PriceRow, rate: string | undefined) =>
  rate && `${rate} per ${package_size.toLocaleString('en')}`;

const dimensionsText = ({ dimensions }: PricingValue): string =>
  Object.entries(dimensions ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ') || 'any usage';

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
