import * as autoTopUps from './auto-top-ups.ts';
import * as clock from './clock.ts';
import { compareTwoWorlds } from './comparison/diff.ts';
import type { ControlHandlers } from './context.ts';
import * as explanations from './explain/index.ts';
import * as faults from './faults.ts';
import * as ledger from './ledger.ts';
import * as payments from './payments.ts';
import * as requestExport from './recording/export.ts';
import * as requests from './requests.ts';
import * as warnings from './warnings.ts';
import * as destinations from './webhooks/destinations.ts';
import * as deliveries from './webhooks/list.ts';
import * as sending from './webhooks/send.ts';
import * as waiting from './webhooks/wait.ts';
import * as sandboxes from './worlds/sandboxes.ts';
import * as state from './worlds/state.ts';
import * as exchange from './worlds/world-exchange.ts';

/** Every operation of the control interface, whose handler has its name. The type makes a missing one a compile error. */
export const controlHandlers: ControlHandlers = {
  ...autoTopUps,
  ...clock,
  ...explanations,
  ...faults,
  ...ledger,
  ...payments,
  ...requestExport,
  ...requests,
  ...warnings,
  ...deliveries,
  ...destinations,
  ...sending,
  ...waiting,
  ...sandboxes,
  ...state,
  ...exchange,
  compareWorlds: compareTwoWorlds,
};
