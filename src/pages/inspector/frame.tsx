import type { ComponentChildren } from 'preact';
import { countRecords, presentWorld } from '../../control/worlds/state.ts';
import { keyOf, parseKey } from '../../store/worlds.ts';
import type { PageAnswer } from '../answer.tsx';
import { Button } from '../forms.tsx';
import { Sentence } from '../id.tsx';
import { HtmlPage, PageContext } from '../page.tsx';
import { Alert, WaysOn } from '../parts.tsx';
import { capitalized } from '../wording.ts';
import { isIn } from './find/records.ts';
import { CurrentRequest, type InspectorRequest, linkTo, useRequest } from './inspector-request.ts';
import { ActionForm } from './links.tsx';
import { type InspectorSection, SECTIONS, Sections, TopBar } from './navigation.tsx';
import { differenceText } from './time/snapshots.tsx';

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

/** What an action did, by the value of `done` in the URL. */
const DONE: Readonly<Record<string, string>> = {
  clock: 'The mode of the clock is changed.',
  deleted: 'The snapshot is deleted.',
  filled: 'Customers and their traffic were added.',
  rules: 'The rules for requests and deliveries are changed.',
  saved: 'The snapshot is saved.',
  sent: 'It was sent again.',
  undone: 'The world has its earlier state again.',
};

/** What the action before this page did, and how it is undone; undefined if it did nothing. */
function messageOf(request: InspectorRequest): MessageProps | undefined {
  const { world, control, query, formError } = request;
  const [done, key] = [query('done'), query('closed')];
  if (key !== '') {
    // A closed world returns by its own key.
    const closed = parseKey(key);
    if (!closed || control.worlds.sandboxes().includes(closed.sandbox)) return undefined;
    const { sandbox } = closed;
    const undo = control.worldManager.former(closed) && `the closing of ${sandbox}`;
    return { text: `The world ${sandbox} is closed.`, undo, parameters: { key } };
  }
  if (done === 'replaced') {
    const former = control.worldManager.former(world);
    if (!former) return undefined;
    const difference = differenceText(countRecords(former.image), presentWorld(world).records);
    const text = `Done: ${former.ended_by}. ${capitalized(difference)}.`;
    return { text, undo: `the ${former.ended_by}` };
  }
  const text = Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  return text === undefined || formError !== undefined ? undefined : { text };
}

interface MessageProps {
  readonly text: string;
  /** What can be undone, in words; absent if nothing can. */
  readonly undo?: string | undefined;
  readonly parameters?: Parameters<InspectorRequest['link']>[1];
}

/** What the action before this page did. One that replaced the state of a world can be undone here. */
function Toast() {
  const message = messageOf(useRequest());
  if (!message) return null;
  const { text, undo, parameters } = message;
  return (
    <div class="toast">
      <p role="status" data-testid="notice">
        <Sentence text={text} />
      </p>
      {undo !== undefined && (
        <ActionForm action="/time/undo" parameters={parameters}>
          <Button>
            Undo{' '}
            <span class="hidden">
              <Sentence text={undo} />
            </span>
          </Button>
        </ActionForm>
      )}
    </div>
  );
}

/** The 404 page of the inspector. It keeps the navigation and says where else the record can be. */
export function recordNotFound(
  request: InspectorRequest,
  id = request.parameters['id'] ?? '',
): PageAnswer {
  const page = (
    <InspectorPage request={request} title="Not found">
      {id === '' ? (
        <p>The inspector has no page at this address.</p>
      ) : (
        <>
          <p>
            <code>{id.slice(0, MAX_TEXT)}</code> is not in the world{' '}
            <strong>{request.world.sandbox}</strong>. A reset may have removed it, or it is in
            another world.
          </p>
          <Elsewhere id={id} />
        </>
      )}
    </InspectorPage>
  );
  return { status: 404, page };
}

const MAX_TEXT = 300;
const MAX_WORLDS = 200;

/** Links to other worlds that have a record, and to a search for what happened to it. */
function Elsewhere({ id }: { readonly id: string }) {
  const { control, world, link } = useRequest();
  const elsewhere = [...control.worlds.values()]
    .slice(0, MAX_WORLDS)
    .filter((each) => each !== world && isIn(each, id))
    .map(keyOf)
    .map((key) => [`The world ${key}`, linkTo('find', { key, id })] as const);
  const requests = link('requests', { q: `"${id.replaceAll('"', '')}"` });
  return (
    <WaysOn ways={{ ...Object.fromEntries(elsewhere), 'Search the requests for it': requests }} />
  );
}
