/**
 * What instrumented code asks at each place of a mutant. Loaded before it.
 */
export interface Switchboard {
  /** The mutant that is switched on. */
  active: number | undefined;
  /** Whether the place of each mutant was reached, by its id. */
  reached: Uint8Array;
  isOn(id: number): boolean;
}

/** A mutant that goes round and round is ended by an error. */
const MOST_TIME_MS = 4_000;
const LOOK_EVERY = 1_024;
let [passes, since] = [0, 0];

export const switchboard: Switchboard = {
  active: undefined,
  reached: new Uint8Array(20_000),
  isOn(id) {
    switchboard.reached[id] = 1;
    if (switchboard.active !== id) return false;
    passes += 1;
    if (passes % LOOK_EVERY === 0 && Date.now() - since > MOST_TIME_MS)
      throw new Error('This mutant does not come to an end.');
    return true;
  },
};

/** Begins work that one mutant may take its time for; undefined switches all off. */
export function begin(active: number | undefined): void {
  switchboard.active = active;
  switchboard.reached.fill(0);
  [passes, since] = [0, Date.now()];
}

export const reachedNow = (): readonly number[] =>
  [...switchboard.reached.entries()].flatMap(([id, was]) => (was === 1 ? [id] : []));

Object.assign(globalThis, { __mutants: switchboard });
