import { controlGuard } from './control/access.ts';
import type { ControlContext, ControlId, Steering } from './control/context.ts';
import { controlHandlers } from './control/index.ts';
import { baseUrlOf } from './http/base-url.ts';
import { Door, type DoorOptions, type GivenReply } from './http/door.ts';
import { prefersText } from './http/preference.ts';
import type { StageDoor } from './http/stage.ts';
import type { WorldClocks } from './jobs/world-clocks.ts';
import type { Context, Handlers } from './resources/context.ts';
import { loadDocument } from './spec/document.ts';
import type { OperationId } from './spec/operations.ts';
import { validatorsOf } from './spec/validators.ts';

type Shared = Pick<DoorOptions, 'authenticate' | 'settings' | 'log'>;

/** Hands an answer on once what it acknowledges is kept. */
export type Keep = <T>(reply: T) => T | Promise<Awaited<T>>;

export interface ServiceDoorOptions extends Shared {
  readonly handlers: Handlers;
  readonly clocks: WorldClocks;
  readonly keep: Keep;
}

/** The way to the operations of the service. */
export function openServiceDoor({
  handlers,
  clocks,
  keep,
  ...shared
}: ServiceDoorOptions): StageDoor {
  const document = loadDocument('openapi');
  const { settings } = shared;
  const door = new Door({
    ...shared,
    document,
    validators: validatorsOf(document),
    run(operation, call, { world, owner }, { headers }) {
      clocks.running.settle(world);
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
        world.commit<GivenReply>(() => handler(call, context)),
      );
      return keep({ ...value, changes });
    },
  });
  return { document, door };
}

export interface ControlDoorOptions extends Shared {
  readonly steering: Steering;
  readonly keep: Keep;
  /** Told after calls that may have changed something. */
  readonly touch: () => void;
}

/** The way to the operations of the control interface. */
export function openControlDoor({
  steering,
  keep,
  touch,
  ...shared
}: ControlDoorOptions): StageDoor {
  const document = loadDocument('control');
  const { settings } = shared;
  const door = new Door({
    ...shared,
    document,
    validators: validatorsOf(document),
    guard: controlGuard(settings),
    run(operation, call, { world, owner }, { headers }) {
      steering.clocks.running.settle(world);
      const baseUrl = baseUrlOf(settings, headers.host);
      const asked = { world, owner, prefersText: prefersText(headers.accept), baseUrl };
      const handler = controlHandlers[operation.id as ControlId] as (
        call: unknown,
        context: ControlContext,
      ) => never;
      const reply: GivenReply | Promise<GivenReply> = handler(call, { ...steering, ...asked });
      return keep(operation.method === 'GET' ? reply : afterwards(reply, touch));
    },
  });
  return { document, door };
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
