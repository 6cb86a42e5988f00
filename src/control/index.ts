import { listAssumptions } from './assumptions.ts';
import {
  listAutoTopUps,
  removeAutoTopUp,
  removePaymentMethod,
  setAutoTopUp,
  setPaymentMethod,
} from './auto-top-ups.ts';
import { advanceClock, getClock, listAgenda, setClock } from './clock.ts';
import type { ControlHandlers } from './context.ts';
import { explainEvent, explainFee } from './explain/index.ts';
import { getTrialBalance, listLedgerTransactions, verifyLedger } from './ledger.ts';
import { settlePayment } from './payments.ts';
import { checkReceiver } from './receiver-check.ts';
import { clearRequests, listRequests, waitForRequests } from './requests.ts';
import { clearWarnings, listWarnings } from './warnings.ts';

/** Every operation of the control interface. The type makes a missing one a compile error. */
export const controlHandlers: ControlHandlers = {
  advanceClock,
  checkReceiver,
  clearRequests,
  clearWarnings,
  explainEvent,
  explainFee,
  getClock,
  getTrialBalance,
  listAgenda,
  listAssumptions,
  listAutoTopUps,
  listLedgerTransactions,
  listRequests,
  listWarnings,
  removeAutoTopUp,
  removePaymentMethod,
  setAutoTopUp,
  setClock,
  setPaymentMethod,
  settlePayment,
  verifyLedger,
  waitForRequests,
};
