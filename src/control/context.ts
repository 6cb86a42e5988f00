import type { WorldClocks } from '../clock/world-clocks.ts';
import type { Settings } from '../config/settings.ts';
import type { RequestLog } from '../http/log/request-log.ts';
import type { Context } from '../resources/context.ts';
import type { CallOf, ControlOperations, ReplyOf } from '../spec/operations.ts';
import type { World } from '../store/world.ts';
import type { Worlds } from '../store/worlds.ts';
import type { Dispatcher } from '../webhooks/dispatcher.ts';
import type { WorldManager } from './worlds/world-manager.ts';

export interface ControlServices {
  readonly worlds: Worlds;
  readonly worldManager: WorldManager;
  readonly requests: RequestLog;
  /** Moves the worlds' clocks and runs due jobs. */
  readonly clocks: WorldClocks;
  readonly dispatcher: Dispatcher;
  readonly settings: Settings;
  /** Aborted when the emulator closes, which ends all waiting calls. */
  readonly closing: AbortSignal;
  /** Ends the process; undefined where it is another program's. */
  readonly stop: (() => void) | undefined;
}

/** The context of a handler of the control API. Unlike handlers of the service, these may be asynchronous. */
export interface ControlContext extends ControlServices {
  readonly world: World;
  /** The account for which the call acts: a connected one, or the platform's, which sees the whole world. */
  readonly owner: string;
  /** Whether the caller prefers plain text to JSON. */
  readonly prefersText: boolean;
  /** Base of the links in responses, without a trailing slash. */
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

type ContextParts = Pick<Context, 'world' | 'owner' | 'settings' | 'baseUrl'>;

/** A context for code of the service that is not called by its pipeline. */
export const contextOf = ({ world, owner, settings, baseUrl }: ContextParts): Context => ({
  world,
  tables: world.tables,
  owner,
  now: world.now,
  settings,
  baseUrl,
});

/** What an explanation is made from. */
export type ExplainContext = Pick<ControlContext, 'world' | 'settings' | 'baseUrl'>;
