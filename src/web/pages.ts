import type { Logger } from '../config/log.ts';
import type { ControlServices } from '../control/context.ts';
import type { RecordMove } from '../http/log/own-move.ts';
import type { RawRequest } from '../http/request-context.ts';
import type { MachineTime } from '../state/clock.ts';
import type { World } from '../state/world.ts';

/** What pages are made from. */
export interface PagesOptions extends ControlServices {
  readonly log: Logger;
  readonly actions: PageActions;
  /** Keeps what a page did as a call of the control interface would have. */
  readonly recordMove: RecordMove;
}

/** What pages do that no operation of the control interface does. */
export interface PageActions {
  readonly machine: MachineTime;
  /** Sends a request to the interface of the service, which is logged as any other. */
  readonly send: (rawRequest: RawRequest, body: Buffer) => Promise<{ readonly status: number }>;
  /** Fills a world with 60 customers and their traffic. */
  readonly populate: (world: World) => Promise<void>;
}
