import type { Settings } from '../config/settings.ts';
import type { RequestLog } from '../http/log/request-log.ts';
import type { WorldClocks } from '../jobs/world-clocks.ts';
import type { Context } from '../resources/context.ts';
import type { CallOf, ControlOperations, ReplyOf } from '../spec/operations.ts';
import type { World } from '../state/world.ts';
import type { Worlds } from '../state/worlds.ts';
import type { Dispatcher } from '../webhooks/dispatcher.ts';
import type { WorldLife } from './worlds/world-life.ts';

/** What an emulator is steered by, whoever asks. */
export interface ControlServices {
  readonly worlds: Worlds;
  readonly life: WorldLife;
  readonly requests: RequestLog;
  /** What moves the worlds' clocks and does what falls due. */
  readonly clocks: WorldClocks;
  readonly dispatcher: Dispatcher;
  readonly settings: Settings;
  /** Aborted when the emulator closes, so that nobody waits any longer. */
  readonly closing: AbortSignal;
}

/** What a handler of the control interface may touch. Unlike the service's handlers, it may wait. */
export interface ControlContext extends ControlServices {
  readonly world: World;
  /** Account the call acts for: a connected one, else the platform's, which sees the whole world. */
  readonly owner: string;
  /** Whether the caller would rather read words than JSON. */
  readonly prefersText: boolean;
  /** Base of the links in answers, without a slash at its end. */
  readonly baseUrl: string;
}

export type ControlId = keyof ControlOperations;
export type ControlCall<Id extends ControlId> = CallOf<ControlOperations[Id]>;
export type ControlReply<Id extends ControlId> = ReplyOf<ControlOperations[Id]>;

export type ControlHandler<Id extends ControlId> = (
  call: ControlCall<Id>,
  context: ControlContext,
) => ControlReply<Id> | Promise<ControlReply<Id>>;

export type ControlHandlers = { readonly [Id in ControlId]: ControlHandler<Id> };

export type ContextParts = Pick<Context, 'world' | 'owner' | 'settings' | 'baseUrl'>;

/** What code of the service may touch when another than the pipeline calls it. */
export const contextOf = ({ world, owner, settings, baseUrl }: ContextParts): Context => ({
  ...{ world, tables: world.tables, owner, now: world.now },
  ...{ settings, baseUrl },
});
