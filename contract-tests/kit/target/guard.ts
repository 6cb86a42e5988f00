import { type Effect, effectOf, type OperationSpec } from 'billing-emulator/spec';
import type { OperationId } from '../operations.ts';
import { HarnessError, NotSelected, SafetyStop, Untestable, UnusableResponse } from '../outcome.ts';
import { exceeds, type RunPlan } from '../plan.ts';
import { contextIn } from '../run/preflight.ts';
import { beyondCeiling } from '../selection.ts';
import type { ReceivedResponse } from './client.ts';
import { askTarget, type Patience } from './patience.ts';

/** A request that the guard decides on before it is sent. */
interface Intent {
  readonly operation: OperationSpec;
  readonly path: Readonly<Record<string, string | number>>;
  readonly body: unknown;
  /** The statuses that the sender expects; empty when it accepts any. */
  readonly expected: readonly number[];
  /** The effect class that the running check declares; undefined for prerequisites and clean-up. */
  readonly declared: Effect | undefined;
  /** Whether it targets the check's own world, which is deleted with all its contents. */
  readonly isOwnWorld: boolean;
}

/**
 * Checks every request before it is sent: allowed effects, budgets and rate. Its limits do not depend on responses, so
 * a wrong response from the target can at most stop the run.
 */
export class Guard {
  #requests = 0;
  #creates = 0;
  /** From when on the next request may be sent. @units milliseconds since 1970 */
  #nextAt = 0;
  /** What came of verifying the target's identity; undefined until the next write asks for it. */
  #trust: Promise<void> | undefined;

  constructor(
    private readonly plan: RunPlan,
    private readonly own: ReadonlySet<string>,
    private readonly patience: Patience,
  ) {}

  /**
   * Allows a request.
   *
   * @throws SafetyStop beyond a budget, or when the target reports another identity
   * @throws HarnessError when a check sends a request beyond its declared effect class
   * @throws NotSelected when a prerequisite would exceed the ceiling
   * @throws Untestable when the request would send to destinations of others
   */
  async admit(intent: Intent): Promise<void> {
    if (intent.operation.method === 'GET') return;
    const { ceiling, target, maxCreates } = this.plan;
    const effect = effectOfIntent(intent);
    validateEffect(intent, effect, ceiling);
    if (intent.isOwnWorld || target.kind === 'ours') return;
    validateOwnership(intent, this.own);
    this.#trust ??= this.#verifyIdentity();
    await this.#trust;
    if (DISPATCHES.has(intent.operation.id) && effect === 'E4') await this.#validateDestinations();
    if (intent.operation.method !== 'POST' || effect === 'E1') return;
    this.#creates += 1;
    if (this.#creates > maxCreates)
      throw new SafetyStop(`The budget of ${maxCreates} created objects is used up`);
  }

  /** Counts one request and waits for its turn. Retries count too. @throws SafetyStop beyond the budget */
  async spend(): Promise<void> {
    const { maxRequests, requestsPerSecond } = this.plan;
    this.#requests += 1;
    if (this.#requests > maxRequests)
      throw new SafetyStop(`The budget of ${maxRequests} requests is used up`);
    const wait = this.#nextAt - Date.now();
    this.#nextAt = Math.max(this.#nextAt, Date.now()) + 1000 / requestsPerSecond;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }

  /** Verifies the target's identity again before the next write. */
  doubt(): void {
    this.#trust = undefined;
  }

  async #verifyIdentity(): Promise<void> {
    const { target } = this.plan;
    const { environment, accountId } = contextIn(await this.#ask('getAccountContext'));
    if (environment !== target.environment || accountId !== target.accountId)
      throw new SafetyStop(
        'The target no longer states the environment and account it stated at first',
      );
  }

  async #validateDestinations(): Promise<void> {
    const { status, body } = await this.#ask('listWebhooks');
    if (status !== 200) throw new Untestable('The registered destinations cannot be listed');
    const items: readonly { readonly url: string }[] = body?.items ?? [];
    const foreign = items.filter(({ url }) => !url.includes('/contract-'));
    if (foreign.length > 0)
      throw new Untestable(`${foreign.length} destinations of others would be called`);
  }

  /** Sends a read of the guard itself, which does not count towards its rate and budgets. */
  #ask(operation: OperationId): Promise<ReceivedResponse> {
    return askTarget({ ...this.plan, patience: this.patience }, operation, {});
  }
}

/** A write that must be rejected counts as E1, regardless of its effect if accepted. */
function effectOfIntent({ operation, body, expected }: Intent): Effect {
  const mustFail = expected.length > 0 && expected.every((status) => status >= 400);
  return mustFail ? 'E1' : effectOf(operation, body);
}

function validateEffect(intent: Intent, effect: Effect, ceiling: Effect): void {
  const { operation, declared } = intent;
  if (declared !== undefined && exceeds(effect, declared))
    throw new HarnessError(
      `The check declares ${declared} and sends ${operation.id}, which is ${effect}`,
    );
  if (!exceeds(effect, ceiling)) return;
  if (declared !== undefined)
    throw new HarnessError(`${operation.id} is ${effect}, beyond the ceiling ${ceiling}`);
  throw new NotSelected(beyondCeiling(effect, ceiling));
}

/** Operations that send to every registered destination. */
const DISPATCHES = new Set(['testWebhooks', 'testConnectedWebhooks']);

/** Generated ids start with the prefix of their kind; other words identify no existing object. */
const IDENTIFIER = /^[a-z]{3,4}_/;

/** Path parameters that identify no object, or one below an object that is already checked. */
const WORDS = new Set(['topic', 'version', 'subscriptionId', 'transactionId', 'eventId', 'taskId']);

function validateOwnership({ operation, path, body }: Intent, own: ReadonlySet<string>): void {
  const named = Object.entries(path)
    .filter(
      ([name, value]) => name === 'assetCode' || (!WORDS.has(name) && IDENTIFIER.test(`${value}`)),
    )
    .map(([, value]) => String(value));
  const customer = (body as { customer_id?: unknown } | undefined)?.customer_id;
  if (typeof customer === 'string') named.push(customer);
  const foreign = named.find((id) => !own.has(id));
  if (foreign !== undefined)
    throw new UnusableResponse(
      `${operation.id} would write to ${foreign}, which the suite did not create`,
    );
}
