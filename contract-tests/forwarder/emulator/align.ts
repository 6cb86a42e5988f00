import type { OperationSpec } from 'billing-emulator/spec';
import {
  type ExactObject,
  type ExactValue,
  isList,
  isObject,
  isText,
  textsIn,
} from '../../kit/exact-json.ts';
import { layers } from '../../kit/layers.ts';
import { schemasOnTheWay } from '../../kit/shape.ts';
import { type IdMap, type IdPair, isInstant, matchTexts } from './id-map.ts';
import { isOfReceivers } from './not-compared.ts';
import { type PairedItems, pairItems } from './pair-items.ts';

export interface AlignOptions {
  /** The known ids, which learn what the bodies show. */
  readonly ids: IdMap;
  readonly operation: OperationSpec | undefined;
  readonly status: number;
  readonly query: URLSearchParams;
  /** Whether the position of an item of the service is unknown, because writes ran in parallel. */
  readonly isPlaceless: (item: ExactValue) => boolean;
}

/** A list whose items stand in another order on the other side. */
interface OtherOrder {
  readonly at: readonly (string | number)[];
  readonly upstream: ExactValue;
  readonly emulator: ExactValue;
}

/** Puts each part of the emulator's body where its counterpart stands in the service's. */
export class Alignment {
  readonly learned: IdPair[] = [];
  readonly orders: OtherOrder[] = [];

  constructor(private readonly options: AlignOptions) {}

  /**
   * The emulator's value with the items of its lists in the places of their counterparts: undefined for those that it lacks,
   * and at the end those that only it has.
   */
  align(
    upstream: ExactValue | undefined,
    emulator: ExactValue | undefined,
    at: OtherOrder['at'],
  ): ExactValue | undefined {
    if (isList(upstream) && isList(emulator)) return this.#list(upstream, emulator, at);
    if (isObject(upstream) && isObject(emulator)) return this.#object(upstream, emulator, at);
    if (isText(upstream) && isText(emulator)) {
      const { ids } = this.options;
      const { learned } = matchTexts(upstream, emulator, ids);
      this.learned.push(...learned);
      ids.learn(learned);
    }
    return emulator;
  }

  #list(upstream: readonly ExactValue[], emulator: readonly ExactValue[], at: OtherOrder['at']) {
    const { ids, operation, status, isPlaceless } = this.options;
    const paired = pairItems(
      ...([upstream, emulator, ids] as const),
      (field) => !isOfReceivers(this.options, [...at, '*', field]),
    );
    if (isOrdered(operation, status, at) && isOtherOrder(upstream, emulator, paired, isPlaceless))
      this.orders.push({ at, upstream, emulator });
    const partners = new Map(paired.pairs);
    const items = upstream.map((item, index) =>
      this.align(item, partners.get(item), [...at, index]),
    );
    return [...items, ...paired.extra] as ExactValue;
  }

  #object(upstream: ExactObject, emulator: ExactObject, at: OtherOrder['at']): ExactValue {
    const aligned: Record<string, ExactValue> = { ...emulator };
    // Scalars first, because they can identify what the other fields contain.
    const names = Object.keys(emulator).filter((name) => name in upstream);
    const isInner = (name: string) => isList(emulator[name]) || isObject(emulator[name]);
    for (const name of [...names.filter((name) => !isInner(name)), ...names.filter(isInner)])
      aligned[name] = this.align(upstream[name], emulator[name], [...at, name]) as ExactValue;
    return aligned;
  }
}

/** Words with which the document specifies the order of a list. */
const ORDER = /\bfirst\b|\border\b/i;

/**
 * Whether the document specifies the order of a list: it does for the items of a page, and for lists whose
 * description mentions an order.
 *
 * @param at such as `['body', 'items']`, with the places of items
 */
function isOrdered(
  operation: OperationSpec | undefined,
  status: number,
  [place, ...path]: readonly (string | number)[],
): boolean {
  if (place !== 'body') return false;
  const steps = path.map(String);
  const list = schemasOnTheWay(layers().closed, operation?.replies.get(status), steps).at(-1);
  if (list?.['type'] !== 'array') return false;
  return steps.join('.') === 'items' || ORDER.test(`${list['description'] ?? ''}`);
}

/**
 * Whether the items of both sides are in a different order. Items with equal instants can be in any order.
 *
 * @param isPlaceless whether the position of an item of the service is unknown
 */
function isOtherOrder(
  upstream: readonly ExactValue[],
  emulator: readonly ExactValue[],
  { pairs }: PairedItems,
  isPlaceless: (item: ExactValue) => boolean,
): boolean {
  const places = new Map(emulator.map((item, place) => [item, place]));
  const partners = new Map(pairs);
  let [before, reached, moments] = [-1, -1, ''];
  for (const item of upstream) {
    const place = places.get(partners.get(item) as ExactValue);
    if (place === undefined || isPlaceless(item)) continue;
    const own = [...textsIn(item)].filter(isInstant).join();
    if (own === '' || own !== moments) before = reached;
    if (place < before) return true;
    moments = own;
    reached = Math.max(reached, place);
  }
  return false;
}
