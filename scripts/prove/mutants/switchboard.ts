/** The switches of the mutants, which instrumented code reads. Loaded before that code. */
export interface Switchboard {
  /** The active mutant. */
  active: number | undefined;
  /** Whether the code of each mutant was reached, by id. */
  reached: Uint8Array;
  isOn(id: number): boolean;
}

/** Time after which an endless mutant is stopped by an error. */
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

/** Activates one mutant and restarts its time limit. Undefined deactivates all. */
export function begin(active: number | undefined): void {
  switchboard.active = active;
  switchboard.reached.fill(0);
  [passes, since] = [0, Date.now()];
}

export const reachedNow = (): readonly number[] =>
  [...switchboard.reached.entries()].flatMap(([id, was]) => (was === 1 ? [id] : []));

Object.assign(globalThis, { __mutants: switchboard });
