import type { ComponentChildren } from 'preact';
import { HtmlPage, PageContext } from '../page.tsx';
import { Alert } from '../parts.tsx';
import { CurrentRequest, type InspectorRequest, useRequest } from './inspector-request.ts';
import { type InspectorSection, SECTIONS, Sections } from './sections.tsx';
import { Toast } from './toast.tsx';
import { TopBar } from './top-bar.tsx';

interface InspectorPageProps {
  readonly request: InspectorRequest;
  /** The owner of the shown records; by default the world's own account. */
  readonly owner?: string | undefined;
  /** The current section of the navigation; absent on pages outside all sections. */
  readonly section?: InspectorSection;
  /** The page title; by default the name of the section. */
  readonly title?: string;
  readonly heading?: ComponentChildren;
  /** Shown above the heading after the link to the section. */
  readonly path?: ComponentChildren;
  /** Buttons and links beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A longer title is cut. */
const MAX_TITLE = 80;

/** The layout of every page of the inspector, with the contexts that its components use. */
export function InspectorPage(props: InspectorPageProps) {
  const { request, section, title = SECTIONS[section ?? 'overview'].name, owner } = props;
  const { world, formError, link } = request;
  const contextOf = (account = owner) => request.contextOf(account);
  const recordLink = (id: string) => link('find', { id });
  const recordName = (id: string) => world.tables.webhooks.get(id)?.url;
  const page = (
    <HtmlPage
      title={`${title.slice(0, MAX_TITLE)} · Inspector`}
      frame={`app ${world.environment}`}
      styles={['inspector.css']}
      scripts={['copy.js', 'keys.js', 'live.js']}
    >
      <TopBar />
      <Sections section={section} />
      <main id="main" tabIndex={-1}>
        <Head {...props} title={title} />
        {formError !== undefined && <Alert text={formError} />}
        {props.children}
        <Foot />
        <Toast />
      </main>
    </HtmlPage>
  );
  return (
    <CurrentRequest.Provider value={request}>
      <PageContext.Provider value={{ recordLink, recordName, contextOf }}>
        {page}
      </PageContext.Provider>
    </CurrentRequest.Provider>
  );
}

/** The heading, with the way to it above and actions beside it. */
function Head({ request, section, title, heading, path, actions }: InspectorPageProps) {
  return (
    <div class="head">
      <div>
        {path !== undefined && section !== undefined && (
          <p class="crumb">
            <a href={request.link(section)}>{SECTIONS[section].name}</a> / {path}
          </p>
        )}
        <h1>{heading ?? title}</h1>
      </div>
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

function Foot() {
  return (
    <footer>
      <span>No money moves.</span>
      <span>Times are in UTC.</span>
    </footer>
  );
}

interface LiveProps {
  readonly id: string;
  /** The number of items, if it shows a list. */
  readonly total?: number;
  readonly children: ComponentChildren;
}

/** A part of a page that is updated when the world changes. */
export function Live({ id, total, children }: LiveProps) {
  const { link, here } = useRequest();
  return (
    <div id={id} data-live={link('/changes')} data-page={here({})} data-total={total}>
      {children}
    </div>
  );
}
