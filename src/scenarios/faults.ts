import { type FaultStep, type Place, stepsOfField } from './scenario.ts';
import type { ScenarioRequest } from './scenario-target.ts';

/** The request that a fault step stands for. */
export function faultRequest(fault: FaultStep['fault']): ScenarioRequest {
  if (fault === 'none') return { call: 'clearFaults' };
  return Array.isArray(fault)
    ? { call: 'setFaults', body: { rules: fault } }
    : { call: 'addFault', body: fault };
}

/** Where the field of a rule that an answer names stands in the step. */
export function placeFaultField(field: string, place: Place): Place {
  const steps = stepsOfField(field);
  return [...place, ...(steps[0] === 'rules' ? steps.slice(1) : steps)];
}
