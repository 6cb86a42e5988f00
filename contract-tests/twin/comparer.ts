import type { GivenSettings } from 'billing-emulator/internals';
import { declaredNames } from '../kit/declared-names.ts';
import {
  type AnswerDifference,
  type Comparison,
  compareAnswers,
  type DifferenceKind,
  identifiersIn,
  type ReadAnswer,
} from './compare.ts';
import { startTwinEmulator } from './emulator.ts';
import type { ExactValue } from './exact-value.ts';
import { headersOf, type TwinExchange } from './exchange.ts';
import { IdMap, isInstant } from './id-map.ts';
import { createTwinKeys } from './keys.ts';
import { formOf } from './match-texts.ts';
import { Order, type Turn } from './order.ts';
import { serviceTimeOf } from './service-time.ts';
import { reliedOn, type Touched, touchedBy } from './touched.ts';
import { translateRequest } from './translate.ts';

/** A difference between a service and the emulator, and where it was seen. */
export interface TwinDifference extends Touched {
  readonly ordinal: number;
  readonly operation: string | null;
  /** Method and path, with the names of its parameters in place of their values. */
  readonly request: string;
  readonly status: number;
  readonly kind: DifferenceKind;
  /** Such as `body.items.*.name`; names that the document does not know are left out. */
  readonly at: string;
  readonly upstream: ExactValue | undefined;
  readonly emulator: ExactValue | undefined;
  /** Whether writes ran side by side, so that another order may be the cause. */
  readonly isContended: boolean;
  /** The cause of an earlier difference that left the two worlds unlike. */
  readonly follows: string | undefined;
}

export interface ComparerListeners {
  readonly onDifference: (difference: TwinDifference) => void;
  readonly onCompared: (exchange: TwinExchange) => void;
  /** A request that was not compared, and why. */
  readonly onLeftOut: (exchange: TwinExchange, reason: string) => void;
}

/** Sends the requests that a service has answered to an emulator too, and compares the answers. */
export interface Comparer {
  readonly order: Order<TwinExchange>;
  /** Takes those whose turn has come. */
  proceed(): void;
  /** Something may have been done that nobody saw: later differences about it follow from that. */
  lose(names: Iterable<string>, reason: string): void;
  /** Resolves once all that came was compared. */
  end(): Promise<void>;
}

/** Which cause a difference belongs to. */
export function causeOf({ operation, request, kind, at }: TwinDifference): string {
  return `${operation ?? request} ${at} ${kind}`;
}

/** Differences that two unlike worlds may show. */
const OF_STATE: ReadonlySet<DifferenceKind> = new Set(['status', 'missing', 'extra', 'value']);

interface Waiting {
  readonly exchange: TwinExchange;
  readonly answers: ReadAnswer[];
  readonly writes: Set<TwinExchange>;
}

export async function createComparer(
  settings: GivenSettings,
  { onDifference, onCompared, onLeftOut }: ComparerListeners,
): Promise<Comparer> {
  const emulator = await startTwinEmulator(settings);
  const order = new Order<TwinExchange>();
  const ids = new IdMap();
  const keys = createTwinKeys();
  /** Identifiers of the service that nothing stands for. */
  const orphans = new Set<string>();
  /** What an earlier difference has left unlike, with its cause. */
  const unlike = new Map<string, string>();
  /** Reads that have their answer once they have been asked again after writes. */
  const waiting = new Map<TwinExchange, Waiting>();
  const early = new Map<TwinExchange, ReadAnswer[]>();
  let latest = Promise.resolve();

  function ask(exchange: TwinExchange): Promise<ReadAnswer> {
    const { traffic, answer, isWrite, arrivedAt } = exchange;
    const request = translateRequest(traffic, ids, keys.inHeader(exchange));
    const time = serviceTimeOf(answer as ReadAnswer, isWrite, arrivedAt);
    return emulator.send(request, keys.keyOf(exchange), time);
  }

  async function take({ exchange, beside, isContended }: Turn<TwinExchange>): Promise<void> {
    const reason = reasonNotAsked(exchange, orphans);
    if (reason !== undefined) {
      if (reason !== OWN) onLeftOut(exchange, reason);
      if (exchange.isWrite) taint(exchange, reason);
      return;
    }
    ids.give(exchange.names);
    if (exchange.isWrite) {
      for (const read of beside)
        if (reasonNotAsked(read, orphans) === undefined)
          early.set(read, [...(early.get(read) ?? []), await ask(read)]);
      settle(exchange, [await ask(exchange)], isContended);
      await askAgainAfter(exchange);
      return;
    }
    const answers = [await ask(exchange), ...(early.get(exchange) ?? [])];
    early.delete(exchange);
    if (beside.length === 0) settle(exchange, answers, false);
    else waiting.set(exchange, { exchange, answers, writes: new Set(beside) });
  }

  async function askAgainAfter(write: TwinExchange): Promise<void> {
    for (const { exchange, answers, writes } of waiting.values()) {
      if (!writes.delete(write)) continue;
      answers.push(await ask(exchange));
      if (writes.size > 0) continue;
      waiting.delete(exchange);
      settle(exchange, answers, false);
    }
  }

  /** Judges the answer of the emulator that is nearest to the service's, of those it gave at different times. */
  function settle(
    exchange: TwinExchange,
    given: readonly ReadAnswer[],
    isContended: boolean,
  ): void {
    if (exchange.isOwn) return;
    const upstream = exchange.answer as ReadAnswer;
    const options = {
      ids,
      operation: exchange.operation?.id,
      headers: exchange.operation ? headersOf(exchange.operation, upstream.status) : [],
      bounds: boundsIn(exchange.traffic.target),
    };
    const found = given.map((answer) => ({ answer, ...compareAnswers(upstream, answer, options) }));
    const [best] = found.toSorted((one, two) => one.differences.length - two.differences.length);
    if (best) note(exchange, best, isContended);
  }

  function note(
    exchange: TwinExchange,
    { differences, learned, orphans: unknown, answer }: Comparison & { answer: ReadAnswer },
    isContended: boolean,
  ): void {
    ids.learn(learned);
    const relied = reliedOn(answer.headers['x-emulator-assumptions']);
    const told = differences.map((difference) => {
      const follows = followed(exchange, difference);
      const one = { ...describe(exchange, difference, relied), isContended, follows };
      onDifference(one);
      return one;
    });
    const isDoneOnce = (exchange.answer as ReadAnswer).status < 300 !== answer.status < 300;
    const [first] = told;
    const cause = first && (first.follows ?? causeOf(first));
    for (const id of unknown.filter((one) => ids.counterpart(one) === undefined)) {
      orphans.add(id);
      if (cause !== undefined && !unlike.has(id)) unlike.set(id, cause);
    }
    if (cause !== undefined && exchange.isWrite && isDoneOnce) {
      taint(exchange, cause);
      for (const id of identifiersIn(answer.body)) unlike.set(ids.original(id) ?? id, cause);
    }
    onCompared(exchange);
  }

  /** The cause that made the world of a difference unlike: by what it names, or as it is about all there is. */
  function followed(
    { names, world, operation }: TwinExchange,
    { within, kind, at }: AnswerDifference,
  ): string | undefined {
    if (!OF_STATE.has(kind)) return undefined;
    for (const name of [...within, ...names]) {
      const cause = unlike.get(name);
      if (cause !== undefined) return cause;
    }
    const isAboutAll = operation !== undefined && !operation.path.includes('{') && at[0] === 'body';
    return isAboutAll ? unlike.get(`world ${world}`) : undefined;
  }

  function taint({ names, world }: TwinExchange, cause: string): void {
    for (const name of names)
      if (formOf(name) !== undefined && !unlike.has(name)) unlike.set(name, cause);
    unlike.set(`world ${world}`, cause);
  }

  return {
    order,
    proceed() {
      for (const turn of order.turns())
        latest = latest
          .then(() => take(turn))
          .catch((error: Error) =>
            onLeftOut(turn.exchange, `it could not be compared: ${error.name}`),
          );
    },
    lose(names, reason) {
      for (const name of names) unlike.set(name, reason);
    },
    async end() {
      await latest;
      await emulator.close();
    },
  };
}

const OWN = 'about the emulator itself';

/** Why the emulator is not asked; undefined where it is. */
function reasonNotAsked(
  { isOwn, isWrite, answer, names, traffic, operation }: TwinExchange,
  orphans: ReadonlySet<string>,
): string | undefined {
  if (!answer) return 'the body of its answer is too long, or packed in an unknown way';
  if (!traffic.requestBody) return 'its body is too long';
  // Time follows the service's answers, and what a control request reads is nobody's promise.
  const isForwarded = isWrite && answer.status < 400 && !/^\/_emulator\/clock/.test(traffic.target);
  if (isOwn && !isForwarded) return OWN;
  if (operation?.id === 'listWebhookEvents' && /[?&]status=/.test(traffic.target))
    return 'it asks for what receivers did';
  for (const name of names)
    if (orphans.has(name)) return 'it names what the emulator has nothing for';
  return undefined;
}

/** The instants in the query of a request. */
function boundsIn(target: string): readonly number[] {
  const values = [...new URLSearchParams(target.split('?')[1] ?? '').values()];
  return values.filter(isInstant).map((text) => Date.parse(text));
}

function describe(
  { ordinal, operation, traffic: { method, status } }: TwinExchange,
  { kind, at, upstream, emulator }: AnswerDifference,
  relied: readonly string[],
) {
  return {
    ...{ ordinal, status, kind, upstream, emulator },
    operation: operation?.id ?? null,
    request: operation ? `${operation.method} ${operation.path}` : `${method} …`,
    at: at.map((step, index) => (isNamable(step, index, at) ? step : '…')).join('.'),
    ...touchedBy(operation, status, at, relied),
  };
}

function isNamable(step: string, index: number, [place]: readonly string[]): boolean {
  return index === 0 || step === '*' || place === 'header' || declaredNames().has(step);
}
