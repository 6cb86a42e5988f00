import type { IncomingHttpHeaders } from 'node:http';
import type { OperationSpec } from 'billing-emulator/spec';
import { boundsIn, isNear } from './bounds.ts';
import { Digits, type ExactValue, isList, isObject, isSameWorth, textsIn } from './exact-value.ts';
import { IdMap, type IdPair, tokensIn } from './id-map.ts';
import { isOrdered, isOtherOrder } from './list-order.ts';
import { formOf, matchTexts } from './match-texts.ts';
import { isOfCount, isOfReceivers, isWording } from './not-compared.ts';
import { pairItems } from './pair-items.ts';

export interface ReadAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Undefined for none. */
  readonly body: ExactValue | undefined;
}

export type DifferenceKind =
  | 'status'
  | 'header'
  /** Only the service has it (`missing`), or only the emulator (`extra`). */
  | 'missing'
  | 'extra'
  | 'type'
  | 'value'
  | 'time'
  /** The order of a list differs although the document specifies it. */
  | 'order'
  /** Both sides refer to an object, but not to the same one. */
  | 'reference';

/** A place in a response. */
interface Place {
  /** Such as `['body', 'items', '*', 'name']`. */
  readonly at: readonly string[];
  /** The ids of the items that contain it. */
  readonly within: readonly string[];
}

export interface AnswerDifference extends Place {
  readonly kind: DifferenceKind;
  readonly upstream: ExactValue | undefined;
  readonly emulator: ExactValue | undefined;
}

export interface Comparison {
  readonly differences: readonly AnswerDifference[];
  readonly learned: readonly IdPair[];
  /** Ids of the service without a counterpart in the emulator. */
  readonly orphans: readonly string[];
}

export interface ComparisonOptions {
  readonly ids: IdMap;
  readonly operation: OperationSpec | undefined;
  /** Lower-case names of the response headers in the document. */
  readonly headers: readonly string[];
  readonly query: URLSearchParams;
  /** Whether the position of an item of the service is unknown, because writes ran in parallel. */
  readonly isPlaceless: (item: ExactValue) => boolean;
}

/** Compares two responses to the same request: the service's and the emulator's. */
export function compareAnswers(
  upstream: ReadAnswer,
  emulator: ReadAnswer,
  options: ComparisonOptions,
): Comparison {
  if (upstream.status !== emulator.status) return differentStatus(upstream, emulator);
  const hasBodies = upstream.body !== undefined && emulator.body !== undefined;
  const comparing = new Comparing(options, upstream.status, hasBodies);
  comparing.headers(upstream.headers, emulator.headers);
  comparing.values(upstream.body, emulator.body, { at: ['body'], within: [] });
  return comparing.result();
}

function differentStatus(upstream: ReadAnswer, emulator: ReadAnswer): Comparison {
  const [one, other] = [upstream, emulator].map(({ status }) => new Digits(String(status)));
  return {
    differences: [{ kind: 'status', at: ['status'], upstream: one, emulator: other, within: [] }],
    learned: [],
    orphans: identifiersIn(upstream.body),
  };
}

/** Ids and tokens in a value that a service generated. */
export function identifiersIn(value: ExactValue | undefined): readonly string[] {
  return [...textsIn(value)]
    .filter((text) => formOf(text) !== undefined)
    .flatMap((text) => (formOf(text) === 'link' ? tokensIn(text) : [text]));
}

/** Compares two responses field by field. */
class Comparing {
  readonly differences: AnswerDifference[] = [];
  readonly learned: IdPair[] = [];
  readonly orphans: string[] = [];
  /** The known ids, and those that this comparison has learned so far. */
  readonly #ids: IdMap;
  readonly #bounds: readonly number[];
  /** Whether items are close to a time limit, so that counts can differ without meaning. */
  #isBlurred = false;

  constructor(
    private readonly options: ComparisonOptions,
    private readonly status: number,
    private readonly hasBodies: boolean,
  ) {
    this.#ids = new IdMap(options.ids);
    this.#bounds = boundsIn(options.query);
  }

  result(): Comparison {
    const { differences, learned, orphans } = this;
    const isCounted = ({ at }: AnswerDifference) => isOfCount(at);
    // A count depends on the items, so it is reported after them.
    const told = differences.filter((one) => !isCounted(one));
    const counts = this.#isBlurred ? [] : differences.filter(isCounted);
    return { differences: [...told, ...counts], learned, orphans };
  }

  headers(upstream: IncomingHttpHeaders, emulator: IncomingHttpHeaders): void {
    if (this.hasBodies) this.#header('content-type', mediaType(upstream), mediaType(emulator));
    for (const name of this.options.headers) {
      const [one, other] = [upstream[name]?.toString(), emulator[name]?.toString()];
      const isAddress = name === 'location' && one !== undefined && other !== undefined;
      if (isAddress) this.#header(name, this.#ids.translate(pathOf(one)), pathOf(other));
      else this.#header(name, one && 'any', other && 'any');
    }
  }

  #header(name: string, upstream: string | undefined, emulator: string | undefined): void {
    if (upstream === emulator) return;
    this.#differ('header', upstream, emulator, { at: ['header', name], within: [] });
  }

  values(upstream: ExactValue | undefined, emulator: ExactValue | undefined, place: Place): void {
    if (upstream === undefined && emulator === undefined) return;
    if (emulator === undefined) this.#differ('missing', upstream, emulator, place);
    else if (upstream === undefined) this.#differ('extra', upstream, emulator, place);
    else if (isOfReceivers(this.options, place.at, upstream)) return;
    else if (typeOf(upstream) !== typeOf(emulator)) this.#differ('type', upstream, emulator, place);
    else if (isList(upstream) && isList(emulator)) this.#lists(upstream, emulator, place);
    else if (isObject(upstream) && isObject(emulator)) {
      const own = upstream['id'];
      const within = typeof own === 'string' ? [...place.within, own] : place.within;
      for (const name of scalarsFirst(upstream, emulator))
        this.values(upstream[name], emulator[name], { at: [...place.at, name], within });
    } else this.#scalars(upstream, emulator, place);
  }

  #lists(upstream: readonly ExactValue[], emulator: readonly ExactValue[], list: Place): void {
    const { operation, isPlaceless } = this.options;
    const place = { ...list, at: [...list.at, '*'] };
    const isCompared = (field: string) => !isOfReceivers(this.options, [...place.at, field]);
    const paired = pairItems(upstream, emulator, this.#ids, isCompared);
    const withinItem = (item: ExactValue): Place => ({
      ...place,
      within: [...list.within, ...identifiersIn(item)],
    });
    for (const [one, other] of paired.pairs) this.values(one, other, place);
    const isOnEdge = (item: ExactValue) => isNear(this.#bounds, item);
    this.#isBlurred ||= [...upstream, ...emulator].some(isOnEdge);
    for (const one of paired.missing)
      if (!isOnEdge(one)) this.#differ('missing', one, undefined, withinItem(one));
    for (const one of paired.extra)
      if (!isOnEdge(one)) this.#differ('extra', undefined, one, withinItem(one));
    if (isOrdered(operation, this.status, list.at))
      if (isOtherOrder(upstream, emulator, paired, isPlaceless))
        this.#differ('order', upstream, emulator, list);
  }

  #scalars(upstream: ExactValue, emulator: ExactValue, place: Place): void {
    if (upstream instanceof Digits && emulator instanceof Digits) {
      if (!isSameWorth(upstream, emulator)) this.#differ('value', upstream, emulator, place);
    } else if (typeof upstream === 'string' && typeof emulator === 'string') {
      if (isWording(this.options.operation?.id, this.status, place.at)) return;
      const { differs, learned } = matchTexts(upstream, emulator, this.#ids);
      this.learned.push(...learned);
      this.#ids.learn(learned);
      if (differs) this.#differ(differs, upstream, emulator, place);
    } else if (upstream !== emulator) this.#differ('value', upstream, emulator, place);
  }

  #differ(
    kind: DifferenceKind,
    upstream: ExactValue | undefined,
    emulator: ExactValue | undefined,
    place: Place,
  ): void {
    this.differences.push({ kind, upstream, emulator, ...place });
    if (kind === 'missing') this.orphans.push(...this.#unknown(identifiersIn(upstream)));
  }

  #unknown(identifiers: readonly string[]): readonly string[] {
    return identifiers.filter(
      (id) => this.#ids.counterpart(id) === undefined && !this.#ids.isGiven(id),
    );
  }
}

/** Puts scalar fields first, because they can identify what the other fields contain. */
function scalarsFirst(
  upstream: Readonly<Record<string, ExactValue>>,
  emulator: Readonly<Record<string, ExactValue>>,
): readonly string[] {
  const names = [...new Set([...Object.keys(upstream), ...Object.keys(emulator)])];
  const isInner = (name: string) => isList(upstream[name]) || isObject(upstream[name]);
  return [...names.filter((name) => !isInner(name)), ...names.filter(isInner)];
}

function typeOf(value: ExactValue): string {
  if (value === null) return 'null';
  if (value instanceof Digits) return 'number';
  return isList(value) ? 'list' : typeof value;
}

const mediaType = ({ 'content-type': type }: IncomingHttpHeaders): string | undefined =>
  type?.split(';')[0]?.trim().toLowerCase();

const pathOf = (address: string): string => address.replace(/^https?:\/\/[^/]+/, '');
