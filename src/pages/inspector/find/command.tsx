import { parseDuration } from '../../../domain/instant.ts';
import { parseKey } from '../../../store/worlds.ts';
import type { PageAnswer } from '../../answer.tsx';
import { Button } from '../../forms.tsx';
import { assumptionLink } from '../../reference/reference-page.tsx';
import { CUSTOMERS } from '../customers/customers.tsx';
import { LEDGER } from '../customers/ledger.tsx';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, linkTo } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';
import { REQUESTS } from '../requests/requests.tsx';
import { misunderstood, parseSearch } from '../search/search.ts';
import { type InspectorSection, SECTIONS } from '../sections.tsx';
import { EVENTS } from '../usage/events.tsx';
import { WEBHOOK_EVENTS } from '../webhooks/webhooks.tsx';
import { Elsewhere } from './not-found.tsx';
import { findRecord } from './records.ts';

const MAX_TEXT = 300;

/** Opens what the text of the command box names: a section, a world, rows of a list or a record; or offers an action. */
export async function showCommand(request: InspectorRequest): Promise<PageAnswer> {
  const text = request.query('id').trim();
  const words = text.toLowerCase();
  const location =
    sectionOf(request, words) ??
    (/^a-\d+$/.test(words) ? assumptionLink(text.toUpperCase()) : undefined) ??
    rowsOf(request, words);
  if (location !== undefined) return { location };
  const action = actionOf(request, words);
  if (action) return offer(request, action);
  const place = text === '' ? undefined : await findRecord(request, text);
  if (place) return { location: request.link(place.page, place.parameters) };
  const world = worldOf(request, words);
  if (world !== undefined) return { location: world };
  const page = (
    <InspectorPage request={request} title={text === '' ? 'Find' : 'Not found'}>
      {text === '' ? (
        <p>Enter an id, a name, a search such as status:422, or an action such as advance 1 day.</p>
      ) : (
        <p>
          <code>{text.slice(0, MAX_TEXT)}</code> is not in this world.
        </p>
      )}
      <Elsewhere id={text} />
    </InspectorPage>
  );
  return { status: 404, page };
}

function sectionOf({ link }: InspectorRequest, words: string): string | undefined {
  const found = Object.entries(SECTIONS).find(([, { name }]) => name.toLowerCase() === words);
  return found && link(found[0] as InspectorSection);
}

const LISTS = [REQUESTS, CUSTOMERS, EVENTS, LEDGER, WEBHOOK_EVENTS];

/** Searches in a word, with the section that they search. */
const SHORT: Readonly<Record<string, readonly [InspectorSection, q: string]>> = {
  failing: ['webhooks', 'state:failing'],
  unpaid: ['customers', 'status:unpaid'],
  debt: ['customers', 'balance:<0'],
  warnings: ['usage', 'warning:*'],
};

/** The first list that understands a search with a field. */
function rowsOf({ link }: InspectorRequest, text: string): string | undefined {
  const short = Object.hasOwn(SHORT, text) ? SHORT[text] : undefined;
  if (short) return link(short[0], { q: short[1] });
  const search = parseSearch(text);
  if (!search.terms.some(({ field }) => field !== undefined)) return undefined;
  const list = LISTS.find(({ fields }) => misunderstood(search, Object.keys(fields)).length === 0);
  return list && link(list.section, { q: text });
}

function worldOf({ control }: InspectorRequest, text: string): string | undefined {
  if (parseKey(text)) return linkTo('overview', { key: text });
  const key = control.worlds.keys().find((each) => parseKey(each)?.sandbox === text);
  return key && linkTo('overview', { key });
}

/** An action that the text asks for: its form, and what it does in words. */
interface Offer {
  readonly words: string;
  /** What stays or comes, in a sentence. */
  readonly about: string;
  /** Absent if there is nothing to do. */
  readonly action?: `/time/${string}`;
  readonly fields: Readonly<Record<string, string>>;
}

const UNITS: Readonly<Record<string, string>> = {
  minute: 'PTnM',
  hour: 'PTnH',
  day: 'PnD',
  week: 'PnW',
  month: 'PnM',
  year: 'PnY',
};

type MakeOffer = (object: string, request: InspectorRequest) => Offer | undefined;

/** The actions of the box by their first word, each made from the words after it. */
const ACTIONS: Readonly<Record<string, MakeOffer>> = {
  advance: (span) => advance(span || '1 day'),
  reset(object) {
    const to = object.replace(/^to /, '');
    return {
      words: `Reset this world${to && ` to ${to}`}`,
      about: 'Its records go; its snapshots stay. It can be undone.',
      action: '/time/reset',
      fields: to === '' || to === 'empty' ? { to } : { to: 'fixture', name: to },
    };
  },
  snapshot: (name) => ({
    words: `Save the snapshot ${name || 'latest'}`,
    about: 'It replaces an earlier snapshot of the same name.',
    action: '/time/snapshots',
    fields: { name: name || 'latest' },
  }),
  undo: (_object, { control, world }) =>
    control.worldManager.former(world)
      ? {
          words: 'Undo the latest reset, restore, import or advance',
          about: 'The world gets the state that it had before.',
          action: '/time/undo',
          fields: {},
        }
      : { words: 'Nothing to undo', about: 'No earlier state of this world is kept.', fields: {} },
};

function actionOf(request: InspectorRequest, text: string): Offer | undefined {
  const [verb = '', ...rest] = text.split(/\s+/);
  return Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb]?.(rest.join(' '), request) : undefined;
}

function advance(span: string): Offer | undefined {
  const [, count = '1', unit = ''] = /^(?:by )?(\d+)?\s*([a-z]+?)s?$/.exec(span) ?? [];
  const by = UNITS[unit]?.replace('n', count) ?? span.toUpperCase();
  return (
    parseDuration(by) && {
      words: `Advance by ${span}`,
      about: 'What is due until then will happen. It can be undone.',
      action: '/time/advance',
      fields: { by },
    }
  );
}

function offer(request: InspectorRequest, { words, about, action, fields }: Offer): PageAnswer {
  return (
    <InspectorPage request={request} section="time" title={words} path="Command">
      <p>{about}</p>
      {request.isReadOnly && <p>The inspector is read-only.</p>}
      {action && (
        <ActionForm action={action} layout="buttons">
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button isMain autofocus>
            {words}
          </Button>
          {action === '/time/advance' && (
            <Button name="preview" value="1">
              Only preview
            </Button>
          )}
          <a class="button secondary" href={request.link('overview')}>
            Cancel
          </a>
        </ActionForm>
      )}
    </InspectorPage>
  );
}
