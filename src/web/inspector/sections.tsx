import { faultRulesOf } from '../../faults/fault-rules.ts';
import { snapshotsOf } from '../../state/snapshots.ts';
import { DOCUMENTATION_PATH } from '../paths.ts';
import { DEFAULT_KEY, type InspectorRequest, useRequest } from './inspector-request.ts';

/** The pages that the navigation leads to. */
export const SECTIONS = {
  '': 'Overview',
  '/requests': 'Requests',
  '/webhooks': 'Webhooks',
  '/warnings': 'Warnings',
  '/faults': 'Faults',
  '/customers': 'Customers',
  '/events': 'Usage',
  '/ledger': 'Ledger',
  '/products': 'Products',
  '/profit': 'Profit',
  '/clock': 'Clock',
  '/snapshots': 'Snapshots',
  '/worlds': 'Worlds',
  '/assumptions': 'Assumptions',
} as const;

export type InspectorSection = keyof typeof SECTIONS;

const GROUPS: readonly (readonly [name: string, sections: readonly InspectorSection[]])[] = [
  ['', ['']],
  ['Traffic', ['/requests', '/webhooks', '/warnings', '/faults']],
  ['Billing', ['/customers', '/events', '/ledger', '/products', '/profit']],
  ['World', ['/clock', '/snapshots', '/worlds', '/assumptions']],
];

const COUNTS: Partial<Record<InspectorSection, (request: InspectorRequest) => number>> = {
  '/requests': ({ world }) => world.requests,
  '/webhooks': ({ world }) => world.tables.webhook_events.size,
  '/warnings': ({ world }) => world.tables.warnings.size,
  '/faults': ({ world }) => faultRulesOf(world).list().length,
  '/customers': ({ world }) => world.tables.customers.size,
  '/events': ({ world }) => world.tables.events.size,
  '/ledger': ({ world }) => world.tables.transactions.size,
  '/products': ({ world }) => world.tables.products.size,
  '/snapshots': ({ world }) => snapshotsOf(world).size,
};

/** The navigation: beside the page, or on a phone above it once it is asked for. */
export function Sections({ section }: { readonly section: InspectorSection | undefined }) {
  const request = useRequest();
  const search = request.key === DEFAULT_KEY ? '' : `?key=${request.key}`;
  return (
    <nav id="sections" class="sections" popover="auto" aria-label="Inspector">
      {GROUPS.map(([name, sections]) => (
        <div key={name}>
          {name !== '' && <p>{name}</p>}
          <ul>
            {sections.map((path) => (
              <li key={path}>
                <a href={request.link(path)} aria-current={path === section ? 'page' : undefined}>
                  {SECTIONS[path]}
                  <Count count={COUNTS[path]?.(request) ?? 0} />
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <ul class="elsewhere">
        <li>
          <a href="/_emulator">Front page</a>
        </li>
        <li>
          <a href={`${DOCUMENTATION_PATH}${search}`}>API documentation</a>
        </li>
      </ul>
    </nav>
  );
}

function Count({ count }: { readonly count: number }) {
  return count === 0 ? null : <small class="muted">{count.toLocaleString('en')}</small>;
}
