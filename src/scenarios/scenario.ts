/** A scenario: requests at dates, replayed as a client would send them. Its file form is a fixture. */
export interface Scenario {
  readonly about: string;
  /** What a reader learns from it. */
  readonly teaches?: string | readonly string[];
  /** Where its clock starts; the start of the replay when absent. */
  readonly clock?: string;
  readonly then?: 'real';
  readonly steps: readonly ScenarioStep[];
}

export type ScenarioStep = CallStep | PayStep | AdvanceStep | SetStep | FaultStep | ExpectStep;

interface AnyStep {
  /** What the step shows, for reports. */
  readonly about?: string;
}

/** Sends a request. */
export interface CallStep extends AnyStep {
  /** The operation to call. */
  readonly call: string;
  /** Name under which later steps find the answer. */
  readonly as?: string;
  /** When: an instant, or a duration from the start of the replay such as `-P20D`. */
  readonly at?: string;
  /** The connected account that the call acts for. */
  readonly account?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: RequestParts;
  readonly query?: RequestParts;
  readonly body?: unknown;
  /** How often it is sent, counted by `$n`; every answer is held to `expect`. */
  readonly times?: number;
  /** The status it is answered with, or that and more. */
  readonly expect?: number | StepExpectation;
}

/** Decides a hosted payment, as its payer would on the page. */
export interface PayStep extends AnyStep {
  /** The subscription or the top-up that awaits it. */
  readonly pay: string;
  readonly at?: string;
  readonly as?: string;
  readonly outcome?: 'succeeded' | 'failed' | 'processing' | 'abandoned';
  readonly reason?: string;
  readonly payment_method?: RequestParts;
  readonly expect?: number | StepExpectation;
}

/** Moves the clock on, by a duration or to an instant, doing what falls due. */
export interface AdvanceStep extends AnyStep {
  readonly advance: string;
  readonly expect?: StateExpectation;
}

/** Puts the clock to a moment, forward or back; nothing falls due by it. */
export interface SetStep extends AnyStep {
  /** An instant, or a duration from the start of the replay. */
  readonly set: string;
  readonly expect?: StateExpectation;
}

/** Sets what goes wrong on purpose: adds a rule, puts a list in the place of all others, or removes all. */
export interface FaultStep extends AnyStep {
  readonly at?: string;
  readonly fault: RequestParts | readonly RequestParts[] | 'none';
  readonly expect?: StateExpectation;
}

/** Looks at the state without a request of its own. */
export interface ExpectStep extends AnyStep {
  readonly at?: string;
  readonly expect: StateExpectation;
}

/** What is expected of the state, by whatever came before. */
export interface StateExpectation {
  readonly balance?: BalanceExpectation | readonly BalanceExpectation[];
  readonly delivery?: DeliveryExpectation | readonly DeliveryExpectation[];
}

export interface StepExpectation extends StateExpectation {
  readonly status?: number;
  /** Headers of the answer; an address that begins with its path may be of any host. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the answer has; it may have more fields, but lists are as long as here. */
  readonly body?: unknown;
  /** Whether the answer may have no more fields than `body`. */
  readonly exact?: boolean;
}

/** Webhook events of which there are so many. Judged where deliveries are made, which is in a run. */
export interface DeliveryExpectation {
  readonly destination?: string;
  readonly topic?: string;
  /** The connected account whose log is looked at. */
  readonly account?: string;
  readonly status?: 'delivered' | 'failed' | 'pending';
  /** How often the destinations were tried, all together. */
  readonly attempts?: number;
  /** What their data have. */
  readonly data?: unknown;
  /** How many there are; one unless given. */
  readonly count?: number;
}

export interface BalanceExpectation {
  readonly customer: string;
  readonly account?: string;
  /** By asset, or by name and asset as `bonus:USD`: what is available, or null where there is no such account. */
  readonly accounts: Readonly<Record<string, number | null>>;
}

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
