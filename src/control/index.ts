import * as clock from './clock.ts';
import { compareTwoWorlds } from './comparison.ts';
import type { ControlHandlers } from './context.ts';
import { explain } from './explain/event.ts';
import * as faults from './faults.ts';
import * as ledger from './ledger.ts';
import * as payments from './payments.ts';
import * as requests from './requests.ts';
import * as warnings from './warnings.ts';
import * as deliveries from './webhooks/deliveries.ts';
import * as destinations from './webhooks/destinations.ts';
import * as sending from './webhooks/send.ts';
import * as sandboxes from './worlds/sandboxes.ts';
import * as state from './worlds/state.ts';
import * as exchange from './worlds/world-exchange.ts';

/** Every operation of the control API, whose handler has its name. The type makes a missing one a compile error. */
export const controlHandlers: ControlHandlers = {
  ...clock,
  ...faults,
  ...ledger,
  ...payments,
  ...requests,
  ...warnings,
  ...deliveries,
  ...destinations,
  ...sending,
  ...sandboxes,
  ...state,
  ...exchange,
  compareWorlds: compareTwoWorlds,
  explain,
};
