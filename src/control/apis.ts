import { CONTROL_STEPS, SERVICE_STEPS } from '../http/api-pipeline.ts';
import { baseUrlOf } from '../http/connection.ts';
import { carriesToken } from '../http/credentials.ts';
import { FaultInjector } from '../http/fault-step.ts';
import { emptyResponse } from '../http/message.ts';
import type { Api, HandlerReply, StepContext, ValidatedCall } from '../http/request-context.ts';
import { routerOf } from '../http/router.ts';
import type { Context, Handlers } from '../resources/context.ts';
import { warn } from '../resources/warnings.ts';
import { loadDocument, type OperationSpec } from '../spec/document.ts';
import type { OperationId } from '../spec/operations.ts';
import { validatorsOf } from '../spec/validators.ts';
import { readConsistently } from '../store/consistent-reads.ts';
import { type ControlContext, type ControlId, type ControlServices, contextOf } from './context.ts';
import { controlHandlers } from './index.ts';

type Shared = Pick<Api, 'authenticate' | 'settings' | 'log'>;

/** Creates the API of the service. Its handlers run each request in one commit. */
export function createServiceApi(
  shared: Shared,
  services: ControlServices,
  handlers: Handlers,
): Api {
  const { settings } = shared;
  const { clocks, worldManager, closing } = services;
  const described = describedBy('openapi');
  const faults = new FaultInjector({ document: described.document, settings, closing });
  return {
    ...shared,
    ...described,
    steps: SERVICE_STEPS,
    writeFailure: worldManager.writeFailure,
    durable: (world) => worldManager.durable(world),
    runDueJobs: (world) => clocks.running.runDueJobs(world),
    injectFault: (request) => faults.inject(request),
    run(request) {
      const { world } = request.caller;
      const answer = () => runOnce(request, services, handlers);
      // Only reads may wait, and then see a state that replaces theirs.
      return request.operation.method === 'GET' ? readConsistently(world, answer) : answer();
    },
  };
}

/** Runs a handler in one commit. */
function runOnce(
  request: StepContext,
  { clocks }: Pick<ControlServices, 'clocks'>,
  handlers: Handlers,
): HandlerReply | Promise<HandlerReply> {
  const { operation, call, caller, rawRequest, api } = request;
  const { settings } = api;
  const { world, owner } = caller;
  clocks.running.runDueJobs(world);
  const baseUrl = baseUrlOf(settings, rawRequest.headers.host, rawRequest.isSecure);
  const context = new WatchedContext(world, owner, settings, baseUrl);
  const handler = handlers[operation.id as OperationId] as (
    call: unknown,
    context: Context,
  ) => HandlerReply | Promise<HandlerReply>;
  const { value, changes } = world.observe(() =>
    world.commit(() => {
      warnOfUnknown(context, operation, call);
      return handler(call, context);
    }),
  );
  const isAtOnce = !(value instanceof Promise);
  request.at = context.moment;
  request.changes = changes;
  if (isAtOnce && !context.hasReadTime && changes.length === 0) request.version = world.version;
  return value;
}

/**
 * The context of a handler, which notes whether it reads the time. If it does not, its response stays true until the
 * next commit. A class, because creating an object literal with a getter takes microseconds.
 */
class WatchedContext implements Context {
  hasReadTime = false;
  readonly tables: Context['tables'];
  readonly moment: Context['now'];

  constructor(
    readonly world: Context['world'],
    readonly owner: string,
    readonly settings: Context['settings'],
    readonly baseUrl: string,
  ) {
    ({ tables: this.tables, now: this.moment } = world);
  }

  get now(): Context['now'] {
    this.hasReadTime = true;
    return this.moment;
  }
}

/** Creates the control API. */
export function createControlApi(shared: Shared, services: ControlServices): Api {
  const { settings } = shared;
  const { clocks, worldManager } = services;
  return {
    ...shared,
    ...describedBy('control'),
    steps: CONTROL_STEPS,
    writeFailure: worldManager.writeFailure,
    // A call that changes something may change other worlds too.
    durable: (world, isChange = false) => worldManager.durable(isChange ? undefined : world),
    guard: (rawRequest) => (carriesToken(rawRequest, settings) ? undefined : emptyResponse(401)),
    run({ operation, call, caller, rawRequest }) {
      const { world, owner } = caller;
      const { headers } = rawRequest;
      clocks.running.runDueJobs(world);
      const baseUrl = baseUrlOf(settings, headers.host, rawRequest.isSecure);
      const asked = { world, owner, prefersText: prefersText(headers.accept), baseUrl };
      const handler = controlHandlers[operation.id as ControlId] as (
        call: unknown,
        context: ControlContext,
      ) => never;
      const isRead = operation.method === 'GET';
      const answer = (): HandlerReply | Promise<HandlerReply> =>
        handler(call, { ...services, ...asked });
      const reply = isRead ? readConsistently(world, answer) : answer();
      // Afterwards, because a reset or an import replaces the warnings, and the account perhaps.
      const finish = (given: HandlerReply) => {
        if (call.unknown.length > 0 && !world.isClosed) {
          const present = world.tables.accounts.get(owner) ? owner : world.accountId;
          const context = contextOf({ ...services, ...asked, owner: present });
          world.commit(() => warnOfUnknown(context, operation, call));
        }
        if (!isRead) worldManager.touch(world);
        return given;
      };
      return reply instanceof Promise ? reply.then(finish) : finish(reply);
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

/** Whether an Accept header names plain text before, or without, JSON. */
function prefersText(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  const text = types.indexOf('text/plain');
  const json = types.indexOf('application/json');
  return text >= 0 && (json < 0 || text < json);
}
