import type { GivenSettings } from 'billing-emulator';
import type { LostRequest, Traffic, TrafficListeners } from '../traffic.ts';
import { type Comparison, compareAnswers, identifiersIn } from './compare.ts';
import { placeOf } from './difference.ts';
import { startTwinEmulator, type TwinEmulator } from './emulator.ts';
import {
  headersOf,
  namesIn,
  type ReadResponse,
  readExchange,
  type TwinExchange,
  timeOf,
} from './exchange.ts';
import { IdMap } from './id-map.ts';
import { namesOlder, OWN, reasonNotAsked } from './not-compared.ts';
import { Order, type OrderedExchange } from './order.ts';
import { causeName, TwinReport, type TwinSummary } from './report.ts';
import { createTwinKeys, translateRequest } from './translate.ts';
import { UnlikeWorlds } from './unlike-worlds.ts';

/** A running comparison, fed by a forwarder. */
interface TwinSession extends TrafficListeners {
  /** Resolves once all traffic has been compared. */
  end(): Promise<TwinSummary>;
}

interface TwinSessionOptions {
  readonly settings: GivenSettings;
  readonly showsValues: boolean;
  readonly print: (line: object) => void;
}

/** Compares all forwarded traffic with the responses of a fresh emulator. */
export async function openTwinSession(options: TwinSessionOptions): Promise<TwinSession> {
  const report = new TwinReport(options.showsValues, options.print);
  const comparer = new Comparer(await startTwinEmulator(options.settings), report);
  const arrivals = new Map<number, { readonly at: number; readonly ordinal: number }>();
  let ordinal = 0;

  function lose({ arrived, ...request }: LostRequest): void {
    report.lost(request.method, request.reason);
    arrivals.delete(arrived);
    comparer.order.leave(arrived);
    const names = namesIn({ ...request, rawRequestHeaders: [] });
    if (request.method !== 'GET') comparer.lose(names, 'a request without a response');
    comparer.proceed();
  }

  return {
    onArrival(arrived) {
      ordinal += 1;
      arrivals.set(arrived, { at: Date.now(), ordinal });
      comparer.order.arrive(arrived);
    },
    onTraffic(traffic: Traffic) {
      const { at = Date.now(), ordinal: place = 0 } = arrivals.get(traffic.arrived) ?? {};
      arrivals.delete(traffic.arrived);
      const exchange = readExchange(traffic, place, at);
      report.came(exchange);
      comparer.order.end(exchange);
      comparer.proceed();
    },
    onLost: lose,
    async end() {
      await comparer.end();
      return report.summary();
    },
  };
}

/** Sends each request of the traffic to an emulator too, compares the responses, and learns ids from both. */
class Comparer {
  readonly order = new Order<TwinExchange>();
  private readonly ids = new IdMap();
  private readonly keys = createTwinKeys();
  /** The known differences between the worlds of the service and of the emulator. */
  private readonly unlike = new UnlikeWorlds(this.ids);
  private latest = Promise.resolve();

  constructor(
    private readonly emulator: TwinEmulator,
    private readonly report: TwinReport,
  ) {}

  /** Compares the exchanges whose turn has come. */
  proceed(): void {
    for (const next of this.order.ready())
      this.latest = this.latest
        .then(() => this.take(next))
        .catch((error: Error) =>
          this.report.leftOut(next.exchange, `it could not be compared: ${error.name}`),
        );
  }

  /** Records that a request can have had an unseen effect. Later differences about these names follow from it. */
  lose(names: Iterable<string>, reason: string): void {
    this.unlike.blame(names, reason);
  }

  /** Resolves once every exchange has been compared. */
  async end(): Promise<void> {
    await this.latest;
    await this.emulator.close();
  }

  private async take({ exchange, isContended }: OrderedExchange<TwinExchange>): Promise<void> {
    const reason =
      reasonNotAsked(exchange, (id) => this.unlike.isOrphan(id)) ??
      (isContended && !exchange.isWrite
        ? 'it was read while a write changed the same world'
        : undefined);
    if (reason === OWN) await this.keepTime(exchange);
    else if (reason !== undefined) this.leaveOut(exchange, reason);
    else {
      this.ids.give(exchange.names);
      const other = this.compare(exchange, await this.ask(exchange), isContended);
      if (other !== undefined) this.leaveOut(exchange, other);
    }
  }

  private ask(exchange: TwinExchange): Promise<ReadResponse> {
    const request = translateRequest(exchange.traffic, this.ids, this.keys.inHeader(exchange));
    return this.emulator.send(request, this.keys.keyOf(exchange), timeOf(exchange));
  }

  /** Takes the time from a clock request, which is more exact than the whole seconds of the Date header. */
  private async keepTime(exchange: TwinExchange): Promise<void> {
    const { traffic, answer } = exchange;
    const key = this.keys.keyOf(exchange);
    if (key !== undefined && answer && /^\/_emulator\/clock/.test(traffic.target))
      await this.emulator.keepTime(key, timeOf(exchange));
  }

  private leaveOut(exchange: TwinExchange, reason: string): void {
    this.report.leftOut(exchange, reason);
    if (exchange.isWrite) this.unlike.part(exchange, reason);
  }

  /**
   * Compares with the emulator's response.
   *
   * @returns why it cannot be compared; undefined when it was
   */
  private compare(
    exchange: TwinExchange,
    answer: ReadResponse,
    isContended: boolean,
  ): string | undefined {
    if (exchange.isOwn) return undefined;
    const { ids, unlike } = this;
    const upstream = exchange.answer as ReadResponse;
    if (namesOlder(exchange, answer.status, ids)) {
      unlike.orphan(identifiersIn(upstream.body));
      return 'it names an object from before the twin was started';
    }
    const { operation } = exchange;
    const headers = operation ? headersOf(operation, upstream.status) : [];
    const options = { ids, operation: operation?.id, headers };
    return this.note(exchange, answer, compareAnswers(upstream, answer, options), isContended);
  }

  /** Learns from a comparison and reports it. Returns why it does not count; undefined when it does. */
  private note(
    exchange: TwinExchange,
    answer: ReadResponse,
    { differences, learned, orphans }: Comparison,
    isContended: boolean,
  ): string | undefined {
    const { ids, unlike } = this;
    ids.learn(learned);
    if (isContended && differences.length > 0) {
      unlike.orphan(orphans, BESIDE);
      return BESIDE;
    }
    const relied = reliedOn(answer.headers['x-emulator-assumptions']);
    const found = differences.map((difference) => ({
      ...placeOf(exchange, difference, relied),
      ...this.report.show(difference),
      follows: unlike.causeOf(exchange, difference),
    }));
    this.report.differ(found);
    const isDoneOnce = (exchange.answer as ReadResponse).status < 300 !== answer.status < 300;
    const cause = found[0] && causeName(found[0]);
    unlike.orphan(orphans, cause);
    if (cause !== undefined && exchange.isWrite && isDoneOnce) unlike.part(exchange, cause, answer);
    this.report.compared(exchange);
    return undefined;
  }
}

const BESIDE = 'it differs, but a write of the same world ran beside it';

/** The assumptions in the header of an emulator's response. */
const reliedOn = (header: string | string[] | undefined): readonly string[] =>
  [header ?? []].flat().flatMap((text) => text.split(',').map((id) => id.trim()));
