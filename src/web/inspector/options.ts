import type { ControlServices } from '../../control/context.ts';
import type { RawRequest } from '../../http/request-context.ts';
import type { MachineTime } from '../../state/clock.ts';
import type { World } from '../../state/world.ts';
import type { PagesOptions } from '../pages.ts';

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
