import { EFFECTS, type Effect } from '../../src/spec/effects.ts';

export { EFFECTS, type Effect, effectOf } from '../../src/spec/effects.ts';

export function isEffect(text: string): text is Effect {
  return (EFFECTS as readonly string[]).includes(text);
}

export function exceeds(effect: Effect, ceiling: Effect): boolean {
  return EFFECTS.indexOf(effect) > EFFECTS.indexOf(ceiling);
}

export function highest(effects: readonly Effect[]): Effect {
  return EFFECTS[Math.max(0, ...effects.map((effect) => EFFECTS.indexOf(effect)))] as Effect;
}
