import type { Request } from 'express';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import { type ControlServices, contextOf } from '../control/context.ts';
import type { RecordMove } from '../http/log/own-move.ts';
import type { RawRequest } from '../http/request-context.ts';
import type { Context } from '../resources/context.ts';
import type { MachineTime } from '../state/clock.ts';
import type { Durable } from '../state/durable.ts';
import type { Tables } from '../state/schema.ts';
import type { World } from '../state/world.ts';
import type { Worlds } from '../state/worlds.ts';

/** What pages are made from. */
export interface PagesOptions {
  readonly worlds: Worlds;
  readonly settings: Settings;
  readonly log: Logger;
  /** Base of the links on the page a request asks for. */
  readonly baseUrlOf: (request: Request) => string;
  /** Keeps what a page did as a call of the control interface would have. */
  readonly recordMove: RecordMove;
  /** Does what fell due in a world by now, before a page shows it. */
  readonly settle: (world: World) => void;
  /** Resolves once all that changed so far is kept; undefined where no answer waits for that. */
  readonly durable: Durable;
  /** Resolves once something may be changed; undefined where it may be. */
  readonly room: Durable;
}

/** What a link of a page leads to, in whichever world that is, and what the page may touch there. */
export function followLink<R extends { readonly owner: string }>(
  { worlds, settings, baseUrlOf, settle }: PagesOptions,
  request: Request,
  find: (tables: Tables) => R | undefined,
): { readonly context: Context; readonly record: R } | undefined {
  for (const world of worlds.values()) {
    const record = find(world.tables);
    if (!record) continue;
    settle(world);
    const { owner } = record;
    return { record, context: contextOf({ world, owner, settings, baseUrl: baseUrlOf(request) }) };
  }
  return undefined;
}

/** What pages do that no operation of the control interface does. */
export interface PageActions {
  readonly machine: MachineTime;
  /** Sends a request to the interface of the service, which is logged as any other. */
  readonly send: (rawRequest: RawRequest, body: Buffer) => Promise<{ readonly status: number }>;
  /** Fills a world with 60 customers and their traffic. */
  readonly populate: (world: World) => Promise<void>;
}

/** What the inspector is made from. */
export interface InspectorOptions extends PagesOptions {
  readonly services: ControlServices;
  readonly actions: PageActions;
  /** Says that something was changed that is to be kept. */
  readonly touch: (world: World) => void;
}
