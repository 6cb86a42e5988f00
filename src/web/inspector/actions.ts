import type { ControlId } from '../../control/context.ts';
import { parseInstant } from '../../domain/instant.ts';
import { keyOf } from '../../state/worlds.ts';
import type { PageAnswer } from '../answer.ts';
import { fieldText } from '../hosted/card-form.ts';
import { DEFAULT_KEY, type InspectorRequest, linkTo, type PageStep } from './inspector-request.ts';
import { faultCall, faultRulesCall } from './requests/fault-calls.ts';
import { showFaults } from './requests/faults.tsx';
import {
  type ControlCallParts,
  refusalText,
  runControlOperation,
  UnreadableForm,
} from './run-control-operation.ts';
import { showWebhookEvent, showWebhooks } from './webhooks/webhooks.tsx';
import { noteAdvance, showClock } from './worlds/clock.tsx';
import { showHome } from './worlds/home.tsx';
import { showSnapshots } from './worlds/snapshots.tsx';
import { showWarnings } from './worlds/warnings.tsx';

/** The text of a field of a form; empty where it was not sent. */
export type FormField = (name: string) => string;

/** What a form does: an operation of the control interface, and the pages before and after it. */
interface Action {
  readonly operation: ControlId;
  /** What the operation is called with. @throws UnreadableForm */
  readonly call?: (field: FormField, request: InspectorRequest) => ControlCallParts;
  /** Address of the page that shows what came of it. */
  readonly next: (request: InspectorRequest, field: FormField) => string;
  /** The page that the form stands on, shown again with the reason where it is refused. */
  readonly show: (request: InspectorRequest) => PageAnswer;
  /** Told what the operation answered. */
  readonly done?: (request: InspectorRequest, reply: { readonly body?: unknown }) => void;
}

const to =
  (path: string, parameters?: Readonly<Record<string, string>>): Action['next'] =>
  (request) =>
    request.link(path, parameters);

const fields =
  (...names: readonly string[]) =>
  (field: FormField): ControlCallParts => ({ body: filled(field, names) });

/** The fields of a form that were filled in. */
const filled = (field: FormField, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, field(name)]).filter(([, text]) => text !== ''));

const snapshot = (operation: ControlId, done: string): Action => ({
  operation,
  call: (_field, { parameters }) => ({ path: { name: parameters['name'] ?? '' } }),
  next: to('/snapshots', { done }),
  show: showSnapshots,
});

const faults = (operation: ControlId, call?: Action['call']): Action => ({
  operation,
  ...(call && { call }),
  next: to('/faults'),
  show: showFaults,
});

const webhooks = (operation: ControlId, call?: Action['call']): Action => ({
  operation,
  ...(call && { call }),
  next: to('/webhooks'),
  show: showWebhooks,
});

/** What changes the world, by the address that a form is sent to. */
const ACTIONS: Readonly<Record<string, Action>> = {
  '/clock/advance': {
    operation: 'advanceClock',
    call(field) {
      const moment = field('to') === '' ? undefined : parseInstant(field('to'));
      if (field('to') !== '' && moment === undefined)
        throw new UnreadableForm(`${field('to')} is no date-time.`);
      return { body: { ...filled(field, ['by', 'until']), ...(moment && { to: moment }) } };
    },
    next: to('/clock', { done: '1' }),
    show: showClock,
    done: noteAdvance,
  },
  '/clock/mode': {
    operation: 'setClock',
    call: fields('mode'),
    next: to('/clock'),
    show: showClock,
  },
  '/faults/add': faults('addFault', faultCall),
  '/faults/clear': faults('clearFaults'),
  '/faults/set': faults('setFaults', faultRulesCall),
  '/reset': {
    operation: 'resetWorld',
    call: (field) => fields('to', ...(field('to') === 'fixture' ? ['name'] : []))(field),
    next: to('/snapshots', { done: 'reset' }),
    show: showSnapshots,
  },
  '/sandboxes': {
    operation: 'createSandbox',
    call: fields('name', 'fixture'),
    next: (_visit, field) =>
      linkTo('', { key: keyOf({ sandbox: field('name'), environment: 'test' }) }),
    show: showHome,
  },
  '/sandboxes/close': {
    operation: 'deleteSandbox',
    call: (field) => ({ query: { name: field('name') } }),
    // Whoever was in it finds the default world.
    next: ({ world, key }, field) =>
      linkTo('', { key: field('name') === world.sandbox ? DEFAULT_KEY : key }),
    show: showHome,
  },
  '/snapshots': {
    operation: 'saveSnapshot',
    call: (field) => ({ body: { name: field('name') } }),
    next: to('/snapshots', { done: 'saved' }),
    show: showSnapshots,
  },
  '/snapshots/:name/delete': snapshot('deleteSnapshot', 'deleted'),
  '/snapshots/:name/restore': snapshot('restoreSnapshot', 'restored'),
  '/warnings/clear': {
    operation: 'clearWarnings',
    next: to('/warnings'),
    show: showWarnings,
  },
  '/webhooks/flush': webhooks('flushDeliveries'),
  '/webhooks/pause': webhooks('pauseDeliveries', () => ({ body: {} })),
  '/webhooks/resume': webhooks('resumeDeliveries', () => ({ body: {} })),
  '/webhooks/:id/replay': {
    operation: 'replayDeliveries',
    call: (field) => ({ body: { delivery_id: field('delivery') } }),
    next: ({ link, parameters, query }) =>
      link(`/webhooks/${encodeURIComponent(parameters['id'] ?? '')}`, { owner: query('owner') }),
    show: showWebhookEvent,
  },
};

/** The steps of all actions, by their addresses; refused where the inspector is read-only. */
export const ACTION_STEPS: Readonly<Record<string, PageStep>> = Object.fromEntries(
  Object.entries(ACTIONS).map(([path, action]) => [path, (request) => perform(request, action)]),
);

/** Does what a form asks for; where it is refused, shows the page that it stands on with the reason. */
async function perform(request: InspectorRequest, action: Action): Promise<PageAnswer> {
  const field: FormField = (name) => fieldText(request.body, name);
  try {
    const reply = await runControlOperation(
      request,
      action.operation,
      action.call?.(field, request) ?? {},
    );
    action.done?.(request, reply);
    return { location: action.next(request, field) };
  } catch (error) {
    const trouble = refusalText(error);
    if (trouble === undefined) throw error;
    return { status: 422, ...action.show({ ...request, trouble }) };
  }
}
