import type { ComponentChildren, VNode } from 'preact';
import type { AssetName } from '../assets.ts';
import { HtmlPage } from '../page.tsx';
import { Alert } from '../parts.tsx';
import { SurroundingsContext } from '../surroundings.ts';
import { TopBar } from './bar.tsx';
import type { InspectorRequest } from './inspector-request.ts';
import { type InspectorSection, SECTIONS, Sections } from './sections.tsx';

export interface InspectorPageProps {
  readonly request: InspectorRequest;
  /** Where the navigation stands; absent on a page that belongs nowhere. */
  readonly section?: InspectorSection;
  /** What the page is; the section's own name where absent. */
  readonly title?: string;
  readonly heading?: ComponentChildren;
  /** Stands above the heading: what the page is a part of. */
  readonly path?: ComponentChildren;
  /** Stands beside the heading: what can be done here. */
  readonly actions?: ComponentChildren;
  readonly scripts?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/** The frame of every page of the inspector. */
export function InspectorPage(props: InspectorPageProps): VNode {
  const { request, section, title = SECTIONS[section ?? ''], path, actions, children } = props;
  const { world, link, trouble } = request;
  const recordLink = (id: string) => link('/go', { id });
  return (
    <SurroundingsContext.Provider value={{ zone: request.zone, recordLink }}>
      <HtmlPage
        title={`${title} · Inspector`}
        frame={`app ${world.environment}`}
        styles={['inspector.css']}
        scripts={['live.js', 'copy.js', 'keys.js', ...(props.scripts ?? [])]}
      >
        <TopBar request={request} />
        <Sections request={request} section={section} />
        <main id="main" tabIndex={-1}>
          <div class="head">
            <div>
              {path !== undefined && <p class="crumb">{path}</p>}
              <h1>{props.heading ?? title}</h1>
            </div>
            {actions !== undefined && <div class="actions">{actions}</div>}
          </div>
          {trouble !== undefined && <Alert text={trouble} />}
          {children}
          <Foot request={request} />
        </main>
      </HtmlPage>
    </SurroundingsContext.Provider>
  );
}

/** Which time is shown, and the keys that work everywhere. */
function Foot({ request }: { readonly request: InspectorRequest }): VNode {
  const { zone, here } = request;
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
  readonly request: InspectorRequest;
  readonly id: string;
  /** How many there are of what it lists. */
  readonly total?: number;
  readonly children: ComponentChildren;
}

/** A part of a page that is brought up to date as the world changes. */
export function Live({ request, id, total, children }: LiveProps): VNode {
  return (
    <div id={id} data-live={request.link('/changes')} data-total={total}>
      {children}
    </div>
  );
}
