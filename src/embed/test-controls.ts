import { linesOfChanges } from '../client/change-lines.ts';
import type { Client, ClientResponse } from '../client/client.ts';
import type { CallOf, ControlOperations, OperationId } from '../spec/operations.ts';
import type { Topic } from '../spec/topics.ts';
import { type CustomerControls, customersOf } from './customers.ts';
import { openReceiver, type Receiver, type ReceiverOptions } from './receiver.ts';

type ControlId = keyof ControlOperations;
type BodyOf<Id extends ControlId> = NonNullable<CallOf<ControlOperations[Id]>['body']>;
type Answered<Id extends ControlId> = Promise<ClientResponse<Id>>;

/** Replaces the types of `operation` and `topic` by the names in the document. */
type Named<T> = {
  readonly [Field in keyof T]: Field extends keyof Names ? Names[Field] : T[Field];
};
interface Names {
  readonly operation: OperationId;
  readonly topic: Topic;
}

type FaultBody = BodyOf<'addFault'>;

/** A fault rule: the fault, the requests or deliveries it applies to, and when. */
export type FaultRuleInput = Omit<FaultBody, 'match'> & {
  readonly match?: Named<NonNullable<FaultBody['match']>>;
};
/** The fault rules of a world, with what each matched and was applied to. */
export type FaultReport = ClientResponse<'listFaults'>;

type ComparisonBody = BodyOf<'compareWorlds'>;
/** A snapshot, by name or as saved, or the state before the latest advance, reset, restore or import. */
export type ComparedSide = string | SavedWorld | { readonly previous: true };

/** A saved state of a world. */
export interface SavedWorld {
  readonly name: string;
  /** Restores records, clock and the numbering of identifiers. Can be called any number of times. */
  restore(): Promise<void>;
}

/** What a test can do with a world besides calling the service. A rejected call throws an `ApiError`. */
export interface TestControls extends CustomerControls {
  readonly clock: {
    read(): Answered<'getClock'>;
    /** The world's time, such as `2026-01-15T12:00:00.000Z`. */
    now(): Promise<string>;
    /** The world's time, for the clock of the application under test. */
    asDate(): Promise<Date>;
    /** Sets the clock's mode and time. It runs no due jobs. */
    set(setting: BodyOf<'setClock'>): Answered<'setClock'>;
    /** Moves the clock forward by a duration such as `P1M` or `30d`, or as the body says, and runs due jobs. */
    advance(by: string | BodyOf<'advanceClock'>): Answered<'advanceClock'>;
  };
  readonly payments: {
    /** Acts as the payer. `id` is that of a subscription or top-up, or the token of a link. */
    settle(id: string, outcome: BodyOf<'settlePayment'>): Answered<'settlePayment'>;
  };
  readonly webhooks: {
    /** Resolves once enough deliveries match. Throws 408 with the nearest ones after the timeout. */
    wait(match: Named<BodyOf<'waitForDelivery'>>): Answered<'waitForDelivery'>;
    /** Makes every outstanding attempt now. */
    flush(): Answered<'flushDeliveries'>;
  };
  readonly requests: {
    /** Resolves once enough requests match. Throws 408 with the nearest ones after the timeout. */
    wait(match: Named<BodyOf<'waitForRequests'>>): Answered<'waitForRequests'>;
  };
  readonly faults: {
    /** Replaces all rules. Without arguments it removes them. */
    set(...rules: readonly FaultRuleInput[]): Answered<'setFaults'>;
    /** Adds a rule after the others. Their counts go on. */
    add(rule: FaultRuleInput): Answered<'addFault'>;
    /** Lists the rules, with what each matched and was applied to. */
    list(): Answered<'listFaults'>;
    /** Removes all rules. Requests that they delay continue at once. */
    clear(): Promise<void>;
  };
  /** Explains step by step how a fee, or everything from a usage event, was calculated. */
  explain(id: string): Answered<'explain'>;
  /** @throws Error with all findings where an invariant of the ledger is broken */
  assertSound(): Promise<void>;
  /** @throws Error with all warnings about what was accepted without effect; what is mere information passes */
  assertNoWarnings(): Promise<void>;
  /** Receives the world's webhooks in this process. */
  receiver(options?: ReceiverOptions): Promise<Receiver>;
  snapshot(name?: string): Promise<SavedWorld>;
  /**
   * Compares a former state with the present or another state. Returns lines such as
   * `customers: 1 added, 1 → 2`, followed by `  + Acme`; no lines if the states are equal. It names 10 rows of
   * each table by default; `ignore` leaves tables out, such as `requests`.
   */
  diff(
    from: ComparedSide,
    to?: ComparedSide,
    options?: Pick<ComparisonBody, 'limit' | 'ignore'>,
  ): Promise<readonly string[]>;
  /** Resets the world to its initial contents, or to those in the body. */
  reset(to?: BodyOf<'resetWorld'>): Promise<void>;
}

export function createTestControls(client: Client): TestControls {
  const { call } = client;
  return {
    ...customersOf(client),
    receiver: (options = {}) => openReceiver(client, options),
    clock: clockOf(call),
    payments: {
      settle: (id, body) => call('settlePayment', { path: { id }, body }),
    },
    webhooks: {
      wait: (body) => call('waitForDelivery', { body }),
      flush: () => call('flushDeliveries', { body: {} }),
    },
    requests: {
      wait: (body) => call('waitForRequests', { body }),
    },
    faults: faultsOf(call),
    ...ledgerOf(call),
    ...stateOf(call),
  };
}

type Call = Client['call'];

const clockOf = (call: Call): TestControls['clock'] => ({
  read: () => call('getClock'),
  now: async () => (await call('getClock')).now,
  asDate: async () => new Date((await call('getClock')).now),
  set: (body) => call('setClock', { body }),
  advance: (by) => call('advanceClock', { body: typeof by === 'string' ? { by } : by }),
});

const faultsOf = (call: Call): TestControls['faults'] => ({
  set: (...rules) => call('setFaults', { body: { rules: [...rules] } }),
  add: (body) => call('addFault', { body }),
  list: () => call('listFaults'),
  clear: async () => {
    await call('setFaults', { body: { rules: [] } });
  },
});

type LedgerControls = Pick<TestControls, 'explain' | 'assertSound' | 'assertNoWarnings'>;

const ledgerOf = (call: Call): LedgerControls => ({
  explain: (id) => call('explain', { path: { id } }),
  assertSound: async () => {
    const { sound, findings } = await call('verifyLedger');
    const lines = findings.map(
      ({ id, customer, about, message }) =>
        `  ${id}${customer === undefined ? '' : ` of ${customer}`}: ${about} ${message}`,
    );
    if (!sound) throw new Error(['The ledger breaks invariants:', ...lines].join('\n'));
  },
  assertNoWarnings: async () => {
    const { items } = await call('listWarnings', { query: { limit: 1_000 } });
    const lines = items
      .filter(({ level }) => level === 'warning')
      .map(({ kind, message }) => `  ${kind}: ${message}`);
    if (lines.length > 0) throw new Error(['There are warnings:', ...lines].join('\n'));
  },
});

function stateOf(call: Call): Pick<TestControls, 'snapshot' | 'diff' | 'reset'> {
  let saved = 0;
  return {
    snapshot: async (name = `embedded-${++saved}`) => {
      await call('saveSnapshot', { body: { name } });
      const restore = async () => {
        await call('resetWorld', { body: { to: 'snapshot', name } });
      };
      return { name, restore };
    },
    diff: async (from, to, options = {}) => {
      const sides = { from: sideOf(from), ...(to !== undefined && { to: sideOf(to) }) };
      return linesOfChanges(await call('compareWorlds', { body: { ...options, ...sides } }));
    },
    reset: async (body = {}) => {
      await call('resetWorld', { body });
    },
  };
}

function sideOf(side: ComparedSide): ComparisonBody['from'] {
  if (typeof side === 'string') return { snapshot: side };
  return 'previous' in side ? side : { snapshot: side.name };
}
