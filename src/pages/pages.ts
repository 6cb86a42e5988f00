import type { Logger } from '../config/log.ts';
import type { MachineTime } from '../config/machine-time.ts';
import type { ControlServices } from '../control/context.ts';
import type { ScenarioTarget } from '../fixtures/scenario.ts';
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
