import type { GivenSettings } from 'billing-emulator/internals';
import { type Comparison, compareAnswers, identifiersIn, type ReadAnswer } from './compare.ts';
import { Contended } from './contended.ts';
import { causeName, identifiersAsked, placeDifference, type TwinDifference } from './difference.ts';
import { startTwinEmulator } from './emulator.ts';
import type { ExactValue } from './exact-value.ts';
import { headersOf, type TwinExchange } from './exchange.ts';
import { IdMap } from './id-map.ts';
import { createTwinKeys } from './keys.ts';
import { namesOlder, OWN, reasonNotAsked } from './left-out.ts';
import { Order, type Turn } from './order.ts';
import { type ServiceTime, serviceTimeOf } from './service-time.ts';
import { reliedOn } from './touched.ts';
import { queryOf, translateRequest } from './translate.ts';
import { UnlikeWorlds } from './unlike-worlds.ts';

export interface ComparerListeners {
  /** All differences of an answer. */
  readonly onDifferences: (differences: readonly TwinDifference[]) => void;
  readonly onCompared: (exchange: TwinExchange, comparison: Comparison) => void;
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

interface Waiting {
  readonly exchange: TwinExchange;
  readonly answers: ReadAnswer[];
  readonly writes: Set<TwinExchange>;
}

export async function createComparer(
  settings: GivenSettings,
  { onDifferences, onCompared, onLeftOut }: ComparerListeners,
): Promise<Comparer> {
  const emulator = await startTwinEmulator(settings);
  const order = new Order<TwinExchange>();
  const ids = new IdMap();
  const keys = createTwinKeys();
  const unlike = new UnlikeWorlds(ids);
  const contended = new Contended();
  const isOrphan = (id: string) => unlike.isOrphan(id);
  /** Reads that have their answer once they have been asked again after writes. */
  const waiting = new Map<TwinExchange, Waiting>();
  const early = new Map<TwinExchange, ReadAnswer[]>();
  let latest = Promise.resolve();

  function ask(exchange: TwinExchange): Promise<ReadAnswer> {
    const request = translateRequest(exchange.traffic, ids, keys.inHeader(exchange));
    return emulator.send(request, keys.keyOf(exchange), timeOf(exchange));
  }

  async function take(turn: Turn<TwinExchange>): Promise<void> {
    const { exchange } = turn;
    const reason = reasonNotAsked(exchange, isOrphan);
    try {
      if (reason === undefined) await compare(turn);
      else if (reason === OWN) await keepTime(exchange);
      else leaveOut(exchange, reason);
    } finally {
      if (exchange.isWrite) await askAgainAfter(exchange);
    }
  }

  /** A clock that is moved tells its time more exactly than whole seconds. */
  async function keepTime(exchange: TwinExchange): Promise<void> {
    const { traffic, answer } = exchange;
    const key = keys.keyOf(exchange);
    if (key !== undefined && answer && /^\/_emulator\/clock/.test(traffic.target))
      await emulator.keepTime(key, timeOf(exchange));
  }

  function leaveOut(exchange: TwinExchange, reason: string): void {
    onLeftOut(exchange, reason);
    if (exchange.isWrite) unlike.part(exchange, reason);
    early.delete(exchange);
  }

  async function compare({ exchange, beside, isContended }: Turn<TwinExchange>): Promise<void> {
    ids.give(exchange.names);
    if (exchange.isWrite) {
      for (const read of beside)
        if (reasonNotAsked(read, isOrphan) === undefined)
          early.set(read, [...(early.get(read) ?? []), await ask(read)]);
      settle(exchange, [await ask(exchange)], isContended);
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
    if (isContended) contended.add(exchange, timeOf(exchange).best);
    const options = {
      ids,
      operation: exchange.operation,
      headers: exchange.operation ? headersOf(exchange.operation, upstream.status) : [],
      query: queryOf(exchange.traffic.target),
      isPlaceless: (item: ExactValue) => contended.has(exchange.world, item),
    };
    const found = given.map((answer) => ({ answer, ...compareAnswers(upstream, answer, options) }));
    const isOlder = given.every(({ status }) => namesOlder(exchange, status, ids));
    if (isOlder) {
      unlike.orphan(identifiersIn(upstream.body));
      leaveOut(exchange, 'it names what was there before');
      return;
    }
    const [best] = found.toSorted((one, two) => one.differences.length - two.differences.length);
    if (best) note(exchange, best, isContended);
  }

  function note(
    exchange: TwinExchange,
    comparison: Comparison & { answer: ReadAnswer },
    isContended: boolean,
  ): void {
    const { differences, learned, orphans: unknown, answer } = comparison;
    ids.learn(learned);
    const asked = differences.length > 0 ? identifiersAsked(exchange) : [];
    const relied = reliedOn(answer.headers['x-emulator-assumptions']);
    const told = differences.map((difference) => ({
      ...placeDifference(exchange, difference, { asked, relied }),
      ...{ isContended, follows: unlike.causeOf(exchange, difference) },
    }));
    onDifferences(told);
    const isDoneOnce = (exchange.answer as ReadAnswer).status < 300 !== answer.status < 300;
    const [first] = told;
    const cause = first && (first.follows ?? causeName(first));
    unlike.orphan(unknown, cause);
    if (cause !== undefined && exchange.isWrite && isDoneOnce) unlike.part(exchange, cause, answer);
    onCompared(exchange, comparison);
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
      unlike.blame(names, reason);
    },
    async end() {
      await latest;
      await emulator.close();
    },
  };
}

function timeOf({ answer, isWrite, arrivedAt }: TwinExchange): ServiceTime {
  return serviceTimeOf(answer as ReadAnswer, isWrite, arrivedAt);
}
