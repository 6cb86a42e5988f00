import { knownFixtures } from '../../control/worlds/state.ts';
import { keyOf, parseKey } from '../../store/worlds.ts';
import { Button, Choice, Field } from '../forms.tsx';
import { Copy } from '../id.tsx';
import { Mark } from '../page.tsx';
import { Time } from '../time.tsx';
import { numberText } from '../wording.ts';
import { linkTo, useRequest } from './inspector-request.ts';
import { ActionForm, QueryForm } from './links.tsx';

/** The bar above every page: the world, its clock, and the command box. */
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
      <CommandBox />
    </header>
  );
}

const MAX_OTHERS = 8;

/** The worlds that there are, the key of this one, and forms. */
function WorldMenu() {
  const request = useRequest();
  const { world, key, control } = request;
  const own = keyOf(world);
  const others = control.worlds.keys().filter((each) => each !== own);
  return (
    <details class="menu" name="bar">
      <summary class="button secondary">
        <span class="hidden">World</span> <b>{world.sandbox}</b> <EnvironmentBadge worldKey={own} />
      </summary>
      <div class="sheet">
        <ul>
          {[own, ...others.slice(0, MAX_OTHERS)].map((each) => (
            <li key={each}>
              <a
                href={linkTo('overview', { key: each })}
                aria-current={each === own ? 'true' : undefined}
              >
                {parseKey(each)?.sandbox} <EnvironmentBadge worldKey={each} />
              </a>
            </li>
          ))}
        </ul>
        {others.length > MAX_OTHERS && (
          <p class="muted">
            and {numberText(others.length - MAX_OTHERS)} more: type a name or a key into the box
          </p>
        )}
        <p>
          <small class="muted">Key of this world</small> <code>{key}</code>{' '}
          <Copy text={key} name="the key" />
        </p>
        <WorldForms />
      </div>
    </details>
  );
}

/** Opens another world, and closes this one. */
function WorldForms() {
  const { world, control } = useRequest();
  return (
    <>
      <hr />
      <ActionForm action="/worlds" layout="line">
        <Field label="New world" name="name" pattern="[a-z0-9][a-z0-9\-]{0,62}" required />
        <Choice
          label="From"
          name="fixture"
          options={[['', 'the default'], ...knownFixtures(control.worldManager)]}
        />
        <Button>Create</Button>
      </ActionForm>
      <hr />
      <ActionForm action="/worlds/close">
        <Button name="name" value={world.sandbox}>
          Close this world
        </Button>
      </ActionForm>
    </>
  );
}

/** Shows whether the world belongs to a test key or a live key. */
function EnvironmentBadge({ worldKey }: { readonly worldKey: string }) {
  const environment = parseKey(worldKey)?.environment;
  return <span class={environment === 'live' ? 'badge warn' : 'badge bare'}>{environment}</span>;
}

const CLOCK_STEPS = {
  'One hour': 'PT1H',
  'One day': 'P1D',
  'One week': 'P1W',
  'One month': 'P1M',
} as const;

/** Buttons of a form that advances the clock. */
export const ClockSteps = () => (
  <>
    <Button name="until" value="next">
      To the next due item
    </Button>
    {Object.entries(CLOCK_STEPS).map(([name, by]) => (
      <Button key={by} name="by" value={by}>
        {name}
      </Button>
    ))}
  </>
);

function ClockMenu() {
  const { world, link } = useRequest();
  return (
    <details class="menu" name="bar">
      <summary class="button secondary">
        <span class="hidden">Clock</span>{' '}
        <span id="world-time">
          <Time at={world.now} />
        </span>
      </summary>
      <div class="sheet">
        <ActionForm action="/time/advance" layout="small buttons">
          <ClockSteps />
        </ActionForm>
        <hr />
        <a href={link('time')}>Preview, set, stop or run…</a>
      </div>
    </details>
  );
}

/** Finds sections, records, worlds and rows of lists, and the forms of actions. */
function CommandBox() {
  return (
    <search class="find" aria-label="Everything">
      <QueryForm page="find">
        <input
          type="search"
          name="id"
          aria-label="Find or do anything"
          aria-keyshortcuts="/ Control+K"
          placeholder="Id, name, status:422, advance 1 month"
        />
        <kbd class="scripted">/</kbd>
      </QueryForm>
    </search>
  );
}
