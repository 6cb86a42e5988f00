import type { IncomingHttpHeaders } from 'node:http';
import type {
  Context,
  Due,
  DueKind,
  GivenSettings,
  Handlers,
  Job,
  PostOutcome,
  RawResponse,
  WebhookPost,
} from 'billing-emulator/internals';
import { withoutPauses } from 'billing-emulator/internals';
import type { OperationId } from 'billing-emulator/spec';

/**
 * The emulator with one deliberate defect, to prove that the contract suite detects it. A normal start never loads this
 * folder.
 */

// biome-ignore lint/suspicious/noExplicitAny: A mutant violates the types on purpose.
export type Loose = any;

/** Replaces a handler. `run` calls the original handler, with the same call and context by default. */
export type Advice = (
  call: Loose,
  context: Context,
  run: (call?: Loose, context?: Context) => Loose,
) => Loose;

/** The request that a response belongs to. */
export interface MutatedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Mutant {
  readonly id: string;
  /** The defect in the words of a user. */
  readonly about: string;
  /** Checks that must detect it. */
  readonly noticedBy: readonly string[];
  readonly around?: Readonly<Partial<Record<OperationId, Advice>>>;
  /** Changes to due items, by kind of job. */
  readonly due?: Readonly<Partial<Record<DueKind, (due: Due) => Partial<Due>>>>;
  /** Settings that differ from the service. */
  readonly settings?: GivenSettings;
  /** Changes the JSON of request bodies before they are validated. */
  requestBody?(body: Loose, asked: MutatedRequest): Loose;
  /** Changes finished responses. */
  rawResponse?(rawResponse: RawResponse, asked: MutatedRequest): RawResponse;
  /** Changes webhook requests before they are sent; undefined keeps one from being sent. */
  posting?(posting: WebhookPost): WebhookPost | undefined | Promise<WebhookPost | undefined>;
  /** Changes the outcomes of webhook requests. */
  posted?(outcome: PostOutcome): PostOutcome;
  /** A key for a request without one; with undefined the request is rejected. */
  lendKey?(asked: MutatedRequest): string | undefined;
}

/** A mutant from its parts. */
export function mutant(
  id: string,
  about: string,
  noticedBy: readonly string[],
  around: Mutant['around'] = {},
): Mutant {
  return { id, about, noticedBy, around };
}

/** A mutant whose id is its description. */
export const declared = (
  about: string,
  noticedBy: readonly string[],
  around: Mutant['around'] = {},
): Mutant => mutant(about, about, noticedBy, around);

/** Declares mutants of one kind, each by its particular value. */
export const kindOfMutant =
  <T>(make: (particular: T) => Partial<Mutant>) =>
  (about: string, noticedBy: readonly string[], particular: T): Mutant => ({
    ...declared(about, noticedBy),
    ...make(particular),
  });

/** The handlers, with the mutant's advice around some of them. */
export function mutate(handlers: Handlers, { around = {} }: Mutant): Handlers {
  const changed: Record<string, unknown> = { ...handlers };
  for (const [operation, advice] of Object.entries(around) as [OperationId, Advice][]) {
    const original = handlers[operation] as (call: Loose, context: Context) => Loose;
    changed[operation] = (call: Loose, given: Context) => {
      const context = spreadable(given);
      return advice(call, context, (other = call, within = context) =>
        withoutPauses(() => original(other, within)),
      );
    };
  }
  return changed as unknown as Handlers;
}

/** The context with `now` as a property of its own, so that advice can copy it with a change. */
const spreadable = (context: Context): Context => ({
  ...context,
  get now() {
    return context.now;
  },
});

/** The jobs, with the mutant's changes to the due items of some kinds. */
export function mutateJobs(jobs: readonly Job[], { due: changes = {} }: Mutant): readonly Job[] {
  return jobs.map((job) => {
    const change = changes[job.kind];
    if (!change) return job;
    const changed = (due: Due): Due => ({ ...due, ...change(due) });
    return {
      ...job,
      next(world) {
        const due = job.next(world);
        return due && changed(due);
      },
      first: (world, count) => job.first(world, count).map(changed),
    };
  });
}

/** Advice that changes the call: `change` edits a copy or returns the changed fields. */
export const asking =
  (change: (call: Loose, context: Context) => Loose): Advice =>
  (call, context, run) => {
    const copy = structuredClone(call);
    const changes = change(copy, context);
    return run({ ...copy, ...changes });
  };

/** Removes fields from request bodies. */
export const forgetting = (...names: readonly string[]): Advice =>
  asking(({ body }) => {
    for (const name of names) delete body[name];
  });

/** Removes parameters from queries. */
export const ignoring = (...names: readonly string[]): Advice =>
  asking(({ query }) => {
    for (const name of names) delete query[name];
  });

/** Advice that changes the body of a successful response: `change` edits a copy or returns the changed fields. */
export const showing =
  (change: (body: Loose, call: Loose, context: Context) => Loose): Advice =>
  (call, context, run) => {
    const reply = run();
    if (reply.status >= 300 || reply.body === undefined) return reply;
    const body = { ...reply.body };
    const changes = change(body, call, context);
    return { ...reply, body: { ...body, ...changes } };
  };

/** Advice that does something more after the handler and keeps its response. */
export const after =
  (act: (call: Loose, context: Context) => unknown): Advice =>
  (call, context, run) => {
    const reply = run();
    act(call, context);
    return reply;
  };

/** Advice that returns a response when the handler throws; undefined throws the error on. */
export const onRefusal =
  (answer: (error: unknown, ...given: Parameters<Advice>) => Loose): Advice =>
  (call, context, run) => {
    try {
      return run();
    } catch (error) {
      const reply = answer(error, call, context, run);
      if (reply === undefined) throw error;
      return reply;
    }
  };

/** Advice that changes each item of a list in a response. */
export const each = (list: string, change: (item: Loose, call: Loose, context: Context) => Loose) =>
  showing((body, call, context) => ({
    [list]: body[list].map((item: Loose) => ({ ...item, ...change(item, call, context) })),
  }));

const kept = new WeakMap<object, Map<string, Loose>>();

/** What was first there under a name in this world. */
export function firstOf({ world }: Loose, name: string, now: Loose): Loose {
  const known = kept.get(world) ?? new Map<string, Loose>();
  kept.set(world, known);
  if (!known.has(name)) known.set(name, now);
  return known.get(name);
}
