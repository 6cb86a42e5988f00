import { listAssumptions } from './assumptions.ts';
import type { ControlHandlers } from './context.ts';
import { explainEvent, explainFee } from './explain/index.ts';
import { getTrialBalance, listLedgerTransactions, verifyLedger } from './ledger.ts';
import { settlePayment } from './payments.ts';
import { clearWarnings, listWarnings } from './warnings.ts';

/** Every operation of the control interface. The type makes a missing one a compile error. */
export const controlHandlers: ControlHandlers = {
  clearWarnings,
  explainEvent,
  explainFee,
  getTrialBalance,
  listAssumptions,
  listLedgerTransactions,
  listWarnings,
  settlePayment,
  verifyLedger,
};
