import { DEFAULT_KEY } from '../../config/access.ts';
import type { World } from '../../store/world.ts';
import { keyOf } from '../../store/worlds.ts';
import { Button } from '../forms.tsx';
import { Copy } from '../id.tsx';
import { Mark } from '../page.tsx';
import { Time } from '../time.tsx';
import { linkTo, useRequest } from './inspector-request.ts';
import { ActionForm } from './links.tsx';

/** The bar above every page: the world, its clock, and the search. */
export function TopBar() {
  return (
    <header class="bar">
      <button
        type="button"
        class="secondary open-sections"
        popovertarget="sections"
        aria-label="Sections"
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 4h12M2 8h12M2 12h12" />
        </svg>
      </button>
      <a class="brand" href="/_emulator" aria-label="Billing emulator, front page">
        <Mark /> <span>billing-emulator</span>
      </a>
      <WorldMenu />
      <ClockMenu />
      <Find />
    </header>
  );
}

const MAX_OTHERS = 8;

function WorldMenu() {
  const request = useRequest();
  const { world, key, control, isReadOnly } = request;
  const others = [...control.worlds.values()].filter((each) => each !== world);
  return (
    <details class="menu" name="bar">
      <summary>
        <span class="hidden">World</span> <b>{world.sandbox}</b> <EnvironmentBadge world={world} />
        {isReadOnly && <span class="badge bare">Read-only</span>}
      </summary>
      <div class="sheet">
        <form method="get" action={linkTo('/worlds', {})}>
          <input type="hidden" name="key" value={key} />
          <input type="search" name="q" aria-label="Find a world" placeholder="Find a world" />
        </form>
        <ul>
          {[world, ...others.slice(0, MAX_OTHERS)].map((each) => (
            <li key={keyOf(each)}>
              <a
                href={linkTo('', { key: keyOf(each) })}
                aria-current={each === world ? 'true' : undefined}
              >
                {each.sandbox} <EnvironmentBadge world={each} />
              </a>
            </li>
          ))}
        </ul>
        <hr />
        <a href={request.link('/worlds')}>All worlds, new world</a>
        <p>
          <small class="muted">Its key</small> <code>{key}</code> <Copy text={key} name="the key" />
        </p>
      </div>
    </details>
  );
}

/** Shows whether the world belongs to a test key or a live key. */
export function EnvironmentBadge({ world }: { readonly world: World }) {
  const isLive = world.environment === 'live';
  return <span class={isLive ? 'badge warn' : 'badge bare'}>{world.environment}</span>;
}

const STEPS = { 'One hour': 'PT1H', 'One day': 'P1D', 'One month': 'P1M' } as const;

function ClockMenu() {
  const { world, control, link } = useRequest();
  const due = control.clocks.nextDue(world);
  return (
    <details class="menu" name="bar">
      <summary>
        <span class="hidden">Clock</span>{' '}
        <span id="world-time">
          <Time at={world.now} />
        </span>
      </summary>
      <div class="sheet">
        <p>
          <small class="muted">The clock is {CLOCKS[world.clock.state.mode]}. Next due: </small>
          <small>
            <Time at={due} none="nothing" />
          </small>
        </p>
        <ActionForm action="/clock/advance" layout="small buttons">
          {due !== undefined && (
            <Button isSecondary name="until" value="next">
              To the next due item
            </Button>
          )}
          {Object.entries(STEPS).map(([name, by]) => (
            <Button key={by} isSecondary name="by" value={by}>
              {name}
            </Button>
          ))}
        </ActionForm>
        <a href={link('/clock')}>Set, stop or run…</a>
      </div>
    </details>
  );
}

const CLOCKS = {
  frozen: 'frozen',
  offset: 'running with an offset',
  real: "the machine's",
} as const;

function Find() {
  const { key, query } = useRequest();
  return (
    <search class="find" aria-label="Everything">
      <form method="get" action={linkTo('/go', {})}>
        {key !== DEFAULT_KEY && <input type="hidden" name="key" value={key} />}
        {query('zone') !== '' && <input type="hidden" name="zone" value={query('zone')} />}
        <input
          type="search"
          name="id"
          aria-label="Find an id, a name or an external id"
          aria-keyshortcuts="/ Control+K"
          placeholder="Id, name or external id"
        />
        <kbd class="scripted">/</kbd>
      </form>
    </search>
  );
}
