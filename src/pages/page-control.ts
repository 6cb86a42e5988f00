import type { Request } from 'express';
import type { Logger } from '../config/log.ts';
import type { MachineTime } from '../config/machine-time.ts';
import type {
  ControlCall,
  ControlContext,
  ControlHandler,
  ControlId,
  ControlReply,
  ControlServices,
} from '../control/context.ts';
import { controlHandlers } from '../control/index.ts';
import { findInBody } from '../control/worlds/world-exchange.ts';
import { throwIfInvalid } from '../domain/rules.ts';
import type { ScenarioTarget } from '../fixtures/scenario.ts';
import { baseUrlOf } from '../http/connection.ts';
import type { RecordMove } from '../http/log/exchange.ts';
import type { RawRequest } from '../http/message.ts';
import type { World } from '../store/world.ts';

/** The services that pages use. */
export interface PagesOptions extends ControlServices {
  readonly log: Logger;
  readonly actions: PageActions;
  /** Records a change that a page made, as the control API does for its own calls. */
  readonly recordMove: RecordMove;
}

/** Actions of pages that are not operations of the control API. */
export interface PageActions {
  readonly machine: MachineTime;
  /** Sends a request to the service API. It is logged like any other request. */
  readonly send: (rawRequest: RawRequest, body: Buffer) => Promise<unknown>;
  /** Returns the target on which a scenario runs in a world. */
  readonly targetOf: (world: World) => ScenarioTarget;
}

/** The context in which a page calls operations of the control API. */
export type PageControl = ControlContext & PagesOptions;

/** The context for the page of a world that a browser asks for, acting for an owner of records. */
export const controlOf = (
  options: PagesOptions,
  { headers, secure }: Request,
  world: World,
  owner = world.accountId,
): PageControl => ({
  ...options,
  world,
  owner,
  prefersText: false,
  baseUrl: baseUrlOf(options.settings, headers.host, secure),
});

export interface ControlCallParts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The body, for an operation that reads it as a stream. */
  readonly pieces?: AsyncIterable<Buffer>;
}

/**
 * Calls an operation of the control API for a form, and records the call. The body is validated as for a call over HTTP.
 *
 * @throws RuleViolation, Rejection
 */
export async function runControlOperation<Id extends ControlId>(
  control: PageControl,
  id: Id,
  { path = {}, query = {}, body, pieces }: ControlCallParts,
): Promise<ControlReply<Id>> {
  if (body) throwIfInvalid(findInBody(id, body));
  const handle: ControlHandler<Id> = controlHandlers[id];
  const call = { path, query, body: pieces ?? body } as unknown as ControlCall<Id>;
  const reply = await handle(call, control);
  const { world, owner } = control;
  const { status, body: answer } = reply as { readonly status: number; readonly body?: unknown };
  control.recordMove({ world, owner, operation: id, path, body, status, answer });
  control.worldManager.touch(world);
  return reply;
}
