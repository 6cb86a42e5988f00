import type { VNode } from 'preact';
import type { World } from '../../state/world.ts';
import { keyOf } from '../../state/worlds.ts';
import type { Answer } from '../answer.ts';
import { Alert } from '../sections.tsx';
import { InspectorPage, Live, type Section } from './frame.tsx';
import { Facts, Moment, Part } from './parts.tsx';
import { NewSandbox, OpenWorlds } from './sandboxes.tsx';
import { KEY_PATTERN, linkTo, type Visit } from './visit.ts';

/** What is in the world, and which other worlds are open. */
export function showHome(visit: Visit, trouble?: string): Answer {
  return {
    ...(trouble !== undefined && { status: 422 }),
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

function countsOf({ tables }: World): readonly (readonly [Section, string, number])[] {
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

function WorldFacts({ visit }: { readonly visit: Visit }): VNode {
  const { world, control } = visit;
  return (
    <Facts
      facts={{
        Sandbox: world.sandbox,
        Environment: world.environment,
        Account: <code>{world.accountId}</code>,
        Now: <Moment at={world.now} />,
        Clock: world.clock.state.mode,
        'Next due': <Moment at={control.clocks.nextDue(world)} none="nothing" />,
        'Requests answered': (
          <a href={visit.link('/requests')}>{world.requests.toLocaleString('en')}</a>
        ),
      }}
    />
  );
}

const MOST_WORLDS = 50;

function Worlds({ visit }: { readonly visit: Visit }): VNode {
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
      {!visit.isReadOnly && <NewSandbox visit={visit} />}
    </Part>
  );
}
