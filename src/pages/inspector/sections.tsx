import { type PageName, referencePath } from '../paths.ts';
import { numberText } from '../wording.ts';
import { type InspectorRequest, useRequest } from './inspector-request.ts';
import { failingEvents } from './webhooks/deliveries.tsx';

/** A section of the inspector, with the number of its items. */
interface Section {
  readonly name: string;
  readonly count?: (request: InspectorRequest) => number;
}

/** The sections, by the page that they open with. */
export const SECTIONS = {
  overview: { name: 'Overview' },
  requests: { name: 'Requests', count: ({ control, world }) => control.requests.count(world) },
  webhooks: { name: 'Webhooks', count: ({ world }) => world.tables.webhook_events.size },
  customers: { name: 'Customers', count: ({ world }) => world.tables.customers.size },
  usage: { name: 'Usage', count: ({ world }) => world.tables.events.size },
  ledger: { name: 'Ledger', count: ({ world }) => world.tables.transactions.size },
  products: { name: 'Products', count: ({ world }) => world.tables.products.size },
  time: { name: 'Time' },
} satisfies Partial<Record<PageName, Section>>;

export type InspectorSection = keyof typeof SECTIONS;

/** The navigation, beside the page; on a phone it is a popover. */
export function Sections({ section }: { readonly section: InspectorSection | undefined }) {
  const request = useRequest();
  const failing = failingEvents(request.world).length;
  return (
    <nav id="sections" class="sections" popover="auto" aria-label="Inspector">
      <ul>
        {Object.entries<Section>(SECTIONS).map(([page, { name, count }]) => (
          <li key={page}>
            <a
              href={request.link(page as InspectorSection)}
              aria-current={page === section ? 'page' : undefined}
            >
              {name}
              {page === 'webhooks' && failing > 0 ? (
                <small class="refused">{failing} failing</small>
              ) : (
                <Count count={count?.(request) ?? 0} />
              )}
            </a>
          </li>
        ))}
      </ul>
      <hr />
      <ul>
        <li>
          <a href="/_emulator">Front page</a>
        </li>
        <li>
          <a href={referencePath('openapi', { key: request.key })}>API reference</a>
        </li>
      </ul>
    </nav>
  );
}

function Count({ count }: { readonly count: number }) {
  return count === 0 ? null : <small class="muted">{numberText(count)}</small>;
}
