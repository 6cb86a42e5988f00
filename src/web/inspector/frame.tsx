import type { ComponentChildren, VNode } from 'preact';
import type { AssetName } from '../assets.ts';
import { Page } from '../page.tsx';
import { Alert } from '../parts.tsx';
import { DOCUMENTATION_PATH } from '../paths.ts';
import { DEFAULT_KEY, type InspectorRequest } from './inspector-request.ts';

/** The pages that the navigation leads to. */
export const SECTIONS = {
  '': 'Overview',
  '/requests': 'Requests',
  '/customers': 'Customers',
  '/ledger': 'Ledger',
  '/products': 'Products',
  '/events': 'Usage',
  '/webhooks': 'Webhooks',
  '/clock': 'Clock',
  '/snapshots': 'Snapshots',
  '/faults': 'Faults',
  '/profit': 'Profit',
  '/warnings': 'Warnings',
  '/assumptions': 'Assumptions',
} as const;

export type InspectorSection = keyof typeof SECTIONS;

export interface InspectorPageProps {
  readonly request: InspectorRequest;
  readonly section: InspectorSection;
  /** What the page is; the section's own name where absent. */
  readonly title?: string;
  readonly heading?: ComponentChildren;
  /** Scripts beside the one that keeps pages up to date. */
  readonly scripts?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/** The frame of every page of the inspector. */
export function InspectorPage(props: InspectorPageProps): VNode {
  const { request, section, title = SECTIONS[section], scripts = [], children } = props;
  return (
    <Page
      title={`${title} · Inspector`}
      width="wide"
      navigation={<Navigation request={request} section={section} />}
      styles={['inspector.css']}
      scripts={['live.js', ...scripts]}
    >
      <h1>{props.heading ?? title}</h1>
      {request.trouble !== undefined && <Alert text={request.trouble} />}
      {children}
    </Page>
  );
}

function Navigation({ request, section }: Pick<InspectorPageProps, 'request' | 'section'>): VNode {
  return (
    <nav class="sections" aria-label="Inspector">
      <ul>
        {(Object.keys(SECTIONS) as InspectorSection[]).map((path) => (
          <li key={path}>
            <a href={request.link(path)} aria-current={path === section ? 'page' : undefined}>
              {SECTIONS[path]}
            </a>
          </li>
        ))}
      </ul>
      <p class="world">
        World <a href={request.link('')}>{request.key}</a>
        {' · '}
        <a
          href={`${DOCUMENTATION_PATH}${request.key === DEFAULT_KEY ? '' : `?key=${request.key}`}`}
        >
          API documentation
        </a>
        {request.isReadOnly && <span class="tag">Read-only</span>}
      </p>
    </nav>
  );
}

interface LiveProps {
  readonly request: InspectorRequest;
  readonly id: string;
  readonly children: ComponentChildren;
}

/** A part of a page that is brought up to date as the world changes. */
export function Live({ request, id, children }: LiveProps): VNode {
  return (
    <div id={id} data-live={request.link('/changes')}>
      {children}
    </div>
  );
}

interface ActionFormProps {
  readonly request: InspectorRequest;
  /** Path of the action; absent where each button names its own. */
  readonly action?: string;
  readonly parameters?: Parameters<InspectorRequest['link']>[1];
  /** Whether its fields, or its buttons, stand in one line. */
  readonly layout?: 'line' | 'buttons' | 'small buttons';
  readonly children: ComponentChildren;
}

/** A form that changes the world; absent where it may only be looked at. */
export function ActionForm(props: ActionFormProps): VNode | null {
  const { request, action, parameters, layout, children } = props;
  if (request.isReadOnly) return null;
  return (
    <form method="post" action={action && request.link(action, parameters)} class={layout}>
      {children}
    </form>
  );
}
