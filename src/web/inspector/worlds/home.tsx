import type { VNode } from 'preact';
import type { World } from '../../../state/world.ts';
import { keyOf } from '../../../state/worlds.ts';
import type { PageAnswer } from '../../answer.ts';
import { Alert } from '../../sections.tsx';
import { InspectorPage, type InspectorSection, Live } from '../frame.tsx';
import { type InspectorRequest, KEY_PATTERN, linkTo } from '../inspector-request.ts';
import { Facts, Part, WorldTime } from '../parts.tsx';
import { NewSandboxForm, OpenWorlds } from './sandboxes.tsx';

/** What is in the world, and which other worlds are open. */
export function showHome(visit: InspectorRequest, trouble?: string): PageAnswer {
  return {
    page: (
      <InspectorPage visit={visit} section="" title="Overview">
        {trouble !== undefined && <Alert text={trouble} />}
        <Live visit={visit} id="overview">
          <WorldFacts visit={visit} />
          <ul class="tiles">
            {countsOf(visit.world).map(([section, name, count]) => (
              <li key={name}>
                <a href={visit.link(section)}>
                  <strong>{count.toLocaleString('en')}</strong> {name}
                </a>
              </li>
            ))}
          </ul>
        </Live>
        <Worlds visit={visit} />
      </InspectorPage>
    ),
  };
}

function countsOf({ tables }: World): readonly (readonly [InspectorSection, string, number])[] {
  return [
    ['/customers', 'customers', tables.customers.size],
    ['/customers', 'subscriptions', tables.subscriptions.size],
    ['/products', 'products', tables.products.size],
    ['/events', 'usage events', tables.events.size],
    ['/ledger', 'transactions', tables.transactions.size],
    ['/webhooks', 'webhook destinations', tables.webhooks.size],
    ['/webhooks', 'webhook events', tables.webhook_events.size],
    ['/warnings', 'warnings', tables.warnings.size],
  ];
}

function WorldFacts({ visit }: { readonly visit: InspectorRequest }): VNode {
  const { world, control } = visit;
  return (
    <Facts
      facts={{
        Sandbox: world.sandbox,
        Environment: world.environment,
        Account: <code>{world.accountId}</code>,
        Now: <WorldTime at={world.now} />,
        Clock: world.clock.state.mode,
        'Next due': <WorldTime at={control.clocks.nextDue(world)} none="nothing" />,
        'Requests answered': (
          <a href={visit.link('/requests')}>{world.requests.toLocaleString('en')}</a>
        ),
      }}
    />
  );
}

const MOST_WORLDS = 50;

function Worlds({ visit }: { readonly visit: InspectorRequest }): VNode {
  const keys = [...visit.options.worlds.values()].map(keyOf);
  return (
    <Part id="worlds" title="Worlds">
      <form method="get" action={linkTo('', {})}>
        {/* biome-ignore lint/a11y/useSemanticElements: A fieldset would not join the two in one line. */}
        <div role="group">
          <input
            name="key"
            value={visit.key}
            aria-label="Key"
            list="keys"
            autocomplete="off"
            pattern={KEY_PATTERN}
            required
          />
          <button type="submit">Open</button>
        </div>
        <datalist id="keys">
          {keys.slice(0, MOST_WORLDS).map((key) => (
            <option key={key} value={key} />
          ))}
        </datalist>
      </form>
      <OpenWorlds visit={visit} />
      {!visit.isReadOnly && <NewSandboxForm visit={visit} />}
    </Part>
  );
}
