import { listAssumptions } from './assumptions.ts';
import {
  listAutoTopUps,
  removeAutoTopUp,
  removePaymentMethod,
  setAutoTopUp,
  setPaymentMethod,
} from './auto-top-ups.ts';
import { advanceClock, getClock, listAgenda, setClock } from './clock.ts';
import { compareTwoWorlds } from './comparison/diff.ts';
import type { ControlHandlers } from './context.ts';
import { explainEvent, explainFee } from './explain/index.ts';
import { addFault, clearFaults, listFaults, setFaults } from './faults.ts';
import { getTrialBalance, listLedgerTransactions, verifyLedger } from './ledger.ts';
import { settlePayment } from './payments.ts';
import { checkReceiver } from './receiver-check.ts';
import { exportFixture, exportHar } from './recording/export.ts';
import { startRecording, stopRecording } from './recording/recording.ts';
import { clearRequests, listRequests, waitForRequests } from './requests.ts';
import { clearWarnings, listWarnings } from './warnings.ts';
import { getDelivery, listDeliveries } from './webhooks/list.ts';
import { pauseDeliveries, resumeDeliveries } from './webhooks/pause.ts';
import { rotateSecret } from './webhooks/rotate.ts';
import { flushDeliveries, replayDeliveries } from './webhooks/send.ts';
import { waitForDelivery } from './webhooks/wait.ts';
import { createSandbox, deleteSandbox, listSandboxes } from './worlds/sandboxes.ts';
import {
  deleteSnapshot,
  listSnapshots,
  resetWorld,
  restoreSnapshot,
  saveSnapshot,
  undoWorld,
} from './worlds/state.ts';
import { exportWorld, importWorld } from './worlds/world-exchange.ts';

/** Every operation of the control interface. The type makes a missing one a compile error. */
export const controlHandlers: ControlHandlers = {
  addFault,
  advanceClock,
  checkReceiver,
  clearFaults,
  clearRequests,
  clearWarnings,
  compareWorlds: compareTwoWorlds,
  createSandbox,
  deleteSandbox,
  deleteSnapshot,
  explainEvent,
  explainFee,
  exportFixture,
  exportHar,
  exportWorld,
  flushDeliveries,
  getClock,
  getDelivery,
  getTrialBalance,
  importWorld,
  listAgenda,
  listAssumptions,
  listAutoTopUps,
  listDeliveries,
  listFaults,
  listLedgerTransactions,
  listRequests,
  listSandboxes,
  listSnapshots,
  listWarnings,
  pauseDeliveries,
  removeAutoTopUp,
  removePaymentMethod,
  replayDeliveries,
  resetWorld,
  restoreSnapshot,
  resumeDeliveries,
  rotateSecret,
  saveSnapshot,
  setAutoTopUp,
  setClock,
  setFaults,
  setPaymentMethod,
  settlePayment,
  startRecording,
  stopRecording,
  undoWorld,
  verifyLedger,
  waitForDelivery,
  waitForRequests,
};
