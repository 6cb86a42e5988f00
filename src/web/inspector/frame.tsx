import type { ComponentChildren } from 'preact';
import { HtmlPage } from '../page.tsx';
import { Alert } from '../parts.tsx';
import { SurroundingsContext } from '../surroundings.ts';
import { TopBar } from './bar.tsx';
import { CurrentRequest, type InspectorRequest, useRequest } from './inspector-request.ts';
import { type InspectorSection, SECTIONS, Sections } from './sections.tsx';

interface InspectorPageProps extends SurroundedProps {
  /** Where the navigation stands; absent on a page that belongs nowhere. */
  readonly section?: InspectorSection;
  /** What the page is; the section's own name where absent. */
  readonly title?: string;
  readonly heading?: ComponentChildren;
  /** What follows the link to its section above the heading; `true` for nothing. */
  readonly path?: ComponentChildren;
  /** Stands beside the heading: what can be done here. */
  readonly actions?: ComponentChildren;
}

interface SurroundedProps {
  readonly request: InspectorRequest;
  /** Whose records it shows; the world's own account where absent. */
  readonly owner?: string | undefined;
  readonly children: ComponentChildren;
}

/** What parts of a page find around them: its request, and what follows from that. */
export function InspectorSurroundings({ request, owner, children }: SurroundedProps) {
  const { zone, link } = request;
  const contextOf = (account = owner) => request.contextOf(account);
  const recordLink = (id: string) => link('/go', { id });
  return (
    <CurrentRequest.Provider value={request}>
      <SurroundingsContext.Provider value={{ zone, recordLink, contextOf }}>
        {children}
      </SurroundingsContext.Provider>
    </CurrentRequest.Provider>
  );
}

/** The frame of every page of the inspector. */
export function InspectorPage(props: InspectorPageProps) {
  const { request, section, title = SECTIONS[section ?? ''].name, path, actions, children } = props;
  const { world, trouble } = request;
  return (
    <InspectorSurroundings request={request} owner={props.owner}>
      <HtmlPage
        title={`${title} · Inspector`}
        frame={`app ${world.environment}`}
        styles={['inspector.css']}
        scripts={['live.js', 'copy.js', 'keys.js']}
      >
        <TopBar />
        <Sections section={section} />
        <main id="main" tabIndex={-1}>
          <div class="head">
            <div>
              {path !== undefined && section !== undefined && (
                <p class="crumb">
                  <a href={request.link(section)}>{SECTIONS[section].name}</a>
                  {path !== true && <> / {path}</>}
                </p>
              )}
              <h1>{props.heading ?? title}</h1>
            </div>
            {actions !== undefined && <div class="actions">{actions}</div>}
          </div>
          {trouble !== undefined && <Alert text={trouble} />}
          {children}
          <Foot />
        </main>
      </HtmlPage>
    </InspectorSurroundings>
  );
}

function Foot() {
  const { zone, here } = useRequest();
  return (
    <footer>
      <span>No money moves.</span>
      <span>
        Times in {zone.replaceAll('_', ' ')}.{' '}
        {zone === 'UTC' ? (
          <a href={here({ zone: 'local' })} data-local-zone>
            Show local time
          </a>
        ) : (
          <a href={here({ zone: undefined })}>Show UTC</a>
        )}
      </span>
      <details class="keys scripted">
        <summary>
          Keys <kbd>?</kbd>
        </summary>
        <kbd>/</kbd> find <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open
      </details>
    </footer>
  );
}

interface LiveProps {
  readonly id: string;
  /** How many there are of what it lists. */
  readonly total?: number;
  readonly children: ComponentChildren;
}

/** A part of a page that is brought up to date as the world changes. */
export function Live({ id, total, children }: LiveProps) {
  return (
    <div id={id} data-live={useRequest().link('/changes')} data-total={total}>
      {children}
    </div>
  );
}
