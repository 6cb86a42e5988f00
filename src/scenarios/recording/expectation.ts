import { exactJsonIn } from '../../text/json-in.ts';
import { OMITTED } from '../map-texts.ts';
import type { StepExpectation } from '../scenario.ts';
import type { PortableTexts } from './portable-texts.ts';
import type { LoggedCall } from './session.ts';
import type { StepDraft } from './step-draft.ts';
import type { Course } from './steps.ts';

/**
 * Returns the expected status. With the option `expect`, and if no fault changed the response, also the stable
 * parts of headers and body.
 */
export function expectationOf(
  call: LoggedCall,
  draft: StepDraft,
  { texts, options }: Pick<Course, 'texts' | 'options'>,
): number | StepExpectation {
  const { status, fault, answer, location } = call;
  if (fault !== undefined) return status;
  const body = exactJsonIn(answer);
  if (isObject(body)) texts.known.noteAnswer(body, draft);
  if (!options.expect) return status;
  const expected = {
    ...(location !== undefined && addressExpected(location, texts)),
    ...(isObject(body) && bodyExpected(body, call, draft, texts)),
  };
  return Object.keys(expected).length === 0 ? status : { status, ...expected };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the expected target of a redirect from the path on, because the host differs between worlds. */
function addressExpected(location: string, texts: PortableTexts): StepExpectation {
  const { pathname, search } = new URL(location, 'http://localhost');
  const path = pathname + search;
  if (texts.known.strangersIn(path).length > 0) return {};
  return { headers: { Location: texts.request(path) } };
}

/** Fields that depend on the speed of deliveries and receivers. Only their presence is expected. */
const UNSTABLE: Readonly<Record<string, readonly string[]>> = {
  listWebhookEvents: ['successful_at', 'failed_at', 'metadata'],
};

type Item = Readonly<Record<string, unknown>>;

function bodyExpected(
  given: object,
  { operation = '' }: LoggedCall,
  draft: StepDraft,
  texts: PortableTexts,
): StepExpectation {
  const { items } = given as { readonly items?: readonly Item[] };
  const names = UNSTABLE[operation];
  if (!names || !Array.isArray(items)) return exactBody(texts.answer(given, draft));
  const without = (item: Item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
  const { body, isWhole } = texts.answer({ ...given, items: items.map(without) }, draft);
  if (body === OMITTED) return {};
  const stable = body as { readonly items?: readonly Item[] };
  const refer = (index: number) =>
    names.map((name) => [name, texts.known.referTo(draft, ['items', index, name])] as const);
  const whole = stable.items?.map((item, index) => ({
    ...item,
    ...Object.fromEntries(refer(index).filter(([name]) => name in (items[index] as Item))),
  }));
  return exactBody({ body: whole ? { ...stable, items: whole } : stable, isWhole });
}

function exactBody({ body, isWhole }: ReturnType<PortableTexts['answer']>): StepExpectation {
  if (body === OMITTED) return {};
  return isWhole ? { exact: true, body } : { body };
}
