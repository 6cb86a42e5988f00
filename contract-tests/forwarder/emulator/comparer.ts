import type { GivenSettings } from 'billing-emulator';
import type { ReadAnswer } from './compare.ts';
import { startTwinEmulator, type TwinEmulator } from './emulator.ts';
import type { TwinExchange } from './exchange.ts';
import { IdMap } from './id-map.ts';
import { createTwinKeys } from './keys.ts';
import { OWN, reasonNotAsked } from './left-out.ts';
import { Order, type Turn } from './order.ts';
import type { TwinReport } from './report/report.ts';
import { translateRequest } from './translate.ts';
import { UnlikeWorlds } from './verdicts/unlike-worlds.ts';
import { timeOf, Verdicts } from './verdicts/verdicts.ts';

interface Waiting {
  readonly exchange: TwinExchange;
  readonly answers: ReadAnswer[];
  readonly writes: Set<TwinExchange>;
}

/** Sends each request of the traffic to an emulator too, and compares the responses. */
export async function createComparer(
  settings: GivenSettings,
  report: TwinReport,
): Promise<Comparer> {
  return new Comparer(await startTwinEmulator(settings), report);
}

class Comparer {
  readonly order = new Order<TwinExchange>();
  private readonly ids = new IdMap();
  private readonly keys = createTwinKeys();
  private readonly unlike = new UnlikeWorlds(this.ids);
  private readonly verdicts: Verdicts;
  /** Reads whose comparison waits until they have been repeated after parallel writes. */
  private readonly waiting = new Map<TwinExchange, Waiting>();
  private readonly early = new Map<TwinExchange, ReadAnswer[]>();
  private latest = Promise.resolve();

  constructor(
    private readonly emulator: TwinEmulator,
    private readonly report: TwinReport,
  ) {
    this.verdicts = new Verdicts(this.ids, this.unlike, report);
  }

  /** Compares the exchanges whose turn has come. */
  proceed(): void {
    for (const turn of this.order.turns())
      this.latest = this.latest
        .then(() => this.take(turn))
        .catch((error: Error) =>
          this.report.leftOut(turn.exchange, `it could not be compared: ${error.name}`),
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

  private async take(turn: Turn<TwinExchange>): Promise<void> {
    const { exchange } = turn;
    const reason = this.reasonNotAsked(exchange);
    try {
      if (reason === undefined) await this.compare(turn);
      else if (reason === OWN) await this.keepTime(exchange);
      else this.leaveOut(exchange, reason);
    } finally {
      if (exchange.isWrite) await this.askAgainAfter(exchange);
    }
  }

  private reasonNotAsked(exchange: TwinExchange): string | undefined {
    return reasonNotAsked(exchange, (id) => this.unlike.isOrphan(id));
  }

  private ask(exchange: TwinExchange): Promise<ReadAnswer> {
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
    this.early.delete(exchange);
  }

  private async compare({ exchange, beside, isContended }: Turn<TwinExchange>): Promise<void> {
    const { early } = this;
    this.ids.give(exchange.names);
    if (exchange.isWrite) {
      for (const read of beside)
        if (this.reasonNotAsked(read) === undefined)
          early.set(read, [...(early.get(read) ?? []), await this.ask(read)]);
      this.judge(exchange, [await this.ask(exchange)], isContended);
      return;
    }
    const answers = [await this.ask(exchange), ...(early.get(exchange) ?? [])];
    early.delete(exchange);
    if (beside.length === 0) this.judge(exchange, answers, false);
    else this.waiting.set(exchange, { exchange, answers, writes: new Set(beside) });
  }

  private async askAgainAfter(write: TwinExchange): Promise<void> {
    for (const { exchange, answers, writes } of this.waiting.values()) {
      if (!writes.delete(write)) continue;
      answers.push(await this.ask(exchange));
      if (writes.size > 0) continue;
      this.waiting.delete(exchange);
      this.judge(exchange, answers, false);
    }
  }

  private judge(
    exchange: TwinExchange,
    answers: readonly ReadAnswer[],
    isContended: boolean,
  ): void {
    const reason = this.verdicts.judge(exchange, answers, isContended);
    if (reason !== undefined) this.leaveOut(exchange, reason);
  }
}
