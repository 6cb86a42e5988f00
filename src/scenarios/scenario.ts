import type { components } from '../spec/fixture.d.ts';

/** `spec/fixture.schema.json` documents the steps and expectations. */
type Schemas = components['schemas'];

/** A scenario: requests at given times, sent as a client sends them. A fixture is its file form. */
export interface Scenario extends Omit<Schemas['fixture'], 'steps'> {
  readonly steps: readonly ScenarioStep[];
}

/** A scenario whose steps can be generated during the run, because there can be many. */
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

/** A place in a scenario: `['steps', 3, 'body', 'name']`. */
export type Place = readonly (string | number)[];

/** Splits a field's path as in responses: `prices[0].name`. */
export const stepsOfField = (field: string): readonly string[] =>
  field.split(/[.[\]]+/).filter((part) => part !== '');

export interface Problem {
  readonly place: Place;
  readonly message: string;
}

/** A short name of a step: its kind and subject. */
export function nameOfStep(step: ScenarioStep): string {
  if ('call' in step) return step.call;
  if ('pay' in step) return `pay ${step.outcome ?? 'succeeded'}`;
  if ('fault' in step) return 'fault';
  if ('set' in step) return `set ${step.set}`;
  return 'advance' in step ? `advance ${step.advance}` : 'expect';
}
