import { advance, setMode } from './clock.tsx';
import { replayDelivery } from './deliveries.tsx';
import { addFault, clearFaults, setFaults } from './fault-actions.ts';
import { closeSandbox, createSandbox } from './sandboxes.tsx';
import { deleteSnapshot, resetWorld, restoreSnapshot, saveSnapshot } from './snapshots.tsx';
import type { Step } from './visit.ts';
import { clearAllWarnings } from './warnings.tsx';
import {
  clearDisturbances,
  disturb,
  flushDeliveries,
  pauseDeliveries,
  resumeDeliveries,
} from './webhook-actions.ts';

/** What changes the world; refused where the inspector is read-only. */
export const ACTIONS: Readonly<Record<string, Step>> = {
  '/clock/advance': advance,
  '/clock/mode': setMode,
  '/faults/add': addFault,
  '/faults/clear': clearFaults,
  '/faults/set': setFaults,
  '/reset': resetWorld,
  '/sandboxes': createSandbox,
  '/sandboxes/close': closeSandbox,
  '/snapshots': saveSnapshot,
  '/snapshots/:name/delete': deleteSnapshot,
  '/snapshots/:name/restore': restoreSnapshot,
  '/warnings/clear': clearAllWarnings,
  '/webhooks/disturbances': disturb,
  '/webhooks/disturbances/clear': clearDisturbances,
  '/webhooks/flush': flushDeliveries,
  '/webhooks/pause': pauseDeliveries,
  '/webhooks/resume': resumeDeliveries,
  '/webhooks/:id/replay': replayDelivery,
};
