import type { ControlId } from '../../control/context.ts';
import { parseInstant } from '../../domain/instant.ts';
import { BadRequest } from '../../http/input.ts';
import { openPortalVisit, visitPath } from '../../resources/payments/portal-visits.ts';
import { headerNames } from '../../spec/header-names.ts';
import type { CustomerRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { keyOf } from '../../store/worlds.ts';
import type { PageAnswer } from '../answer.ts';
import { type FormField, fieldText } from '../forms.tsx';
import { firstFee } from '../front/first-fee.ts';
import { orderTopUp } from '../order-top-up.ts';
import { showCustomer } from './customers/customer.tsx';
import { type InspectorRequest, linkTo, type PageStep } from './inspector-request.ts';
import { recordNotFound } from './not-found.tsx';
import { faultCall, faultRulesCall } from './requests/fault-calls.ts';
import { showFaults } from './requests/faults.tsx';
import {
  type ControlCallParts,
  orShowAgain,
  runControlOperation,
} from './run-control-operation.ts';
import { showWebhookEvent, showWebhooks } from './webhooks/webhooks.tsx';
import { noteAdvance, showClock } from './worlds/clock.tsx';
import { type Loss, lossOfSandbox, lossOfSnapshot, lossOfWorld, showLoss } from './worlds/loss.tsx';
import { showWorlds } from './worlds/sandboxes.tsx';
import { showSnapshots } from './worlds/snapshots.tsx';

/** An action of a form: the operation that it calls, and the pages before and after the call. */
interface Action {
  readonly operation: ControlId;
  /** Returns the parameters and the body of the call. @throws BadRequest */
  readonly call?: (field: FormField, request: InspectorRequest) => ControlCallParts;
  /** Returns the URL of the page to show after the call. */
  readonly next: (request: InspectorRequest, field: FormField) => string;
  /** Returns what the action removes. If that is not empty, the user confirms the action first. */
  readonly loses?: (request: InspectorRequest, field: FormField) => Loss;
  /** The page of the form. If the call is refused, it is shown again with the reason. */
  readonly show: PageStep;
  /** Called with the response of the operation. */
  readonly done?: (request: InspectorRequest, reply: { readonly body?: unknown }) => void;
}

const fields =
  (...names: readonly string[]) =>
  (field: FormField): ControlCallParts => ({ body: filled(field, names) });

const filled = (field: FormField, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, field(name)]).filter(([, text]) => text !== ''));

/** Makes an action that redirects to the page of its form. */
const actionsOn =
  (path: string, show: Action['show']) =>
  (operation: ControlId, call?: Action['call'], done = ''): Action => ({
    operation,
    ...(call && { call }),
    next: ({ link }) => link(path, { done }),
    show,
  });

const clock = actionsOn('/clock', showClock);
const faults = actionsOn('/faults', showFaults);
const snapshots = actionsOn('/snapshots', showSnapshots);
const webhooks = actionsOn('/webhooks', showWebhooks);
const worlds = actionsOn('/worlds', showWorlds);

const snapshotName = ({ parameters }: InspectorRequest): string => parameters['name'] ?? '';
const namedSnapshot: Action['call'] = (_field, request) => ({
  path: { name: snapshotName(request) },
});

const linkToSandbox = (sandbox: string): string =>
  linkTo('', { key: keyOf({ sandbox, environment: 'test' }) });

const CLOSED = 'You can undo this from Snapshots of its key, except for its snapshots.';

/** @throws BadRequest */
function readAdvance(field: FormField): ControlCallParts {
  const moment = field('to') === '' ? undefined : parseInstant(field('to'));
  if (field('to') !== '' && moment === undefined)
    throw new BadRequest(`${field('to')} is not a date-time.`);
  return { body: { ...filled(field, ['by', 'until']), ...(moment && { to: moment }) } };
}

/** The forms that call an operation of the control interface, by their paths. */
const ACTIONS: Readonly<Record<string, Action>> = {
  '/clock/advance': { ...clock('advanceClock', readAdvance, '1'), done: noteAdvance },
  '/clock/mode': clock('setClock', fields('mode')),
  '/faults/add': faults('addFault', faultCall),
  '/faults/clear': faults('setFaults', () => ({ body: { rules: [] } })),
  '/faults/set': faults('setFaults', faultRulesCall),
  '/reset': {
    ...snapshots('resetWorld', (field) => ({
      body: filled(field, field('to') === 'fixture' ? ['to', 'name'] : ['to']),
    })),
    // A world that was empty has new content, so show the overview.
    next: ({ link }, field) =>
      field('from') === 'empty' ? link('') : link('/snapshots', { done: 'reset' }),
    loses: (request) => lossOfWorld(request, 'Reset this world'),
  },
  '/sandboxes': {
    ...worlds('createSandbox', fields('name', 'fixture')),
    next: (_request, field) => linkToSandbox(field('name')),
  },
  '/sandboxes/close': {
    ...worlds('deleteSandbox', (field) => ({ query: { name: field('name') } })),
    // If the closed sandbox was open in the inspector, redirect to the default world.
    next: ({ world, key }, field) => {
      const closed = field('name');
      return linkTo('/worlds', { key: closed === world.sandbox ? undefined : key, closed });
    },
    loses: (request, field) => lossOfSandbox(request, field('name'), 'Close', CLOSED),
  },
  '/snapshots': snapshots('saveSnapshot', (field) => ({ body: { name: field('name') } }), 'saved'),
  '/snapshots/:name/delete': {
    ...snapshots('deleteSnapshot', namedSnapshot),
    next: ({ link }) => link('/snapshots', { done: 'deleted' }),
    loses: (request) => lossOfSnapshot(request, snapshotName(request)),
  },
  '/snapshots/:name/restore': {
    ...snapshots(
      'resetWorld',
      (_field, request) => ({ body: { to: 'snapshot', name: snapshotName(request) } }),
      'restored',
    ),
    loses: (request) => lossOfWorld(request, `Restore ${snapshotName(request)}`),
  },
  '/undo': {
    ...snapshots('resetWorld', () => ({ body: { to: 'previous' } }), 'undone'),
    loses: (request) =>
      lossOfWorld(request, 'Undo', 'The current state of the world will be lost.'),
  },
  '/webhooks/flush': webhooks('flushDeliveries'),
  '/webhooks/pause': webhooks('pauseDeliveries', fields()),
  '/webhooks/resume': webhooks('pauseDeliveries', () => ({ body: { paused: false } })),
  '/webhooks/:id/replay': {
    operation: 'replayDeliveries',
    call: (field) => ({ body: { delivery_id: field('delivery') } }),
    next: ({ link, parameters, query }) =>
      link(`/webhooks/${encodeURIComponent(parameters['id'] ?? '')}`, { owner: query('owner') }),
    show: showWebhookEvent,
  },
};

const performing = Object.entries(ACTIONS).map(([path, action]): [string, PageStep] => [
  path,
  (request) => perform(request, action),
]);

/** The steps of all actions, by path. The router leaves them out if the inspector is read-only. */
export const ACTION_STEPS: Readonly<Record<string, PageStep>> = {
  ...Object.fromEntries(performing),
  '/first-fee': sendFirstFee,
  '/populate': populate,
  '/portal': forCustomer(openPortal),
  '/customers/:id/top-up': forCustomer(startTopUp),
};

/** Performs an action. If it removes something, the user confirms it first. */
function perform(request: InspectorRequest, action: Action): PageAnswer | Promise<PageAnswer> {
  const { operation, call, next, loses, show, done } = action;
  const field: FormField = (name) => fieldText(request.body, name);
  const loss = field('confirmed') === '' ? loses?.(request, field) : undefined;
  if (loss && Object.keys(loss.goes).length > 0) return showLoss(request, loss);
  return orShowAgain(request, show, async () => {
    const reply = await runControlOperation(request, operation, call?.(field, request) ?? {});
    done?.(request, reply);
    return { location: next(request, field) };
  });
}

async function populate({ world, control, link }: InspectorRequest) {
  await control.actions.populate(world);
  const { accountId: owner } = world;
  control.recordMove({ world, owner, operation: '/_emulator/ui/populate', status: 200 });
  control.life.touch(world);
  return { location: link('') };
}

/** Sends the front page's usage event over the service API, as a client does. */
async function sendFirstFee({ world, key: worldKey, control }: InspectorRequest) {
  const names = headerNames(control.settings.service_name);
  const rawRequest = {
    method: 'POST',
    path: '/events',
    search: '',
    headers: { [names.apiKey.toLowerCase()]: worldKey, 'content-type': 'application/json' },
  };
  await control.actions.send(rawRequest, Buffer.from(JSON.stringify(firstFee(world))));
  return { location: '/_emulator?sent=1#first-fee' };
}

type CustomerStep = (request: InspectorRequest, customer: CustomerRow) => ReturnType<PageStep>;

/** Runs a step for the customer whose id or external id is in the path or in the form; 404 if there is none. */
function forCustomer(step: CustomerStep): PageStep {
  return (request) => {
    const { customers } = request.world.tables;
    const name = request.parameters['id'] ?? fieldText(request.body, 'customer');
    const customer =
      customers.get(name) ?? customers.first('external', key(request.world.accountId, name));
    return customer ? step(request, customer) : recordNotFound(request);
  };
}

/** Redirects to a new visit to the customer's portal. */
function openPortal(request: InspectorRequest, { id, owner }: CustomerRow) {
  const context = request.contextOf(owner);
  const back = context.baseUrl + request.link(`/customers/${id}`);
  const entry = { customer_id: id, return_url: back, failure_url: back };
  return { location: visitPath(context.world.commit(() => openPortalVisit(context, entry))) };
}

function startTopUp(request: InspectorRequest, { id, owner }: CustomerRow) {
  const context = request.contextOf(owner);
  const back = context.baseUrl + request.link(`/customers/${id}`);
  const amount = Number(fieldText(request.body, 'amount'));
  const currency = fieldText(request.body, 'currency');
  const order = { customer_id: id, amount, currency, return_url: back, failure_url: back };
  return orShowAgain(request, showCustomer, () => {
    if (!(amount > 0)) throw new BadRequest(EXPECTED);
    return { location: orderTopUp(context, order, request.control.recordMove) };
  });
}

const EXPECTED = 'Enter an amount greater than 0, such as 25 or 12.50.';
