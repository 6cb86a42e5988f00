import type { Client, ClientAnswer } from './client/client.ts';
import { linesOfDifferences } from './client/difference-lines.ts';
import type { CallOf, ControlOperations, OperationId } from './spec/operations.ts';
import type { Topic } from './spec/topics.ts';

type ControlId = keyof ControlOperations;
type BodyOf<Id extends ControlId> = NonNullable<CallOf<ControlOperations[Id]>['body']>;
type QueryOf<Id extends ControlId> = CallOf<ControlOperations[Id]>['query'];
type Answered<Id extends ControlId> = Promise<ClientAnswer<Id>>;

/** What is said of requests or deliveries, its operation and its topic by their names in the document. */
type Named<T> = {
  readonly [Field in keyof T]: Field extends keyof Names ? Names[Field] : T[Field];
};
interface Names {
  readonly operation: OperationId;
  readonly topic: Topic;
}

type FaultBody = BodyOf<'addFault'>;

/** What goes wrong on purpose, for which requests or deliveries and when. */
export type FaultRuleInput = Omit<FaultBody, 'match'> & {
  readonly match?: Named<NonNullable<FaultBody['match']>>;
};
/** The fault rules of a world and what came of them. */
export type FaultReport = ClientAnswer<'listFaults'>;

type ComparisonBody = BodyOf<'compareWorlds'>;
/** A snapshot, by its name or as it was saved, or an export. */
export type ComparedSide = string | SavedWorld | ClientAnswer<'exportWorld'>;

/** What a world held at a moment. */
export interface SavedWorld {
  readonly name: string;
  /** Brings it back, as often as wanted: records, clock and the numbering of identifiers. */
  restore(): Promise<void>;
}

/** What tests do with a world besides calling the service. Each refusal is an `ApiError`. */
export interface TestControls {
  readonly clock: {
    read(): Answered<'getClock'>;
    /** Sets how the clock runs and the instant it shows; nothing falls due by it. */
    set(setting: BodyOf<'setClock'>): Answered<'setClock'>;
    /** Moves forward by a duration such as `P1M` or `30d`, or as far as it is told, and does what falls due. */
    advance(by: string | BodyOf<'advanceClock'>): Answered<'advanceClock'>;
    agenda(): Answered<'listAgenda'>;
  };
  readonly payments: {
    /** Does what a payer would do: by the id of a subscription or top-up, or the token of a link. */
    settle(id: string, outcome: BodyOf<'settlePayment'>): Answered<'settlePayment'>;
    /** Saves the card that renewals and automatic top-ups are paid with. */
    saveMethod(customerId: string, method: BodyOf<'setPaymentMethod'>): Promise<void>;
  };
  readonly webhooks: {
    /** Resolves once enough was delivered; 408 with what came nearest after the time out. */
    wait(wish: Named<BodyOf<'waitForDelivery'>>): Answered<'waitForDelivery'>;
    list(filter?: Named<QueryOf<'listDeliveries'>>): Answered<'listDeliveries'>;
    /** Makes every outstanding attempt now. */
    flush(): Answered<'flushDeliveries'>;
    replay(which: Named<BodyOf<'replayDeliveries'>>): Answered<'replayDeliveries'>;
  };
  readonly requests: {
    /** Resolves once enough requests were made; 408 with those that came nearest after the time out. */
    wait(wish: Named<BodyOf<'waitForRequests'>>): Answered<'waitForRequests'>;
    list(filter?: Named<QueryOf<'listRequests'>>): Answered<'listRequests'>;
  };
  readonly faults: {
    /** Replaces the rules; none of them clears all. */
    set(...rules: readonly FaultRuleInput[]): Answered<'setFaults'>;
    /** Adds a rule behind the others, whose counts go on. */
    add(rule: FaultRuleInput): Answered<'addFault'>;
    /** The rules with what each saw and was applied to. */
    list(): Answered<'listFaults'>;
    /** Removes all rules, and lets go on what they keep waiting. */
    clear(): Promise<void>;
  };
  /** How a fee came about, or all of a usage event, step by step. */
  explain(id: string): Answered<'explainFee'> | Answered<'explainEvent'>;
  /** Whether every law of the ledger holds. */
  verify(): Answered<'verifyLedger'>;
  /** @throws Error with all findings where a law of the ledger is broken */
  assertSound(): Promise<void>;
  snapshot(name?: string): Promise<SavedWorld>;
  /**
   * What differs between a former state and now, or another state, in lines such as `customers: 1 added, 1 → 2`, below it
   * `  + Acme`: none where nothing does. Of each table 10 rows are named unless told; `ignore` leaves tables out, such as
   * `requests`.
   */
  diff(
    from: ComparedSide,
    to?: ComparedSide,
    options?: Pick<ComparisonBody, 'limit' | 'ignore'>,
  ): Promise<readonly string[]>;
  /** Takes the world back to what it opened with, or to what is named. */
  reset(to?: BodyOf<'resetWorld'>): Promise<void>;
}

/** Controls of the world of a client. */
export function createTestControls({ call }: Client): TestControls {
  return {
    clock: clockOf(call),
    payments: {
      settle: (id, body) => call('settlePayment', { path: { id }, body }),
      saveMethod: async (customerId, body) => {
        await call('setPaymentMethod', { path: { customerId }, body });
      },
    },
    webhooks: {
      wait: (body) => call('waitForDelivery', { body }),
      list: (query = {}) => call('listDeliveries', { query }),
      flush: () => call('flushDeliveries', { body: {} }),
      replay: (body) => call('replayDeliveries', { body }),
    },
    requests: {
      wait: (body) => call('waitForRequests', { body }),
      list: (query = {}) => call('listRequests', { query }),
    },
    faults: faultsOf(call),
    ...ledgerOf(call),
    ...stateOf(call),
  };
}

type Call = Client['call'];

const clockOf = (call: Call): TestControls['clock'] => ({
  read: () => call('getClock'),
  set: (body) => call('setClock', { body }),
  advance: (by) => call('advanceClock', { body: typeof by === 'string' ? { by } : by }),
  agenda: () => call('listAgenda'),
});

const faultsOf = (call: Call): TestControls['faults'] => ({
  set: (...rules) => call('setFaults', { body: { rules: [...rules] } }),
  add: (body) => call('addFault', { body }),
  list: () => call('listFaults'),
  clear: async () => {
    await call('clearFaults');
  },
});

const ledgerOf = (call: Call): Pick<TestControls, 'explain' | 'verify' | 'assertSound'> => ({
  explain: (id) =>
    id.startsWith('fee_')
      ? call('explainFee', { path: { feeId: id } })
      : call('explainEvent', { path: { eventId: id } }),
  verify: () => call('verifyLedger'),
  assertSound: async () => {
    const { sound, findings } = await call('verifyLedger');
    const lines = findings.map(({ id, about, message }) => `  ${id}: ${about} ${message}`);
    if (!sound) throw new Error(['The ledger does not hold:', ...lines].join('\n'));
  },
});

function stateOf(call: Call): Pick<TestControls, 'snapshot' | 'diff' | 'reset'> {
  let saved = 0;
  return {
    snapshot: async (name = `embedded-${++saved}`) => {
      await call('saveSnapshot', { body: { name } });
      const restore = async () => {
        await call('restoreSnapshot', { path: { name } });
      };
      return { name, restore };
    },
    diff: async (from, to, options = {}) => {
      const sides = { from: sideOf(from), ...(to !== undefined && { to: sideOf(to) }) };
      const { differences } = await call('compareWorlds', { body: { ...options, ...sides } });
      return linesOfDifferences(differences);
    },
    reset: async (body = {}) => {
      await call('resetWorld', { body });
    },
  };
}

function sideOf(side: ComparedSide): ComparisonBody['from'] {
  if (typeof side === 'string') return { snapshot: side };
  return 'tables' in side ? { export: side } : { snapshot: side.name };
}
