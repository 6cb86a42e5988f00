import { DEFAULT_KEY } from '../../config/access.ts';
import { faultRulesOf } from '../../faults/rules.ts';
import { snapshotsOf } from '../../store/snapshots.ts';
import { DOCUMENTATION_PATH } from '../paths.ts';
import { type InspectorRequest, useRequest } from './inspector-request.ts';

/** A page in the navigation, with the number of its items. */
interface Section {
  readonly name: string;
  readonly count?: (request: InspectorRequest) => number;
}

const GROUPS = {
  '': { '': { name: 'Overview' } },
  Traffic: {
    '/requests': { name: 'Requests', count: ({ control, world }) => control.requests.count(world) },
    '/webhooks': { name: 'Webhooks', count: ({ world }) => world.tables.webhook_events.size },
    '/warnings': { name: 'Warnings', count: ({ world }) => world.tables.warnings.size },
    '/faults': { name: 'Faults', count: ({ world }) => faultRulesOf(world).list().length },
  },
  Billing: {
    '/customers': { name: 'Customers', count: ({ world }) => world.tables.customers.size },
    '/events': { name: 'Usage', count: ({ world }) => world.tables.events.size },
    '/ledger': { name: 'Ledger', count: ({ world }) => world.tables.transactions.size },
    '/products': { name: 'Products', count: ({ world }) => world.tables.products.size },
    '/profit': { name: 'Profit' },
  },
  World: {
    '/clock': { name: 'Clock' },
    '/snapshots': { name: 'Snapshots', count: ({ world }) => snapshotsOf(world).size },
    '/worlds': { name: 'Worlds' },
    '/assumptions': { name: 'Assumptions' },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Section>>>>;

/** All pages in the navigation, by path. */
export const SECTIONS = { ...GROUPS[''], ...GROUPS.Traffic, ...GROUPS.Billing, ...GROUPS.World };

export type InspectorSection = keyof typeof SECTIONS;

/** The navigation, beside the page; on a phone it is a popover. */
export function Sections({ section }: { readonly section: InspectorSection | undefined }) {
  const request = useRequest();
  const search = request.key === DEFAULT_KEY ? '' : `?key=${request.key}`;
  return (
    <nav id="sections" class="sections" popover="auto" aria-label="Inspector">
      {Object.entries(GROUPS).map(([group, sections]) => (
        <div key={group}>
          {group !== '' && <p>{group}</p>}
          <ul>
            {Object.entries<Section>(sections).map(([path, { name, count }]) => (
              <li key={path}>
                <a href={request.link(path)} aria-current={path === section ? 'page' : undefined}>
                  {name}
                  <Count count={count?.(request) ?? 0} />
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
