import { EFFECTS, type Effect } from 'billing-emulator/spec';

export const exceeds = (effect: Effect, ceiling: Effect): boolean =>
  EFFECTS.indexOf(effect) > EFFECTS.indexOf(ceiling);

/** Why a check, or an object that it needs, is left out. */
export const beyondCeiling = (effect: Effect, ceiling: Effect): string =>
  `needs ${effect}, beyond the ceiling ${ceiling}, which --effects and --confirm-account raise`;
