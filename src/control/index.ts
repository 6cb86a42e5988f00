import { listAssumptions } from './assumptions.ts';
import { advanceClock, getClock, listAgenda, setClock } from './clock.ts';
import type { ControlHandlers } from './context.ts';
import { explainEvent, explainFee } from './explain/index.ts';
import { getTrialBalance, listLedgerTransactions, verifyLedger } from './ledger.ts';
import { settlePayment } from './payments.ts';
import { checkReceiver } from './receiver-check.ts';
import { clearWarnings, listWarnings } from './warnings.ts';

/** Every operation of the control interface. The type makes a missing one a compile error. */
export const controlHandlers: ControlHandlers = {
  advanceClock,
  checkReceiver,
  clearWarnings,
  explainEvent,
  explainFee,
  getTrialBalance,
  getClock,
  listAgenda,
  listAssumptions,
  listLedgerTransactions,
  listWarnings,
  settlePayment,
  verifyLedger,
  setClock,
};
