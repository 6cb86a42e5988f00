import { controlGuard } from './control/access.ts';
import type { ControlContext, ControlId, ControlServices } from './control/context.ts';
import { controlHandlers } from './control/index.ts';
import { ApiPipeline, type ApiPipelineOptions, type HandlerReply } from './http/api-pipeline.ts';
import { baseUrlOf } from './http/base-url.ts';
import type { InProcessApi } from './http/in-process-client.ts';
import { prefersText } from './http/preference.ts';
import type { WorldClocks } from './jobs/world-clocks.ts';
import type { Context, Handlers } from './resources/context.ts';
import { loadDocument } from './spec/document.ts';
import type { OperationId } from './spec/operations.ts';
import { validatorsOf } from './spec/validators.ts';

type Shared = Pick<ApiPipelineOptions, 'authenticate' | 'settings' | 'log'>;

/** Hands an answer on once what it acknowledges is kept. */
export type KeepDurable = <T>(reply: T) => T | Promise<Awaited<T>>;

export interface ServiceApiOptions extends Shared {
  readonly handlers: Handlers;
  readonly clocks: WorldClocks;
  readonly keep: KeepDurable;
}

/** The way to the operations of the service. */
export function createServiceApi({
  handlers,
  clocks,
  keep,
  ...shared
}: ServiceApiOptions): InProcessApi {
  const document = loadDocument('openapi');
  const { settings } = shared;
  const pipeline = new ApiPipeline({
    ...shared,
    document,
    validators: validatorsOf(document),
    run(operation, call, { world, owner }, { headers }) {
      clocks.running.runDueJobs(world);
      const context: Context = {
        world,
        tables: world.tables,
        owner,
        now: world.now,
        settings,
        baseUrl: baseUrlOf(settings, headers.host),
      };
      const handler = handlers[operation.id as OperationId] as (
        call: unknown,
        context: Context,
      ) => never;
      const { value, changes } = world.observe(() =>
        world.commit<HandlerReply>(() => handler(call, context)),
      );
      return keep({ ...value, changes });
    },
  });
  return { document, pipeline };
}

export interface ControlApiOptions extends Shared {
  readonly services: ControlServices;
  readonly keep: KeepDurable;
  /** Told after calls that may have changed something. */
  readonly touch: () => void;
}

/** The way to the operations of the control interface. */
export function createControlApi({
  services,
  keep,
  touch,
  ...shared
}: ControlApiOptions): InProcessApi {
  const document = loadDocument('control');
  const { settings } = shared;
  const pipeline = new ApiPipeline({
    ...shared,
    document,
    validators: validatorsOf(document),
    guard: controlGuard(settings),
    run(operation, call, { world, owner }, { headers }) {
      services.clocks.running.runDueJobs(world);
      const baseUrl = baseUrlOf(settings, headers.host);
      const asked = { world, owner, prefersText: prefersText(headers.accept), baseUrl };
      const handler = controlHandlers[operation.id as ControlId] as (
        call: unknown,
        context: ControlContext,
      ) => never;
      const reply: HandlerReply | Promise<HandlerReply> = handler(call, { ...services, ...asked });
      return keep(operation.method === 'GET' ? reply : afterwards(reply, touch));
    },
  });
  return { document, pipeline };
}

/** Hands a value on once it is there and something was done then. */
function afterwards<T>(value: T | Promise<T>, work: () => void): T | Promise<T> {
  if (value instanceof Promise)
    return value.then((settled) => {
      work();
      return settled;
    });
  work();
  return value;
}
