import type { WaitRecord } from './patience.ts';

/** Holds reads back after a write, for a service in which what was written is seen later. */
export interface Consistency {
  /** How long after a write a read waits; nothing until a check needed it. */
  delayMs: number;
  /** Whether a read came so soon after a write that it may have missed it. */
  wasHasty: boolean;
  /** How many checks were tried again without a declared window. */
  tried: number;
  afterWrite(): void;
  beforeRead(waits: WaitRecord[]): Promise<void>;
}

/** Longest window that is tried where none is declared. */
export const USUAL_WINDOW_MS = 2_000;

export function createConsistency(): Consistency {
  let lastWrite = Number.NEGATIVE_INFINITY;
  const consistency: Consistency = {
    delayMs: 0,
    wasHasty: false,
    tried: 0,
    afterWrite() {
      lastWrite = Date.now();
    },
    async beforeRead(waits) {
      const rest = lastWrite + consistency.delayMs - Date.now();
      if (Date.now() - lastWrite < USUAL_WINDOW_MS) consistency.wasHasty = true;
      if (rest <= 0) return;
      waits.push({ kind: 'consistency', milliseconds: rest });
      await new Promise((resolve) => setTimeout(resolve, rest));
    },
  };
  return consistency;
}
