import type { SettingsInput } from 'billing-emulator';
import type { Defect } from './mutant.ts';

const set = (about: string, settings: SettingsInput): Defect => ({ about, of: [], settings });

/** Defects that are settings of the emulator. */
export const settingDefects: readonly Defect[] = [
  set('Unknown fields are accepted', { unknown_fields: 'ignore' }),
  set('Charges beyond the balance are rejected', { overdraft: 'deny' }),
  set('Usage is accepted for 33 days, and up to a minute ahead of the clock', {
    event_max_age: 'P33D',
    event_max_ahead: 'PT1M',
  }),
  set('Usage of a subscription that is past due costs nothing', { past_due_usage: 'free' }),
  set('Links for payments end after a minute', {
    payment_link_lifetime: 'PT1M',
    portal_link_lifetime: 'PT1M',
  }),
  set('Deliveries are tried once', { retry_schedule: '' }),
];
