import {
  type ContextParts,
  type ControlContext,
  type ControlId,
  type ControlServices,
  contextOf,
} from './control/context.ts';
import { controlHandlers } from './control/index.ts';
import { carriesToken } from './http/admin-token.ts';
import { CONTROL_STEPS, SERVICE_STEPS } from './http/api-pipeline.ts';
import { baseUrlOf } from './http/base-url.ts';
import { FaultInjector } from './http/faults/fault-injector.ts';
import { prefersText } from './http/preference.ts';
import { bare } from './http/problem.ts';
import type { Api, HandlerReply, ValidatedCall } from './http/request-context.ts';
import { routerOf } from './http/router.ts';
import type { Context, Handlers } from './resources/context.ts';
import { warn } from './resources/warnings.ts';
import { loadDocument, type OperationSpec } from './spec/document.ts';
import type { OperationId } from './spec/operations.ts';
import { validatorsOf } from './spec/validators.ts';
import { onceDurable } from './state/durable.ts';
import { isResumable, type Resumable } from './state/resumable.ts';

/** Maximum size of a control response, in bytes, however much the world holds. @assumes A-1416 */
const MOST_ANSWER_BYTES = 8_388_608;

type Shared = Pick<Api, 'authenticate' | 'settings' | 'log'>;

/** Creates the API of the service. Its handlers run each request in one commit. */
export function createServiceApi(
  shared: Shared,
  { clocks, life, closing }: ControlServices,
  handlers: Handlers,
): Api {
  const { settings, log } = shared;
  const described = describedBy('openapi');
  const { document } = described;
  return {
    ...shared,
    ...described,
    steps: SERVICE_STEPS,
    room: life.room,
    runDueJobs: (world) => clocks.running.runDueJobs(world),
    faults: new FaultInjector({ document, settings, log, closing }),
    run(operation, call, { world, owner }, { headers }, finish) {
      clocks.running.runDueJobs(world);
      const baseUrl = baseUrlOf(settings, headers.host);
      const { context, now, isTimeless } = watchedContext({ world, owner, settings, baseUrl });
      const handler = handlers[operation.id as OperationId] as (
        call: unknown,
        context: Context,
      ) => never;
      const { value, changes } = world.observe(() =>
        world.commit<HandlerReply | Resumable<HandlerReply>>(() => {
          warnOfUnknown(context, operation, call);
          return handler(call, context);
        }),
      );
      const shown = isTimeless() && changes.length === 0 ? { version: world.version } : {};
      const whole = isResumable(value)
        ? afterwards(finish(value), (reply) => ({ ...reply, at: now, changes }))
        : { ...value, at: now, changes, ...shown };
      return onceDurable(whole, () => life.durable(world));
    },
  };
}

/**
 * Wraps the context of a handler to see whether it reads the time. If it does not, its response stays true
 * until the next commit.
 */
function watchedContext(parts: ContextParts) {
  const { now, tables } = parts.world;
  let isTimeless = true;
  const context: Context = {
    ...parts,
    tables,
    get now() {
      isTimeless = false;
      return now;
    },
  };
  return { context, now, isTimeless: () => isTimeless };
}

/** Creates the API of the control interface. */
export function createControlApi(shared: Shared, services: ControlServices): Api {
  const { settings } = shared;
  const { clocks, life } = services;
  return {
    ...shared,
    ...describedBy('control'),
    steps: CONTROL_STEPS,
    mostBytes: MOST_ANSWER_BYTES,
    room: life.room,
    guard: (rawRequest) => (carriesToken(rawRequest, settings) ? undefined : bare(401)),
    run(operation, call, { world, owner }, { headers }) {
      clocks.running.runDueJobs(world);
      const baseUrl = baseUrlOf(settings, headers.host);
      const asked = { world, owner, prefersText: prefersText(headers.accept), baseUrl };
      const handler = controlHandlers[operation.id as ControlId] as (
        call: unknown,
        context: ControlContext,
      ) => never;
      const reply: HandlerReply | Promise<HandlerReply> = handler(call, { ...services, ...asked });
      if (call.unknown.length > 0)
        world.commit(() => warnOfUnknown(contextOf({ ...services, ...asked }), operation, call));
      const isRead = operation.method === 'GET';
      const touching = (given: HandlerReply) => {
        life.touch(world);
        return given;
      };
      return onceDurable(isRead ? reply : afterwards(reply, touching), () => life.durable(world));
    },
  };
}

/** Records a warning for each field of a request that the document does not name. @assumes A-203 */
function warnOfUnknown(context: Context, { id }: OperationSpec, { unknown }: ValidatedCall): void {
  for (const { field, message } of unknown) {
    const warning = {
      kind: 'unknown_field',
      message: `${id}: ${field}: ${message}`,
      field,
    } as const;
    warn(context, { ...warning, place: `${id} ${field}` });
  }
}

function describedBy(name: string): Pick<Api, 'document' | 'router' | 'validators'> {
  const document = loadDocument(name);
  return { document, router: routerOf(document), validators: validatorsOf(document) };
}

/** Calls `work` with a value: at once, or when its promise resolves. */
function afterwards<T, U>(value: T | Promise<T>, work: (value: T) => U): U | Promise<U> {
  return value instanceof Promise ? value.then(work) : work(value);
}
