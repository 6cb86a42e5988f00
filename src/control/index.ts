import { listAssumptions } from './assumptions.ts';
import type { ControlHandlers } from './context.ts';
import { settlePayment } from './payments.ts';
import { clearWarnings, listWarnings } from './warnings.ts';

/** Every operation of the control interface. The type makes a missing one a compile error. */
export const controlHandlers: ControlHandlers = {
  clearWarnings,
  listAssumptions,
  listWarnings,
  settlePayment,
};
