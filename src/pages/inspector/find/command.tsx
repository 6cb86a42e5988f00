import { after, type Instant, parseDuration } from '../../../domain/instant.ts';
import { loadDocument } from '../../../spec/document.ts';
import { parseKey } from '../../../store/worlds.ts';
import type { PageAnswer } from '../../answer.tsx';
import { headOf } from '../../reference/operation-model.ts';
import { assumptionLink } from '../../reference/reference-page.tsx';
import { CUSTOMERS } from '../customers/customers.tsx';
import { LEDGER } from '../customers/ledger.tsx';
import { type InspectorRequest, linkTo, type Parameters } from '../inspector-request.ts';
import { recordNotFound } from '../not-found.tsx';
import { REQUESTS } from '../requests/requests.tsx';
import { misunderstood, parseSearch } from '../search/search.ts';
import { type InspectorSection, SECTIONS } from '../sections.tsx';
import { EVENTS } from '../usage/events.tsx';
import { WEBHOOK_EVENTS } from '../webhooks/webhooks.tsx';
import { findRecord } from './records.ts';

/** Opens what the text of the command box names: a section, an action, rows of a list, a record or a world. */
export async function showCommand(request: InspectorRequest): Promise<PageAnswer> {
  const text = request.query('id').trim();
  const words = text.toLowerCase();
  const location =
    sectionOf(request, words) ??
    actionOf(request, words) ??
    (/^a-\d+$/.test(words) ? assumptionLink(text.toUpperCase(), request.key) : undefined) ??
    rowsOf(request, words);
  if (location !== undefined) return { location };
  if (text === '') return { location: request.link('overview') };
  const place = await findRecord(request, text);
  if (place) return { location: request.link(place.page, place.parameters) };
  const other = worldOf(request, words) ?? formOf(request, words);
  return other === undefined ? recordNotFound(request, text) : { location: other };
}

function sectionOf({ link }: InspectorRequest, words: string): string | undefined {
  const found = Object.entries(SECTIONS).find(([, { name }]) => name.toLowerCase() === words);
  return found && link(found[0] as InspectorSection);
}

const LISTS = [REQUESTS, CUSTOMERS, EVENTS, LEDGER, WEBHOOK_EVENTS];

/** The first list that understands a search with a field. */
function rowsOf({ link }: InspectorRequest, text: string): string | undefined {
  if (text === 'failing') return link('webhooks', { q: 'state:failing' });
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

/** The form of the first operation that is called so, such as `create customer`. */
function formOf({ link }: InspectorRequest, text: string): string | undefined {
  const [verb, ...objects] = text.split(/\s+/);
  if (objects.length === 0) return undefined;
  const operation = [...loadDocument('openapi').operations.values()].find((each) => {
    const [first, ...rest] = headOf(each).summary.toLowerCase().split(/\W+/);
    return first === verb && objects.every((word) => rest.includes(word));
  });
  return operation && link('send', { operation: operation.id });
}

type FillForm = (object: string, request: InspectorRequest) => Parameters;

/** The forms of actions on the page of time, filled in by the words after the action. */
const ACTIONS: Readonly<Record<string, FillForm>> = {
  advance: (span, { world }) => ({ to: momentAfter(world.now, span), '#': 'advance' }),
  reset: (fixture) => ({ fixture: fixture.replace(/^to /, ''), '#': 'reset' }),
  snapshot: (name) => ({ name, '#': 'snapshots' }),
  undo: () => ({ '#': 'reset' }),
};

function actionOf(request: InspectorRequest, text: string): string | undefined {
  const [verb = '', ...rest] = text.split(/\s+/);
  const fill = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
  return fill && request.link('time', fill(rest.join(' '), request));
}

/** The time after a span such as `2 weeks`; undefined if there is no span. */
function momentAfter(now: Instant, span: string): Instant | undefined {
  const length = parseDuration(span.replace(/^(\d+) *(mo|[a-z])[a-z]*$/, '$1$2'));
  return length && after(now, length);
}
