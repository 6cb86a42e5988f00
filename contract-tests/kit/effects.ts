import { EFFECTS, type Effect } from 'billing-emulator/spec';

export const exceeds = (effect: Effect, ceiling: Effect): boolean =>
  EFFECTS.indexOf(effect) > EFFECTS.indexOf(ceiling);

export const highest = (effects: readonly Effect[]): Effect =>
  EFFECTS[Math.max(0, ...effects.map((effect) => EFFECTS.indexOf(effect)))] as Effect;
