import { Readable } from 'node:stream';
import type { ControlId } from '../../control/context.ts';
import { refusingFixtures } from '../../control/worlds/state.ts';
import { parseInstant } from '../../domain/instant.ts';
import { faultRulesOf } from '../../faults/rules.ts';
import { parseFixture } from '../../fixtures/fixture-file.ts';
import { describeOutcome, runFixture } from '../../fixtures/run-fixture.ts';
import { BadRequest } from '../../http/input.ts';
import { openPortalVisit, visitPath } from '../../resources/links.ts';
import { keyOf } from '../../store/worlds.ts';
import type { PageAnswer } from '../answer.tsx';
import { type FormField, fieldText } from '../forms.tsx';
import { type ControlCallParts, runControlOperation } from '../page-control.ts';
import {
  type FormPage,
  type InspectorRequest,
  linkTo,
  orShowAgain,
  type PageStep,
  type Parameters,
} from './inspector-request.ts';
import { recordNotFound } from './not-found.tsx';
import { showHome } from './overview/overview.tsx';
import { faultOf } from './requests/make-it-fail.tsx';
import { showRequests } from './requests/requests.tsx';
import { sendAgain, sendFirstFee, sendForm } from './send/send-request.ts';
import { automaticName } from './time/snapshots.tsx';
import { noteAdvance, showTime } from './time/time.tsx';
import { showWebhookEvent } from './webhooks/webhooks.tsx';

/** An action of a form: the operation that it calls, and the pages before and after the call. */
interface Action {
  readonly operation: ControlId;
  /** Returns the parameters and the body of the call. @throws BadRequest */
  readonly call?: (field: FormField, request: InspectorRequest) => ControlCallParts;
  /** Returns the URL of the page to show after the call. */
  readonly next: (request: InspectorRequest, field: FormField) => string;
  /** The page of the form. If the call is refused, it is shown again with the reason. */
  readonly on: FormPage;
  /** Called with the response of the operation. */
  readonly done?: (request: InspectorRequest, reply: Reply) => void;
}

type Reply = { readonly body?: unknown };

const fields =
  (...names: readonly string[]) =>
  (field: FormField): ControlCallParts => ({ body: filled(field, names) });

const filled = (field: FormField, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, field(name)]).filter(([, text]) => text !== ''));

/** Makes an action that redirects to the page of its form. */
const actionsOn =
  (on: FormPage) =>
  (operation: ControlId, call?: Action['call'], parameters: Parameters = {}): Action => ({
    operation,
    ...(call && { call }),
    next: ({ link }) => link(on.page, parameters),
    on,
  });

const OVERVIEW: FormPage = { page: 'overview', show: showHome };
const TIME: FormPage = { page: 'time', show: showTime };

const onTime = actionsOn(TIME);
const onRequests = actionsOn({ page: 'requests', show: showRequests });

const namedSnapshot: Action['call'] = (_field, { parameters }) => ({
  path: { name: parameters['name'] ?? '' },
});

/** @throws BadRequest */
function readAdvance(field: FormField): ControlCallParts {
  const moment = field('to') === '' ? undefined : parseInstant(field('to'));
  if (field('to') !== '' && moment === undefined)
    throw new BadRequest(`${field('to')} is not a date-time such as 2026-02-01T00:00:00Z.`);
  const span = filled(field, ['by', 'until']);
  const goal = Object.keys(span).length > 0 ? span : moment && { to: moment };
  if (!goal) throw new BadRequest('Enter the time to advance to, or press a button with a step.');
  return { body: { ...goal, ...(field('preview') !== '' && { dry_run: true }) } };
}

/** All rules except the one whose place is in the form. */
const remainingRules: Action['call'] = (field, { world }) => ({
  body: {
    rules: faultRulesOf(world)
      .list()
      .flatMap(({ rule }, place) => (String(place) === field('place') ? [] : [rule])),
  },
});

/** The forms that call an operation of the control API, by their paths. */
const ACTIONS: Readonly<Record<string, Action>> = {
  '/faults/add': onRequests('addFault', faultOf, { done: 'rules' }),
  '/faults/remove': onRequests('setFaults', remainingRules, { done: 'rules' }),
  '/time/advance': {
    ...onTime('advanceClock', readAdvance),
    next: ({ link }, field) => {
      const done = field('preview') === '' ? 'replaced' : undefined;
      return link('time', { done, report: 'advance', '#': 'done' });
    },
    done: noteAdvance,
  },
  '/time/mode': onTime('setClock', fields('mode'), { done: 'clock' }),
  '/time/import': onTime(
    'importWorld',
    (_field, request) => ({ pieces: Readable.from([uploaded(request)]) }),
    { done: 'replaced' },
  ),
  '/time/reset': {
    ...onTime('resetWorld', (field) => ({
      body: filled(field, field('to') === 'fixture' ? ['to', 'name'] : ['to']),
    })),
    next: ({ link }) => link('overview', { done: 'replaced' }),
  },
  '/time/snapshots': onTime(
    'saveSnapshot',
    (field, { world }) => ({ body: { name: field('name') || automaticName(world) } }),
    { done: 'saved' },
  ),
  '/time/snapshots/:name/delete': onTime('deleteSnapshot', namedSnapshot, { done: 'deleted' }),
  '/time/snapshots/:name/restore': onTime(
    'resetWorld',
    (_field, { parameters }) => ({ body: { to: 'snapshot', name: parameters['name'] } }),
    { done: 'replaced' },
  ),
  '/time/undo': onTime('resetWorld', () => ({ body: { to: 'previous' } }), { done: 'undone' }),
  '/webhooks/:id/replay': {
    operation: 'replayDeliveries',
    call: (field) => ({ body: { delivery_id: field('delivery') } }),
    next: ({ link, parameters, query }) =>
      link('webhookEvent', { id: parameters['id'], owner: query('owner'), done: 'sent' }),
    on: { page: 'webhookEvent', show: showWebhookEvent },
  },
  '/worlds': {
    operation: 'createSandbox',
    call: fields('name', 'fixture'),
    next: (_request, field) =>
      linkTo('overview', { key: keyOf({ sandbox: field('name'), environment: 'test' }) }),
    on: OVERVIEW,
  },
  '/worlds/close': {
    operation: 'deleteSandbox',
    call: (field) => ({ query: { name: field('name') } }),
    // If the closed world was open in the inspector, redirect to the default world.
    next: ({ world, key: own }, field) => {
      const isOwn = field('name') === world.sandbox;
      const closed = keyOf({ sandbox: field('name'), environment: world.environment });
      return linkTo('overview', { key: isOwn ? undefined : own, closed });
    },
    on: OVERVIEW,
  },
};

const performing = Object.entries(ACTIONS).map(([path, action]): [string, PageStep] => [
  path,
  (request) => perform(request, action),
]);

/** The steps of all actions, by path. */
export const ACTION_STEPS: Readonly<Record<string, PageStep>> = {
  ...Object.fromEntries(performing),
  '/populate': addCustomers,
  '/time/fixture': playFixture,
  '/portal': openPortal,
  '/first-fee': sendFirstFee,
  '/requests/:id/again': sendAgain,
  '/send': sendForm,
};

function perform(request: InspectorRequest, action: Action): Promise<PageAnswer> {
  const { operation, call, next, on, done } = action;
  const field: FormField = (name) => fieldText(request.body, name);
  return orShowAgain(request, on, async () => {
    const parts = call?.(field, request) ?? {};
    const reply = await runControlOperation(request.control, operation, parts);
    done?.(request, reply);
    return { location: next(request, field) };
  });
}

/** The bytes of the form's file. @throws BadRequest */
function uploaded({ body }: InspectorRequest): Buffer {
  const file = body?.['file'];
  if (!Buffer.isBuffer(file) || file.length === 0) throw new BadRequest('Choose a file.');
  return file;
}

/** Replaces the world by what a fixture file makes in an empty one. */
function playFixture(request: InspectorRequest): Promise<PageAnswer> {
  const { world, control, link } = request;
  return orShowAgain(request, TIME, () =>
    refusingFixtures('file', async () => {
      const text = uploaded(request).toString('utf8');
      const fixture = parseFixture(text, 'file', control.settings.unknown_fields);
      await runControlOperation(control, 'resetWorld', { body: { to: 'empty' } });
      const outcomes = await runFixture(fixture, control.actions.targetOf(world));
      const problems = outcomes.flatMap((outcome) => describeOutcome(fixture, outcome));
      if (problems.length > 0) throw new BadRequest(problems.join('\n'));
      return { location: link('time', { done: 'replaced' }) };
    }),
  );
}

const MAX_CUSTOMERS = 500;

/** Adds so many customers and their traffic. @throws BadRequest */
function addCustomers(request: InspectorRequest): Promise<PageAnswer> {
  const { world, control, link } = request;
  return orShowAgain(request, OVERVIEW, async () => {
    const customers = Number(fieldText(request.body, 'customers') || DEFAULT_CUSTOMERS);
    if (!Number.isInteger(customers) || customers < 1 || customers > MAX_CUSTOMERS)
      throw new BadRequest(`Enter a whole number of customers from 1 to ${MAX_CUSTOMERS}.`);
    const { populate } = await import('../../fixtures/population/population.ts');
    await populate(control.actions.targetOf(world), customers);
    const { accountId: owner } = world;
    control.recordMove({ world, owner, operation: '/_emulator/ui/populate', status: 200 });
    control.worldManager.touch(world);
    return { location: link('overview', { done: 'filled' }) };
  });
}

const DEFAULT_CUSTOMERS = 60;

/** Redirects to a new visit to the portal of the customer whose id is in the form; 404 if there is none. */
function openPortal(request: InspectorRequest): PageAnswer {
  const id = fieldText(request.body, 'customer');
  const customer = request.world.tables.customers.get(id);
  if (!customer) return recordNotFound(request, id);
  const { owner } = customer;
  const context = request.contextOf(owner);
  const back = context.baseUrl + request.link('customer', { id });
  const entry = { customer_id: id, return_url: back, failure_url: back };
  return { location: visitPath(context.world.commit(() => openPortalVisit(context, entry))) };
}
