import { EFFECTS, type Effect } from 'billing-emulator/spec';

export function exceeds(effect: Effect, ceiling: Effect): boolean {
  return EFFECTS.indexOf(effect) > EFFECTS.indexOf(ceiling);
}

export function highest(effects: readonly Effect[]): Effect {
  return EFFECTS[Math.max(0, ...effects.map((effect) => EFFECTS.indexOf(effect)))] as Effect;
}
