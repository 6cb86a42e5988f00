import type { VNode } from 'preact';
import type { World } from '../../../state/world.ts';
import { keyOf } from '../../../state/worlds.ts';
import type { PageAnswer } from '../../answer.ts';
import { Button } from '../../forms.tsx';
import { ExactTime, Facts, Section } from '../../parts.tsx';
import { InspectorPage, type InspectorSection, Live } from '../frame.tsx';
import { type InspectorRequest, KEY_PATTERN, linkTo } from '../inspector-request.ts';
import { NewSandboxForm, OpenWorlds } from './sandboxes.tsx';

/** What is in the world, and which other worlds are open. */
export function showHome(request: InspectorRequest): PageAnswer {
  return {
    page: (
      <InspectorPage request={request} section="" title="Overview">
        <Live request={request} id="overview">
          <WorldFacts request={request} />
          <ul class="tiles">
            {countsOf(request.world).map(([section, name, count]) => (
              <li key={name}>
                <a href={request.link(section)}>
                  <strong>{count.toLocaleString('en')}</strong> {name}
                </a>
              </li>
            ))}
          </ul>
        </Live>
        <Worlds request={request} />
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

function WorldFacts({ request }: { readonly request: InspectorRequest }): VNode {
  const { world, control } = request;
  return (
    <Facts
      facts={{
        Sandbox: world.sandbox,
        Environment: world.environment,
        Account: <code>{world.accountId}</code>,
        Now: <ExactTime at={world.now} />,
        Clock: world.clock.state.mode,
        'Next due': <ExactTime at={control.clocks.nextDue(world)} none="nothing" />,
        'Requests answered': (
          <a href={request.link('/requests')}>{world.requests.toLocaleString('en')}</a>
        ),
      }}
    />
  );
}

const MOST_WORLDS = 50;

function Worlds({ request }: { readonly request: InspectorRequest }): VNode {
  const keys = [...request.options.worlds.values()].map(keyOf);
  return (
    <Section id="worlds" title="Worlds">
      <form method="get" action={linkTo('', {})}>
        {/* biome-ignore lint/a11y/useSemanticElements: A fieldset would not join the two in one line. */}
        <div role="group">
          <input
            name="key"
            value={request.key}
            aria-label="Key"
            list="keys"
            autocomplete="off"
            pattern={KEY_PATTERN}
            required
          />
          <Button>Open</Button>
        </div>
        <datalist id="keys">
          {keys.slice(0, MOST_WORLDS).map((key) => (
            <option key={key} value={key} />
          ))}
        </datalist>
      </form>
      <OpenWorlds request={request} />
      <NewSandboxForm request={request} />
    </Section>
  );
}
