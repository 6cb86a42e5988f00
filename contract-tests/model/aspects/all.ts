import type { Aspect } from './aspect.ts';
import { credit } from './credit.ts';
import { profits } from './profits.ts';
import { state } from './state.ts';
import { usage } from './usage.ts';

/** All aspects, in the order in which they are compared after a history. */
export const ASPECTS: readonly Aspect[] = [state, usage, profits, credit];
