import type { components } from '../spec/control.d.ts';

type Schemas = components['schemas'];

/** What happens to which requests or deliveries, and when. */
export type FaultRule = Schemas['FaultRule'];

/** Which requests or which deliveries are meant; what is absent fits any. */
export type FaultMatch = Schemas['FaultMatch'];

/** What a fault does. At most one of its parts stands beside the latency of a request. */
export type FaultEffect = Omit<
  FaultRule,
  'name' | 'match' | 'skip' | 'times' | 'every' | 'probability'
>;

/** How a connection ends instead of with an answer: refused before the request is carried out, or cut after. */
export type Ending = Schemas['FaultConnection'];

/** Parts of an effect that exclude each other. */
export const FAULT_OUTCOMES = [
  'status',
  'connection',
  'rate_limit',
  'lost_response',
  'delivery',
] as const;

/** Rules that a world may have at once. @assumes A-1411 */
export const MOST_RULES = 100;
