import type { TrailStep } from './inspector-request.ts';
import { addFaultAction, clearFaultsAction, setFaultsAction } from './requests/fault-actions.ts';
import { replayDelivery } from './webhooks/deliveries.tsx';
import {
  clearDisturbancesAction,
  disturbAction,
  flushDeliveriesAction,
  pauseDeliveriesAction,
  resumeDeliveriesAction,
} from './webhooks/webhook-actions.ts';
import { advance, setMode } from './worlds/clock.tsx';
import { closeSandboxAction, createSandboxAction } from './worlds/sandboxes.tsx';
import {
  deleteSnapshotAction,
  resetWorldAction,
  restoreSnapshotAction,
  saveSnapshotAction,
} from './worlds/snapshots.tsx';
import { clearAllWarnings } from './worlds/warnings.tsx';

/** What changes the world; refused where the inspector is read-only. */
export const ACTIONS: Readonly<Record<string, TrailStep>> = {
  '/clock/advance': advance,
  '/clock/mode': setMode,
  '/faults/add': addFaultAction,
  '/faults/clear': clearFaultsAction,
  '/faults/set': setFaultsAction,
  '/reset': resetWorldAction,
  '/sandboxes': createSandboxAction,
  '/sandboxes/close': closeSandboxAction,
  '/snapshots': saveSnapshotAction,
  '/snapshots/:name/delete': deleteSnapshotAction,
  '/snapshots/:name/restore': restoreSnapshotAction,
  '/warnings/clear': clearAllWarnings,
  '/webhooks/disturbances': disturbAction,
  '/webhooks/disturbances/clear': clearDisturbancesAction,
  '/webhooks/flush': flushDeliveriesAction,
  '/webhooks/pause': pauseDeliveriesAction,
  '/webhooks/resume': resumeDeliveriesAction,
  '/webhooks/:id/replay': replayDelivery,
};
