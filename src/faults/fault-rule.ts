import type { components } from '../spec/control.d.ts';

type Schemas = components['schemas'];

/** Which fault is injected into which requests or deliveries, and when. */
export type FaultRule = Schemas['FaultRule'];

/** The requests or deliveries that a rule matches; an absent field matches any value. */
export type FaultMatch = Schemas['FaultMatch'];

/** The effect of a fault: at most one of `FAULT_OUTCOMES`, and a latency. */
export type FaultEffect = Omit<
  FaultRule,
  'name' | 'match' | 'skip' | 'times' | 'every' | 'probability'
>;

/** How a connection ends without a response: refused before the request runs, or cut after it. */
export type Ending = Schemas['FaultConnection'];

/** The parts of an effect that exclude each other. */
export const FAULT_OUTCOMES = [
  'status',
  'connection',
  'rate_limit',
  'lost_response',
  'delivery',
] as const;

/** The maximum number of rules in a world. @assumes A-1411 */
export const MOST_RULES = 100;
