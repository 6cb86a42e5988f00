import type { components } from '../spec/fixture.d.ts';

/** Steps and what is expected of them are told in `spec/fixture.schema.json`. */
type Schemas = components['schemas'];

/** A scenario: requests at dates, replayed as a client would send them. Its file form is a fixture. */
export interface Scenario extends Omit<Schemas['fixture'], 'steps'> {
  readonly steps: readonly ScenarioStep[];
}

/** A scenario whose steps may be made while it runs, as there may be very many. */
export interface StreamedScenario extends Omit<Scenario, 'steps'> {
  readonly steps: Iterable<ScenarioStep>;
}

export type CallStep = Schemas['call'];
export type PayStep = Schemas['pay'];
export type FaultStep = Schemas['fault'];
export type ExpectStep = Schemas['look'];
export type ScenarioStep =
  | CallStep
  | FaultStep
  | ExpectStep
  | PayStep
  | Schemas['advance']
  | Schemas['set'];

export type StepExpectation = Schemas['expectation'];
export type DeliveryExpectation = Schemas['delivery'];
export type BalanceExpectation = Schemas['balance'];

export type RequestParts = Readonly<Record<string, unknown>>;

/** Where in a scenario something stands: `['steps', 3, 'body', 'name']`. */
export type Place = readonly (string | number)[];

/** The steps of a field as answers name it: `prices[0].name`. */
export const stepsOfField = (field: string): readonly string[] =>
  field.split(/[.[\]]+/).filter((part) => part !== '');

/** Something wrong with a scenario, or with what it met. */
export interface Problem {
  readonly place: Place;
  readonly message: string;
}

/** What kind of step it is, and of what, in few words. */
export function nameOfStep(step: ScenarioStep): string {
  if ('call' in step) return step.call;
  if ('pay' in step) return `pay ${step.outcome ?? 'succeeded'}`;
  if ('fault' in step) return 'fault';
  if ('set' in step) return `set ${step.set}`;
  return 'advance' in step ? `advance ${step.advance}` : 'expect';
}
