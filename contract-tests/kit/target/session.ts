import { inject } from 'vitest';
import {
  type CreatedObjects,
  createdObjectsTarget,
  openCreatedObjects,
} from '../created-objects.ts';
import { HarnessError, Untestable } from '../outcome.ts';
import { defaultPlan, type RunPlan, targetOf } from '../plan.ts';
import { contextIn } from '../run/preflight.ts';
import { currentTrial } from '../trial.ts';
import { Consistency } from './consistency.ts';
import { type Eyes, Guard } from './guard.ts';
import { startTarget } from './own-emulator.ts';
import { askTarget, createPatience, type Patience } from './patience.ts';
import { createRedactor, type Redactor } from './redact.ts';

declare module 'vitest' {
  interface ProvidedContext {
    contract: RunPlan | undefined;
  }
}

/** The state of a run within one worker. */
export interface Session {
  readonly plan: RunPlan;
  readonly guard: Guard;
  readonly patience: Patience;
  readonly consistency: Consistency;
  readonly created: CreatedObjects;
  readonly redactor: Redactor;
  /** Ids that the kit made or adopted: only these may be written to. */
  readonly own: Set<string>;
  /** Objects that stand for a slot in this run. */
  readonly slots: Map<string, unknown>;
  /** Why the rest of the run must not happen, once it must not. */
  stopped: string | undefined;
  /** A number that is not given twice. */
  nextNumber(): number;
}

const HOME = Symbol.for('billing-emulator.contract.session');
const BEGUN = Symbol.for('billing-emulator.contract.begun');
const home = globalThis as { [HOME]?: Promise<Session>; [BEGUN]?: Session };

/** The session of this worker; outside a run it stands on an emulator of its own. */
export function session(): Promise<Session> {
  home[HOME] ??= begin(inject('contract'));
  return home[HOME];
}

/**
 * The session, once a check is running.
 *
 * @throws HarnessError before
 */
export function currentSession(): Session {
  if (!home[BEGUN]) throw new HarnessError('Names are made within a check, not beside it');
  return home[BEGUN];
}

/** Puts a plan in place of the given one, for tests of the kit. */
export function beginSession(plan: RunPlan): Promise<Session> {
  home[HOME] = begin(plan);
  return home[HOME];
}

async function begin(given: RunPlan | undefined): Promise<Session> {
  const plan = forWorker(given ?? (await planOfOwn()), process.env['VITEST_POOL_ID'] ?? '1');
  const { target } = plan;
  const created = openCreatedObjects(plan.createdFile, createdObjectsTarget(target));
  const redactor = createRedactor([target.key]);
  const own = new Set<string>();
  const patience = createPatience();
  let last = 0;
  home[BEGUN] = {
    plan,
    created,
    redactor,
    own,
    guard: new Guard(plan, own, eyesOn(plan, patience)),
    patience,
    consistency: new Consistency(),
    slots: new Map(),
    stopped: undefined,
    nextNumber: () => ++last,
  };
  return home[BEGUN];
}

/** Workers side by side keep a world and a list of created objects each. */
function forWorker(plan: RunPlan, worker: string): RunPlan {
  const { target, createdFile } = plan;
  const key = target.kind === 'ours' ? `${target.key}-w${worker}` : target.key;
  return {
    ...plan,
    target: { ...target, key },
    createdFile: createdFile && `${createdFile}-w${worker}.jsonl`,
  };
}

/** How the guard looks at the target, past its own pace and budgets. */
function eyesOn(plan: RunPlan, patience: Patience): Eyes {
  const watching = {
    ...plan,
    patience,
    get waits() {
      return currentTrial()?.record.waits ?? [];
    },
  };
  return {
    identity: async () => contextIn(await askTarget(watching, 'getAccountContext', {})),
    async destinations() {
      const { status, body } = await askTarget(watching, 'listWebhooks', {});
      if (status !== 200) throw new Untestable('The registered destinations cannot be listed');
      return (body?.items ?? []).map(({ url }: { url: string }) => url);
    },
  };
}

/** For a case file run by itself: everything is allowed on an emulator that nobody else sees. */
async function planOfOwn(): Promise<RunPlan> {
  const { baseUrl, key, serviceName } = await startTarget();
  return defaultPlan(targetOf({ kind: 'ours', environment: 'test', baseUrl, key, serviceName }));
}
