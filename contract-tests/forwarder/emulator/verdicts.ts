import type { ExactValue } from '../../kit/exact-json.ts';
import { type Comparison, compareAnswers, identifiersIn } from './compare.ts';
import { causeName, identifiersAsked, placeDifference } from './difference.ts';
import { headersOf, queryOf, type ReadAnswer, type TwinExchange, timeOf } from './exchange.ts';
import type { IdMap } from './id-map.ts';
import { namesOlder } from './not-compared.ts';
import type { TwinReport } from './report/report.ts';
import { Contended, type UnlikeWorlds } from './unlike-worlds.ts';

type Found = Comparison & { readonly answer: ReadAnswer };

/** Compares responses of a service with those of the emulator, and learns ids from both. */
export class Verdicts {
  private readonly contended = new Contended();

  constructor(
    private readonly ids: IdMap,
    /** The known differences between the worlds of the service and of the emulator. */
    private readonly unlike: UnlikeWorlds,
    private readonly report: TwinReport,
  ) {}

  /**
   * Compares with the emulator's response.
   *
   * @returns why it cannot be compared; undefined when it was
   */
  judge(exchange: TwinExchange, answer: ReadAnswer, isContended: boolean): string | undefined {
    if (exchange.isOwn) return undefined;
    const { ids, unlike } = this;
    const upstream = exchange.answer as ReadAnswer;
    if (isContended) this.contended.add(exchange, timeOf(exchange).best);
    if (namesOlder(exchange, answer.status, ids)) {
      unlike.orphan(identifiersIn(upstream.body));
      return 'it names an object from before the twin was started';
    }
    const options = this.optionsOf(exchange, upstream);
    this.note(exchange, { answer, ...compareAnswers(upstream, answer, options) }, isContended);
    return undefined;
  }

  private optionsOf(exchange: TwinExchange, { status }: ReadAnswer) {
    const { operation, traffic, world } = exchange;
    return {
      ...{ ids: this.ids, operation },
      headers: operation ? headersOf(operation, status) : [],
      query: queryOf(traffic.target),
      isPlaceless: (item: ExactValue) => this.contended.has(world, item),
    };
  }

  private note(exchange: TwinExchange, comparison: Found, isContended: boolean): void {
    const { ids, unlike } = this;
    const { differences, learned, orphans: unknown, answer } = comparison;
    ids.learn(learned);
    const asked = differences.length > 0 ? identifiersAsked(exchange) : [];
    const relied = reliedOn(answer.headers['x-emulator-assumptions']);
    const told = differences.map((difference) => ({
      ...placeDifference(exchange, difference, { asked, relied }),
      ...{ isContended, follows: unlike.causeOf(exchange, difference) },
    }));
    this.report.differ(told);
    const isDoneOnce = (exchange.answer as ReadAnswer).status < 300 !== answer.status < 300;
    const [first] = told;
    const cause = first && (first.follows ?? causeName(first));
    unlike.orphan(unknown, cause);
    if (cause !== undefined && exchange.isWrite && isDoneOnce) unlike.part(exchange, cause, answer);
    this.report.compared(exchange);
  }
}

/** The assumptions in the header of an emulator's response. */
const reliedOn = (header: string | string[] | undefined): readonly string[] =>
  [header ?? []].flat().flatMap((text) => text.split(',').map((id) => id.trim()));
